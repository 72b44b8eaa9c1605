// Leases for work that only one process may do at a time. A lease is a row with an expiry and a token that grows
// whenever the holder changes; writers check the token in the same transaction, so a late writer is refused.
import type { Sql } from './pool.ts'
import type { Tx } from './tx.ts'

export interface Lease {
  name: string
  holder: string
  token: bigint
}

export class LeaseLost extends Error {}

/** Takes a free or expired lease, or renews one's own. @returns null while another process holds it. */
export async function claimLease(
  sql: Sql,
  a: { name: string; holder: string; now: Date; leaseMs: number },
): Promise<Lease | null> {
  const until = new Date(a.now.getTime() + a.leaseMs)
  const [row] = await sql<{ token: bigint }[]>`
    insert into leases (name, holder, token, until) values (${a.name}, ${a.holder}, 1, ${until})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until,
      token = case when leases.holder = excluded.holder then leases.token else leases.token + 1 end
    where leases.holder = excluded.holder or leases.until <= ${a.now}
    returning token`
  return row === undefined ? null : { name: a.name, holder: a.holder, token: row.token }
}

/** The fence: locks the lease until the commit and renews it. @throws LeaseLost when another process has taken it. */
export async function holdLease(tx: Tx, lease: Lease, a: { now: Date; leaseMs: number }): Promise<void> {
  const [row] = await tx`
    update leases set until = ${new Date(a.now.getTime() + a.leaseMs)}
    where name = ${lease.name} and holder = ${lease.holder} and token = ${lease.token.toString()}
    returning 1`
  if (row === undefined) throw new LeaseLost(`${lease.name} is held by another process now`)
}

/** Releases it early, so that another process need not wait for its expiry. */
export async function releaseLease(sql: Sql, lease: Lease, now: Date): Promise<void> {
  await sql`
    update leases set until = ${now}
    where name = ${lease.name} and holder = ${lease.holder} and token = ${lease.token.toString()}`
}
