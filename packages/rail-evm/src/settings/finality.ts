// The finality part of the rails file: a chain's rule, and stricter rules from an amount on.

import type { Fields } from '@florin/rail-kit/settings/reader'
import { type ChainDefaults, type FinalityRule, LARGE_FROM_USD } from './defaults.ts'

const DEPTH_MAX = 10_000

export function readFinality(fields: Fields, fallback: FinalityRule): FinalityRule {
  const rule = fields.object('finality', null)
  if (rule === null) return fallback
  const tag = rule.has('tag') ? rule.oneOf('tag', ['finalized']) : null
  const depth = rule.has('depth') ? rule.integer('depth', 1, DEPTH_MAX) : null
  rule.end()
  if (tag === null && depth === null) fields.fault('finality', 'it takes a tag, a depth, or both')
  return { tag, depth }
}

/** Omitted: the chain's default; but a finality set for all orders also applies to large ones. */
export function readLarge(
  fields: Fields,
  defaults: ChainDefaults | undefined,
  settle: number,
): { fromMicros: bigint; settle: number; finality: FinalityRule } | null {
  const given = fields.object('large', null)
  if (given === null && (defaults === undefined || fields.has('finality'))) return null
  const own = defaults?.large ?? { settle, finality: { tag: 'finalized', depth: null } }
  const least = Math.max(own.settle, settle)
  const from = given?.decimal('fromUsd', 6, LARGE_FROM_USD)
  const large = {
    fromMicros: from ?? BigInt(LARGE_FROM_USD) * 1_000_000n,
    settle: given?.integer('settle', 1, DEPTH_MAX, least) ?? least,
    finality: given === null ? own.finality : readFinality(given, own.finality),
  }
  if (large.settle < settle) given?.fault('settle', `it is below that of smaller orders (${settle})`)
  given?.end()
  return large
}
