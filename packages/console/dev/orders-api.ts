// The playground's answers about orders and deliveries.
import type { SimulateAction } from '@florin/protocol'
import type { Replay } from '../src/webhooks/queries.ts'
import { type Answer, type Call, found, ok, pageOf, Refusal, text } from './answer.ts'
import { onChain, toSign } from './coin.ts'
import { addDeliveries } from './deliveries.ts'
import { makeOrder, type StoredOrder } from './orders.ts'
import { move, simulate } from './simulate.ts'
import type { World } from './state.ts'

const wire = ({ timeline: _, ...order }: StoredOrder) => order

export function filterOrders(world: World, query: URLSearchParams): StoredOrder[] {
  const q = (query.get('q') ?? '').toLowerCase()
  const statuses = query.getAll('status')
  return world.orders.filter(
    (order) =>
      order.livemode === (query.get('livemode') === 'true') &&
      (statuses.length === 0 || statuses.includes(order.status)) &&
      (!query.has('payment_link_id') || order.payment_link_id === query.get('payment_link_id')) &&
      (!query.has('invoice_id') || order.invoice_id === query.get('invoice_id')) &&
      (!query.has('settle_chain') || order.settle_chain === query.get('settle_chain')) &&
      order.created_at >= (query.get('created_from') ?? '') &&
      order.created_at < (query.get('created_to') ?? '9') &&
      (q === '' ||
        JSON.stringify([order.order_no, order.external_id, order.title, order.pay?.address]).toLowerCase().includes(q)),
  )
}

export function orders(world: World, { query }: Call, id: string, act: string): Answer {
  if (id === '') {
    const page = pageOf(filterOrders(world, query), query)
    // Words of which it takes more than a page to know whether any order has them.
    const isLong = /^(porcelain|oak)$/i.test(query.get('q') ?? '')
    const until = isLong
      ? { searched_until: new Date(Date.now() - 90 * 86_400_000).toISOString(), has_more: true, next_cursor: 'further' }
      : {}
    return ok({ ...page, ...until, data: page.data.map(wire) })
  }
  const order = found(
    world.orders.find((each) => each.order_no === id),
    'order_not_found',
  )
  if (act === 'on-chain') return ok(onChain(order))
  if (act === 'refunds') return ok(toSign())
  if (act === 'events') return ok({ data: order.timeline, has_more: false, next_cursor: null })
  if (act === 'cancel') {
    if (order.payments.length > 0) throw new Refusal('order_not_cancelable')
    move(order, 'expired', 'canceled', world.random)
  }
  if (act === 'refund')
    throw new Refusal('refund_not_possible', 'Nothing can be refunded now: the refund is on its way.')
  if (act === 'retry-settlement') move(order, 'processing', 'settling', world.random)
  if (act !== '') told(world, order)
  return ok(wire(order))
}

/** One that is ready, and one that grows each time it is looked at. */
export function createOrder(world: World, { body, origin }: Call): Answer {
  if (world.addresses.length === 0) throw new Refusal('receiving_address_missing')
  const usd = Number(body.amount_usd)
  if (!(usd > 0) || usd > 1_000_000) throw new Refusal('invalid_amount', undefined, { param: 'amount_usd' })
  const now = Date.now()
  const made = {
    at: now,
    now,
    livemode: false,
    origin,
    status: 'pending',
    detail: 'awaiting_payment',
    steps: [],
    usd,
  } as const
  const order: StoredOrder = {
    ...makeOrder(world.random, made),
    title: text(body.title) || null,
    external_id: text(body.external_id) || null,
    webhook_url: text(body.webhook_url) || null,
    metadata: {},
  }
  world.orders.unshift(order)
  told(world, order)
  return ok(wire(order))
}

export function driveOrder(world: World, orderNo: string, body: Record<string, unknown>): Answer {
  const order = found(
    world.orders.find((each) => each.order_no === orderNo),
    'order_not_found',
  )
  simulate(order, body.action as SimulateAction, world.random)
  told(world, order)
  return ok(wire(order))
}

function told(world: World, order: StoredOrder): void {
  addDeliveries(world, order, Date.now())
  for (const kind of ['order', 'delivery'] as const) {
    const change = JSON.stringify({ kind, livemode: order.livemode, order_no: order.order_no })
    for (const listener of world.listeners) listener(change)
  }
}

export function deliveries(world: World, { query, body }: Call, id: string, act: string): Answer {
  if (id === 'replay') {
    const replay: Replay = {
      id: `rep_${world.random.text(26)}`,
      state: 'running',
      livemode: false,
      from: text(body.from),
      to: text(body.to),
      status: body.status === 'succeeded' ? 'succeeded' : 'dead',
      total: 42,
      resent: 0,
      skipped: 0,
      created_at: new Date().toISOString(),
      finished_at: null,
    }
    world.replays.set(replay.id, replay)
    return ok(replay)
  }
  if (id === '') {
    const rows = world.deliveries.filter(
      (each) =>
        each.livemode === (query.get('livemode') === 'true') &&
        (!query.has('status') || each.status === query.get('status')) &&
        (!query.has('event') || each.event === query.get('event')) &&
        (!query.has('order_no') || each.order_no === query.get('order_no')),
    )
    return ok(pageOf(rows, query))
  }
  const delivery = found(
    world.deliveries.find((each) => each.id === id),
    'delivery_not_found',
  )
  if (act === '') return ok(delivery)
  const next = {
    ...delivery,
    id: `dlv_${world.random.text(26)}`,
    status: 'pending' as const,
    attempt_count: 0,
    next_attempt_at: new Date().toISOString(),
    attempts: [],
    created_at: new Date().toISOString(),
    resent_from: delivery.id,
  }
  world.deliveries.unshift(next)
  return ok(next)
}

export function advance(replay: Replay): Replay {
  replay.resent = Math.min(replay.total, replay.resent + 9)
  if (replay.resent === replay.total) {
    replay.state = 'done'
    replay.finished_at = new Date().toISOString()
  }
  return replay
}
