// Where money goes back to, and who may say so (docs/decisions/0020-refund-address.md). Pure.
import { checkPayee } from '@florin/chains'
import { isOnChain, REFUND_ASKS_MAX } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { approvalOf } from '../attention/raised.ts'
import { costOf } from '../balance.ts'
import { type Applied, applied, ignored, type NewId } from '../outcome.ts'
import { isHeldBy } from '../shown.ts'
import { currentLeg, type LegState, type OrderState, type RefundState } from '../state.ts'
import { isWorthSending, sharesOf, totalOf } from './parts.ts'

/** An address of one chain family is invalid on another's. */
const isAddressOn = (chain: string, address: string): boolean => checkPayee(chain, address).valid

type Target = Pick<RefundState, 'status' | 'address'>

/**
 * The address bound into the leg, else the one its browser named; else it waits. What the merchant approved holds for
 * the refunds it was shown and is never taken for other money.
 */
export function refundTo(leg: LegState | undefined, { chain }: AssetRef): Target {
  const address = leg?.boundRefundAddress ?? leg?.refundAddress
  return address !== null && address !== undefined && isAddressOn(chain, address)
    ? { status: 'sending', address }
    : { status: 'waiting', address: null }
}

const legOf = (order: OrderState, row: RefundState): LegState | undefined =>
  order.legs.find((leg) => leg.id === row.legId)

/** Releases waiting refunds that have an address now. */
function sent(order: OrderState): OrderState {
  const next = (row: RefundState): RefundState => ({ ...row, ...refundTo(legOf(order, row), row) })
  return { ...order, refunds: order.refunds.map((row) => (row.status === 'waiting' ? next(row) : row)) }
}

const isWaiting = (row: RefundState): boolean => row.status === 'waiting'

/** Money was seen, and for none of it an address is missing: bound or named for its leg, or its refund is on its way. */
export const isAllSpokenFor = (order: OrderState): boolean =>
  !order.refunds.some(isWaiting) &&
  (order.refunds.length > 0 ||
    order.payments.every(
      (payment) =>
        !isOnChain(payment) ||
        refundTo(
          order.legs.find((leg) => leg.id === payment.legId),
          payment,
        ).status === 'sending',
    ))

/** The chain that a refund address is needed for: where money waits to be returned, else where the order is paid. */
export function refundChainOf(order: OrderState, shown: LegState | null = currentLeg(order)): string | null {
  return order.refunds.find((row) => row.status === 'waiting')?.chain ?? shown?.chain ?? null
}

/** The merchant's word counts for the one refund that was shown, whose amount does not change while it waits. */
export function refundAddressGiven(order: OrderState, a: { refundId: string; address: string }): Applied {
  const given = order.refunds.find((row) => row.id === a.refundId)
  if (given?.status !== 'waiting') return ignored('this refund waits for no address')
  if (!isAddressOn(given.chain, a.address)) return ignored('the refund address is of another chain')
  const refunds = order.refunds.map(
    (row): RefundState => (row === given ? { ...row, status: 'sending', address: a.address } : row),
  )
  return applied({ ...order, refunds, refundAskedAt: refunds.some(isWaiting) ? order.refundAskedAt : null })
}

/** Legs of this browser that received money and hold no refund address yet. */
export const listNameableLegs = (order: OrderState, holder: string): LegState[] =>
  order.legs.filter(
    (leg) =>
      isHeldBy(leg, holder) &&
      leg.boundRefundAddress === null &&
      leg.refundAddress === null &&
      order.payments.some((payment) => payment.legId === leg.id && isOnChain(payment)),
  )

export function refundAddressNamed(order: OrderState, holder: string, address: string): Applied {
  const named = new Set(listNameableLegs(order, holder).filter((leg) => isAddressOn(leg.chain, address)))
  if (named.size === 0) return ignored('this browser has no payment that an address could be named for')
  const legs = order.legs.map((leg) => (named.has(leg) ? { ...leg, refundAddress: address } : leg))
  return applied(sent({ ...order, legs }))
}

/**
 * A wallet can claim of a waiting refund what it sent itself of the payments that the refund returns. The rest keeps waiting
 * as a row of its own, so that people are notified of what is left. A share, or a rest, that costs more to send than it is
 * worth is held.
 */
export function refundAddressSigned(
  order: OrderState,
  a: { legId: string; from: string; address: string },
  now: Date,
  newId: NewId,
): Applied {
  const wallet = a.from.toLowerCase()
  const refunds: RefundState[] = []
  let moved = false
  let isTooLittle = false
  for (const row of order.refunds) {
    const isTheirs = row.status === 'waiting' && row.legId === a.legId && isAddressOn(row.chain, a.address)
    const own = isTheirs ? (sharesOf(order, row).get(wallet) ?? []) : []
    const amount = totalOf(own)
    if (!isWorthSending(order, row, amount)) {
      isTooLittle ||= amount > 0n
      refunds.push(row)
      continue
    }
    moved = true
    refunds.push({ ...row, status: 'sending', address: a.address, amount, parts: own, signedBy: wallet })
    const rest = row.amount - amount
    if (rest <= costOf(order, row.legId, row)) continue
    const parts = row.parts?.filter((part) => !own.includes(part)) ?? null
    refunds.push({ ...row, id: newId('ref'), amount: rest, parts, createdAt: now })
  }
  if (moved) return applied({ ...order, refunds })
  return ignored(isTooLittle ? 'what came from this wallet is below the cost of sending it back' : NOTHING_OF_IT)
}

const NOTHING_OF_IT = 'nothing waits that came from this wallet'

/** One request for each refund that waits, so that each approval shows all that it sends. */
export function refundAddressAsked(order: OrderState, address: string, now: Date): Applied {
  const waiting = order.refunds.filter(isWaiting)
  const rows = waiting.filter((row) => isAddressOn(row.chain, address)).slice(0, REFUND_ASKS_MAX)
  if (waiting.length === 0) return ignored('no refund waits for an address')
  if (rows.length === 0) return ignored('the refund address is of another chain')
  if (order.refundAsks >= REFUND_ASKS_MAX) return ignored('too many addresses were sent')
  const asked = { ...order, refundAsks: order.refundAsks + 1, refundAskedAt: now }
  return { kind: 'applied', order: asked, attention: rows.map((row) => approvalOf(asked, row, { address, now })) }
}

export function refundAddressRefused(order: OrderState): Applied {
  return applied({ ...order, refundAskedAt: null })
}
