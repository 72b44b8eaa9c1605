// What a merchant may do to an order. Each action is one fact applied by orders/advance.ts.
import type { OrderState } from '@florin/order-model/state'
import { recordAudit } from '@florin/platform/db/audit'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { RefundToSign } from '@florin/rail-kit/interface/services'
import { advanceOrder, type OrderDeps } from './advance.ts'
import { takeRefundAddress } from './create/refund-address.ts'

/** @throws AppError order_not_cancelable. Canceling a canceled order gives the same answer again. */
export async function cancelOrder(deps: OrderDeps, order: OrderState): Promise<OrderState> {
  const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [{ kind: 'cancel_asked' }])
  if (ignored[0] === null || after.canceled) return after
  throw new AppError('order_not_cancelable', {
    message: `Only a pending order that has received nothing can be canceled: ${ignored[0]}.`,
  })
}

/** What must commit together with an act, or undo it by throwing. */
export type Alongside = (tx: Tx) => Promise<unknown>

const nothingElse: Alongside = async () => undefined

/** @throws AppError refund_not_possible, with the reason. */
export async function refundOrder(
  deps: OrderDeps,
  order: OrderState,
  by: { actor: string; reason: string | null },
  alongside = nothingElse,
): Promise<OrderState> {
  const { order: after, ignored } = await advanceOrder(
    deps,
    order.orderNo,
    [{ kind: 'refund_asked' }],
    async (tx, _after, changed) => {
      if (!changed) return
      await auditOrder(tx, order, by.actor, 'order.refund_asked', { reason: by.reason }, deps.clock.now())
      await alongside(tx)
    },
  )
  if (ignored[0] === null) return after
  throw new AppError('refund_not_possible', { message: `Nothing can be refunded now: ${ignored[0]}.` })
}

/** @throws AppError settlement_not_retryable, with the reason. */
export async function retrySettlement(
  deps: OrderDeps,
  order: OrderState,
  actor: string,
  alongside = nothingElse,
): Promise<OrderState> {
  const { order: after, ignored } = await advanceOrder(
    deps,
    order.orderNo,
    [{ kind: 'settlement_retried' }],
    async (tx, _after, changed) => {
      if (!changed) return
      await auditOrder(tx, order, actor, 'order.settlement_retried', {}, deps.clock.now())
      await alongside(tx)
    },
  )
  if (ignored[0] === null) return after
  throw new AppError('settlement_not_retryable', { message: `The settlement cannot be retried: ${ignored[0]}.` })
}

/** The merchant has what is held settled all the same. @throws AppError action_not_possible */
export async function releaseSettlement(
  deps: OrderDeps,
  order: OrderState,
  actor: string,
  alongside: Alongside,
): Promise<OrderState> {
  const { order: after, ignored } = await advanceOrder(
    deps,
    order.orderNo,
    [{ kind: 'settlement_released' }],
    async (tx, _after, changed) => {
      if (!changed) return
      await auditOrder(tx, order, actor, 'order.settlement_released', {}, deps.clock.now())
      await alongside(tx)
    },
  )
  if (ignored[0] === null) return after
  throw new AppError('action_not_possible', { message: 'No settlement of this order is held any more.' })
}

/** The merchant says that what a third party claims to have paid out is there: the rail goes by it. */
export async function vouchForPayout(
  deps: OrderDeps,
  order: OrderState,
  { actor, address }: { actor: string; address: string },
  alongside: Alongside,
): Promise<void> {
  const rails = new Set(order.legs.filter((leg) => leg.address === address).map((leg) => leg.rail))
  await withTx(deps.sql, async (tx) => {
    for (const kind of rails) {
      if ((await deps.rails.servicesOf(kind).vouch?.(tx, { orderRef: order.orderRef, address })) !== true) continue
      await auditOrder(tx, order, actor, 'order.payout_vouched', { address }, deps.clock.now())
      await alongside(tx)
      return
    }
    throw new AppError('action_not_possible', { message: 'No payout of this order waits for your word any more.' })
  })
}

function auditOrder(
  tx: Tx,
  order: OrderState,
  actor: string,
  action: string,
  detail: Record<string, string | null>,
  now: Date,
): Promise<unknown> {
  return recordAudit(tx, { merchantId: order.merchantId, actor, action, subject: order.orderNo, detail }, now)
}

/**
 * The merchant names where one waiting refund goes, or approves an address that was sent through the checkout link.
 * @throws AppError action_not_possible, invalid_address
 */
export async function nameRefundAddress(
  deps: OrderDeps,
  order: OrderState,
  by: { actor: string; refundId: string; address: string },
  alongside: Alongside,
): Promise<OrderState> {
  const row = order.refunds.find((one) => one.id === by.refundId && one.status === 'waiting')
  if (row === undefined) throw nothingWaits()
  const address = await takeRefundAddress(deps, {
    ...{ chain: row.chain, livemode: order.livemode, text: by.address, param: 'address' },
  })
  const { order: after, ignored } = await advanceOrder(
    deps,
    order.orderNo,
    [{ kind: 'refund_address_given', refundId: row.id, address }],
    async (tx, _after, changed) => {
      if (!changed) return
      const detail = { refund: row.id, address: by.address }
      await auditOrder(tx, order, by.actor, 'order.refund_address_given', detail, deps.clock.now())
      await alongside(tx)
    },
  )
  if (ignored[0] === null) return after
  throw nothingWaits()
}

const nothingWaits = (): AppError =>
  new AppError('action_not_possible', { message: 'The refund that this was about waits for no address any more.' })

/** The merchant rejects a refund address that was sent through the checkout link. No money moves. */
export async function refuseRefundAddress(
  deps: OrderDeps,
  order: OrderState,
  by: { actor: string; address: string },
  alongside: Alongside,
): Promise<OrderState> {
  const { order: after } = await advanceOrder(deps, order.orderNo, [{ kind: 'refund_address_refused' }], async (tx) => {
    const detail = { address: by.address }
    await auditOrder(tx, order, by.actor, 'order.refund_address_refused', detail, deps.clock.now())
    await alongside(tx)
  })
  return after
}

/**
 * A refund for the merchant's wallet to sign. What the books gave up is not drawn up any more, though the rail goes on looking for it.
 * @throws AppError refund_not_found
 */
export async function refundToSign(
  { rails }: Pick<OrderDeps, 'rails'>,
  order: OrderState,
  refundId: string,
  a: { replace: boolean } = { replace: false },
): Promise<RefundToSign> {
  const row = order.refunds.find((one) => one.id === refundId)
  if (row === undefined) throw new AppError('refund_not_found')
  const nothing = (why: string): RefundToSign => ({ psbt: null, fee: null, why })
  if (row.status === 'failed') return nothing(`There is nothing to sign: ${row.failure ?? 'this refund failed'}.`)
  const leg = order.legs.find((one) => one.id === row.legId)
  const made = await rails.servicesOf(leg?.rail ?? order.rail).refundToSign?.(row.id, a)
  return made ?? nothing('This refund is made by the rail that carried the order: nothing is to be signed.')
}
