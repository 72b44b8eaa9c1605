// What the provider takes for paying out an asset. Live quotes say it; where none was made lately, a dry one is asked for, so
// that what payers are told before they choose is the whole price. Few assets are paid out, and each is asked about once an hour.
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { isOfProvider } from '../client/ask.ts'
import type { OneClick } from '../client/client.ts'
import { type QuoteReply, type QuoteRequest, unitsOf } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'
import { listPayoutCosts, savePayoutCost } from './store.ts'

const LOOK_EVERY_MS = 20_000
const FRESH_FOR_MS = HOUR_MS
/** After a question that brought no answer. */
const AGAIN_AFTER_MS = 10 * MINUTE_MS
const WANTED_MAX = 200

export interface PayoutCosts {
  /** In smallest units of the asset; null: the provider has not said. Remembered as asked for, with an address to be paid at. */
  of(asset: Pick<AssetRef, 'chain' | 'asset'>, recipient: string): bigint | null
  learn(asset: Pick<AssetRef, 'chain' | 'asset'>, reply: QuoteReply): Promise<void>
  /** Puts at most one question. Never throws. @param questionOf null: there is none to put. */
  refresh(questionOf: (wish: Wish) => QuoteRequest | null): Promise<void>
}

export interface Wish {
  chain: string
  asset: string
  recipient: string
}

const keyOf = ({ chain, asset }: Pick<AssetRef, 'chain' | 'asset'>): string => `${chain} ${asset.toLowerCase()}`

export function payoutCosts(
  {
    sql,
    clock,
    log,
    isSigned,
  }: Pick<IntentsContext, 'sql' | 'clock' | 'log'> & { isSigned(reply: QuoteReply): boolean },
  client: OneClick,
): PayoutCosts {
  let known = new Map<string, { cost: bigint; toldAt: Date }>()
  const wanted = new Map<string, Wish>()
  const askedAt = new Map<string, number>()
  let lookedAt = Number.NEGATIVE_INFINITY

  async function learn({ chain, asset }: Pick<AssetRef, 'chain' | 'asset'>, reply: QuoteReply): Promise<void> {
    const cost = unitsOf(reply.quote.withdrawFee)
    const amountOut = unitsOf(reply.quote.amountOut)
    // A dry quote's signature leaves it out: what cannot be is not learned.
    if (cost === null || amountOut === null || cost >= amountOut) return
    const toldAt = clock.now()
    known.set(keyOf({ chain, asset }), { cost, toldAt })
    await savePayoutCost(sql, { chain, asset, cost, toldAt })
  }

  return {
    of(asset, recipient) {
      const key = keyOf(asset)
      const found = known.get(key)
      const isFresh = found !== undefined && clock.now().getTime() - found.toldAt.getTime() < FRESH_FOR_MS
      if (!isFresh && wanted.size < WANTED_MAX) wanted.set(key, { chain: asset.chain, asset: asset.asset, recipient })
      return found?.cost ?? null
    },
    learn,
    async refresh(questionOf) {
      const now = clock.now().getTime()
      if (now - lookedAt < LOOK_EVERY_MS) return
      lookedAt = now
      try {
        const stored = await listPayoutCosts(sql)
        known = new Map(stored.map((row) => [keyOf(row), row]))
        for (const [key, wish] of wanted) {
          const found = known.get(key)
          const isFresh = found !== undefined && now - found.toldAt.getTime() < FRESH_FOR_MS
          if (isFresh) wanted.delete(key)
          if (isFresh || now - (askedAt.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER_MS) continue
          askedAt.set(key, now)
          const question = questionOf(wish)
          if (question === null) continue
          const reply = await client.quote(question)
          if (isSigned(reply)) await learn(wish, reply)
          return
        }
      } catch (error) {
        if (!isOfProvider(error)) log.warn({ err: error }, 'costs of payouts were not read; will retry')
        else log.info({ err: error }, 'the provider did not say what a payout costs; will retry')
      }
    },
  }
}
