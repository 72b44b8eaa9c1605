// The wire shapes of receiving addresses (contract.md 3).
import { type AddressVerdict, type Chain, checkAddress, findChain, type Warning } from '@florin/chains'
import { type Static, Type } from 'typebox'
import { assert } from '../platform/assert.ts'
import type { AddressHistoryRow } from './store.ts'
import type { ChainAddressRow } from './waiting.ts'

const closed = { additionalProperties: false }
const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const Time = Type.String({ description: 'ISO 8601, UTC' })
const Warnings = Type.Array(Type.Object({ code: Text, message: Text }, closed))

export const AddressView = Type.Object(
  {
    chain: Text,
    family: Text,
    address: Type.String({ description: 'What was set last, in canonical form; with is_removal what is in effect' }),
    label: TextOrNull,
    updated_at: Time,
    warnings: Warnings,
    effective_at: Type.Union([Time, Type.Null()], {
      description: 'When live orders follow the change; test orders do at once. null: nothing waits',
    }),
    until_then: Type.Union([Text, Type.Null()], {
      description: 'Where live orders settle until effective_at; null: nowhere, or nothing waits',
    }),
    is_default: Type.Boolean({ description: 'Orders that name no chain settle here' }),
    is_removal: Type.Boolean({ description: 'What waits is that the address is taken away' }),
  },
  closed,
)

/**
 * @param warnings of the spelling that was sent; left out, those of the canonical form.
 * @returns null where nothing is set and nothing waits.
 */
export function viewAddress(
  row: ChainAddressRow,
  now: Date,
  warnings?: readonly Warning[],
): Static<typeof AddressView> | null {
  const ripe = row.waiting !== null && row.waiting.effectiveAt <= now
  const current = ripe ? (row.waiting?.address ?? null) : row.address
  const waiting = ripe ? null : row.waiting
  const address = waiting?.address ?? current
  const updatedAt = (ripe ? row.waiting?.effectiveAt : row.waiting?.askedAt) ?? row.updatedAt
  if (address === null || updatedAt === null) return null
  const chain = findChain(row.chain)
  assert(chain !== null, `the catalogue has lost the chain ${row.chain}`)
  return {
    chain: chain.id,
    family: chain.family,
    address,
    label: row.waiting?.address == null ? row.label : row.waiting.label,
    updated_at: updatedAt.toISOString(),
    warnings: viewWarnings(warnings ?? checkAddress(chain, address).warnings),
    effective_at: waiting?.effectiveAt.toISOString() ?? null,
    until_then: waiting === null ? null : current,
    is_default: row.isDefault,
    is_removal: waiting !== null && waiting.address === null,
  }
}

export const VerdictView = Type.Object(
  {
    valid: Type.Boolean(),
    chain: Text,
    family: Text,
    address: Type.Union([Text, Type.Null()], { description: 'In canonical form; null where it is not valid' }),
    reason: Type.Union([Text, Type.Null()], { description: 'A stable word for what is wrong' }),
    looks_like: Type.Array(Text, { description: 'Chains where the same text is a valid address' }),
    warnings: Warnings,
  },
  closed,
)

export function viewVerdict(chain: Chain, verdict: AddressVerdict): Static<typeof VerdictView> {
  const { id, family } = chain
  const warnings = viewWarnings(verdict.warnings)
  return verdict.valid
    ? { valid: true, chain: id, family, address: verdict.canonical, reason: null, looks_like: [], warnings }
    : {
        valid: false,
        chain: id,
        family,
        address: null,
        reason: verdict.reason,
        looks_like: [...verdict.looksLike],
        warnings,
      }
}

function viewWarnings(warnings: readonly Warning[]): { code: string; message: string }[] {
  return warnings.map(({ code, message }) => ({ code, message }))
}

export const HistoryView = Type.Object(
  {
    id: Text,
    chain: Text,
    address: Type.Union([Text, Type.Null()], { description: 'null: the address was removed' }),
    label: TextOrNull,
    changed_by: Text,
    changed_at: Time,
  },
  closed,
)

export function viewHistory(row: AddressHistoryRow): Static<typeof HistoryView> {
  return {
    id: row.id,
    chain: row.chain,
    address: row.address,
    label: row.label,
    changed_by: row.changedBy,
    changed_at: row.changedAt.toISOString(),
  }
}
