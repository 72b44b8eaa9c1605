// Carries out a person's decision on an attention item. The act on the order and the item's resolution are one commit.
import { REFUND_APPROVAL } from '@florin/order-model/attention/cause'
import { REFUND_TO } from '@florin/order-model/attention/opens'
import { APPROVE, REFUSE, TAKE_WORD } from '@florin/order-model/attention/raised'
import { SETTLE_NOW } from '@florin/order-model/holds'
import type { OrderState } from '@florin/order-model/state'
import { recordAudit } from '@florin/platform/db/audit'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import { REFUND_APPROVAL_MS } from '@florin/protocol'
import { type Attention, findAttention, resolveAttention } from '../attention/store.ts'
import { amountIn } from '../attention/words.ts'
import { type MerchantCaller, requireFresh } from '../callers.ts'
import {
  nameRefundAddress,
  refundOrder,
  refuseRefundAddress,
  releaseSettlement,
  retrySettlement,
  vouchForPayout,
} from '../orders/acts.ts'
import type { OrderDeps } from '../orders/advance.ts'
import { findOrder } from '../orders/store.ts'

const RETRY = 'retry-settlement'
const DISMISS = 'dismiss'

export type AttentionDeps = OrderDeps & { secrets: Secrets }

/** A request made through the checkout link expires after a day, even before the job that says so has run. */
const hasLapsed = (item: Attention, now: Date): boolean =>
  item.kind === REFUND_APPROVAL && now.getTime() >= item.createdAt.getTime() + REFUND_APPROVAL_MS

/**
 * None once it is resolved; but an item that was dismissed still lets its merchant name the address of waiting money.
 */
function actionsOf(item: Attention, now: Date): string[] {
  if (item.resolvedAt === null) return hasLapsed(item, now) ? [] : item.actions
  return item.resolution === DISMISS && item.isAsking
    ? item.actions.filter((action) => action === REFUND_TO || action === TAKE_WORD)
    : []
}

/**
 * What this person may do about it now. Operators retry settlements; only the payer or the merchant says where money
 * goes back to, never the operator.
 */
export function actionsFor(who: Pick<MerchantCaller, 'id' | 'isOperator'>, item: Attention, now: Date): string[] {
  return actionsOf(item, now).filter((action) => {
    if (operatorsOwn.has(action)) return who.isOperator
    return !merchantsOwn.has(action) || item.merchantId === who.id
  })
}

const operatorsOwn: ReadonlySet<string> = new Set([RETRY])
const merchantsOwn: ReadonlySet<string> = new Set([REFUND_TO, APPROVE, REFUSE, SETTLE_NOW, TAKE_WORD])

/** Operators see the items of all merchants, a merchant only its own. */
export const seesOf = (who: MerchantCaller): string | null => (who.isOperator ? null : who.id)

/**
 * @throws AppError attention_not_found, action_not_possible, operator_required, and what the act on the order throws.
 */
export async function actOnAttention(
  deps: AttentionDeps,
  who: MerchantCaller,
  id: string,
  action: string,
  address: string | null = null,
): Promise<Attention> {
  const item = await getAttention(deps, who, id)
  const now = deps.clock.now()
  if (!actionsOf(item, now).includes(action)) {
    throw new AppError('action_not_possible', { message: whyNot(item, action) })
  }
  if (operatorsOwn.has(action) && !who.isOperator) throw new AppError('operator_required')
  if (!actionsFor(who, item, now).includes(action)) {
    throw new AppError('action_not_possible', { message: 'Only its merchant decides this.' })
  }
  if ((address === null) === (action === REFUND_TO)) {
    throw new AppError(address === null ? 'missing_field' : 'unknown_field', { param: 'address' })
  }
  // A separate check, since one route takes every action: these decide where money goes, and what is shipped for it.
  if (action === REFUND_TO || action === APPROVE || action === TAKE_WORD) requireFresh(who)
  const actor = item.merchantId === who.id && action !== RETRY ? who.email : `operator:${who.email}`
  const resolve = async (tx: Tx): Promise<void> => {
    if (await resolveAttention(tx, { id, by: actor, resolution: action, now })) return
    throw new AppError('action_not_possible', { message: whyNot({ ...item, resolvedAt: now }, action) })
  }
  switch (action) {
    case DISMISS:
      await withTx(deps.sql, async (tx) => {
        await resolve(tx)
        const entry = { merchantId: item.merchantId ?? who.id, actor, action: 'attention.dismissed', subject: id }
        await recordAudit(tx, { ...entry, detail: { reason: item.kind, order_no: item.orderNo } }, now)
      })
      break
    case 'refund':
      await refundOrder(deps, await orderOf(deps, item), { actor, reason: `attention ${id}` }, resolve)
      break
    case REFUND_TO:
    case APPROVE: {
      const to = action === APPROVE ? (item.evidence.to ?? '') : (address ?? '')
      const by = { actor, refundId: item.evidence.refund ?? '', address: to }
      await nameRefundAddress(deps, await orderOf(deps, item), by, async (tx) => {
        await resolve(tx)
        await tellRefundTo(deps, tx, who, { item, address: to }, now)
      })
      deps.wake.mail.fire()
      break
    }
    case REFUSE:
      await refuseRefundAddress(deps, await orderOf(deps, item), { actor, address: item.evidence.to ?? '' }, resolve)
      break
    case SETTLE_NOW:
      await releaseSettlement(deps, await orderOf(deps, item), actor, resolve)
      break
    case TAKE_WORD:
      await vouchForPayout(
        deps,
        await orderOf(deps, item),
        { actor, address: item.evidence.deposit_address ?? item.evidence.tx_hash ?? '' },
        async (tx) => {
          await resolve(tx)
          const said = `You said that the payout of order ${item.orderNo} has arrived: the order counts as paid.`
          await tellDecision(deps, tx, who, { subject: 'A payout was vouched for', said }, now)
        },
      )
      deps.wake.mail.fire()
      break
    case RETRY:
      await retrySettlement(deps, await orderOf(deps, item), actor, resolve)
      break
    default:
      throw new AppError('action_not_possible')
  }
  return getAttention(deps, who, id)
}

function tellRefundTo(
  deps: AttentionDeps,
  tx: Tx,
  who: MerchantCaller,
  { item, address }: { item: Attention; address: string },
  now: Date,
): Promise<void> {
  const text = [
    `You named where a refund of order ${item.orderNo} goes:`,
    address,
    '',
    `Amount:  ${amountIn(item.evidence)}`,
    ...(item.evidence.from === undefined ? [] : [`Paid by: ${item.evidence.from}`]),
    `Time:    ${now.toISOString()}`,
    `Service: ${deps.config.baseUrl}`,
    '',
    'Nothing else of the order goes there: money beyond this amount waits for',
    'another answer. The refund is on its way and cannot be stopped here.',
    '',
    'If this was not you, sign in, end all sessions and tell the operator of',
    'the service.',
    '',
  ]
  const notice = {
    merchantId: who.id,
    to: who.email,
    weight: 'matters' as const,
    isWhereMoneyGoes: true,
    subject: 'A refund address was named',
  }
  return enqueueNotice(tx, deps, { ...notice, text }, now)
}

/** Of a decision that asks for a fresh sign-in and is not about where money goes. */
function tellDecision(
  deps: AttentionDeps,
  tx: Tx,
  who: MerchantCaller,
  { subject, said }: { subject: string; said: string },
  now: Date,
): Promise<void> {
  const foot = [`Time:    ${now.toISOString()}`, `Service: ${deps.config.baseUrl}`, '']
  const text = [said, '', ...foot, 'If this was not you, sign in and end all sessions.', '']
  return enqueueNotice(tx, deps, { merchantId: who.id, to: who.email, weight: 'matters', subject, text }, now)
}

async function getAttention(deps: OrderDeps, who: MerchantCaller, id: string): Promise<Attention> {
  const item = await findAttention(deps.sql, id, seesOf(who))
  if (item === null) throw new AppError('attention_not_found')
  return item
}

async function orderOf(deps: OrderDeps, item: Attention): Promise<OrderState> {
  const { orderNo, merchantId, livemode } = item
  const order = orderNo === null ? null : await findOrder(deps.sql, { orderNo, merchantId, livemode })
  if (order === null) throw new AppError('action_not_possible', { message: 'This item is about no order.' })
  return order
}

function whyNot(item: Attention, action: string): string {
  if (item.resolvedAt !== null) return 'This item is resolved already.'
  return `"${action}" does not apply to this item; it takes ${item.actions.join(', ')}.`
}
