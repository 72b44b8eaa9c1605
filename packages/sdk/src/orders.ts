// The calls of orders (contract.md 4.1, 4.4 and 5.2).
import type { MerchantRefund, Order, OrderLook, OrderOnChain, TimelineEntry } from '@florin/protocol'
import { type CreateOptions, creation, listOf, read, segment } from './calls.ts'
import type { List } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { CreateMerchantRefundParams, CreateOrderParams, ListOrdersParams } from './types.ts'

const refundPath = (orderNo: string, id: string): string =>
  `/v1/orders/${segment(orderNo, 'orderNo')}/merchant_refunds/${segment(id, 'id')}`

export class Orders {
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

  /**
   * A refund that your own wallet has to make, as a transaction to sign (PSBT); `why` where there is none. Asked again it is the same
   * one; with `replace` another that spends the same coins, at the fee of now. Needs the scope `refunds:write`.
   */
  refundToSign(
    orderNo: string,
    refundId: string,
    { replace, ...options }: CallOptions & { replace?: boolean } = {},
  ): Promise<{ psbt: string | null; fee: string | null; why: string | null }> {
    const path = `/v1/orders/${segment(orderNo, 'orderNo')}/refunds/${segment(refundId, 'refundId')}/psbt`
    const body = replace === true ? { replace } : {}
    return this.#transport.send({ method: 'POST', path, body, repeatable: replace !== true }, options)
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
