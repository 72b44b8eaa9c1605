// SQL of what the provider lists, and of the ways that it refused lately.
import { holdLock, shareLock } from '@florin/platform/db/locks/advisory-locks'
import type { Sql } from '@florin/platform/db/pool'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import type { Token } from '../client/wire.ts'

/** Of a way, what the whole rail is known by. */
export const EVERYTHING = { chain: 'near', asset: '*', side: 'pay' } as const

export async function findTokens(sql: Sql): Promise<{ tokens: Token[]; fetchedAt: Date } | null> {
  const [row] = await sql<{ tokens: Token[]; fetchedAt: Date }[]>`
    select tokens, fetched_at as "fetchedAt" from intents_catalogue`
  return row ?? null
}

/** An older list never replaces a newer one. */
export async function saveTokens(sql: Sql, tokens: readonly Token[], now: Date): Promise<void> {
  await sql`
    insert into intents_catalogue (tokens, fetched_at) values (${JSON.stringify(tokens)}::text::json, ${now})
    on conflict (one) do update set tokens = excluded.tokens, fetched_at = excluded.fetched_at
    where intents_catalogue.fetched_at < excluded.fetched_at`
}

export interface PayoutCost {
  chain: string
  asset: string
  cost: bigint
  toldAt: Date
}

/** As many as there are assets that a merchant can get. */
export async function listPayoutCosts(sql: Sql): Promise<PayoutCost[]> {
  const rows = await sql<(Omit<PayoutCost, 'cost'> & { cost: string })[]>`
    select chain, asset, cost::text, told_at as "toldAt" from intents_payout_costs limit 1000`
  return rows.map((row) => ({ ...row, cost: BigInt(row.cost) }))
}

export async function savePayoutCost(sql: Sql, a: PayoutCost): Promise<void> {
  await sql`
    insert into intents_payout_costs (chain, asset, cost, told_at)
    values (${a.chain}, ${a.asset}, ${a.cost.toString()}, ${a.toldAt})
    on conflict (chain, asset) do update set cost = excluded.cost, told_at = excluded.told_at
    where intents_payout_costs.told_at < excluded.told_at`
}

export interface Sickness {
  chain: string
  asset: string
  side: 'pay' | 'settle'
  note: string
  until: Date
}

/** What is refused again stays out since it was refused first, and no shorter. */
export async function saveSick(db: Db, a: Sickness, now: Date): Promise<void> {
  await db`
    insert into intents_sick (chain, asset, side, since, until, note)
    values (${a.chain}, ${a.asset}, ${a.side}, ${now}, ${a.until}, ${a.note})
    on conflict (chain, asset, side) do update set until = greatest(intents_sick.until, excluded.until), note = excluded.note,
      since = case when intents_sick.until < ${now} then excluded.since else intents_sick.since end`
}

export function listSick(sql: Sql, now: Date): Promise<(Omit<Sickness, 'until'> & { since: Date })[]> {
  return sql<(Omit<Sickness, 'until'> & { since: Date })[]>`
    select chain, asset, side, since, note from intents_sick where until > ${now} order by chain, asset, side limit 1000`
}

/** A quote lied: from this commit on no process stores another one, also of those that are under way. */
export function saveDistrust(sql: Sql, a: { note: string; until: Date }, now: Date): Promise<void> {
  return withTx(sql, async (tx) => {
    await holdLock(tx, 'intents trust')
    await saveSick(tx, { ...EVERYTHING, ...a }, now)
  })
}

/** Until the commit no lie becomes known: what is stored by then was quoted before there was one. */
export async function holdTrust(tx: Tx, now: Date): Promise<boolean> {
  await shareLock(tx, 'intents trust')
  return (await findDistrust(tx, now)) === null
}

/** Until when no quote is taken; null: they are. */
export async function findDistrust(db: Db, now: Date): Promise<Date | null> {
  const { chain, asset, side } = EVERYTHING
  const [row] = await db<{ until: Date }[]>`
    select until from intents_sick
    where chain = ${chain} and asset = ${asset} and side = ${side} and until > ${now}`
  return row?.until ?? null
}
