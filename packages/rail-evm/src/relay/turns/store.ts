// SQL of what keeps receivers apart: whose transactions failed on the chain lately, and how often in a row. All of it is
// in the rows, so that every worker decides alike.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { type ItemKind, isMined, mayBurn, merchantOf, type RelayItem, receiverOf } from '../items.store.ts'

/** A receiver whose item failed beside others or alone: its items are sent alone, one at a time. */
export interface Suspect {
  receiver: string
  /** Transactions of its own that failed on the chain since one succeeded. Each cost gas. */
  failures: number
  lastAt: Date
  /** The outcome of its newest transaction is not known yet. */
  isUnderWay: boolean
}

export function listSuspects(
  sql: Sql,
  a: { chain: string; kinds: readonly ItemKind[]; since: Date; failedSince: Date },
): Promise<Suspect[]> {
  return sql<Suspect[]>`
    with marked as (
      select ${receiverOf(sql)} as receiver, sum(i.apart - 2)::int as failures, max(i.updated_at) as "lastAt"
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.apart > 1 and i.kind = any(${a.kinds as string[]})
        and i.updated_at > case when i.apart > 2 then ${a.failedSince}::timestamptz else ${a.since}::timestamptz end
      group by 1
    ), busy as (
      select distinct ${receiverOf(sql)} as receiver
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.state = 'sent' and i.kind = any(${a.kinds as string[]})
        and exists (select from marked) and not ${isMined(sql)}
    )
    select marked.*, busy.receiver is not null as "isUnderWay" from marked left join busy using (receiver)
    order by failures desc, receiver limit 10000`
}

/** A merchant whose receivers made transactions fail on the chain more often than is free. */
export interface Burner {
  merchant: string
  /** In the window, beyond what is free. No success takes any of it back. */
  burnt: number
  lastAt: Date
  /** The outcome of something that may burn more is not known yet. */
  isUnderWay: boolean
}

export function listBurners(
  sql: Sql,
  a: { chain: string; kinds: readonly ItemKind[]; since: Date; free: number },
): Promise<Burner[]> {
  return sql<Burner[]>`
    with burners as (
      select ${merchantOf(sql)} as merchant, sum(i.burnt)::int - ${a.free}::int as burnt, max(i.updated_at) as "lastAt"
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.burnt > 0 and i.kind = any(${a.kinds as string[]}) and i.updated_at > ${a.since}
      group by 1 having sum(i.burnt) > ${a.free}::int
    ), busy as (
      select distinct ${merchantOf(sql)} as merchant
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.state = 'sent' and i.kind = any(${a.kinds as string[]})
        and exists (select from burners) and ${mayBurn(sql)} and not ${isMined(sql)}
    )
    select burners.*, busy.merchant is not null as "isUnderWay" from burners left join busy using (merchant)
    order by burnt desc, merchant limit 10000`
}

/** Receivers of these merchants' waiting items that nobody has looked at, with the items that pay them. */
export function listUnknownReceivers(
  sql: Sql,
  a: { chain: string; kinds: readonly ItemKind[]; merchants: readonly string[]; limit: number },
): Promise<{ address: string; ids: string[] }[]> {
  return sql<{ address: string; ids: string[] }[]>`
    select coalesce(i.to_address, lower(v.route->>'merchant')) as address, array_agg(i.id) as ids
    from relay_items i join forwarder_vaults v using (leg_ref)
    where i.chain = ${a.chain} and i.state = 'waiting' and i.kind = any(${a.kinds as string[]}) and i.token is null
      and i.is_account is null and ${merchantOf(sql)} = any(${a.merchants as string[]}::text[])
    group by 1 order by min(i.created_at) limit ${a.limit}`
}

export function setReceiverKind(db: Db, a: { ids: readonly string[]; isAccount: boolean }): Promise<unknown> {
  return db`update relay_items set is_account = ${a.isAccount} where id = any(${a.ids as string[]})`
}

/** It failed beside others, or the transaction that carried them all was reverted: it waits to be sent apart. */
export function setApart(db: Db, a: { id: string; level: 1 | 2; isBurnt: boolean; now: Date }): Promise<unknown> {
  return db`
    update relay_items set state = 'waiting', apart = greatest(apart, ${a.level}::int), burnt = burnt + ${Number(a.isBurnt)}::int, not_before = ${a.now}, updated_at = ${a.now}
    where id = ${a.id} and state in ('waiting', 'sent')`
}

/** It failed alone on the chain. */
export function countBurnt(tx: Tx, id: string): Promise<unknown> {
  return tx`update relay_items set apart = greatest(apart, 2) + 1, burnt = burnt + 1 where id = ${id} and state in ('waiting', 'sent')`
}

/** One of its items succeeded. What another transaction holds is left as it is: two of them would wait for each other. */
export function forgetBurnt(tx: Tx, item: RelayItem): Promise<unknown> {
  return tx`
    update relay_items set apart = 2 where id in (
      select i.id from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${item.chain} and i.apart > 2 and ${receiverOf(tx)} = ${item.receiver}
      limit 1000 for update of i skip locked)`
}
