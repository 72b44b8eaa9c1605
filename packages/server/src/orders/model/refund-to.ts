// Where money goes back to, and who may say so (docs/decisions/0020-refund-address.md). Pure.
import { checkAddress } from '@florin/chains'
import { REFUND_ASKS_MAX } from '@florin/protocol'
import type { AssetRef } from '../../rails/rail.ts'
import { approvalOf } from './attention.ts'
import { amountOf } from './ledger.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import { isHeldBy } from './shown.ts'
import { currentLeg, isSameAsset, type LegState, type OrderState, type RefundState } from './state.ts'

/** An address of one chain family is invalid on another's. */
const isAddressOn = (chain: string, address: string): boolean => checkAddress(chain, address).valid

type Target = Pick<RefundState, 'status' | 'address'>

/**
 * The address bound into the leg, else the one its browser named, else the one the merchant approved; else it waits.
 */
export function refundTo(order: OrderState, leg: LegState | undefined, { chain }: AssetRef): Target {
  const address = leg?.boundRefundAddress ?? leg?.refundAddress ?? order.refundAddress
  return address !== null && address !== undefined && isAddressOn(chain, address)
    ? { status: 'sending', address }
    : { status: 'waiting', address: null }
}

const legOf = (order: OrderState, row: RefundState): LegState | undefined =>
  order.legs.find((leg) => leg.id === row.legId)

/** Releases waiting refunds that have an address now. */
function sent(order: OrderState): OrderState {
  const next = (row: RefundState): RefundState => ({ ...row, ...refundTo(order, legOf(order, row), row) })
  return { ...order, refunds: order.refunds.map((row) => (row.status === 'waiting' ? next(row) : row)) }
}

/** The chain that a refund address is needed for: where money waits to be returned, else where the order is paid. */
export function refundChainOf(order: OrderState, shown: LegState | null = currentLeg(order)): string | null {
  return order.refunds.find((row) => row.status === 'waiting')?.chain ?? shown?.chain ?? null
}

export function refundAddressGiven(order: OrderState, address: string): Applied {
  if (order.refundAddress !== null) return ignored('a refund address is set already')
  const chain = refundChainOf(order)
  if (chain !== null && !isAddressOn(chain, address)) return ignored('another way to pay was chosen in the meantime')
  return applied(sent({ ...order, refundAddress: address }))
}

/** Legs of this browser that received money and hold no refund address yet. */
export const listNameableLegs = (order: OrderState, holder: string): LegState[] =>
  order.legs.filter(
    (leg) =>
      isHeldBy(leg, holder) &&
      leg.boundRefundAddress === null &&
      leg.refundAddress === null &&
      order.payments.some((payment) => payment.legId === leg.id && payment.status !== 'orphaned'),
  )

export function refundAddressNamed(order: OrderState, holder: string, address: string): Applied {
  const named = new Set(listNameableLegs(order, holder).filter((leg) => isAddressOn(leg.chain, address)))
  if (named.size === 0) return ignored('this browser has no payment that an address could be named for')
  const legs = order.legs.map((leg) => (named.has(leg) ? { ...leg, refundAddress: address } : leg))
  return applied(sent({ ...order, legs }))
}

/**
 * A wallet can claim waiting money up to what came from it, less what it moved by earlier signatures. The rest of a
 * refund keeps waiting as a row of its own, so that people are notified of what is left.
 */
export function refundAddressSigned(
  order: OrderState,
  a: { legId: string; from: string; address: string },
  now: Date,
  newId: NewId,
): Applied {
  const isFrom = (address: string | null): boolean => address?.toLowerCase() === a.from.toLowerCase()
  const refunds: RefundState[] = []
  let moved = false
  for (const row of order.refunds) {
    const isTheirs = row.status === 'waiting' && row.legId === a.legId && isAddressOn(row.chain, a.address)
    const free = isTheirs ? sentBy(order, row, isFrom) - takenBy([...order.refunds, ...refunds], row, isFrom) : 0n
    const amount = free < row.amount ? free : row.amount
    if (amount <= 0n) {
      refunds.push(row)
      continue
    }
    moved = true
    refunds.push({ ...row, status: 'sending', address: a.address, amount, signedBy: a.from.toLowerCase() })
    if (amount < row.amount) refunds.push({ ...row, id: newId('ref'), amount: row.amount - amount, createdAt: now })
  }
  return moved ? applied({ ...order, refunds }) : ignored('nothing waits that came from this wallet')
}

type IsFrom = (address: string | null) => boolean

const total = (rows: readonly { amount: bigint }[]): bigint => rows.reduce((sum, row) => sum + amountOf(row), 0n)

const sentBy = (order: OrderState, row: RefundState, isFrom: IsFrom): bigint =>
  total(
    order.payments.filter(
      (one) => one.status === 'confirmed' && one.legId === row.legId && isSameAsset(one, row) && isFrom(one.from),
    ),
  )

/** Counts each row once, in its state after this act where the act changed it. */
function takenBy(rows: readonly RefundState[], like: RefundState, isFrom: IsFrom): bigint {
  const newest = new Map(rows.map((row) => [row.id, row]))
  return total(
    [...newest.values()].filter(
      (row) =>
        row.signedBy !== null &&
        row.status !== 'failed' &&
        isFrom(row.signedBy) &&
        row.legId === like.legId &&
        isSameAsset(row, like),
    ),
  )
}

export function refundAddressAsked(order: OrderState, address: string, now: Date): Applied {
  const chain = refundChainOf(order)
  if (order.refundAddress !== null) return ignored('the merchant has named a refund address')
  if (chain === null || !isAddressOn(chain, address)) return ignored('the refund address is of another chain')
  if (!order.payments.some((payment) => payment.status !== 'orphaned')) return ignored('no money has been seen')
  if (order.refundAsks >= REFUND_ASKS_MAX) return ignored('too many addresses were sent')
  const asked = { ...order, refundAsks: order.refundAsks + 1, refundAskedAt: now }
  return { kind: 'applied', order: asked, attention: [approvalOf(asked, { address, chain, now })] }
}

export function refundAddressRefused(order: OrderState): Applied {
  return applied({ ...order, refundAskedAt: null })
}
