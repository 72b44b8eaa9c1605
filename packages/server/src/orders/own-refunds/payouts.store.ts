// What swaps bring or have brought, told from refunds: a payout and a refund look alike on the chain.
import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Db, Tx } from '@florin/platform/db/tx'

interface Place {
  chain: string
  asset: string
  address: string
}

/**
 * Whether a swap that has not ended is to bring so much to this address: what arrives there may be that. Up to a tenth less may be a
 * payout that its merchant takes. A swap that is said to have failed may bring it yet; one that nobody has paid counts until an hour
 * after its payer's time; one that was made after the transfer cannot have brought it.
 */
export async function isAwaitedBySwap(
  db: Db,
  a: { row: Place; amount: bigint; madeBy: Date | undefined; now: Date },
): Promise<boolean> {
  const rows = await db`
    select 1 from intents_legs
    where lower(merchant_address) = lower(${a.row.address}) and due_at is not null
      and stage in ('waiting', 'paid', 'claimed', 'failed')
      and (stage <> 'waiting' or returns_from > ${a.now}::timestamptz - interval '1 hour')
      and created_at <= coalesce(${a.madeBy ?? null}::timestamptz, 'infinity')
      and settle ->> 'chain' = ${a.row.chain} and settle ->> 'asset' = ${a.row.asset}
      and ${a.amount.toString()}::numeric between amount_out * 0.9 and amount_out * 1.01 limit 1`
  return rows.length === 1
}

/** Of these transfers to one place, those of a transaction that was believed to be a payout there, though nobody saw it. */
export async function listBelieved(
  db: Db,
  a: { row: Place; transfers: readonly { key: string }[] },
): Promise<ReadonlySet<string>> {
  if (a.transfers.length === 0) return new Set()
  const keys = a.transfers.map((one) => one.key)
  const transactions = keys.map((key) => key.slice(0, key.lastIndexOf(':') + 1))
  const rows = await db<{ key: string }[]>`
    select t.key from unnest(${keys}::text[], ${transactions}::text[]) as t(key, transaction)
    where exists (
      select from intents_legs i
      where i.proof_key between t.transaction and t.transaction || '~' and lower(i.merchant_address) = lower(${a.row.address})
        and i.settle ->> 'asset' = ${a.row.asset} and starts_with(i.proof_key, t.transaction || i.merchant_address || ':'))`
  return new Set(rows.map((row) => row.key))
}

/**
 * Whether a swap of this merchant that has not ended pays one of these addresses of a chain. Others' swaps may pay it as well: that is
 * money for him.
 */
export async function isPaidBySwaps(
  db: Db,
  a: { merchantId: string; chain: string; addresses: readonly string[] },
): Promise<boolean> {
  const spellings = a.addresses.map((one) => one.toLowerCase())
  const rows = await db`
    select 1 from intents_legs i
    where lower(i.merchant_address) = any(${spellings}::text[]) and i.due_at is not null
      and i.stage in ('waiting', 'paid', 'claimed', 'failed') and i.settle ->> 'chain' = ${a.chain}
      and exists (select from orders o where o.order_ref = i.order_ref and o.merchant_id = ${a.merchantId})
    limit 1`
  return rows.length > 0
}

export async function isProofOfSwap(db: Db, key: string): Promise<boolean> {
  return (await db`select 1 from intents_legs where proof_key = ${key}`).length > 0
}

/** Until the commit nobody else makes a transfer of this chain count: one lock, as a block may bring thousands. */
export function lockTransfers(tx: Tx, chain: string): Promise<unknown> {
  return holdLock(tx, 'counted transfers', chain)
}
