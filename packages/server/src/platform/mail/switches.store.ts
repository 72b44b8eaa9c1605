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

/** Set as it is already, nothing changes. A merchant that does not exist has nothing to be switched. */
export function setSwitch(tx: Tx, a: { merchantId: string; kind: string; on: boolean; now: Date }): Promise<unknown> {
  if (a.on) return tx`delete from mail_switches where merchant_id = ${a.merchantId} and kind = ${a.kind}`
  return tx`
    insert into mail_switches (merchant_id, kind, off_at)
    select id, ${a.kind}, ${a.now} from merchants where id = ${a.merchantId}
    on conflict (merchant_id, kind) do nothing`
}
