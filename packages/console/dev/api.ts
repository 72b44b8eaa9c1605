// The playground's answers to the console's calls, as api.md 1 to 5 describe them, over invented data in memory.
import { chains, checkAddress, findChain } from '@florin/chains'
import type { Replay, SimulateAction } from '@florin/protocol'
import { type Answer, ok, pageOf, Refusal } from './answer.ts'
import { changeKey, createKey, rotateKey } from './keys.ts'
import { makeOrder, type StoredOrder } from './orders.ts'
import { move, simulate } from './simulate.ts'
import { series, summary } from './stats.ts'
import { addDeliveries, type World } from './world.ts'

export interface Call {
  method: string
  /** Below /api/v1/boss. */
  path: string[]
  query: URLSearchParams
  body: Record<string, unknown>
  origin: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function found<T>(
  row: T | undefined,
  code: 'order_not_found' | 'delivery_not_found' | 'api_key_not_found' | 'replay_not_found' | 'attention_not_found',
): T {
  if (row === undefined) throw new Refusal(code)
  return row
}

/** The console's own calls. Undefined: no such call. */
export function answer(world: World, call: Call): Answer | undefined {
  const [noun = '', id = '', act = '', more = ''] = call.path
  const { method, query, body } = call
  const live = query.get('livemode') === 'true'
  switch (noun) {
    case 'merchant':
      if (method === 'PATCH') Object.assign(world.merchant, body)
      return ok(world.merchant)
    case 'sessions':
      if (method === 'GET') return ok(pageOf(world.sessions, query))
      world.sessions = id === '' ? [] : world.sessions.filter((session) => session.id !== id)
      return ok({ revoked: 1 })
    case 'appkeys':
      return appkeys(world, call, id, act, more)
    case 'addresses':
      return addresses(world, call, id)
    case 'orders':
      return orders(world, call, id, act)
    case 'test':
      return act === '' ? createOrder(world, call) : driveOrder(world, act, body)
    case 'deliveries':
      return deliveries(world, call, id, act)
    case 'replays':
      return ok(advance(found(world.replays.get(id), 'replay_not_found')))
    case 'attention':
      if (method === 'GET') {
        const isOpen = query.get('status') !== 'resolved'
        return ok(
          pageOf(
            world.attention.filter((item) => item.livemode === live && (item.resolved_at === null) === isOpen),
            query,
          ),
        )
      }
      Object.assign(
        found(
          world.attention.find((item) => item.id === id),
          'attention_not_found',
        ),
        {
          resolved_at: new Date().toISOString(),
          resolved_by: world.merchant.email,
          resolution: act,
        },
      )
      return ok(world.attention.find((item) => item.id === id))
    case 'audit':
      return ok(pageOf(world.audit, query))
    case 'stats': {
      const asked = { live, from: query.get('from') ?? '', to: query.get('to') ?? '' }
      return ok(id === 'series' ? series(world, asked, query) : summary(world, asked))
    }
    default:
      return undefined
  }
}

function appkeys(world: World, { method, query, body }: Call, id: string, act: string, more: string): Answer {
  if (id === '') {
    if (method === 'POST') return ok(createKey(world, body))
    const mode = query.get('livemode') === 'true' ? 'live' : 'test'
    return ok(
      pageOf(
        world.appkeys.filter((key) => key.mode === mode),
        query,
      ),
    )
  }
  const key = found(
    world.appkeys.find((each) => each.id === id),
    'api_key_not_found',
  )
  if (method === 'GET') return ok(key)
  if (method === 'DELETE') return ok(Object.assign(key, { revoked_at: new Date().toISOString() }))
  if (method === 'PATCH') return ok(changeKey(key, body))
  if (act === 'test-event') {
    const isGood = text(body.url).startsWith('https://shop.example')
    if (!URL.canParse(text(body.url))) throw new Refusal('invalid_webhook_url', undefined, { param: 'url' })
    return ok(
      isGood
        ? { http_status: 200, latency_ms: 143, error: null, response_excerpt: 'ok' }
        : { http_status: null, latency_ms: 9, error: 'connect_refused', response_excerpt: null },
    )
  }
  return ok(rotateKey(world, key, act === 'webhook-secret' ? more : act, body))
}

function addresses(world: World, { method, query, body }: Call, id: string): Answer {
  if (method === 'GET') return ok(id === 'history' ? pageOf(world.history, query) : pageOf(world.addresses, query))
  const chain = findChain(method === 'DELETE' ? id : text(body.chain))
  if (chain === null) throw new Refusal('unknown_chain')
  const tell = (address: string | null, label: string | null) => {
    const changed = { id: `adr_${world.random.text(8)}`, chain: chain.id, address, label }
    world.history.unshift({ ...changed, changed_by: world.merchant.email, changed_at: new Date().toISOString() })
  }
  if (method === 'DELETE') {
    world.addresses = world.addresses.filter((each) => each.chain !== chain.id)
    tell(null, null)
    return ok({ chain: chain.id })
  }
  const verdict = checkAddress(chain, body.address)
  const { id: chainId, family } = chain
  const warnings = verdict.warnings.map((each) => ({ ...each }))
  if (id === 'validate') {
    return ok({
      valid: verdict.valid,
      chain: chainId,
      family,
      address: verdict.valid ? verdict.canonical : null,
      reason: verdict.valid ? null : verdict.reason,
      looks_like: verdict.valid ? [] : verdict.looksLike,
      warnings,
    })
  }
  if (!verdict.valid) throw new Refusal('invalid_address', verdict.message, { param: 'address' })
  const label = text(body.label) || null
  const row = {
    chain: chainId,
    family,
    address: verdict.canonical,
    label,
    updated_at: new Date().toISOString(),
    warnings,
  }
  world.addresses = [...world.addresses.filter((each) => each.chain !== chainId), row]
  tell(row.address, label)
  return ok(row)
}

const wire = ({ timeline: _, ...order }: StoredOrder) => order

export function filterOrders(world: World, query: URLSearchParams): StoredOrder[] {
  const q = (query.get('q') ?? '').toLowerCase()
  const statuses = query.getAll('status')
  return world.orders.filter(
    (order) =>
      order.livemode === (query.get('livemode') === 'true') &&
      (statuses.length === 0 || statuses.includes(order.status)) &&
      (!query.has('settle_chain') || order.settle_chain === query.get('settle_chain')) &&
      order.created_at >= (query.get('created_from') ?? '') &&
      order.created_at < (query.get('created_to') ?? '9') &&
      (q === '' ||
        JSON.stringify([order.order_no, order.external_id, order.title, order.pay?.address]).toLowerCase().includes(q)),
  )
}

function orders(world: World, { query }: Call, id: string, act: string): Answer {
  if (id === '') {
    const page = pageOf(filterOrders(world, query), query)
    return ok({ ...page, data: page.data.map(wire) })
  }
  const order = found(
    world.orders.find((each) => each.order_no === id),
    'order_not_found',
  )
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

function createOrder(world: World, { body, origin }: Call): Answer {
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

function driveOrder(world: World, orderNo: string, body: Record<string, unknown>): Answer {
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

function deliveries(world: World, { query, body }: Call, id: string, act: string): Answer {
  if (id === 'replay') {
    const replay: Replay = {
      id: `rep_${world.random.text(26)}`,
      status: 'running',
      from: text(body.from),
      to: text(body.to),
      delivery_status: body.status === 'all' ? 'all' : 'dead',
      matched: 42,
      replayed: 0,
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

function advance(replay: Replay): Replay {
  replay.replayed = Math.min(replay.matched, replay.replayed + 9)
  if (replay.replayed === replay.matched) {
    replay.status = 'done'
    replay.finished_at = new Date().toISOString()
  }
  return replay
}

/** GET /api/v1/chains */
export function catalogue(): Answer {
  const data = chains.map((chain) => ({
    ...{ id: chain.id, name: chain.name, aliases: chain.aliases, family: chain.family, caip2: chain.caip2 },
    ...{ assets: chain.assets, explorer: chain.explorer, rails: [] },
    memo: chain.memo === null ? null : { name: chain.memo.name, in_address: chain.memo.inAddress },
  }))
  return ok({ data, has_more: false, next_cursor: null })
}
