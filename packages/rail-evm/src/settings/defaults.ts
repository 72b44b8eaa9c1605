// Defaults of the chains that the contracts run on: how deep money counts and how far a reorg can reach. The rails file
// can override every number.

/** At least one of both. With both, whichever is reached first counts: a stuck tag holds nothing up for ever. */
export interface FinalityRule {
  tag: 'finalized' | null
  /** In blocks, including the transaction's own. */
  depth: number | null
}

export interface ChainDefaults {
  chainId: number
  confirmations: { seen: number; settle: number }
  finality: FinalityRule
  /** From `LARGE_FROM_USD` on. */
  large: { settle: number; finality: FinalityRule }
  reorgWindow: number
  maxReorg: number
  logRange: number
  pollMs: number
  /** Approximate cost of a refund where no price of the native coin is known. */
  refundCostUsd: string
  maxFeeGwei: string
  /** A newest block older than this many seconds is old: about ten times the longest pause that is usual there. */
  headMaxAgeS: number
}

const chain = (
  chainId: number,
  [settle, largeSettle]: readonly [settle: number, largeSettle: number],
  [finality, largeFinality]: readonly [below: FinalityRule, above: FinalityRule],
  [reorgWindow, maxReorg]: readonly [reorgWindow: number, maxReorg: number],
  [pollMs, logRange]: readonly [pollMs: number, logRange: number],
  [refundCostUsd, maxFeeGwei]: readonly [refundCostUsd: string, maxFeeGwei: string],
): ChainDefaults => ({
  ...{ chainId, confirmations: { seen: 1, settle }, reorgWindow, maxReorg },
  ...{ finality, large: { settle: largeSettle, finality: largeFinality } },
  ...{ pollMs, logRange, refundCostUsd, maxFeeGwei, headMaxAgeS: chainId === 1 ? 300 : 120 },
})

export const LARGE_FROM_USD = '1000'

const deep = (depth: number): FinalityRule => ({ tag: null, depth })
const finalized: FinalityRule = { tag: 'finalized', depth: null }
/** These chains finalize within seconds; if they stop doing so, depth decides. */
const finalizedOr = (depth: number): FinalityRule => ({ tag: 'finalized', depth })

/** By the catalogue's chain id. */
export const chainDefaults: Readonly<Record<string, ChainDefaults>> = {
  eth: chain(1, [2, 4], [deep(4), finalized], [256, 96], [4000, 1000], ['1', '60']),
  base: chain(8453, [1, 5], [deep(5), finalized], [1800, 900], [1000, 1000], ['0.01', '2']),
  op: chain(10, [1, 5], [deep(5), finalized], [1800, 900], [1000, 1000], ['0.01', '2']),
  arb: chain(42_161, [4, 20], [deep(20), finalized], [7200, 3600], [1000, 500], ['0.01', '2']),
  pol: chain(137, [2, 5], [finalizedOr(128), finalizedOr(128)], [512, 256], [1000, 1000], ['0.01', '1000']),
  bsc: chain(56, [3, 15], [finalizedOr(15), finalizedOr(15)], [512, 128], [1000, 500], ['0.02', '5']),
  avax: chain(43_114, [1, 1], [deep(1), finalized], [64, 8], [1000, 1000], ['0.01', '100']),
}

/** The coins that are quoted one to one with the dollar. */
export const stableAssets: ReadonlySet<string> = new Set(['USDC', 'USDT', 'USDT0'])

/**
 * What small orders and refunds cost. A settlement takes about 114,000 gas and a refund 109,000 (docs/rails.md), at what
 * gas usually costs on the chain when it is busy: 3 gwei and $3,000 on Ethereum, hundredths of a gwei on the rollups.
 */
export interface CostDefaults {
  /** The smallest live order: five times the dust of a quote, so that money which goes astray can go back. */
  minOrderUsd: string
  /** An order whose fee would be less than its settlement costs is refused, where the operator takes a fee. */
  feeFloorUsd: string
  /** What a refund costs in the native coin, where that coin itself has to go back. */
  refundCostCoins: string
}

/** By the catalogue's chain id. */
export const costDefaults: Readonly<Record<string, CostDefaults>> = {
  eth: { minOrderUsd: '10', feeFloorUsd: '0.30', refundCostCoins: '0.00033' },
  base: { minOrderUsd: '0.10', feeFloorUsd: '0.003', refundCostCoins: '0.0000033' },
  op: { minOrderUsd: '0.10', feeFloorUsd: '0.003', refundCostCoins: '0.0000033' },
  arb: { minOrderUsd: '0.10', feeFloorUsd: '0.003', refundCostCoins: '0.0000033' },
  pol: { minOrderUsd: '0.10', feeFloorUsd: '0.003', refundCostCoins: '0.02' },
  bsc: { minOrderUsd: '0.20', feeFloorUsd: '0.01', refundCostCoins: '0.00003' },
  avax: { minOrderUsd: '0.10', feeFloorUsd: '0.005', refundCostCoins: '0.0005' },
}
