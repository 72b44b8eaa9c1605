// The client: one method for each call of /v1 (contract.md 4.4). What is sent and how is the transport's.
import type { Delivery, Order, Reconciliation } from '@florin/protocol'
import { listOf, read, segment } from './calls.ts'
import { WebhookEndpoints } from './endpoints.ts'
import { EventStream, type StreamOptions } from './event-stream.ts'
import { Orders } from './orders.ts'
import { List } from './pages.ts'
import { Invoices, PaymentLinks } from './selling.ts'
import { type CallOptions, type FlorinOptions, Transport } from './transport.ts'
import type {
  Chain,
  FlorinEvent,
  ListDeliveriesParams,
  ListEventsParams,
  ReconciliationParams,
  SimulateParams,
  ThirdPartyChain,
} from './types.ts'

class Events {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Every event of the last 30 days, oldest first. Keep `next_cursor` of the last page to go on from there. */
  list(params: ListEventsParams = {}, options?: CallOptions): List<FlorinEvent> {
    return new List(params.after, (after) => this.#transport.send(read('/v1/events', { ...params, after }), options))
  }

  /**
   * Events as they happen, until `signal` ends it. Broken connections are opened anew behind the last event.
   *
   * @example for await (const event of florin.events.stream()) console.log(event.event, event.order.order_no)
   */
  stream(options: StreamOptions = {}): EventStream {
    return new EventStream(this.#transport, options)
  }
}

class Deliveries {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Webhook deliveries with their attempts, newest first. */
  list(filters: ListDeliveriesParams = {}, options?: CallOptions): List<Delivery> {
    return listOf(this.#transport, '/v1/deliveries', { ...filters }, options)
  }

  /** @throws FlorinError `delivery_not_found` */
  get(id: string, options?: CallOptions): Promise<Delivery> {
    return this.#transport.send(read(`/v1/deliveries/${segment(id, 'id')}`), options)
  }

  /** Sends an event again. @throws FlorinError `delivery_in_flight`, `delivery_body_expired` */
  resend(id: string, options?: CallOptions): Promise<Delivery> {
    const path = `/v1/deliveries/${segment(id, 'id')}/resend`
    return this.#transport.send({ method: 'POST', path, body: {}, repeatable: false }, options)
  }
}

class Chains {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The chains and assets that this key's mode can pay and settle in. */
  list(options?: CallOptions): List<Chain> {
    return listOf(this.#transport, '/v1/chains', {}, options)
  }

  /** Where rails on which somebody else holds the money for some minutes may carry orders. It is switched in the console. */
  thirdParty(options?: CallOptions): List<ThirdPartyChain> {
    return listOf(this.#transport, '/v1/third-party', {}, options)
  }
}

class TestOrders {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Moves a test order on, as a payer or a chain would.
   *
   * @throws FlorinError `simulation_not_applicable`, `test_key_required`
   * @example await florin.test.simulate(order.order_no, { action: 'pay' })
   */
  simulate(orderNo: string, params: SimulateParams, options?: CallOptions): Promise<Order> {
    const path = `/v1/test/orders/${segment(orderNo, 'orderNo')}/simulate`
    const body = params.amount === undefined ? { action: params.action } : { ...params, amount: String(params.amount) }
    return this.#transport.send({ method: 'POST', path, body, repeatable: false }, options)
  }
}

/**
 * The client for a merchant's server.
 *
 * @example
 * const florin = new Florin({ apiKey: process.env.FLORIN_API_KEY, baseUrl: 'https://pay.shop.example' })
 * const order = await florin.orders.create({ amount_usd: 49.9, webhook_url: 'https://shop.example/webhooks/florin' })
 * redirectTo(order.checkout_url)
 */
export class Florin {
  readonly orders: Orders
  readonly events: Events
  readonly deliveries: Deliveries
  readonly webhookEndpoints: WebhookEndpoints
  readonly chains: Chains
  readonly paymentLinks: PaymentLinks
  readonly invoices: Invoices
  readonly test: TestOrders
  readonly #transport: Transport

  constructor(options: FlorinOptions) {
    this.#transport = new Transport(options)
    this.orders = new Orders(this.#transport)
    this.events = new Events(this.#transport)
    this.deliveries = new Deliveries(this.#transport)
    this.webhookEndpoints = new WebhookEndpoints(this.#transport)
    this.chains = new Chains(this.#transport)
    this.paymentLinks = new PaymentLinks(this.#transport)
    this.invoices = new Invoices(this.#transport)
    this.test = new TestOrders(this.#transport)
  }

  /**
   * How the books of your orders compare with the chain: what differs, and since when everything was compared.
   *
   * @example if ((await florin.reconciliation({ status: 'open' })).differences.data.length > 0) await callSomebody()
   */
  reconciliation(params: ReconciliationParams = {}, options?: CallOptions): Promise<Reconciliation> {
    return this.#transport.send(read('/v1/reconciliation', { ...params }), options)
  }

  /** What a log shows: where it goes, never with which key. */
  toJSON(): { baseUrl: string } {
    return { baseUrl: this.#transport.baseUrl }
  }

  // What Node's console shows. Set here, as a name that is computed has no place in the declarations.
  static {
    Object.defineProperty(Florin.prototype, Symbol.for('nodejs.util.inspect.custom'), {
      value(this: Florin): string {
        return `Florin { baseUrl: '${this.#transport.baseUrl}' }`
      },
    })
  }
}
