// SQL of a refund that the merchant's wallet makes, and of the coins of its account.
import type { Db } from '@florin/platform/db/tx'

export interface AskedRefund {
  chain: string
  orderRef: string
  merchantId: string
  account: string | null
  script: string
  amount: bigint
  isAsked: boolean
  draft: Draft | null
  /** A transaction that pays it, or spends a coin of the draft. */
  seen: { txid: string; height: number | null; pays: boolean } | null
}

/** What was drawn up for the wallet to sign. */
export interface Draft {
  psbt: string
  fee: bigint
  /** `txid:vout` of the coins that everything spends that was drawn up: once one is spent elsewhere, none of it is valid. */
  inputs: readonly string[]
}

export async function findRefund(db: Db, refundId: string): Promise<AskedRefund | null> {
  type Stored = Omit<AskedRefund, 'amount' | 'draft' | 'seen'> & {
    amount: string
    psbt: string | null
    fee: string | null
    inputs: string[] | null
    spentBy: string | null
    spentHeight: bigint | null
    pays: boolean | null
  }
  const [row] = await db<Stored[]>`
    select r.chain, r.order_ref as "orderRef", o.merchant_id as "merchantId", l.account, r.script, r.amount::text as amount, r.state = 'asked' as "isAsked",
      r.draft_psbt as psbt, r.draft_fee::text as fee, r.draft_inputs as inputs,
      r.spent_by as "spentBy", r.spent_height as "spentHeight", r.spent_pays as pays
    from utxo_refunds r join utxo_legs l on l.ref = r.leg_ref join order_summaries o on o.order_ref = r.order_ref
    where r.id = ${refundId}`
  if (row === undefined) return null
  const { psbt, fee, inputs, spentBy, spentHeight, pays, ...rest } = row
  const height = spentHeight === null ? null : Number(spentHeight)
  return {
    ...rest,
    amount: BigInt(row.amount),
    draft: psbt === null || fee === null || inputs === null ? null : { psbt, fee: BigInt(fee), inputs },
    seen: spentBy === null ? null : { txid: spentBy, height, pays: pays === true },
  }
}

/** @returns false where another request drew up one meanwhile, or the refund is paid. */
export async function saveDraft(
  db: Db,
  a: { refundId: string; draft: Draft; instead: Draft | null },
): Promise<boolean> {
  const { psbt, fee, inputs } = a.draft
  const rows = await db`
    update utxo_refunds set draft_psbt = ${psbt}, draft_fee = ${fee.toString()}::numeric, draft_inputs = ${inputs as string[]}::text[],
      spent_by = null, spent_height = null, spent_pays = null
    where id = ${a.refundId} and state = 'asked' and draft_psbt is not distinct from ${a.instead?.psbt ?? null}::text
    returning 1`
  return rows.length === 1
}

/** Coins of what was drawn up for other refunds out of the account. */
export async function listReserved(db: Db, a: { account: string; notOf: string }): Promise<ReadonlySet<string>> {
  const rows = await db<{ coin: string }[]>`
    select distinct unnest(r.draft_inputs) as coin from utxo_refunds r join utxo_legs l on l.ref = r.leg_ref
    where r.draft_inputs is not null and r.state = 'asked' and l.account = ${a.account} and r.id <> ${a.notOf} limit 10000`
  return new Set(rows.map((row) => row.coin))
}

export interface AccountCoin {
  txid: string
  vout: number
  amount: bigint
  script: string
  index: bigint
  blockHash: string
  height: number
  kind: 'plain' | 'coinbase' | 'peg_out'
}

/** So many of the refund's own order come first: anybody may have paid it in thousands of small outputs. */
const OWN_FIRST = 20

/** What the merchant's orders were paid to an account, which others may have set too: some of the refund's order, then the largest. */
export async function listCoins(
  db: Db,
  a: { account: string; merchantId: string; orderRef: string },
): Promise<AccountCoin[]> {
  const rows = await db<(Omit<AccountCoin, 'amount'> & { amount: string })[]>`
    select txid, vout, amount::text as amount, script, index, "blockHash", height, kind
    from (
    select o.txid, o.vout, o.amount, o.script, l.index, o.block_hash as "blockHash", o.height::int as height, o.kind,
      case when o.order_ref = ${a.orderRef} then row_number() over (partition by o.order_ref = ${a.orderRef} order by o.amount desc, o.txid, o.vout) end as n
    from utxo_outputs o join utxo_legs l on l.ref = o.leg_ref join order_summaries n on n.order_ref = o.order_ref
    where l.account = ${a.account} and n.merchant_id = ${a.merchantId} and l.index is not null and o.state <> 'orphaned'
    ) coins
    order by coalesce(n <= ${OWN_FIRST}, false) desc, coins.amount desc, txid, vout limit 80`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

/** What of an output counts for refunds already, of this rail and after the settlement, and for how many of them. */
export async function findTaken(
  db: Db,
  a: { chain: string; txid: string; vout: number; key: string },
): Promise<{ amount: bigint; byRail: number; count: number }> {
  const [row] = await db<{ amount: string; byRail: number; count: number }[]>`
    select coalesce(sum(amount), 0)::text as amount, (count(*) filter (where by_rail))::int as "byRail", count(*)::int as count
    from (
      select amount, true as by_rail
      from utxo_refunds where chain = ${a.chain} and tx_hash = ${a.txid} and vout = ${a.vout} and state = 'done'
      union all
      select amount, false from merchant_refunds
      where transfer_key = ${a.key} or (transfer_key > ${`${a.key}:`} and transfer_key < ${`${a.key};`})) taken`
  return { amount: BigInt(row?.amount ?? 0), byRail: row?.byRail ?? 0, count: row?.count ?? 0 }
}
