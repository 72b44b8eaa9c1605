// A stand-in for the service on a real HTTP server: orders, simulation, events, their stream and deliveries, as contract.md 4.4
// and 6 say and no more. It keeps what tests ask it to keep and can be stopped and started on the same port.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import {
  type Delivery,
  type EventKind,
  type Order,
  type Reconciliation,
  type SimulateAction,
  signTestWebhook,
} from '../../sdk/src/index.ts'
import { answer, fail } from '../../sdk/test/local-server.ts'
import { apiKey, secret } from './program.ts'

type FlorinEvent = ReturnType<typeof signTestWebhook>['event']

const outcomes: Partial<Record<SimulateAction, Partial<Order>>> = {
  pay: { status: 'processing', status_detail: 'confirming' },
  pay_late: { status: 'processing', status_detail: 'paid_late' },
  settle: { status: 'success', status_detail: 'paid', amount_out: '50000000' },
  fail: { status: 'failed', status_detail: 'settlement_failed' },
  refund: { status: 'refunded', status_detail: 'refunded' },
  expire: { status: 'expired', status_detail: 'unpaid' },
}

const moves: Readonly<Record<string, readonly SimulateAction[]>> = {
  pending: ['pay', 'expire'],
  processing: ['settle', 'fail', 'refund'],
  failed: ['refund'],
  expired: ['pay_late', 'refund'],
}

export class Service {
  baseUrl = ''
  readonly orders: Order[] = []
  /** Oldest first. */
  readonly deliveries: Delivery[] = []
  readonly events: FlorinEvent[] = []
  reconciliation: Reconciliation = {
    ...{ compared_since: null, waiting: 0 },
    differences: { data: [], has_more: false, next_cursor: null },
  }
  readonly requests: { method: string; path: string; query: URLSearchParams; body: string; after: string | null }[] = []
  readonly #streams = new Set<ServerResponse>()
  #server: Server | null = null
  #port = 0

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#take(request, response))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    this.baseUrl = `http://127.0.0.1:${this.#port}`
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    this.#streams.clear()
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }

  /** Cuts the streams and nothing else. */
  cut(): void {
    for (const stream of this.#streams) stream.destroy()
    this.#streams.clear()
  }

  /** Commits an event; it goes to every open stream. */
  emit(kind: EventKind, order: Partial<Order> = {}): FlorinEvent {
    const { event } = signTestWebhook({ secret, event: kind, order })
    this.events.push(event)
    for (const stream of this.#streams) stream.write(this.#message(this.events.length))
    return event
  }

  /** Cursors are `c<n>`: behind the nth event. */
  #message(n: number): string {
    return `id: c${n}\nevent: ${this.events[n - 1]?.event}\ndata: ${JSON.stringify(this.events[n - 1])}\n\n`
  }

  order(fields: Partial<Order>): Order {
    const { order } = signTestWebhook({ secret, event: 'order.processing', order: fields }).event
    this.orders.push(order)
    return order
  }

  delivery(fields: Partial<Delivery>): Delivery {
    const n = String(this.deliveries.length + 1).padStart(26, '0')
    const delivery: Delivery = {
      id: `dlv_${n}`,
      event_id: `evt_${n}`,
      event: 'order.success',
      order_no: `ord_${n}`,
      livemode: false,
      url: 'http://localhost:4000/hook',
      endpoint_id: null,
      status: 'succeeded',
      attempt_count: 1,
      next_attempt_at: null,
      attempts: [],
      created_at: new Date().toISOString(),
      resent_from: null,
      ...fields,
    }
    this.deliveries.push(delivery)
    return delivery
  }

  async #take(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://local')
    const after = query.get('after') ?? (request.headers['last-event-id'] as string | undefined) ?? null
    const body = Buffer.concat(chunks).toString()
    const method = request.method ?? ''
    this.requests.push({ method, path, query, body, after })
    if (request.headers['x-api-key'] !== apiKey) return fail(response, 'invalid_api_key')
    const [, , kind = '', id = '', act = ''] = path.replace('/v1/test/', '/v1/').split('/')
    if (kind === 'events' && id === 'stream') return this.#stream(response, after)
    if (kind === 'orders') return this.#orders(response, method, query, id, act, body)
    if (kind === 'deliveries') return this.#deliveries(response, method, query, id, act)
    if (kind === 'reconciliation') return answer(response, 200, this.reconciliation)
    return fail(response, 'not_found')
  }

  #stream(response: ServerResponse, after: string | null) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    const from = after === null ? this.events.length : Number(after.slice(1))
    for (let n = from + 1; n <= this.events.length; n++) response.write(this.#message(n))
    this.#streams.add(response)
  }

  #orders(response: ServerResponse, method: string, query: URLSearchParams, id: string, act: string, body: string) {
    const order = this.orders.find(({ order_no }) => order_no === id)
    if (id === '' && method === 'POST') {
      const made = { status: 'pending', status_detail: 'awaiting_payment', version: 1 } as const
      const { amount_usd, ...rest } = JSON.parse(body)
      return answer(response, 201, this.order({ ...made, ...rest, amount_usd: Number(amount_usd) }))
    }
    if (id === '') {
      const wanted = query.getAll('status')
      const data = this.orders.filter(({ status }) => wanted.length === 0 || wanted.includes(status)).reverse()
      return page(response, data, query)
    }
    if (order === undefined) return fail(response, 'order_not_found')
    if (act === 'simulate') return this.#simulate(response, order, JSON.parse(body).action)
    if (act === 'events') return page(response, [], query)
    if (act === 'cancel' && order.status !== 'pending') return fail(response, 'order_not_cancelable')
    if (act === 'cancel') Object.assign(order, outcomes.expire, { status_detail: 'canceled' })
    if (act === 'refund') Object.assign(order, outcomes.refund)
    return answer(response, 200, order)
  }

  #simulate(response: ServerResponse, order: Order, action: SimulateAction) {
    if (!moves[order.status]?.includes(action)) return fail(response, 'simulation_not_applicable')
    Object.assign(order, outcomes[action], { version: order.version + 1 })
    if (order.webhook_url !== null) {
      const event = `order.${order.status}` as EventKind
      const attempt = {
        n: 1,
        at: order.updated_at,
        http_status: 200,
        latency_ms: 7,
        error: null,
        response_excerpt: 'ok',
      }
      this.delivery({ event, order_no: order.order_no, url: order.webhook_url, attempts: [attempt] })
    }
    answer(response, 200, order)
  }

  #deliveries(response: ServerResponse, method: string, query: URLSearchParams, id: string, act: string) {
    const delivery = this.deliveries.find((each) => each.id === id)
    if (id === '') {
      const matches = (each: Delivery) =>
        (['order_no', 'status', 'event'] as const).every((name) => [null, each[name]].includes(query.get(name)))
      return page(response, this.deliveries.filter(matches).reverse(), query)
    }
    if (delivery === undefined) return fail(response, 'delivery_not_found')
    if (act === '' || method !== 'POST') return answer(response, 200, delivery)
    if (delivery.status === 'pending') return fail(response, 'delivery_in_flight')
    if (delivery.event_id === 'evt_expired') return fail(response, 'delivery_body_expired')
    const { event_id, event, order_no, url } = delivery
    answer(response, 200, this.delivery({ event_id, event, order_no, url, status: 'pending', resent_from: id }))
  }
}

function page(response: ServerResponse, all: readonly unknown[], query: URLSearchParams) {
  const start = Number(query.get('cursor') ?? 0)
  const end = start + Number(query.get('limit') ?? 20)
  const hasMore = end < all.length
  answer(response, 200, { data: all.slice(start, end), has_more: hasMore, next_cursor: hasMore ? String(end) : null })
}

export async function aService(t: TestContext): Promise<Service> {
  const service = new Service()
  await service.start()
  t.after(() => service.stop())
  return service
}
