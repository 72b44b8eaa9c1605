// Cost settings: from what amount on an order is carried, and up to what amount money is not worth sending back.
import type { Fields } from '@florin/rail-kit/settings/reader'
import { chainDefaults, costDefaults } from './defaults.ts'

export interface CostSettings {
  /** USD micros; approximate cost of a refund where no price of the native coin is known. */
  refundCostMicros: bigint
  /** The same in the native coin's smallest unit. */
  refundCostWei: bigint
  minOrderMicros: bigint
  /** The least fee of an order, where a fee is taken. */
  feeFloorMicros: bigint
}

/** A test chain carries every amount; its refunds cost nothing that anybody would miss. */
export function readCosts(fields: Fields, chain: string, mode: 'live' | 'test'): CostSettings {
  const live = mode === 'live' ? costDefaults[chain] : undefined
  return {
    refundCostMicros: fields.decimal('refundCostUsd', 6, chainDefaults[chain]?.refundCostUsd ?? '0.05'),
    refundCostWei: fields.decimal('refundCostCoins', 18, costDefaults[chain]?.refundCostCoins ?? '0.00001'),
    minOrderMicros: fields.decimal('minOrderUsd', 6, live?.minOrderUsd ?? '0'),
    feeFloorMicros: fields.decimal('feeFloorUsd', 6, live?.feeFloorUsd ?? '0'),
  }
}

/** The smallest order that is carried at this fee. Without a fee the operator has chosen to pay the gas. Rounded up. */
export function smallestOrderMicros(costs: CostSettings, feeBps: number): bigint {
  if (feeBps === 0) return costs.minOrderMicros
  const forFee = (costs.feeFloorMicros * 10_000n + BigInt(feeBps) - 1n) / BigInt(feeBps)
  return forFee > costs.minOrderMicros ? forFee : costs.minOrderMicros
}
