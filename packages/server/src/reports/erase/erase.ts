// Erases what is known of a payer, one commit an order. What a list of payers is made from is erased in the same commit, so
// that the same question finds what a killed run left.
import type { Clock } from '@florin/platform/clock'
import { eraseReasons, recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { firstIdAt, idTime } from '@florin/platform/ids'
import { DAY_MS } from '@florin/protocol'
import { erasePayer, type Reach, withoutPayer } from '../../orders/erase.store.ts'
import { eraseInvoice, eraseInvoices, eraseStarter } from '../../selling/erase.store.ts'
import { rewriteBodies } from '../../webhooks/events.store.ts'

/** @returns how many of these orders exist. */
export async function erasePayers(sql: Sql, clock: Clock, a: { orders: readonly string[] } & Reach): Promise<number> {
  let erased = 0
  for (const orderNo of a.orders) if (await erase(sql, clock, { ...a, orderNo })) erased++
  return erased
}

function erase(sql: Sql, clock: Clock, a: { orderNo: string } & Reach): Promise<boolean> {
  return withTx(sql, async (tx) => {
    const now = clock.now()
    const order = await erasePayer(tx, a.orderNo, a)
    if (order === null) return false
    const { merchantId, invoiceId } = order
    await rewriteBodies(tx, a.orderNo, (body) => withoutPayer(body, a))
    await eraseStarter(tx, a.orderNo)
    if (a.withInvoices && invoiceId !== null) await eraseInvoice(tx, invoiceId)
    // An entry is as old as its order at most, give or take the clocks of two processes.
    const from = firstIdAt('aud', new Date(idTime(a.orderNo).getTime() - DAY_MS))
    if (a.withTexts) await eraseReasons(tx, { merchantId, subject: a.orderNo, from })
    const entry = { merchantId, actor: 'operator', action: 'order.payer_erased', subject: a.orderNo }
    await recordAudit(tx, { ...entry, detail: { with_invoices: a.withInvoices, with_texts: a.withTexts } }, now)
    return true
  })
}

/** Invoices that no order led to. @returns how many. */
export function eraseOldInvoices(sql: Sql, clock: Clock, which: { email: string } | { before: Date }): Promise<number> {
  return withTx(sql, async (tx) => {
    const now = clock.now()
    const erased = await eraseInvoices(tx, which)
    for (const { id, merchantId } of erased) {
      const entry = { merchantId, actor: 'operator', action: 'invoice.payer_erased', subject: id, detail: {} }
      await recordAudit(tx, entry, now)
    }
    return erased.length
  })
}
