// The sandbox's prices: fixed, so that a test order always asks for the same amounts. They are not market prices.
import { unitsDue } from '@florin/platform/money'

const stable = new Set(['USDC', 'USDT', 'DAI', 'PYUSD', 'USDE', 'USDH'])

const micros: Readonly<Record<string, bigint>> = {
  BTC: 60_000_000_000n,
  ETH: 3_000_000_000n,
  BNB: 600_000_000n,
  SOL: 150_000_000n,
  LTC: 80_000_000n,
  BCH: 400_000_000n,
  XMR: 160_000_000n,
  ZEC: 40_000_000n,
  DASH: 30_000_000n,
  AVAX: 20_000_000n,
  TON: 5_000_000n,
  NEAR: 4_000_000n,
  XRP: 500_000n,
  ADA: 400_000n,
  TRX: 150_000n,
  XLM: 100_000n,
  DOGE: 100_000n,
  POL: 200_000n,
}

export interface SandboxPrice {
  /** USD micros for one whole unit. */
  micros: bigint
  isStable: boolean
}

/** Every other asset costs one dollar but may move, so its quote lapses like a real one. */
export function sandboxPrice(asset: string): SandboxPrice {
  if (stable.has(asset)) return { micros: 1_000_000n, isStable: true }
  return { micros: micros[asset] ?? 1_000_000n, isStable: false }
}

/** What a pretended refund costs. */
const REFUND_COST_MICROS = 20_000n

/** In the asset's smallest unit. */
export const refundCost = ({ asset, decimals }: { asset: string; decimals: number }): bigint =>
  unitsDue({ usdMicros: REFUND_COST_MICROS, priceMicros: sandboxPrice(asset).micros, decimals, spreadBps: 0 })
