// What merchants, payers and operators may ask of an order, or why it changes nothing. Pure.
import { checkAddress } from '@florin/chains'
import type { AssetRef } from '../../rails/rail.ts'
import { grossToSettle, isPaid, pocketsOf, winnerOf } from './ledger.ts'
import { type Applied, applied, ignored, type NewId } from './outcome.ts'
import { currentLeg, type LegState, type OrderState, type RefundState, type SettlementState } from './state.ts'

export function legOpened(order: OrderState, leg: LegState, given: string | null, now: Date): Applied {
  if (order.status !== 'pending' || order.canceled || now >= order.expiresAt)
    return ignored(`the order is ${order.status}`)
  if (order.payments.some((payment) => payment.status !== 'orphaned')) return ignored('money has been seen')
  if (order.legs.some((known) => known.n === leg.n)) return ignored('another choice was made in the meantime')
  const refundAddress = order.refundAddress ?? given
  if (given !== null && refundAddress !== given) return ignored('another refund address has been given')
  if (refundAddress !== null && !isAddressOn(leg.chain, refundAddress))
    return ignored('the refund address is of another chain')
  return applied({ ...order, legs: [...order.legs, leg], payLegId: leg.id, refundAddress })
}

/** What goes back to the payer goes to this one address, so it has to be one on the chain that is paid on. */
const isAddressOn = (chain: string, address: string): boolean => checkAddress(chain, address).valid

/** Where money goes back to; null: nowhere known yet. An address of one family of chains is none on another's. */
export function refundTo(order: OrderState, { chain }: AssetRef): Pick<RefundState, 'status' | 'address'> {
  const address = order.refundAddress
  return address !== null && isAddressOn(chain, address)
    ? { status: 'sending', address }
    : { status: 'waiting', address: null }
}

/** The chain that a refund address is asked for: where money waits to go back, else where the order is paid. */
export function refundChainOf(order: OrderState): string | null {
  return order.refunds.find((row) => row.status === 'waiting')?.chain ?? currentLeg(order)?.chain ?? null
}

export function refundAddressGiven(order: OrderState, address: string): Applied {
  if (order.refundAddress !== null) return ignored('a refund address is set already')
  const chain = refundChainOf(order)
  if (chain !== null && !isAddressOn(chain, address)) return ignored('another way to pay was chosen in the meantime')
  const given = { ...order, refundAddress: address }
  return applied({
    ...given,
    refunds: order.refunds.map((row) => (row.status === 'waiting' ? { ...row, ...refundTo(given, row) } : row)),
  })
}

export function refundAsked(order: OrderState, now: Date, newId: NewId): Applied {
  if (order.status === 'processing') return ignored('the money is on its way to the receiving address')
  if (order.status === 'pending' && order.legs.some((leg) => isPaid(order, leg)))
    return ignored('the order is being paid')
  // Asking again also takes up what an earlier refund failed to return.
  const pockets = pocketsOf(order, false).filter((pocket) => pocket.free > 0n)
  if (pockets.length === 0) return ignored('no confirmed money is held back')
  const rows = pockets.map(
    (pocket): RefundState => ({
      ...pocket.asset,
      id: newId('ref'),
      legId: pocket.leg.id,
      ...refundTo(order, pocket.asset),
      amount: pocket.free,
      txHash: null,
      reason: order.status === 'failed' ? 'unsettleable' : 'merchant_request',
      failure: null,
      createdAt: now,
    }),
  )
  return applied({ ...order, refunds: [...order.refunds, ...rows] })
}

export function settlementRetried(order: OrderState, now: Date, newId: NewId): Applied {
  if (order.status !== 'failed') return ignored(`the order is ${order.status}`)
  const leg = winnerOf(order)
  const gross = leg === null ? null : grossToSettle(order, leg)
  if (leg === null || gross === null) return ignored('the money is not there to settle')
  return applied({ ...order, settlements: [...order.settlements, settlementOf(order, leg, gross, now, newId)] })
}

/** A settlement to ask of the rail that the leg is on. */
export function settlementOf(
  { feeBps }: OrderState,
  leg: LegState,
  gross: bigint,
  now: Date,
  newId: NewId,
): SettlementState {
  const unknown = { fee: null, amountOut: null, txHash: null, failure: null }
  return { id: newId('set'), legId: leg.id, status: 'wanted', gross, feeBps, ...unknown, createdAt: now }
}

/** Legs that one order may open: a bound on what its rail has to watch. */
export const LEGS_MAX = 20

/** Whether the payer may still choose how to pay. */
export function canChooseLeg(order: OrderState, now: Date): boolean {
  return (
    order.status === 'pending' && now < order.expiresAt && order.payments.length === 0 && order.legs.length < LEGS_MAX
  )
}
