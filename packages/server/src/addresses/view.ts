// The wire shapes of receiving addresses (contract.md 3).
import { type AccountVerdict, openAccount } from '@florin/accounts'
import { type AddressVerdict, type Chain, checkAddress, findChain } from '@florin/chains'
import { assert } from '@florin/platform/assert'
import { accountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import { type Static, Type } from 'typebox'
import type { CountedAccount } from './accounts/counter.store.ts'
import type { AccountRow } from './accounts/store.ts'
import { AccountView, CandidateView, viewAccount, viewCandidate } from './accounts/view.ts'
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
    account: Type.Union([AccountView, Type.Null()], {
      description: 'The account that `address` names (`acct_…`); null: it is an address',
    }),
    until_then_account: Type.Union([AccountView, Type.Null()], { description: 'The same of `until_then`' }),
  },
  { ...closed, title: 'ReceivingAddress' },
)

/**
 * @param a.warnings of the spelling that was sent; left out, those of the canonical form.
 * @returns null where nothing is set and nothing waits.
 */
export function viewAddress(
  row: ChainAddressRow,
  a: {
    now: Date
    accounts: ReadonlyMap<string, CountedAccount>
    warnings?: readonly { code: string; message: string }[]
  },
): Static<typeof AddressView> | null {
  const { accounts } = a
  const ripe = row.waiting !== null && row.waiting.effectiveAt <= a.now
  const current = ripe ? (row.waiting?.address ?? null) : row.address
  const waiting = ripe ? null : row.waiting
  const address = waiting?.address ?? current
  const updatedAt = (ripe ? row.waiting?.effectiveAt : row.waiting?.askedAt) ?? row.updatedAt
  if (address === null || updatedAt === null) return null
  const chain = findChain(row.chain)
  assert(chain !== null, `the catalogue has lost the chain ${row.chain}`)
  const untilThen = waiting === null ? null : current
  const spelling = isAccountRef(address) ? [] : checkAddress(chain, address).warnings
  return {
    chain: chain.id,
    family: chain.family,
    address,
    label: row.waiting?.address == null ? row.label : row.waiting.label,
    updated_at: updatedAt.toISOString(),
    warnings: viewWarnings(a.warnings ?? spelling),
    effective_at: waiting?.effectiveAt.toISOString() ?? null,
    until_then: untilThen,
    is_default: row.isDefault,
    is_removal: waiting !== null && waiting.address === null,
    account: viewAccount(accounts.get(address)),
    until_then_account: viewAccount(accounts.get(untilThen ?? '')),
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
    account: Type.Union([CandidateView, Type.Null()], {
      description: 'What was read, where the text is that of an account',
    }),
    asks: Type.Union([Type.Literal('script_type'), Type.Literal('wallet_address'), Type.Null()], {
      description: 'The field that is missing for the text to be taken as an account',
    }),
    candidates: Type.Array(CandidateView, {
      description: 'What the account may be, to choose from by its first addresses',
    }),
    message: Type.Union([Text, Type.Null()], { description: 'What is wrong and what would be right; null: nothing' }),
  },
  closed,
)

/** Of a text that is meant as an account. */
export function viewAccountVerdict(chain: Chain, verdict: AccountVerdict): Static<typeof VerdictView> {
  const { id, family } = chain
  const shown = { chain: id, family, looks_like: [], warnings: [] }
  if (verdict.ok) {
    const { account } = verdict
    const warnings = viewWarnings(verdict.warnings)
    const found = { account: viewCandidate(account), asks: null, candidates: [], message: null, warnings }
    return { ...shown, ...found, valid: true, address: accountRef(account.identity), reason: null }
  }
  const { reason, message } = verdict
  const asks = reason === 'script_needed' ? 'script_type' : reason === 'address_needed' ? 'wallet_address' : null
  const candidates = verdict.candidates.map(viewCandidate)
  return { ...shown, valid: false, address: null, reason, account: null, asks, candidates, message }
}

export function viewVerdict(chain: Chain, verdict: AddressVerdict): Static<typeof VerdictView> {
  const { id, family } = chain
  const warnings = viewWarnings(verdict.warnings)
  const noAccount = { account: null, asks: null, candidates: [] }
  return verdict.valid
    ? {
        valid: true,
        chain: id,
        family,
        address: verdict.canonical,
        reason: null,
        looks_like: [],
        warnings,
        ...noAccount,
        message: null,
      }
    : {
        valid: false,
        chain: id,
        family,
        address: null,
        reason: verdict.reason,
        looks_like: [...verdict.looksLike],
        warnings,
        ...noAccount,
        message: verdict.message,
      }
}

function viewWarnings(warnings: readonly { code: string; message: string }[]): { code: string; message: string }[] {
  return warnings.map(({ code, message }) => ({ code, message }))
}

export const HistoryView = Type.Object(
  {
    id: Text,
    chain: Text,
    address: Type.Union([Text, Type.Null()], { description: 'null: the address was removed' }),
    account: Type.Union([CandidateView, Type.Null()], { description: 'The account that `address` names' }),
    label: TextOrNull,
    changed_by: Text,
    changed_at: Time,
  },
  { ...closed, title: 'AddressHistoryEntry' },
)

export function viewHistory(
  row: AddressHistoryRow,
  accounts: ReadonlyMap<string, AccountRow>,
): Static<typeof HistoryView> {
  const account = accounts.get(row.address ?? '')
  return {
    id: row.id,
    chain: row.chain,
    address: row.address,
    account: account === undefined ? null : viewCandidate(openAccount(account.descriptor, account)),
    label: row.label,
    changed_by: row.changedBy,
    changed_at: row.changedAt.toISOString(),
  }
}
