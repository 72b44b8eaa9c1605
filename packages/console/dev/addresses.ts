// The playground's receiving addresses: judged by the same packages as on the server, kept in memory.

import {
  type AccountVerdict,
  firstAddresses,
  isAccountChain,
  looksLikeAccount,
  parseAccount,
  type ScriptType,
  type Account as WalletAccount,
} from '@florin/accounts'
import { type Chain, checkAddress, findChain } from '@florin/chains'
import type { Account, AccountCandidate, Depth, ReceivingAddress, Verdict } from '../src/addresses/queries.ts'
import { type Answer, type Call, ok, pageOf, Refusal, text } from './answer.ts'
import { settled, type World } from './state.ts'

export function addresses(world: World, { method, query, body }: Call, id: string, act: string): Answer {
  if (method === 'GET') return ok(id === 'history' ? pageOf(world.history, query) : pageOf(world.addresses, query))
  const named = method === 'DELETE' || act === 'wallet-limit' || act === 'confirmations'
  const chain = findChain(named ? id : text(body.chain))
  if (chain === null) throw new Refusal('unknown_chain')
  const tell = (address: string | null, label: string | null, account: AccountCandidate | null = null) => {
    const changed = { id: `adr_${world.random.text(8)}`, chain: chain.id, address, account, label }
    world.history.unshift({ ...changed, changed_by: world.merchant.email, changed_at: new Date().toISOString() })
  }
  if (method === 'DELETE' && act === 'waiting') {
    world.addresses = world.addresses.map((each) =>
      each.chain === chain.id ? { ...each, address: each.until_then ?? each.address, ...settled } : each,
    )
    return ok({ chain: chain.id })
  }
  if (method === 'DELETE') {
    world.addresses = world.addresses.filter((each) => each.chain !== chain.id)
    tell(null, null)
    return ok({ chain: chain.id, effective_at: null })
  }
  if (act === 'wallet-limit') {
    const row = world.addresses.find((each) => each.chain === chain.id && each.account !== null)
    if (row?.account == null) throw new Refusal('address_not_found')
    const limit = Number(body.wallet_limit)
    row.account = {
      ...row.account,
      wallet_limit: limit,
      unpaid_max: limit - 5,
      by_payers_max: Math.floor((limit - 5) / 2),
      state: 'ready',
    }
    return ok(row)
  }
  if (act === 'used') {
    const row = world.addresses.find((each) => each.chain === chain.id && each.account !== null)
    if (row?.account == null) throw new Refusal('address_not_found')
    const use = { ...row.account.use, known: 'said' as const, told_by: ['merchant' as const], asks: false }
    row.account = { ...row.account, use, state: 'ready' }
    return ok(row)
  }
  if (act === 'confirmations') {
    const row = world.addresses.find((each) => each.chain === chain.id && each.account !== null)
    if (row?.account == null) throw new Refusal('address_not_found')
    row.account = { ...row.account, confirmations: body.confirmations as Depth[] | null }
    return ok(row)
  }
  const label = text(body.label) || null
  const set = (row: ReceivingAddress) => {
    world.addresses = [...world.addresses.filter((each) => each.chain !== chain.id), row]
    tell(row.address, label, row.account)
    return ok(row)
  }
  const now = new Date().toISOString()
  if (isAccountChain(chain.id) && looksLikeAccount(text(body.address))) {
    const verdict = parseAccount(text(body.address), {
      chain: chain.id,
      script: (body.script_type as ScriptType | undefined) ?? null,
      walletAddress: text(body.wallet_address),
    })
    if (id === 'validate') return ok(accountVerdict(chain, verdict))
    if (!verdict.ok) throw new Refusal('invalid_address', verdict.message, { param: 'address' })
    const account = setAccount(verdict.account)
    return set({
      ...settled,
      chain: chain.id,
      family: chain.family,
      address: account.id,
      account,
      label,
      updated_at: now,
      warnings: [],
    })
  }
  const verdict = checkAddress(chain, body.address)
  const { id: chainId, family } = chain
  const warnings = verdict.warnings.map((each) => ({ ...each }))
  if (id === 'validate') {
    return ok({
      valid: verdict.valid,
      chain: chainId,
      family,
      address: verdict.valid ? verdict.canonical : null,
      reason: verdict.valid ? null : verdict.reason,
      looks_like: verdict.valid ? [] : verdict.looksLike,
      warnings,
      ...{ account: null, asks: null, candidates: [], message: verdict.valid ? null : verdict.message },
    })
  }
  if (!verdict.valid) throw new Refusal('invalid_address', verdict.message, { param: 'address' })
  return set({
    ...settled,
    chain: chainId,
    family,
    address: verdict.canonical,
    account: null,
    label,
    updated_at: now,
    warnings,
  })
}

const shown = (account: WalletAccount): AccountCandidate => ({
  script_type: account.script,
  fingerprint: account.fingerprint,
  path: account.path,
  first_addresses: firstAddresses(account),
})

/** As the server has it a moment after it was set. */
export const setAccount = (account: WalletAccount): Account => ({
  ...shown(account),
  id: `acct_${account.identity.slice(0, 26)}`,
  state: 'ready',
  use: { known: 'part', told_by: ['unspent', 'blocks'], read_down_to: 812_345, asks: true },
  ...{
    next_index: 0,
    unpaid: 0,
    unpaid_max: 15,
    by_payers: 0,
    by_payers_max: 7,
    wallet_limit: 20,
    is_shared: false,
    confirmations: null,
  },
})

function accountVerdict(chain: Chain, verdict: AccountVerdict): Verdict {
  const same = {
    chain: chain.id,
    family: chain.family,
    looks_like: [],
    warnings: [] as { code: string; message: string }[],
  }
  if (verdict.ok) {
    same.warnings = [...verdict.warnings]
    const account = setAccount(verdict.account)
    return {
      ...same,
      valid: true,
      address: account.id,
      reason: null,
      account,
      asks: null,
      candidates: [],
      message: null,
    }
  }
  const { reason, message, candidates } = verdict
  const asks = reason === 'script_needed' ? 'script_type' : reason === 'address_needed' ? 'wallet_address' : null
  return {
    ...same,
    valid: false,
    address: null,
    reason,
    account: null,
    asks,
    candidates: candidates.map(shown),
    message,
  }
}
