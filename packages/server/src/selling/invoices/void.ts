// Takes an invoice back. Nobody can start to pay it from then on; a payment that was started and got nothing is canceled.
import { recordAudit } from '@florin/platform/db/audit'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { cancelOrder } from '../../orders/acts.ts'
import type { OrderDeps } from '../../orders/advance.ts'
import { getOrder } from '../../orders/store.ts'
import { findCurrentOrder, lockInvoice, markVoid } from './store.ts'

/** @throws AppError invoice_not_open where it is paid or being paid. */
export async function voidInvoice(deps: OrderDeps, id: string, actor: string): Promise<void> {
  const now = deps.clock.now()
  const current = await withTx(deps.sql, async (tx) => {
    const invoice = await lockInvoice(tx, id)
    if (invoice === null) throw new AppError('invoice_not_found')
    const order = await findCurrentOrder(tx, id)
    if (invoice.voidedAt !== null) return order
    // What came in part does not hold it: the order goes on by its own rules, to be completed or given back.
    if (order !== null && order.status !== 'pending') throw new AppError('invoice_not_open')
    await markVoid(tx, { id, now })
    const { merchantId, number } = invoice
    await recordAudit(tx, { merchantId, actor, action: 'invoice.voided', subject: id, detail: { number } }, now)
    return order
  })
  if (current?.status !== 'pending') return
  try {
    await cancelOrder(deps, await getOrder(deps.sql, current.orderNo))
  } catch (error) {
    // Money came: the order goes on. Should enough of it come, the invoice says that it is being paid.
    if (!(error instanceof AppError && error.entry.code === 'order_not_cancelable')) throw error
  }
}
