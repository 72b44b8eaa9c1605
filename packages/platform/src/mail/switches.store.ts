// The SQL of mail_switches: a row is a kind that the merchant does not want.
import type { Db, Tx } from '../db/tx.ts'

export async function isWanted(db: Db, merchantId: string, kind: string): Promise<boolean> {
  const rows = await db`select 1 from mail_switches where merchant_id = ${merchantId} and kind = ${kind}`
  return rows.length === 0
}

export async function listOff(db: Db, merchantId: string): Promise<ReadonlySet<string>> {
  const rows = await db<{ kind: string }[]>`
    select kind from mail_switches where merchant_id = ${merchantId} order by kind limit 100`
  return new Set(rows.map((row) => row.kind))
}

/** @returns whether it was off until now. */
export async function setOn(tx: Tx, a: { merchantId: string; kind: string }): Promise<boolean> {
  const rows = await tx`
    delete from mail_switches where merchant_id = ${a.merchantId} and kind = ${a.kind} returning 1`
  return rows.length > 0
}

/** @returns the account's email where the kind was on until now, else null. An unknown merchant has nothing to switch. */
export async function setOff(tx: Tx, a: { merchantId: string; kind: string; now: Date }): Promise<string | null> {
  const [row] = await tx<{ email: string }[]>`
    insert into mail_switches (merchant_id, kind, off_at)
    select id, ${a.kind}, ${a.now} from merchant_accounts where id = ${a.merchantId}
    on conflict (merchant_id, kind) do nothing
    returning (select email from merchant_accounts where id = merchant_id) as email`
  return row?.email ?? null
}
