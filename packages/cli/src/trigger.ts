// `florin trigger EVENT`: drives a real test order to the event, step by step, and tells what happened and what its
// receiver said. It refuses a live key before anything is created.
import { type Call, type Command, serviceFlags } from './command.ts'
import { Failure } from './failure.ts'
import { amountText, paintStatus } from './order-view.ts'
import { type Delivery, type EventKind, type Florin, FlorinError, type Order, type SimulateAction } from './sdk.ts'
import { isLiveKey, openClient, readSettings } from './settings.ts'
import { readEvent, readReceiver } from './words.ts'

/** contract.md 6: a receiver has 10 s, so by then the first attempt is over. */
const FIRST_ATTEMPT_MS = 12_000
const LOOK_EVERY_MS = 200

export const triggerCommand: Command = {
  name: 'trigger',
  takes: ['EVENT'],
  about: 'Drive a test order to an event',
  notes: [
    'EVENT is processing, success, failed, refunded or expired. It takes a test key: an order is made, and the service',
    'itself plays payer and chain. With --url it waits for the first answer of the receiver.',
  ],
  flags: [
    { name: 'amount', value: 'USD', about: 'of the new order; 50 where left out' },
    { name: 'url', value: 'URL', about: 'where the webhooks of the new order go' },
    { name: 'external-id', value: 'ID', about: "your order's own number, for the new order" },
    { name: 'settle-chain', value: 'CHAIN', about: 'where the new order settles' },
    { name: 'order', value: 'ORDER_NO', about: 'drive this order instead of a new one' },
    ...serviceFlags,
  ],
  examples: [
    'florin trigger success',
    'florin trigger refunded --amount 20 --url http://localhost:4000/webhooks/florin',
    'florin trigger expired --order ord_01k6m3…',
  ],
  async run(call) {
    const event = readEvent(call.args[0] ?? '')
    const settings = readSettings(call)
    if (isLiveKey(settings)) {
      throw new Failure(
        'FLORIN_API_KEY is a live key; trigger takes a test key, "florin_test_…", so that no real money is asked for.',
      )
    }
    const client = openClient(settings)
    const tell = new Steps(call)
    const start = await startOrder(call, client)
    tell.order(start, call.text('order') === undefined)
    const steps = stepsTo(event, start)
    if (steps === null) {
      throw new Failure(`Order ${start.order_no} is ${start.status}: no step leads from there to ${event}.`)
    }
    let order = start
    for (const action of steps) {
      order = await client.test.simulate(start.order_no, { action })
      tell.step(action, order)
    }
    const deliveries = order.webhook_url === null ? [] : await tell.deliveries(client, order)
    if (call.json) call.terminal.out(JSON.stringify({ event, order, steps: tell.steps, deliveries }, null, 2))
    if (`order.${order.status}` === event) return 0
    throw new Failure(`The order is ${order.status} (${order.status_detail}), not where ${event} leads.`)
  },
}

async function startOrder(call: Call, client: Florin): Promise<Order> {
  const orderNo = call.text('order')
  if (orderNo !== undefined) return client.orders.get(orderNo)
  const url = call.text('url')
  return client.orders.create({
    amount_usd: call.text('amount') ?? 50,
    webhook_url: url === undefined ? undefined : readReceiver('--url', url).href,
    external_id: call.text('external-id'),
    settle_chain: call.text('settle-chain'),
    title: 'A test order',
  })
}

class Steps {
  readonly #call: Call
  readonly steps: { action: string; status: string; status_detail: string }[] = []

  constructor(call: Call) {
    this.#call = call
  }

  #line(what: string, order: Order): void {
    const { terminal, json } = this.#call
    if (json) return
    terminal.out(`${what.padEnd(8)}  ${paintStatus(order.status, terminal.paint)}, ${order.status_detail}`)
  }

  order(order: Order, isNew: boolean): void {
    const { terminal, json } = this.#call
    if (!json)
      terminal.out(`${isNew ? 'Created' : 'Order'} ${terminal.paint.bold(order.order_no)} over ${amountText(order)}`)
    this.#line(isNew ? 'create' : 'stands', order)
  }

  step(action: string, order: Order): void {
    this.steps.push({ action, status: order.status, status_detail: order.status_detail })
    this.#line(action, order)
  }

  /** What the receiver said to each webhook of the order, as soon as each had its first attempt. */
  async deliveries(client: Florin, order: Order): Promise<Delivery[]> {
    const { terminal, json } = this.#call
    try {
      const found = await firstAttempts(client, order.order_no)
      for (const { event, attempts, id, status } of json ? [] : found) {
        const attempt = attempts.at(-1)
        const said = attempt === undefined ? 'not answered yet' : (attempt.error ?? `${attempt.http_status}`)
        const latency = typeof attempt?.latency_ms === 'number' ? ` in ${attempt.latency_ms} ms` : ''
        terminal.out(`webhook   ${event.padEnd(16)}  ${paintStatus(status, terminal.paint)}, ${said}${latency}  ${id}`)
      }
      return found
    } catch (error) {
      // The order went its way; only the look at its webhooks is refused.
      if (!(error instanceof FlorinError && error.code === 'scope_missing')) throw error
      terminal.note(`Its webhooks are not shown: ${error.message}`)
      return []
    }
  }
}

async function firstAttempts(client: Florin, orderNo: string): Promise<Delivery[]> {
  const endsAt = Date.now() + FIRST_ATTEMPT_MS
  for (;;) {
    const { data } = await client.deliveries.list({ order_no: orderNo, limit: 100 }).page()
    // The delivery is read before its attempts: one that has just succeeded may still stand there as pending.
    const isTold = ({ attempts, status }: Delivery) =>
      attempts.length > 0 && (status !== 'pending' || attempts.at(-1)?.error !== null)
    const isOver = data.length > 0 && data.every(isTold)
    if (isOver || Date.now() >= endsAt) return data.reverse()
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

type Way = readonly SimulateAction[]

/** The steps of the simulation, from the statuses that can come there; what is missing cannot. */
const ways: Readonly<Record<EventKind, Readonly<Partial<Record<Order['status'], Way>>>>> = {
  'order.processing': { pending: ['pay'], expired: ['pay_late'] },
  'order.success': { pending: ['pay', 'settle'], processing: ['settle'], expired: ['pay_late', 'settle'] },
  'order.failed': { pending: ['pay', 'fail'], processing: ['fail'], expired: ['pay_late', 'fail'] },
  'order.refunded': {
    pending: ['pay', 'refund'],
    processing: ['refund'],
    failed: ['refund'],
    expired: ['pay_late', 'refund'],
  },
  'order.expired': { pending: ['expire'] },
}

/** The steps, or null where no step leads from this order to the event any more. */
export function stepsTo(event: EventKind, order: Pick<Order, 'status'>): Way | null {
  return ways[event][order.status] ?? null
}
