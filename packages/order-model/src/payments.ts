// Payments as rails report them, many facts in one pass. Anybody can send thousands of transfers to an address, so an
// order keeps the largest of a leg and asset as rows and folds the others into rows that stand for all of them; every
// unit is still counted, and a folded transfer can still be confirmed or leave the chain. Pure.
import { isOnChain } from '@florin/protocol'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reorgCause } from './attention/cause.ts'
import { type NewAttention, paymentEvidence } from './attention/item.ts'
import { addsUp } from './balance.ts'
import type { Fact } from './facts.ts'
import { LEFT_THE_CHAIN, timeOf } from './ledger.ts'
import type { NewId } from './outcome.ts'
import { withoutBrokenPromises, withoutVainOffers } from './refunds/refundable.ts'
import { withPaidEarly } from './refunds/returned.ts'
import {
  type FoldedTransfer,
  formerFold,
  LEFT_FOLD,
  type LegState,
  type OrderState,
  type PaymentState,
} from './state.ts'

/** Transfers of one leg and asset that keep a row of their own. */
export const SINGLES_MAX = 50

const paymentFacts = [
  'payment_unconfirmed',
  'payment_dropped',
  'payment_seen',
  'payment_confirmed',
  'payment_orphaned',
] as const

export type PaymentFact = Extract<RailFact, { kind: (typeof paymentFacts)[number] }>

export const isPaymentFact = (fact: Fact): fact is PaymentFact => paymentFacts.some((kind) => kind === fact.kind)

export interface AppliedPayments {
  order: OrderState
  /** For each fact, why it changed nothing, or null where it did. */
  why: (string | null)[]
  attention: NewAttention[]
}

/** The cost is linear in the number of facts: the rows that each one looks at are bounded. */
export function applyPayments(
  before: OrderState,
  facts: readonly PaymentFact[],
  now: Date,
  newId: NewId,
): AppliedPayments {
  const attention: NewAttention[] = []
  let order = before
  let rows = openRows(order, newId)
  const closed = (): OrderState => ({ ...order, payments: rows.payments(), folded: rows.folded() })

  const leaves = (key: string): string | null => {
    const known = closed()
    const lost = rows.find(key)
    const refusal = rows.move(key, (status) => (isOnChain({ status }) ? 'orphaned' : null))
    if (refusal !== null || lost === null) return refusal
    const after = closed()
    if (addsUp(after)) {
      order = withoutBrokenPromises(after, lost.legId, lost, LEFT_THE_CHAIN)
      return null
    }
    // Money that is finally settled or returned cannot have come from a removed block: the chain broke its own
    // finality rule, which needs human review. It counts, so that the books add up, until other money stands in its place; and
    // nothing more is given out for it.
    order = known
    rows = openRows(known, newId)
    rows.mark(key, now)
    order = withoutBrokenPromises(closed(), lost.legId, lost, LEFT_THE_CHAIN)
    attention.push({
      kind: 'reorg_after_final',
      cause: reorgCause({ ...lost, key }),
      evidence: { payment: lost.id, ...paymentEvidence(lost) },
      actions: ['dismiss'],
    })
    return null
  }

  const why = facts.map((fact): string | null => {
    if (fact.kind === 'payment_seen' || fact.kind === 'payment_unconfirmed') return seen(order, rows, fact, now, newId)
    if (fact.kind === 'payment_dropped')
      return rows.move(fact.key, (status) => (status === 'unconfirmed' ? 'dropped' : null))
    if (fact.kind === 'payment_orphaned') return leaves(fact.key)
    return rows.move(fact.key, (status) => (status === 'detected' ? 'confirmed' : null))
  })
  return { order: why.includes(null) ? madeGood(closed(), newId) : before, why, attention }
}

/**
 * What came books what waited for it: refunds that the chain showed while their money was not there; and it stands in the place of
 * payments that left. One by one, as far as it goes.
 */
function madeGood(order: OrderState, newId: NewId): OrderState {
  let made = withoutVainOffers(withPaidEarly(order))
  for (const row of made.payments) {
    if (row.leftAt === null) continue
    const rows = openRows(made, newId)
    rows.retire(row)
    const next = { ...made, payments: rows.payments(), folded: rows.folded() }
    if (addsUp(next)) made = next
  }
  return made
}

function seen(
  order: OrderState,
  rows: Rows,
  fact: PaymentFact & { kind: 'payment_seen' | 'payment_unconfirmed' },
  now: Date,
  newId: NewId,
): string | null {
  const leg = order.legs.find((candidate) => candidate.ref === fact.legRef)
  if (leg === undefined) return 'the payment is for a leg that this order never showed'
  if (fact.amount <= 0n) return 'a transfer of nothing'
  const isMined = fact.kind === 'payment_seen'
  if (rows.find(fact.key) !== null) {
    if (!isMined) return rows.move(fact.key, (status) => (status === 'dropped' ? 'unconfirmed' : null))
    const refusal = rows.move(fact.key, (status) => (isOnChain({ status }) ? null : 'detected'))
    return rows.place(fact, refusal)
  }
  rows.add(leg, {
    ...fact.asset,
    key: fact.key,
    id: newId('pay'),
    legId: leg.id,
    txHash: fact.txHash,
    outputIndex: fact.outputIndex,
    amount: fact.amount,
    from: fact.from,
    height: isMined ? fact.height : null,
    confirmationsRequired: leg.confirmationsRequired,
    status: isMined ? 'detected' : 'unconfirmed',
    use: 'counted',
    seenAt: fact.seenAt,
    minedAt: isMined ? (fact.minedAt ?? null) : null,
    detectedAt: now,
    floor: fact.floor ?? null,
    leftAt: null,
    fold: null,
    transfers: 1,
  })
  return null
}

type Rows = ReturnType<typeof openRows>

/** An order's payments while facts are applied to them. */
function openRows(order: OrderState, newId: NewId) {
  const byKey = new Map(order.payments.map((row) => [row.key, row]))
  const folded = new Map(order.folded.map((transfer) => [transfer.key, transfer]))
  const singles = new Map<string, Set<string>>()
  const groupOf = ({ legId, chain, asset, contract }: PaymentState): Set<string> => {
    const name = `${legId}:${chain}:${contract ?? asset}`
    const group = singles.get(name) ?? new Set()
    singles.set(name, group)
    return group
  }
  for (const row of order.payments) if (row.fold === null) groupOf(row).add(row.key)

  const sumKey = (fold: string, status: PaymentState['status']): string => `${fold}:${status}`

  function put(transfer: FoldedTransfer, like: PaymentState): void {
    folded.set(transfer.key, transfer)
    const key = sumKey(transfer.fold, transfer.status)
    const { txHash, outputIndex, height, status, amount } = transfer
    const sum = byKey.get(key)
    const newest = { txHash, outputIndex, height, status }
    if (sum === undefined) {
      const own = { key, id: newId('pay'), fold: transfer.fold, from: null, minedAt: null, transfers: 1, amount }
      const leftAt = transfer.fold.endsWith(LEFT_FOLD) ? like.leftAt : null
      byKey.set(key, { ...like, ...newest, ...own, leftAt, seenAt: transfer.seenAt })
      return
    }
    const seenAt = sum.seenAt > transfer.seenAt ? sum.seenAt : transfer.seenAt
    const floor = larger(sum.floor, like.floor)
    byKey.set(key, {
      ...{ ...sum, ...newest, seenAt, floor },
      amount: sum.amount + amount,
      transfers: sum.transfers + 1,
    })
  }

  /** @returns the row that it stood in, from which another can be made. */
  function take({ fold, status, amount }: FoldedTransfer): PaymentState | undefined {
    const key = sumKey(fold, status)
    const sum = byKey.get(key)
    if (sum === undefined) return undefined
    // What left the chain while no row was kept of it is in no sum.
    if (sum.transfers > 1 && sum.amount > amount)
      byKey.set(key, { ...sum, amount: sum.amount - amount, transfers: sum.transfers - 1 })
    else byKey.delete(key)
    return sum
  }

  /** A row of the transfer's own, as it would stand by itself. */
  function unfolded(transfer: FoldedTransfer): PaymentState | null {
    const like =
      byKey.get(sumKey(transfer.fold, transfer.status)) ??
      order.payments.find((row) => row.fold === transfer.fold) ??
      [...byKey.values()].find((row) =>
        transfer.fold.startsWith(`${row.legId}:${row.chain}:${row.contract ?? row.asset}:`),
      )
    return like === undefined ? null : { ...like, ...transfer }
  }

  function moveFolded(transfer: FoldedTransfer, { status, leftAt }: Pick<PaymentState, 'status' | 'leftAt'>): void {
    const like = unfolded(transfer)
    take(transfer)
    const former = formerFold(transfer.fold)
    const fold = leftAt === null ? former : `${former}${LEFT_FOLD}`
    if (like !== null) put({ ...transfer, fold, status }, { ...like, leftAt })
  }

  return {
    payments: (): PaymentState[] => [...byKey.values()],
    folded: (): FoldedTransfer[] => [...folded.values()],
    find(key: string): PaymentState | null {
      const transfer = folded.get(key)
      return byKey.get(key) ?? (transfer === undefined ? null : unfolded(transfer))
    },
    add(leg: LegState, payment: PaymentState): void {
      const group = groupOf(payment)
      byKey.set(payment.key, payment)
      group.add(payment.key)
      if (group.size <= SINGLES_MAX) return
      let least = payment
      for (const key of group) {
        const row = byKey.get(key)
        if (row !== undefined && row.amount < least.amount) least = row
      }
      group.delete(least.key)
      byKey.delete(least.key)
      const { key, txHash, outputIndex, amount, from, height, status, seenAt } = least
      const { legId, chain, contract, asset } = least
      const fold = `${legId}:${chain}:${contract ?? asset}:${timeOf(order, leg, seenAt)}`
      put({ ...{ key, fold, txHash, outputIndex, amount, from, height, status, seenAt } }, least)
    },
    /** The block of a payment that is known: a reorg may have put it into another. @returns `refusal` where nothing changed. */
    place(
      { key, height, txHash, outputIndex, seenAt, minedAt = null }: PaymentFact & { kind: 'payment_seen' },
      refusal: string | null,
    ): string | null {
      const single = byKey.get(key)
      const transfer = folded.get(key)
      if (single === undefined && transfer?.fold.endsWith(LEFT_FOLD)) {
        moveFolded(transfer, { status: transfer.status, leftAt: null })
        return null
      }
      if (single === undefined) return refusal
      if (single.leftAt === null && single.height === height && single.txHash === txHash) return refusal
      byKey.set(key, { ...single, height, txHash, outputIndex, seenAt, minedAt, leftAt: null })
      return null
    },
    /** It counts though its block is gone. */
    mark(key: string, leftAt: Date): void {
      const single = byKey.get(key)
      const transfer = folded.get(key)
      if (single !== undefined) byKey.set(key, { ...single, leftAt: single.leftAt ?? leftAt })
      else if (transfer !== undefined) moveFolded(transfer, { status: transfer.status, leftAt })
    },
    /** Other money stands in its place. */
    retire(row: PaymentState): void {
      const status = 'orphaned'
      if (row.fold === null) byKey.set(row.key, { ...row, status, leftAt: null })
      for (const transfer of [...folded.values()])
        if (transfer.fold === row.fold && transfer.status === row.status) moveFolded(transfer, { status, leftAt: null })
    },
    /** @returns why not, or null. */
    move(key: string, next: (status: PaymentState['status']) => PaymentState['status'] | null): string | null {
      const known = byKey.get(key) ?? folded.get(key)
      if (known === undefined) return 'no such payment was seen'
      const status = next(known.status)
      if (status === null) return `the payment is ${known.status}`
      const single = byKey.get(key)
      const transfer = folded.get(key)
      if (single !== undefined)
        byKey.set(key, { ...single, status, leftAt: isOnChain({ status }) ? single.leftAt : null })
      else if (transfer !== undefined) moveFolded(transfer, { status, leftAt: null })
      return null
    },
  }
}

const larger = (a: bigint | null, b: bigint | null): bigint | null => (a === null || (b !== null && b > a) ? b : a)
