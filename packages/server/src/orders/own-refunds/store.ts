// The SQL of refunds that merchants pay from own wallets, beside what orders/save writes.
import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Db, Tx } from '@florin/platform/db/tx'
import { SANDBOX_RAIL } from '@florin/rail-kit/interface/leg'

/** Of these transfers, those that count already; and those that Florin itself sent, from an address that payers pay to. */
export async function listTaken(
  db: Db,
  transfers: readonly { key: string; from: string | null }[],
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set()
  const rows = await db<{ key: string }[]>`
    select t.key from unnest(${transfers.map((one) => one.key)}::text[], ${transfers.map((one) => one.from)}::text[]) as t(key, sender)
    where exists (select from merchant_refunds r where r.transfer_key = t.key)
       or exists (select from intents_legs i where i.proof_key = t.key)
       or exists (select from pay_legs l where lower(l.address) = t.sender)`
  return new Set(rows.map((row) => row.key))
}

/** The same, with the outputs that paid orders or refunds before their settlement: of those a refund after it may be the rest. */
export async function listCounted(
  db: Db,
  transfers: readonly { key: string; from: string | null; txHash: string }[],
): Promise<ReadonlySet<string>> {
  if (transfers.length === 0) return new Set()
  const coins = await db<{ key: string }[]>`
    select t.key from unnest(${transfers.map((one) => one.key)}::text[], ${transfers.map((one) => one.txHash)}::text[]) as t(key, hash)
    where exists (
         select from utxo_outputs o
         where o.txid = t.hash and o.state <> 'orphaned' and concat_ws(':', o.chain, o.txid, o.vout) = t.key)
       or exists (
         select from utxo_refunds r
         where r.chain = split_part(t.key, ':', 1) and r.tx_hash = t.hash and r.state = 'done'
           and concat_ws(':', r.chain, r.tx_hash, r.vout) = t.key)`
  return new Set([...(await listTaken(db, transfers)), ...coins.map((row) => row.key)])
}

/** So many of a merchant's newest settled orders are looked at. */
const LOOKED_AT = 1_000

/**
 * Of these transfers, those from an address where another merchant got money: they are that merchant's to name. To have set
 * an address proves nothing: anybody may set that of an exchange, which refunds of many are paid from.
 */
export async function listOfOthers(
  db: Db,
  a: {
    merchantId: string
    livemode: boolean
    chain: string
    transfers: readonly { key: string; from: string | null }[]
  },
): Promise<ReadonlySet<string>> {
  if (a.transfers.length === 0) return new Set()
  const keys = a.transfers.map((one) => one.key)
  const senders = a.transfers.map((one) => one.from?.toLowerCase() ?? null)
  const rows = await db<{ key: string }[]>`
    select t.key from unnest(${keys}::text[], ${senders}::text[]) as t(key, sender)
    where exists (
      select from current_addresses r
      cross join lateral (
        select settle_chain, settle_address, rail from orders
        where merchant_id = r.merchant_id and livemode = ${a.livemode} and status = 'success' order by order_no desc limit ${LOOKED_AT}) o
      where r.chain = ${a.chain} and r.merchant_id <> ${a.merchantId} and lower(r.address) = t.sender
        and o.settle_chain = r.chain and lower(o.settle_address) = t.sender and o.rail <> ${SANDBOX_RAIL})`
  return new Set(rows.map((row) => row.key))
}

/** Of these transfers one that counts for a refund of another merchant. @returns its transaction; null: none does. */
export async function findCountedElsewhere(
  db: Db,
  a: { merchantId: string; transfers: readonly { key: string }[] },
): Promise<string | null> {
  if (a.transfers.length === 0) return null
  const [row] = await db<{ txHash: string | null }[]>`
    select r.tx_hash as "txHash" from merchant_refunds r join orders o on o.order_no = r.order_no
    where r.transfer_key = any(${a.transfers.map((one) => one.key)}::text[]) and o.merchant_id <> ${a.merchantId} limit 1`
  return row?.txHash ?? null
}

/** Whether another request of the merchant waits for this very amount there. */
export async function isAwaitedByOther(
  db: Db,
  a: {
    order: { merchantId: string }
    row: { id: string; chain: string; asset: string; address: string }
    amount: bigint
  },
): Promise<boolean> {
  const rows = await db`
    select 1 from merchant_refunds r join orders o on o.order_no = r.order_no
    where r.status = 'requested' and r.chain = ${a.row.chain} and r.address = ${a.row.address} and r.asset = ${a.row.asset}
      and r.id <> ${a.row.id} and r.amount = ${a.amount.toString()}::numeric and o.merchant_id = ${a.order.merchantId} limit 1`
  return rows.length === 1
}

/** A place where a refund is to arrive. */
interface Payee {
  livemode: boolean
  asset: { chain: string; asset: string }
  to: string
}

/** Until the commit no other refund to this address is asked for. */
export function lockPayee(tx: Tx, { asset, to }: Payee): Promise<unknown> {
  return holdLock(tx, 'payee of refunds', `${asset.chain} ${to.toLowerCase()}`)
}

/**
 * Amounts, from the lowest to the highest, that other merchants wait for there. A canceled request counts too: a transfer that paid it
 * all the same is recorded when it is found or named.
 */
export async function listAwaited(
  db: Db,
  a: Payee & { notOf: string; lowest: bigint; highest: bigint },
): Promise<bigint[]> {
  const rows = await db<{ amount: string }[]>`
    select distinct r.amount::text as amount from merchant_refunds r join orders o on o.order_no = r.order_no
    where r.status <> 'recorded' and r.chain = ${a.asset.chain} and lower(r.address) = lower(${a.to}) and r.asset = ${a.asset.asset}
      and r.amount between ${a.lowest.toString()}::numeric and ${a.highest.toString()}::numeric
      and o.merchant_id <> ${a.notOf} and o.livemode = ${a.livemode}`
  return rows.map(({ amount }) => BigInt(amount))
}
