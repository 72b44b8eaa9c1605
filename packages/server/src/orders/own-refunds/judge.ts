// Of the transfers that a named transaction made to the payer, which one is the merchant's refund; or why none is.
import { canBeMerchants } from '@florin/order-model/own-refunds'
import { type OrderState, type OwnRefund, shownPayee } from '@florin/order-model/state'
import type { Db } from '@florin/platform/db/tx'
import type { OutsideSeen } from '@florin/rail-kit/interface/outside'
import type { OrderDeps } from '../advance.ts'
import { isAwaitedBySwap, listBelieved } from './payouts.store.ts'
import { findCountedElsewhere, isAwaitedByOther, listOfOthers, listTaken } from './store.ts'

export interface Refused {
  failure: string
  /** The transaction, where it counts for another merchant's refund. */
  elsewhere?: string | null
}

export type Judged =
  | { fitting: OutsideSeen }
  | (Refused & { fitting: null })
  /** It may be the payout of a swap that has not ended. */
  | { fitting: null; failure: null }

export const COUNTS_ELSEWHERE =
  'This transfer counts already, for a refund of another merchant who said that it is theirs. If you sent it, do not pay again: ask the operator.'

/** The chain shows that it is the merchant's money: from the receiving address, or of coins that its orders were paid. */
export const isOwn = (order: OrderState, one: OutsideSeen): boolean =>
  one.merchants === undefined
    ? one.from !== null && one.from.toLowerCase() === order.settleAddress.toLowerCase()
    : one.merchants.includes(order.merchantId)

/** A transfer of the amount comes before a part of a larger one. */
const rankOf = (one: OutsideSeen): number => (one.partOf === undefined ? 1 : 0)

/** Several merchants' coins may be in one transaction: then only a transfer of the amount counts. */
const isOwnAlone = (order: OrderState, one: OutsideSeen): boolean =>
  isOwn(order, one) && (one.merchants === undefined || one.merchants.length === 1)

export async function judge(
  deps: Pick<OrderDeps, 'sql' | 'clock'>,
  order: OrderState,
  row: OwnRefund,
  transfers: readonly OutsideSeen[],
): Promise<Judged> {
  const { sql } = deps
  const { merchantId } = order
  // Only a transfer of the merchant's own coins can pay a refund with a part of its amount.
  const known = transfers.filter((one) => one.partOf === undefined || isOwnAlone(order, one))
  if (known.length === 0) {
    const moved = transfers.map((one) => String(one.partOf ?? one.amount)).join(' and ')
    const failure = `The transaction moves ${moved} smallest units of ${row.asset} to ${shownPayee(order, row)}, not ${row.amount}. Another amount counts only from your receiving address, or of your own coins.`
    return { fitting: null, failure }
  }
  const taken = await countedOf(sql, row, known)
  const untaken = known.filter((one) => !taken.has(one.key)).sort((a, b) => rankOf(b) - rankOf(a))
  const free = await withoutPayouts(deps, row, untaken)
  const [first] = free
  if (first === undefined) {
    if (untaken.length > 0) return { fitting: null, failure: null }
    const elsewhere = await findCountedElsewhere(sql, { merchantId, transfers })
    const failure = 'This transfer counts already, for another refund, or Florin made it itself.'
    return { fitting: null, failure: elsewhere === null ? failure : COUNTS_ELSEWHERE, elsewhere }
  }
  if (first.partOf !== undefined && (await isAwaitedByOther(sql, { order, row, amount: first.partOf }))) {
    const failure = `The transaction moves ${first.partOf} smallest units of ${row.asset}, which another refund of yours to this address waits for: name it there.`
    return { fitting: null, failure }
  }
  if (first.merchants !== undefined) return judgeCoins(order, first)
  const foreign = free.filter((one) => !isOwn(order, one))
  const others = await listOfOthers(sql, { ...order, chain: row.chain, transfers: foreign })
  const fitting = free.find((one) => !others.has(one.key) && canBeMerchants(order, row, one.from))
  if (fitting !== undefined) return { fitting }
  // Its own refund would else be recorded for whoever names it first.
  const failure =
    others.size > 0
      ? 'This transfer comes from an address where another merchant gets money: it is no refund of yours.'
      : `This transfer comes from ${first.from}, an address of the payer's: it is no refund. Pay it from your receiving address, or from a wallet that the payer did not use.`
  return { fitting: null, failure }
}

/** Of these transfers those that count already: where a payout was believed unseen, whatever its transaction brought there. */
export const countedOf = async (
  db: Db,
  row: Pick<OwnRefund, 'chain' | 'asset' | 'address'>,
  transfers: readonly OutsideSeen[],
): Promise<ReadonlySet<string>> =>
  new Set([...(await listTaken(db, transfers)), ...(await listBelieved(db, { row, transfers }))])

/**
 * What a swap that has not ended may have brought is no refund yet, wherever it comes from: anybody may set the address that swaps are
 * paid from as his own.
 */
export async function withoutPayouts(
  { sql, clock }: Pick<OrderDeps, 'sql' | 'clock'>,
  row: Pick<OwnRefund, 'chain' | 'asset' | 'address'>,
  transfers: readonly OutsideSeen[],
): Promise<OutsideSeen[]> {
  const now = clock.now()
  const free: OutsideSeen[] = []
  for (const one of transfers) {
    const amount = one.partOf ?? one.amount
    if (!(await isAwaitedBySwap(sql, { row, amount, madeBy: one.madeBy, now }))) free.push(one)
  }
  return free
}

/** Coins have no sender: whose they were is known where they paid an order here, or where their script is an account's. */
function judgeCoins(order: OrderState, one: OutsideSeen): Judged {
  if (isOwn(order, one)) return { fitting: one }
  if (one.isPayment === true) {
    const failure =
      'This transaction pays an order: what comes back to its sender by it is the payer’s own, and no refund.'
    return { fitting: null, failure }
  }
  // Nothing shows whose coins they are, so the merchant's word counts, once.
  if (one.merchants?.length === 0) return { fitting: one }
  const failure = 'This transaction spends coins of another merchant’s orders: it is no refund of yours.'
  return { fitting: null, failure }
}
