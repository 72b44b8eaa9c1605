// The sandbox rail: every chain and asset, no money. Nothing advances by itself; simulate.ts moves it.
// Its addresses can never be paid on a real network.
import { sandboxAddress, sandboxUri } from '@florin/chains'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { feeUnits, unitsDue } from '@florin/platform/money'
import { sha256 } from '@florin/platform/secrets'
import { formatUnits, MINUTE_MS } from '@florin/protocol'
import { type LegRequest, type OpenedLeg, SANDBOX_RAIL } from '../interface/leg.ts'
import type { Holding, HoldingQuestion } from '../interface/moves.ts'
import type { RailPlug } from '../interface/plug.ts'
import type { Rail } from '../interface/rail.ts'
import type { RailServices } from '../interface/services.ts'
import { makeRails, type Rails } from '../registry.ts'
import { refundCost, sandboxPrice } from './prices.ts'
import { insertLeg, insertRefund, insertSettlement, listHoldings, listLegsInMotion } from './store.ts'

/** Volatile quotes hold as long as a real rail's. */
const QUOTE_MS = 15 * MINUTE_MS
export const SANDBOX_CONFIRMATIONS = 3

export function sandboxRail(parts: { sql: Sql }): Rail {
  return {
    capabilities: {
      kind: SANDBOX_RAIL,
      isSandbox: true,
      custody: 'none',
      crossChain: true,
      refundAddress: 'optional',
      isLive: false,
      isOnChain: false,
      estimates: true,
    },
    carries: (a) => !a.livemode,
    estimate: (a) => ({ ...unitsOf(a), costUsdMicros: 0n, expectedS: 0 }),
    async open(request) {
      // The first answer for a reference is the answer: a retry after a crash shows the same leg.
      return insertLeg(parts.sql, request, quote(request))
    },
    async settle(requests) {
      for (const request of requests) await insertSettlement(parts.sql, request)
    },
    async refund(requests) {
      for (const request of requests) await insertRefund(parts.sql, request)
    },
    // There is no chain behind the sandbox that could hold what was not reported.
    recheck: async () => undefined,
    holdings: (legs) => readHoldings(parts.sql, legs),
    checks: async () => [],
  }
}

/** @param plugs in order of preference. @returns these rails and, after them, the sandbox. */
export function railsOf(sql: Sql, plugs: readonly Pick<RailPlug, 'rail' | 'services'>[] = []): Rails {
  const services = plugs.map(({ rail, services }) => [rail.capabilities.kind, services ?? {}] as const)
  return makeRails([...plugs.map(({ rail }) => rail), sandboxRail({ sql })], {
    ...Object.fromEntries(services),
    [SANDBOX_RAIL]: sandboxServices,
  })
}

export const sandboxServices: RailServices = {
  // No money moves here: whatever transaction a merchant names is taken to be the one. Merchants that copy the same hash from an
  // example do not disturb each other.
  outside: {
    hasOwner: true,
    sees: ({ livemode }) => !livemode,
    request: ({ asset, to, amount }) => ({
      uri: sandboxUri({ chain: asset.chain, asset: asset.asset, address: to, amount }),
      transaction: null,
    }),
    look: async ({ asset, amount, txHash, merchantId = '' }) => ({
      kind: 'found',
      transfers: [{ txHash, key: `sandbox:${merchantId}:${asset.chain}:${txHash.toLowerCase()}`, amount, from: null }],
    }),
    search: async ({ after }) => ({ found: [], upTo: after }),
  },
}

/** What goes in and comes out. */
function unitsOf({
  pay,
  settle,
  amountUsdMicros,
  feeBps,
}: Pick<LegRequest, 'pay' | 'settle' | 'amountUsdMicros' | 'feeBps'>): {
  amountDue: bigint
  amountOut: bigint
} {
  const price = sandboxPrice(pay.asset)
  const due = (micros: bigint, decimals: number, usdMicros: bigint): bigint =>
    unitsDue({ usdMicros, priceMicros: micros, decimals, spreadBps: 0 })
  const amountDue = due(price.micros, pay.decimals, amountUsdMicros)
  const grossOut = isSame(pay, settle)
    ? amountDue
    : due(sandboxPrice(settle.asset).micros, settle.decimals, amountUsdMicros)
  return { amountDue, amountOut: grossOut - feeUnits(grossOut, feeBps) }
}

/** Where a chain's real deposits need a memo, the pretended ones do too: whoever tests walks the same screens. */
const memoChains: ReadonlySet<string> = new Set(['stellar'])

const memoOf = ({ pay, legRef }: LegRequest): string | null => {
  if (!memoChains.has(pay.chain)) return null
  return String(Buffer.from(sha256(`sandbox memo ${legRef}`)).readUInt32BE(0))
}

function quote(request: LegRequest): OpenedLeg {
  const { pay } = request
  const price = sandboxPrice(pay.asset)
  const { amountDue, amountOut } = unitsOf(request)
  const memo = memoOf(request)
  if (amountOut <= 0n) throw new AppError('amount_too_small')
  const address = sandboxAddress(pay.chain, sha256(`sandbox address ${request.legRef}`))
  const isPegged = price.isStable
  return {
    address,
    memo,
    uri: `florin-test:${pay.chain}/${address}?asset=${encodeURIComponent(pay.asset)}&amount=${amountDue}${memo === null ? '' : `&memo=${memo}`}`,
    amountDue,
    amountOut,
    dust: 2n * refundCost(pay),
    isStable: isPegged,
    rate: {
      price: formatUnits(price.micros, 6),
      source: 'sandbox',
      expiresAt: isPegged
        ? request.expiresAt
        : new Date(Math.min(request.now.getTime() + QUOTE_MS, request.expiresAt.getTime())),
    },
    confirmationsRequired: SANDBOX_CONFIRMATIONS,
    proof: null,
  }
}

const isSame = (a: { chain: string; asset: string }, b: { chain: string; asset: string }): boolean =>
  a.chain === b.chain && a.asset === b.asset

/** By the sandbox's own books, which know nothing of the order's. */
async function readHoldings(sql: Sql, legs: readonly HoldingQuestion[]): Promise<Holding[]> {
  const refs = legs.map((leg) => leg.legRef)
  const held = await listHoldings(sql, refs)
  const moving = await listLegsInMotion(sql, refs)
  return legs.flatMap(({ legRef, assets }) => {
    if (moving.has(legRef)) return []
    return assets.map((asset): Holding => {
      const isIt = (row: (typeof held)[number]): boolean =>
        row.legRef === legRef && row.chain === asset.chain && row.contract === asset.contract
      return { legRef, asset, amount: held.find(isIt)?.amount ?? 0n, height: null }
    })
  })
}
