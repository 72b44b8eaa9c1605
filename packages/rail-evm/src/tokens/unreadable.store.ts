// SQL of tokens that do not answer as tokens do.
import type { Db } from '@florin/platform/db/tx'
import type { Address } from 'viem'

export interface UnreadableToken {
  chain: string
  contract: Address
  why: string
  since: Date
  /** null: it is read all the same. */
  askedAt: Date | null
}

export function listUnreadable(db: Db): Promise<UnreadableToken[]> {
  return db<UnreadableToken[]>`
    select chain, contract, why, since, asked_at as "askedAt" from unreadable_tokens order by chain, contract limit 1000`
}

export async function noteUnreadable(db: Db, { chain, contract, why, since, askedAt }: UnreadableToken): Promise<void> {
  await db`
    insert into unreadable_tokens as known (chain, contract, why, since, asked_at)
    values (${chain}, ${contract}, ${why}, ${since}, ${askedAt})
    on conflict (chain, contract) do update set why = excluded.why, asked_at = excluded.asked_at`
}

/** They answer again. */
export async function forgetUnreadable(db: Db, chain: string, contracts: readonly Address[]): Promise<void> {
  await db`delete from unreadable_tokens where chain = ${chain} and contract = any(${contracts as string[]})`
}

/** What the rails file names no more needs no words. */
export async function keepUnreadable(db: Db, chain: string, contracts: readonly Address[]): Promise<void> {
  await db`delete from unreadable_tokens where chain = ${chain} and not contract = any(${contracts as string[]})`
}
