// The SQL of invoices that more than one order paid.
import type { Tx } from '@florin/platform/db/tx'

/**
 * Locks the invoice and then reads, in two statements: of two orders that succeed at once the later commit sees the other.
 * @returns its number and the other orders that succeeded, the first one first.
 */
export async function findOthersPaid(
  tx: Tx,
  a: { invoiceId: string; orderNo: string },
): Promise<{ number: string; others: string[] }> {
  const [invoice] = await tx<{ number: string }[]>`
    select number from invoices where id = ${a.invoiceId} for no key update`
  const rows = await tx<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders
    where invoice_id = ${a.invoiceId} and status = 'success' and order_no <> ${a.orderNo}
    order by settled_at, order_no`
  return { number: invoice?.number ?? '', others: rows.map((row) => row.orderNo) }
}
