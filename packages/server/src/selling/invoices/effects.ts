// What a change of an order does to its invoice: its state, and the merchant who is told that another order paid it before.
import type { OrderState } from '@florin/order-model/state'
import type { Tx } from '@florin/platform/db/tx'
import { closeAttention } from '../../attention/store.ts'
import type { EffectDeps, OrderEffect } from '../../orders/effects.ts'
import { raise } from '../../orders/tell/raise.ts'
import { paidTwice, paidTwiceOver } from './paid-twice-item.ts'
import { findOthersPaid, saveInvoiceState } from './store.ts'

export const invoiceEffect: OrderEffect = (deps, { tx, before, after, now }) => {
  const { invoiceId, status } = after
  if (invoiceId === null) return []
  return [
    ...paidTwiceOver(before, after).map((over) => () => closeAttention(tx, after, over, now)),
    ...(status === before.status ? [] : [() => saveInvoiceState(tx, invoiceId)]),
    ...(status === 'success' && before.status !== 'success'
      ? [() => raisePaidTwice(deps, tx, after, invoiceId, now)]
      : []),
  ]
}

async function raisePaidTwice(
  deps: EffectDeps,
  tx: Tx,
  order: OrderState,
  invoiceId: string,
  now: Date,
): Promise<void> {
  const { number, others } = await findOthersPaid(tx, { invoiceId, orderNo: order.orderNo })
  if (others.length > 0) await raise(deps, tx, order, paidTwice(order, { number, others }), now)
}
