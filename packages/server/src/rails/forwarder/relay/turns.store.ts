// SQL of what keeps receivers apart: whose transactions failed on the chain lately, and how often in a row. All of it is
// in the rows, so that every worker decides alike.
import type { Sql } from '../../../platform/db/pool.ts'
import type { Db, Tx } from '../../../platform/db/tx.ts'
import { type ItemKind, type RelayItem, receiverOf } from './items.store.ts'

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
        and exists (select from marked)
        and not exists (
          select from forwarder_factory_logs l
          where l.chain = i.chain and l.vault = v.vault and l.event in ('Settled', 'Refunded') and l.state <> 'orphaned')
    )
    select marked.*, busy.receiver is not null as "isUnderWay" from marked left join busy using (receiver)
    order by failures desc, receiver limit 10000`
}

/** It failed beside others, or the transaction that carried them all was reverted: it waits to be sent apart. */
export function setApart(db: Db, a: { id: string; level: 1 | 2; now: Date }): Promise<unknown> {
  return db`
    update relay_items set state = 'waiting', apart = greatest(apart, ${a.level}::int), not_before = ${a.now}, updated_at = ${a.now}
    where id = ${a.id} and state in ('waiting', 'sent')`
}

/** It failed alone on the chain. */
export function countBurnt(tx: Tx, id: string): Promise<unknown> {
  return tx`update relay_items set apart = greatest(apart, 2) + 1 where id = ${id} and state in ('waiting', 'sent')`
}

/** One of its items succeeded. What another transaction holds is left as it is: two of them would wait for each other. */
export function forgetBurnt(tx: Tx, item: RelayItem): Promise<unknown> {
  return tx`
    update relay_items set apart = 2 where id in (
      select i.id from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${item.chain} and i.apart > 2 and ${receiverOf(tx)} = ${item.receiver}
      limit 1000 for update of i skip locked)`
}
