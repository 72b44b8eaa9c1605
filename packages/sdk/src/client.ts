// The client: one method for each call of /v1 (contract.md 4.4). What is sent and how is the transport's.
import type {
  Delivery,
  MerchantRefund,
  Order,
  OrderLook,
  OrderOnChain,
  Reconciliation,
  TimelineEntry,
} from '@florin/protocol'
import { type CreateOptions, creation, listOf, read, segment } from './calls.ts'
import { WebhookEndpoints } from './endpoints.ts'
import { EventStream, type StreamOptions } from './event-stream.ts'
import { List } from './pages.ts'
import { Invoices, PaymentLinks } from './selling.ts'
import { type CallOptions, type FlorinOptions, Transport } from './transport.ts'
import type {
  Chain,
  CreateMerchantRefundParams,
  CreateOrderParams,
  FlorinEvent,
  ListDeliveriesParams,
  ListEventsParams,
  ListOrdersParams,
  ReconciliationParams,
  SimulateParams,
  ThirdPartyChain,
} from './types.ts'

const refundPath = (orderNo: string, id: string): string =>
  `/v1/orders/${segment(orderNo, 'orderNo')}/merchant_refunds/${segment(id, 'id')}`

class Orders {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates an order. It is safe to let it be tried again: every try carries the same Idempotency-Key, so one order comes of
   * it. Pass a key of your own (your order's number) to be as safe across a restart of your server.
   *
   * @throws FlorinError `receiving_address_missing`, `no_rail`, `amount_too_small`, `validation_failed` (see `param`) …
   * @example const order = await florin.orders.create({ amount_usd: 49.9, external_id: 'A-1001' })
   */
  create(params: CreateOrderParams, options: CreateOptions = {}): Promise<Order> {
    return this.#transport.send(creation('/v1/orders', params, options), options)
  }

  /** The order as it stands. @throws FlorinError `order_not_found` */
  get(orderNo: string, options?: CallOptions): Promise<Order> {
    return this.#transport.send(read(`/v1/orders/${segment(orderNo, 'orderNo')}`), options)
  }

  /** Orders, newest first. */
  list(filters: ListOrdersParams = {}, options?: CallOptions): List<Order> {
    return listOf(this.#transport, '/v1/orders', { ...filters }, options)
  }

  /** Cancels a pending order that has received nothing. @throws FlorinError `order_not_cancelable` */
  cancel(orderNo: string, options?: CallOptions): Promise<Order> {
    return this.#act(orderNo, 'cancel', {}, true, options)
  }

  /** Sends what is held back to the order's refund address. Needs the scope `refunds:write`. @throws FlorinError `refund_not_possible` */
  refund(orderNo: string, params: { reason?: string | undefined } = {}, options?: CallOptions): Promise<Order> {
    return this.#act(orderNo, 'refund', params, false, options)
  }

  /**
   * Has every address of the order read again, on every chain that has it; what is found is booked as a payment. It is done
   * in the background: the same call within a minute says whether it is done. @throws FlorinError `rate_limited`
   */
  lookAgain(orderNo: string, options?: CallOptions): Promise<OrderLook> {
    const path = `/v1/orders/${segment(orderNo, 'orderNo')}/look-again`
    return this.#transport.send({ method: 'POST', path, body: {}, repeatable: true }, options)
  }

  /**
   * Asks for a refund that you pay from an own wallet, of an order that is settled: pay `uri`, and it is recorded once the
   * chain shows it. Needs the scope `refunds:write`.
   *
   * @throws FlorinError `refund_not_possible`
   */
  createMerchantRefund(
    orderNo: string,
    params: CreateMerchantRefundParams = {},
    options: CreateOptions = {},
  ): Promise<MerchantRefund> {
    const path = `/v1/orders/${segment(orderNo, 'orderNo')}/merchant_refunds`
    const body = params.amount === undefined ? params : { ...params, amount: String(params.amount) }
    return this.#transport.send(creation(path, body, options), options)
  }

  /** One of them. @throws FlorinError `refund_not_found` */
  merchantRefund(orderNo: string, id: string, options?: CallOptions): Promise<MerchantRefund> {
    return this.#transport.send(read(refundPath(orderNo, id)), options)
  }

  /** None is coming; what is recorded stays. @throws FlorinError `refund_not_possible` */
  cancelMerchantRefund(orderNo: string, id: string, options?: CallOptions): Promise<MerchantRefund> {
    const path = `${refundPath(orderNo, id)}/cancel`
    return this.#transport.send({ method: 'POST', path, body: {}, repeatable: true }, options)
  }

  /** Refunds of an order that you pay from an own wallet, oldest first. */
  merchantRefunds(orderNo: string, options?: CallOptions): List<MerchantRefund> {
    return listOf(this.#transport, `/v1/orders/${segment(orderNo, 'orderNo')}/merchant_refunds`, {}, options)
  }

  /** Names the transaction that paid it. @throws FlorinError `refund_not_found` */
  nameRefundTransaction(orderNo: string, id: string, txHash: string, options?: CallOptions): Promise<MerchantRefund> {
    const path = `${refundPath(orderNo, id)}/transaction`
    return this.#transport.send({ method: 'POST', path, body: { tx_hash: txHash }, repeatable: true }, options)
  }

  /** What the chain shows of its payments to your own wallet, and the fee that is owed for them. */
  onChain(orderNo: string, options?: CallOptions): Promise<OrderOnChain> {
    return this.#transport.send(read(`/v1/orders/${segment(orderNo, 'orderNo')}/on-chain`), options)
  }

  /** A refund that your own wallet has to make, as a transaction to sign (PSBT); `why` where there is none. Needs the scope `refunds:write`. */
  refundToSign(
    orderNo: string,
    refundId: string,
    options?: CallOptions,
  ): Promise<{ psbt: string | null; fee: string | null; why: string | null }> {
    const path = `/v1/orders/${segment(orderNo, 'orderNo')}/refunds/${segment(refundId, 'refundId')}/psbt`
    return this.#transport.send({ method: 'POST', path, body: {}, repeatable: true }, options)
  }

  /** The order's timeline, oldest first. */
  events(orderNo: string, options?: CallOptions): List<TimelineEntry> {
    return listOf(this.#transport, `/v1/orders/${segment(orderNo, 'orderNo')}/events`, {}, options)
  }

  #act(orderNo: string, act: string, body: object, repeatable: boolean, options?: CallOptions): Promise<Order> {
    const path = `/v1/orders/${segment(orderNo, 'orderNo')}/${act}`
    return this.#transport.send({ method: 'POST', path, body, repeatable }, options)
  }
}

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
