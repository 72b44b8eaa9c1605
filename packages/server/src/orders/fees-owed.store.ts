// SQL of fees that are owed for money that went straight to merchants' wallets.
import type { Sql } from '@florin/platform/db/pool'

export interface OwedRow {
  merchantId: string
  merchantEmail: string
  chain: string
  orders: number
  amount: string
}

/** By the month in which their order settled, of one merchant or of all; what a reorg took away again counts for nothing. */
export function listFeesOwed(
  db: Sql,
  a: { merchantId: string | null; livemode: boolean; from: Date; to: Date },
): Promise<OwedRow[]> {
  return db<OwedRow[]>`
    select o.merchant_id as "merchantId", m.email as "merchantEmail", u.chain, count(distinct o.order_no)::int as orders,
      sum(u.fee_owed)::text as amount
    from utxo_settlements u join order_summaries o on o.order_ref = u.order_ref join merchant_accounts m on m.id = o.merchant_id
    where u.created_at >= ${a.from} and u.created_at < ${a.to} and u.fee_owed > 0 and u.state = 'final'
      and o.livemode = ${a.livemode} and (${a.merchantId}::text is null or o.merchant_id = ${a.merchantId})
    group by 1, 2, 3 order by sum(u.fee_owed) desc, 1, 3 limit 1000`
}
