// What merchants and payers may do to an order, each as one fact through the one door.
import { checkAddress } from '@florin/chains'
import { parseAsset, parseChain } from '../parse-chain.ts'
import { recordAudit } from '../platform/db/audit.ts'
import type { Tx } from '../platform/db/tx.ts'
import { AppError } from '../platform/errors.ts'
import { advanceOrder, type OrderDeps } from './advance.ts'
import { openLeg, parseRefundAddress } from './create/leg.ts'
import { findWay, noWay } from './create/target.ts'
import { canChooseLeg, LEGS_MAX, refundChainOf } from './model/commands.ts'
import { deadlineOf } from './model/ledger.ts'
import { currentLeg, type OrderState } from './model/state.ts'

/** @throws AppError order_not_cancelable. Canceling what is canceled is the same answer again. */
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

/** @throws AppError refund_not_possible with why. */
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

/** @throws AppError settlement_not_retryable with why. */
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
 * The merchant names the address, where the payer has not: by what the payer told it.
 * @throws AppError refund_address_taken, invalid_address
 */
export function nameRefundAddress(
  deps: OrderDeps,
  order: OrderState,
  by: { actor: string; address: string },
  alongside: Alongside,
): Promise<OrderState> {
  return giveRefundAddress(deps, order, by.address, [], async (tx) => {
    const detail = { address: by.address }
    await auditOrder(tx, order, by.actor, 'order.refund_address_given', detail, deps.clock.now())
    await alongside(tx)
  })
}

/**
 * The payer's choice of chain and asset. The same choice again, while its quote holds, is the same leg.
 * A refund address that comes with the choice is bound into the leg, unless another was given before.
 * @throws AppError leg_not_changeable, refund_address_taken, invalid_address, no_rail, and what openLeg throws.
 */
export async function chooseLeg(
  deps: OrderDeps,
  order: OrderState,
  choice: { chain: string; asset: string | null; refundAddress?: string | null },
): Promise<OrderState> {
  const pay = parseAsset(parseChain(choice.chain, 'chain'), choice.asset, 'asset')
  const given = choice.refundAddress == null ? null : parseRefundAddress(pay.chain, choice.refundAddress)
  const isTaken = given !== null && order.refundAddress !== null && order.refundAddress !== given
  if (isTaken) throw new AppError('refund_address_taken')
  const now = deps.clock.now()
  const known = currentLeg(order)
  // By its symbol: a test chain has contracts of its own.
  if (known !== null && known.chain === pay.chain && known.asset === pay.asset && now < deadlineOf(order, known)) {
    return given === null ? order : giveRefundAddress(deps, order, given)
  }
  if (order.legs.length >= LEGS_MAX) {
    throw new AppError('leg_not_changeable', {
      message: `The way to pay has been changed ${LEGS_MAX} times; pay one that was shown.`,
    })
  }
  if (!canChooseLeg(order, now)) throw new AppError('leg_not_changeable')
  const way = findWay(deps.rails, order, pay)
  if (way === null) throw noWay(deps.rails, order, pay, false)
  const { orderRef, livemode, amountUsdMicros, feeBps, expiresAt } = order
  const quoted = { orderRef, n: order.legs.length + 1, livemode, amountUsdMicros, feeBps, now, expiresAt }
  const leg = await openLeg({ ...quoted, pay, refundAddress: order.refundAddress ?? given }, way)
  // The leg brings the address along: either both are taken or neither is.
  const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [
    { kind: 'leg_opened', leg, refundAddress: given },
  ])
  if (ignored[0] === null) return after
  // Another choice was made at the same moment: this one is judged again by what the order is now.
  if (after.legs.length > order.legs.length) return chooseLeg(deps, after, choice)
  throw new AppError('leg_not_changeable', { message: `The way to pay cannot be changed: ${ignored[0]}.` })
}

/**
 * The payer's refund address; the first one given stands.
 * @param offered the chains that may still be chosen: before one was, the address has to fit at least one of them.
 */
export async function giveRefundAddress(
  deps: OrderDeps,
  order: OrderState,
  text: string,
  offered: readonly string[] = [],
  alongside = nothingElse,
): Promise<OrderState> {
  const chain = refundChainOf(order) ?? offered.find((each) => checkAddress(each, text).valid) ?? offered.at(0)
  if (chain === undefined) throw new AppError('leg_not_changeable', { message: 'This order cannot be paid any more.' })
  const address = parseRefundAddress(chain, text, 'address')
  const { order: after, ignored } = await advanceOrder(
    deps,
    order.orderNo,
    [{ kind: 'refund_address_given', address }],
    async (tx, _after, changed) => {
      if (changed) await alongside(tx)
    },
  )
  if (ignored[0] === null || after.refundAddress === address) return after
  throw new AppError('refund_address_taken')
}
