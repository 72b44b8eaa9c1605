// Which ways rails cannot carry now, from what they say of themselves: what is offered to payers goes by it. Pure.
import { AppError } from '@florin/platform/errors'
import { SECOND_MS } from '@florin/protocol'
import type { AssetRef } from './interface/asset.ts'
import type { RailCapabilities, RailCheck } from './interface/rail.ts'

/**
 * `down`: payments are not seen there now, so nobody is sent there. `slow`: they are, but what comes waits before it goes
 * on; taken where nothing else can carry it.
 */
export type RouteState = 'well' | 'slow' | 'down'

export interface RouteTrouble {
  rail: string
  livemode: boolean
  /** null: whatever it carries. */
  chain: string | null
  asset: string | null
  side: 'any' | 'pay' | 'settle'
  state: Exclude<RouteState, 'well'>
  /** For operators. */
  note: string
  since: Date
}

export interface Way {
  rail: string
  livemode: boolean
  pay: Pick<AssetRef, 'chain' | 'asset'>
  settle: Pick<AssetRef, 'chain' | 'asset'>
}

export function stateOf(troubles: readonly RouteTrouble[], way: Way): RouteState {
  const met = troubles.filter((trouble) => meets(trouble, way))
  if (met.some(({ state }) => state === 'down')) return 'down'
  return met.length > 0 ? 'slow' : 'well'
}

function meets({ rail, livemode, chain, asset, side }: RouteTrouble, way: Way): boolean {
  if (rail !== way.rail || livemode !== way.livemode) return false
  const isAt = (end: Way['pay']): boolean =>
    (chain === null || chain === end.chain) && (asset === null || asset === end.asset)
  return (side !== 'settle' && isAt(way.pay)) || (side !== 'pay' && isAt(way.settle))
}

/** Gas that jumps for some blocks, or a provider that misses a beat, calls nobody and sends no payer elsewhere. */
export const HELD_MS = 30 * SECOND_MS

/** @returns the routes that a rail cannot carry. A rail between chains carries nothing while it is in trouble itself. */
export function troublesOf(
  { kind: rail, crossChain }: RailCapabilities,
  checks: readonly RailCheck[],
  now: Date,
): RouteTrouble[] {
  return checks.flatMap(({ status, chain, livemode, route, holdsUp, summary: note, since: began }): RouteTrouble[] => {
    const since = began ?? now
    if (status === 'ok') return []
    if (route !== undefined) return [{ rail, livemode, chain, ...route, state: 'down', note, since }]
    const state = holdsUp.includes('payments') ? 'down' : holdsUp.includes('settlements') ? 'slow' : null
    if (state === null || now.getTime() - since.getTime() < HELD_MS) return []
    return [{ rail, livemode, chain: crossChain ? null : chain, asset: null, side: 'any', state, note, since }]
  })
}

/** What an address that could not be had says of the way; null: it is the request that was wrong, or the amount. */
export function troubleOfOpening(error: unknown, a: Way & { now: Date }): RouteTrouble | null {
  if (!(error instanceof AppError)) return null
  const { code } = error.entry
  if (code !== 'rail_unavailable' && code !== 'no_price') return null
  const { rail, livemode, pay, now } = a
  const note = `an address could not be had: ${error.message}`
  return { rail, livemode, chain: pay.chain, asset: pay.asset, side: 'pay', state: 'down', note, since: now }
}
