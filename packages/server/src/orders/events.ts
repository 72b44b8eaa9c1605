// Events of a change of an order and their deliveries. Bodies are frozen here: the bytes stored are the bytes sent on every attempt.
import type { Step } from '@florin/order-model/rules'
import type { OrderState } from '@florin/order-model/state'
import { newId } from '@florin/platform/ids'
import { eventOf, type UpdateKind, type WebhookKind } from '@florin/protocol'
import { insertEvent } from '../webhooks/events.store.ts'
import { enqueueDeliveries, isChosen, type OwnReceiver } from '../webhooks/queue/enqueue.ts'
import type { OrderChange, OrderEffect } from './effects.ts'
import { updatesOf } from './updates.ts'
import { noTips, orderView, webhookBody } from './view.ts'

export const eventEffect: OrderEffect = ({ config }, change) => {
  const write: Write = { ...change, baseUrl: config.baseUrl }
  return [
    ...change.steps.map((step) => () => writeStep(write, step)),
    ...updatesOf(change.before, change.after).map((event) => () => writeUpdate(write, change.after, event)),
  ]
}

type Write = Pick<OrderChange, 'tx' | 'now' | 'wakeDeliveries'> & { baseUrl: string }

function writeStep(write: Write, { order, isMove }: Step): Promise<unknown> {
  const event = isMove ? eventOf[order.status] : null
  if (event !== null) return writeEvent(write, order, event)
  return insertEvent(write.tx, order, { id: newId('evt', write.now), event, body: null }, write.now)
}

/** Written for those who chose it alone: a row and a body that nobody is sent would be most of an order's. */
const writeUpdate = (write: Write, order: OrderState, event: UpdateKind): Promise<unknown> =>
  writeEvent(write, order, event, isChosen(write.tx, { event, ...order }))

async function writeEvent(
  write: Write,
  order: OrderState,
  event: WebhookKind,
  condition?: ReturnType<typeof isChosen>,
): Promise<void> {
  const { tx, now, baseUrl } = write
  const id = newId('evt', now)
  const body = webhookBody({ id, event, createdAt: now, order: orderView(order, { baseUrl, tips: noTips }) })
  const row = insertEvent(tx, order, { id, event, body }, now, condition)
  const { orderNo, merchantNo, livemode } = order
  // Nobody is sent an update at the URL of an order.
  const own = condition === undefined ? ownReceiver(order) : null
  const about = { eventId: id, eventCreatedAt: now, event, orderNo, merchantNo, livemode, own }
  const [, enqueued] = await Promise.all([row, enqueueDeliveries(tx, about, now)])
  if (enqueued > 0) write.wakeDeliveries()
}

/** Nobody could tell the webhook of an order that no key signs from a forged one; such orders have no URL of their own. */
function ownReceiver({ webhookUrl: url, apiKeyId }: OrderState): OwnReceiver | null {
  return url === null || apiKeyId === null ? null : { url, apiKeyId }
}
