// Where every unit of an order is: received = settled + fee + refunded + held, for every leg and asset, after every fact. Pure.
import { isOnChain } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { isSameAsset, type OrderState } from './state.ts'

export interface BalanceState extends AssetRef {
  received: bigint
  settled: bigint
  fee: bigint
  refunded: bigint
  held: bigint
  /** Of what is held, what stays because sending it back costs more. */
  heldBelowCost: bigint
}

/** The same for one leg alone, for guards: one leg's money cannot meet another leg's obligations. */
export interface LegBalance extends BalanceState {
  legId: string
}

const nothing = { received: 0n, settled: 0n, fee: 0n, refunded: 0n, held: 0n, heldBelowCost: 0n }

/** What sending money of this leg and asset back costs, in the asset: up to that it is not worth it. */
export function costOf(order: OrderState, legId: string, asset: AssetRef): bigint {
  const leg = order.legs.find((candidate) => candidate.id === legId)
  // The dust of a quote is twice the cost at that time.
  if (leg !== undefined && isSameAsset(leg, asset)) return leg.dust / 2n
  let cost = 0n
  for (const { legId: on, floor, ...payment } of order.payments) {
    if (on === legId && floor !== null && floor > cost && isSameAsset(payment, asset)) cost = floor
  }
  return cost
}

/** One line per leg and incoming asset, in order of first arrival. */
export function legBalancesOf(order: OrderState): LegBalance[] {
  const lines: LegBalance[] = []
  const lineOf = (legId: string, asset: AssetRef): LegBalance => {
    let line = lines.find((candidate) => candidate.legId === legId && isSameAsset(candidate, asset))
    if (line === undefined) {
      line = { legId, ...assetOf(asset), ...nothing }
      lines.push(line)
    }
    return line
  }
  for (const payment of order.payments) {
    if (isOnChain(payment)) lineOf(payment.legId, payment).received += payment.amount
  }
  for (const settlement of order.settlements) {
    const leg = order.legs.find((candidate) => candidate.id === settlement.legId)
    if (settlement.status !== 'final' || leg === undefined) continue
    lineOf(leg.id, leg).settled += settlement.gross - (settlement.fee ?? 0n)
    lineOf(leg.id, leg).fee += settlement.fee ?? 0n
  }
  for (const refund of order.refunds) {
    if (refund.status === 'succeeded') lineOf(refund.legId, refund).refunded += refund.amount
  }
  for (const line of lines) {
    line.held = line.received - line.settled - line.fee - line.refunded
    if (line.held > 0n && line.held <= costOf(order, line.legId, line)) line.heldBelowCost = line.held
  }
  return lines
}

/** One line per incoming asset, in order of first arrival (contract.md 4.2). */
export function balanceOf(order: OrderState): BalanceState[] {
  const lines: BalanceState[] = []
  for (const { legId: _, ...part } of legBalancesOf(order)) {
    const line = lines.find((candidate) => isSameAsset(candidate, part))
    if (line === undefined) lines.push(part)
    else for (const name of Object.keys(nothing) as (keyof typeof nothing)[]) line[name] += part[name]
  }
  return lines
}

/** True while no more was paid out than came in, leg by leg. */
export const addsUp = (order: OrderState): boolean => legBalancesOf(order).every((line) => line.held >= 0n)

export const assetOf = ({ chain, asset, contract, decimals }: AssetRef): AssetRef => ({
  chain,
  asset,
  contract,
  decimals,
})
