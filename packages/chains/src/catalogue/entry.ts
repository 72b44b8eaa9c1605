// One line of the catalogue: what is published about a chain and, beside it, the rules its addresses are judged by.

import type { Asset, Chain, Family, MemoRule } from '../chain.ts'
import type { AddressRules } from '../verdict.ts'

export interface Entry {
  readonly chain: Chain
  readonly rules: AddressRules
}

export interface Row {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly family: Family
  readonly caip2: string | null
  /** Symbol and decimals. */
  readonly native: readonly [string, number]
  readonly tokens?: readonly Asset[]
  /** Templates with `{tx}` and `{address}`. */
  readonly tx?: string
  readonly address?: string
  readonly memo?: MemoRule
  readonly rules: AddressRules
}

export function entry(row: Row): Entry {
  const native: Asset = { asset: row.native[0], contract: null, decimals: row.native[1] }
  const chain: Chain = {
    id: row.id,
    name: row.name,
    aliases: row.aliases,
    family: row.family,
    caip2: row.caip2,
    native,
    assets: [native, ...(row.tokens ?? [])],
    explorer: { tx: row.tx ?? null, address: row.address ?? null },
    memo: row.memo ?? null,
  }
  return { chain, rules: row.rules }
}

/** Circle's and Tether's dollars have six decimals nearly everywhere; BNB Smart Chain's copies have eighteen. */
export function usdc(contract: string | null, decimals = 6): Asset {
  return { asset: 'USDC', contract, decimals }
}

export function usdt(contract: string | null, decimals = 6): Asset {
  return { asset: 'USDT', contract, decimals }
}
