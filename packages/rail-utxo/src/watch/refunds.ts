// Refunds that the merchant's wallet was asked for, as blocks show them.
import { assert } from '@florin/platform/assert'
import type { Tx } from '@florin/platform/db/tx'
import { payeeOf } from '../address/payees.ts'
import { spendersOf } from '../address/spenders.ts'
import { listAwaitedOwn, listFirstSeen, noteAnnounced } from '../address/waits.store.ts'
import { BadBlock } from '../chain/block.ts'
import { addressOf } from '../chain/script.ts'
import { readSpends, type Spend } from '../chain/spends.ts'
import type { UtxoContext } from '../context.ts'
import type { UtxoChain } from '../settings/config.ts'
import { holdOutput } from './held.store.ts'
import { fulfil, madeBy, type OutputState, type Placed, releaseHeld, stateOf } from './held.ts'
import { listRefundsAskedTo, type RefundRow, setRefund } from './money.store.ts'
import type { FoundOutput, ScannedBlock } from './scripts.ts'
import type { Reported } from './settle.ts'
import type { WatchedLeg } from './watch.store.ts'

type Found = FoundOutput & { height: number }
/** Of those that would pay a refund so many are looked at: who sends more of its amount pays himself back. */
const CANDIDATES_MAX = 20

interface Read {
  blocks: readonly ScannedBlock[]
  firstSeen?(txid: string): Date | null
}

/**
 * An output to a refund's address, of its amount (of the merchant's own coins also more) and not announced, or in a block, before it was asked for,
 * fulfils it. One to an order's address pays that order, and one that a refund after the settlement waits for is that
 * refund's: each is booked once. Coins of other merchants refund nothing of this one's; nor does what comes back to who pays
 * an order by the same transaction. What a swap may have brought waits until that has ended.
 */
export async function refundFacts(
  tx: Tx,
  chain: UtxoChain,
  a: { undone: readonly RefundRow[]; legs: readonly WatchedLeg[]; fork: { height: number }; now: Date } & Read &
    Pick<UtxoContext, 'addresses' | 'elsewhere'>,
): Promise<{ left: Reported[]; made: Reported[] }> {
  const asking = { chain, elsewhere: a.elsewhere, now: a.now }
  const left: Reported[] = []
  const made = await releaseHeld(tx, asking, a.fork.height)
  const payAddresses = new Set(a.legs.map((leg) => leg.script))
  const outputs = a.blocks.flatMap(({ height, outputs }) =>
    outputs.filter((one) => !payAddresses.has(one.script)).map((one) => ({ ...one, height })),
  )
  const blockAt = new Map(a.blocks.map((block) => [block.height, block]))
  // What of an output counts for no refund yet: of the merchant's own coins one may pay several.
  const taken = new Map<string, bigint>()
  const restOf = (one: FoundOutput): bigint => one.amount - (taken.get(`${one.txid}:${one.vout}`) ?? 0n)
  const take = (one: FoundOutput, row: RefundRow): unknown =>
    taken.set(`${one.txid}:${one.vout}`, one.amount - restOf(one) + row.amount)
  for (const row of a.undone) {
    const moved = outputs.find((one) => one.txid === row.txHash && one.vout === row.vout)
    await setRefund(tx, { id: row.id, made: moved ?? null })
    if (moved !== undefined) take(moved, row)
    else
      left.push({ orderRef: row.orderRef, fact: { kind: 'refund_left', legRef: row.legRef, txHash: row.txHash ?? '' } })
  }
  if (outputs.length === 0) return { left, made }
  const scripts = [...new Set(outputs.map((one) => one.script))]
  const announcedAt = await announcedTimes(tx, chain, a, outputs)
  const rows = await listRefundsAskedTo(tx, chain.id, scripts)
  const payees = new Map(scripts.map((script) => [payeeOf(chain.id, script), script]))
  const own = await listAwaitedOwn(tx, { chain: chain.id, addresses: [...payees.keys()] })
  const awaited = new Set(own.map((one) => `${payees.get(one.address)} ${one.amount}`))
  const wishes = [...rows, ...own.map((one) => ({ ...one, script: payees.get(one.address) }))]
  // Where nothing shows whose coins they are, and merchants wait for the same amount there, it counts for neither of them.
  const isAnyones = (one: Found, row: RefundRow): boolean =>
    wishes.some(
      ({ merchantId, script, amount }) =>
        merchantId !== row.merchantId && script === one.script && amount === one.amount,
    )
  const makerOf = await makersOf(tx, chain, a, rows.length === 0 ? [] : outputs)
  const isFor = (one: Found, row: RefundRow): boolean => {
    if (one.script !== row.script) return false
    // When it was announced says more than its block: after a reorg a new one has an old height.
    const at = announcedAt.get(one.txid)
    return at === undefined ? one.height >= row.askedFrom : at >= row.createdAt
  }
  const waits = new Set(rows)
  // Of what would pay a refund: whether a swap may have brought it, or it counts already. Asked of nothing else, as anybody may send
  // any number of small outputs there.
  const states = new Map<string, OutputState>()
  const placed = (one: Found): Placed => {
    const block = blockAt.get(one.height)
    assert(block !== undefined, 'an output is of a block that was read')
    return { ...one, madeBy: madeBy(block, announcedAt.get(one.txid)) }
  }
  const stateOfOne = async (one: Found): Promise<OutputState> => {
    const key = `${one.txid}:${one.vout}`
    const state = taken.has(key) ? 'free' : (states.get(key) ?? (await stateOf(tx, asking, placed(one))))
    states.set(key, state)
    return state
  }
  for (const row of rows) {
    // Of coins that nobody knows the very amount alone: a payer's own change, or any income of his, is more than most refunds.
    const isOwn = (one: Found): boolean =>
      restOf(one) >= row.amount && makerOf(one, row.merchantId) === 'own' && !awaited.has(`${one.script} ${one.amount}`)
    const isExact = (one: Found): boolean => {
      const maker = makerOf(one, row.merchantId)
      if (one.amount !== row.amount || restOf(one) !== row.amount || maker === 'another') return false
      return maker === 'own' || !isAnyones(one, row)
    }
    const pays = (one: Found): boolean => isFor(one, row) && (isExact(one) || isOwn(one))
    const paying = outputs.filter(pays).sort((one, other) => rankOf(row, one) - rankOf(row, other))
    for (const one of paying.slice(0, CANDIDATES_MAX)) {
      const state = await stateOfOne(one)
      if (state === 'awaited') {
        await holdOutput(tx, { chain: chain.id, refundId: row.id, isOwn: isOwn(one), now: a.now }, placed(one))
      }
      if (state !== 'free') continue
      take(one, row)
      waits.delete(row)
      made.push(await fulfil(tx, row, one))
      break
    }
  }
  // What is the merchant's own and no refund after the settlement asks for, is less than each that waits there.
  for (const one of outputs) {
    if (taken.has(`${one.txid}:${one.vout}`) || awaited.has(`${one.script} ${one.amount}`)) continue
    if ((states.get(`${one.txid}:${one.vout}`) ?? 'free') !== 'free') continue
    const short = [...waits].filter((row) => isFor(one, row) && makerOf(one, row.merchantId) === 'own')
    const nearest = short.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))[0]
    if (nearest !== undefined && one.amount < nearest.amount) made.push(shortOf(chain, one, nearest))
  }
  return { left, made }
}

/** The very amount first. */
const rankOf = (row: RefundRow, one: FoundOutput): number => (one.amount === row.amount ? 0 : 1)

/** A part of a refund is none (docs/decisions/0085-one-output-several-refunds.md), and whoever sent it has to hear of it. */
const shortOf = (chain: UtxoChain, one: FoundOutput, row: RefundRow): Reported => ({
  orderRef: row.orderRef,
  fact: {
    ...{ kind: 'alarm_raised', what: 'refund_short', chain: chain.id, token: null, amount: one.amount },
    ...{ to: addressOf(chain.network, one.script), txHash: one.txid, why: null },
    more: { refund: row.id, asked: String(row.amount), missing: String(row.amount - one.amount) },
  },
})

async function announcedTimes(
  tx: Tx,
  chain: UtxoChain,
  { firstSeen }: Pick<Read, 'firstSeen'>,
  outputs: readonly FoundOutput[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = outputs.flatMap(({ txid }) => {
    const at = firstSeen?.(txid) ?? null
    return at === null ? [] : [{ txid, firstSeen: at }]
  })
  await noteAnnounced(tx, chain.id, rows)
  return listFirstSeen(tx, chain.id, [...new Set(outputs.map((one) => one.txid))])
}

/** What we cannot read of it keeps no block from being recorded. */
function spendsOf(transaction: Buffer): Spend[] {
  try {
    return readSpends(transaction)
  } catch (error) {
    if (error instanceof BadBlock) return []
    throw error
  }
}

/** @returns of whose making an output is for a merchant, by the coins that its transaction spends and by what else it pays. */
async function makersOf(
  tx: Tx,
  chain: UtxoChain,
  a: { legs: readonly WatchedLeg[]; addresses: UtxoContext['addresses']; blocks: readonly ScannedBlock[] },
  outputs: readonly FoundOutput[],
): Promise<(one: FoundOutput, merchantId: string) => 'own' | 'shared' | 'another' | 'unknown'> {
  const payAddresses = new Set(a.legs.map((leg) => leg.script))
  const paying = new Set(
    a.blocks
      .flatMap((block) => block.outputs)
      .filter((one) => payAddresses.has(one.script) && one.kind === 'plain')
      .map((one) => one.txid),
  )
  const makers = new Map<string, { merchants: string[]; spends: Spend[] }>()
  for (const one of outputs) {
    if (one.kind !== 'plain') continue
    const spends = makers.get(one.txid)?.spends ?? spendsOf(one.transaction)
    // Who spends from the address that it goes to is the payer.
    if (spends.some((spend) => spend.scripts.includes(one.script))) paying.add(one.txid)
    if (makers.has(one.txid)) continue
    makers.set(one.txid, {
      merchants: await spendersOf(tx, { chain: chain.id, spends, addresses: a.addresses }),
      spends,
    })
  }
  return ({ txid }, merchantId) => {
    const { merchants = [] } = makers.get(txid) ?? {}
    // Coins of several merchants in one transaction: only a transfer of the amount counts.
    if (merchants.includes(merchantId)) return merchants.length === 1 ? 'own' : 'shared'
    return merchants.length > 0 || paying.has(txid) ? 'another' : 'unknown'
  }
}
