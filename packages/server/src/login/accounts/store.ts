// SQL of operators' acts on accounts.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'

export interface Account {
  id: string
  email: string
  name: string | null
  createdAt: Date
  suspendedAt: Date | null
  closedAt: Date | null
}

/** Newest first. @param a.search a part of the email, or a whole id; null: all. */
export function listAccounts(
  sql: Sql,
  a: { search: string | null; before: string | null; limit: number },
): Promise<Account[]> {
  return sql<Account[]>`
    select id, email, name, created_at as "createdAt", suspended_at as "suspendedAt", closed_at as "closedAt"
    from merchants
    where (${a.search}::text is null or id = ${a.search} or strpos(email, lower(${a.search})) > 0)
      and (${a.before}::text is null or id < ${a.before})
    order by id desc limit ${a.limit}`
}

export async function lockAccount(tx: Tx, id: string): Promise<Account | null> {
  const [row] = await tx<Account[]>`
    select id, email, name, created_at as "createdAt", suspended_at as "suspendedAt", closed_at as "closedAt"
    from merchants where id = ${id} for no key update`
  return row ?? null
}

export function saveStanding(
  tx: Tx,
  a: { id: string; suspendedAt: Date | null; closedAt: Date | null },
): Promise<unknown> {
  return tx`
    update merchants set suspended_at = ${a.suspendedAt}, closed_at = ${a.closedAt} where id = ${a.id}`
}
