// SQL of erasure: what invoices and pages know of a payer.
import type { Tx } from '@florin/platform/db/tx'

/**
 * Invoices that nobody began to pay, or whose order names another payer.
 * @param a.email of this payer. @param a.before void, or due before this day.
 */
export async function eraseInvoices(
  tx: Tx,
  a: { email: string } | { before: Date },
): Promise<{ id: string; merchantId: string }[]> {
  return tx<{ id: string; merchantId: string }[]>`
    update invoices set payer_email = null, payer_name = null, payer_details = null, note = null
    where num_nonnulls(payer_email, payer_name, payer_details, note) > 0 and ${
      'email' in a
        ? tx`lower(payer_email) = lower(${a.email})`
        : tx`created_at < ${a.before} and (voided_at < ${a.before} or due_date < ${a.before})`
    }
    returning id, merchant_id as "merchantId"`
}

/** Of one invoice. */
export function eraseInvoice(tx: Tx, id: string): Promise<unknown> {
  return tx`update invoices set payer_email = null, payer_name = null, payer_details = null, note = null where id = ${id}`
}

/** Who started the order from a page. */
export function eraseStarter(tx: Tx, orderNo: string): Promise<unknown> {
  return tx`delete from page_starts where order_no = ${orderNo}`
}
