// Opens a leg: quote, the merchant's own address for the order, and the row that is stored before the answer. The same
// reference gives the same answer, whatever happened to prices in between.
import { payUri } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { unitsDue } from '@florin/platform/money'
import { DAY_MS, formatUnits, LATE_WINDOW_MS } from '@florin/protocol'
import type { LegRequest, OpenedLeg } from '@florin/rail-kit/interface/leg'
import { inJournal } from '@florin/rail-kit/journaled'
import { addressOf } from '../chain/script.ts'
import type { UtxoContext } from '../context.ts'
import { coinOf, DECIMALS } from '../settings/coin.ts'
import { depthFor, type UtxoChain } from '../settings/config.ts'
import { givenRecord } from './given.ts'
import { findOpened, insertLeg, isGiven, listAmountsOfOthers, type NewLeg } from './legs.store.ts'
import { spellingsOf } from './payees.ts'
import type { CoinPrice } from './prices.ts'

/** An address is looked at for this long after its order: a wallet keeps old addresses for ever, and payers pay them. */
const WATCH_MS = 400 * DAY_MS
const ALL_COINS_SAT = 84_000_000n * 10n ** 8n

export type LegOpener = (request: LegRequest) => Promise<OpenedLeg>

export interface OpenerParts extends UtxoContext {
  /** Resolves once reading the chain has begun, so that no payment can come before the first block that is read. */
  begun(chain: UtxoChain): Promise<void>
}

export function legOpener(chain: UtxoChain, price: CoinPrice, parts: OpenerParts): LegOpener {
  return async (request) => {
    const known = await findOpened(parts.sql, request.legRef)
    if (known !== null) return known
    const { micros, source } = await price()
    const units = (usdMicros: bigint, spreadBps: number): bigint =>
      unitsDue({ usdMicros, priceMicros: micros, decimals: DECIMALS, spreadBps })
    const quoted = units(request.amountUsdMicros, chain.prices?.spreadBps ?? 0)
    // Wallets refuse to send less than dust; this is above that of every script.
    const leastSat = chain.network.relay.dust / 3n
    if (quoted < leastSat) {
      const least = formatUnits((leastSat * micros) / 10n ** 8n + 1n, 6)
      throw new AppError('amount_too_small', {
        param: 'amount_usd',
        message: `The smallest order that is carried on ${chain.id} is ${least} USD now.`,
      })
    }
    if (quoted > ALL_COINS_SAT) throw new AppError('amount_too_large')
    await parts.begun(chain)
    const claimed = await parts.addresses.claim({
      ...{ merchantId: request.merchantId, chain: chain.id, livemode: request.livemode },
      receivingAddress: request.merchantAddress,
      ...{ orderRef: request.orderRef, legRef: request.legRef, now: request.now },
      takesReused: true,
      isGiven: (db, script) => isGiven(db, { chain: chain.id, script, orderRef: request.orderRef }),
      // A single address that the merchant had set before its account may be one of it.
      isOther: (db, script) =>
        parts.elsewhere.isPaidBySwaps(db, {
          ...{ merchantId: request.merchantId, chain: chain.id },
          addresses: spellingsOf(chain, script),
        }),
    })
    if (claimed === null) {
      throw new AppError('no_rail', {
        message: `${chain.asset} is paid to an account of the merchant's wallet, and the receiving address is a single address. The merchant can set the account's extended public key in the console.`,
      })
    }
    const address = addressOf(chain.network, claimed.script)
    if (address === null) throw new Error('an account gave out a script without an address')
    const lapsesAt = new Date(request.now.getTime() + (chain.prices?.quoteMs ?? 0))
    const deadline = lapsesAt < request.expiresAt ? lapsesAt : request.expiresAt
    const { script, account, index } = claimed
    // Given to an order before: the amount has to tell of which order a payment is, so no two ask for the same.
    const others = await listAmountsOfOthers(parts.sql, { chain: chain.id, script, orderRef: request.orderRef })
    let amountDue = quoted
    while (others.has(amountDue)) amountDue++
    const depth = depthFor(chain, request.amountUsdMicros, claimed.depths)
    const asset = coinOf(chain.id)
    const leg: NewLeg = {
      ...{ ref: request.legRef, orderRef: request.orderRef, chain: chain.id, livemode: request.livemode },
      ...{ script, account, index, asset: chain.asset, depth, deadline },
      opened: {
        address,
        memo: null,
        uri: payUri({ chain: chain.id, asset, address, amount: amountDue }),
        amountDue,
        // Nothing is taken on the way.
        amountOut: amountDue,
        dust: 2n * chain.refundCostSat,
        isStable: false,
        rate: { price: formatUnits(micros, 6), source, expiresAt: deadline },
        confirmationsRequired: depth,
        proof: null,
      },
      lateAfter: new Date(request.expiresAt.getTime() + LATE_WINDOW_MS),
      watchUntil: new Date(request.expiresAt.getTime() + WATCH_MS),
      createdAt: request.now,
    }
    const { merchantId, orderRef } = request
    const place =
      account === null || index === null ? null : { account, index, script, merchantId, orderRef, at: request.now }
    // Before the row: an address that the database knows may be shown at once.
    await inJournal(parts.journal, givenRecord(place, leg))
    return insertLeg(parts.sql, leg)
  }
}
