// SQL of the order export: pages by key, so no connection and no snapshot is held while a client reads.
import type { Sql } from '@florin/platform/db/pool'
import type { Fx } from '@florin/protocol'
import { SANDBOX_RAIL } from '@florin/rail-kit/interface/leg'

export interface ExportRow {
  orderNo: string
  createdAt: Date
  status: string
  statusDetail: string
  externalId: string | null
  title: string | null
  amountUsdMicros: bigint
  currency: string
  /** null, as exponent and fx: it was asked for in dollars. */
  amountMinor: bigint | null
  exponent: number | null
  fx: Fx | null
  feeBps: number
  settleChain: string
  settleAsset: string
  settleDecimals: number
  settleAddress: string
  settleTxHash: string | null
  amountOut: string | null
  settledAt: Date | null
  expiresAt: Date
  metadata: Record<string, string>
  /** The current leg; null until the payer chose. */
  payChain: string | null
  payAsset: string | null
  payDecimals: number | null
  amountDue: string | null
  /** On the current leg, in its asset. */
  amountReceived: string | null
  /** Returned from the current leg, in its asset. */
  amountRefunded: string | null
  /** Of every other leg, and in every other asset, by asset; null: nothing came. */
  others: { chain: string; asset: string; decimals: number; received: string; refunded: string }[] | null
  /** What the merchant returned from an own wallet, in the settle asset. */
  merchantRefunded: string | null
  /** The fee of money that went straight to the merchant's wallet, in the settle asset; null: it was taken on the way. */
  feeOwed: string | null
  paymentLinkId: string | null
  invoiceId: string | null
  quantity: number | null
  payerEmail: string | null
  payerName: string | null
  payerNote: string | null
}

/** The orders of these numbers, newest first. The numbers are chosen first, so that child rows are looked up for them alone. */
export async function listForExport(sql: Sql, merchantId: string, numbers: readonly string[]): Promise<ExportRow[]> {
  return sql<ExportRow[]>`
    select o.order_no as "orderNo", o.created_at as "createdAt", o.status, o.status_detail as "statusDetail",
      o.external_id as "externalId", o.title, o.amount_usd_micros as "amountUsdMicros", o.currency,
      o.amount_minor as "amountMinor", o.exponent, o.fx, o.fee_bps as "feeBps",
      o.settle_chain as "settleChain", o.settle_asset as "settleAsset", o.settle_decimals as "settleDecimals",
      -- Of an account of a wallet the order's own address, which is the one that was paid.
      case when o.settle_address like 'acct\\_%' and o.rail <> ${SANDBOX_RAIL} then coalesce(l.address, o.settle_address)
        else o.settle_address end as "settleAddress", o.settle_tx_hash as "settleTxHash", o.amount_out as "amountOut",
      o.payment_link_id as "paymentLinkId", o.invoice_id as "invoiceId", o.quantity, o.payer_email as "payerEmail",
      o.payer_name as "payerName", o.payer_note as "payerNote", o.settled_at as "settledAt", o.expires_at as "expiresAt", o.metadata, l.chain as "payChain", l.asset as "payAsset",
      l.decimals as "payDecimals", l.amount_due as "amountDue",
      (select sum(p.amount) from payments p
       where p.order_no = o.order_no and p.pay_leg_id = l.id and p.status in ('detected', 'confirmed') and p.chain = l.chain
         and p.asset = l.asset and p.contract is not distinct from l.contract) as "amountReceived",
      (select sum(r.amount) from refunds r
       where r.order_no = o.order_no and r.pay_leg_id = l.id and r.status = 'succeeded' and r.chain = l.chain
         and r.asset = l.asset and r.contract is not distinct from l.contract) as "amountRefunded",
      (select json_agg(json_build_object('chain', chain, 'asset', asset, 'decimals', decimals, 'received', received::text, 'refunded', refunded::text)
         order by chain, asset, contract nulls first) from (
           select chain, asset, contract, decimals, sum(received) as received, sum(refunded) as refunded from (
             select pay_leg_id, chain, asset, contract, decimals, status, amount as received, 0 as refunded from payments where order_no = o.order_no
             union all
             select pay_leg_id, chain, asset, contract, decimals, status, 0, amount from refunds where order_no = o.order_no
           ) m
           where status in ('detected', 'confirmed', 'succeeded')
             and (pay_leg_id, chain, asset, contract) is distinct from (l.id, l.chain, l.asset, l.contract)
           group by chain, asset, contract, decimals
         ) coins) as others,
      (select sum(r.amount) from merchant_refunds r
       where r.order_no = o.order_no and r.status = 'recorded' and r.asset = o.settle_asset) as "merchantRefunded",
      (select sum(u.fee_owed) from pay_legs g join utxo_settlements u on u.leg_ref = g.ref
       where g.order_no = o.order_no and u.state = 'final') as "feeOwed"
    from orders o left join pay_legs l on l.id = o.pay_leg_id
    where o.order_no = any(${numbers}::text[]) and o.merchant_id = ${merchantId}
    order by o.order_no desc`
}
