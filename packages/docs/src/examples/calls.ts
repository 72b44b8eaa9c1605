// One example of each call of /v1: what it is about, what it sends, what is shown of the answer. The four languages are
// written from this (render.ts), and a test runs every one of them in its language.

/** What an example needs to be there: the test makes one in this state, the reader has one. */
export type Subject =
  | { kind: 'order'; state: 'pending' | 'unpaid' | 'underpaid' | 'settled' }
  | { kind: 'refund' }
  | { kind: 'merchantRefund'; state: 'requested' }
  | { kind: 'delivery' }
  | { kind: 'endpoint' }
  | { kind: 'link' }
  | { kind: 'invoice' }

export interface Example {
  /** Method and path as in the document. */
  call: string
  /** The same in the libraries: `orders.create`, or a function of the client itself. */
  method: string
  subject?: Subject
  body?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, string | number>>
  /** The one field of the body that the libraries take by itself. */
  bare?: string
  /** The Idempotency-Key that curl shows; the libraries make one themselves. */
  key?: string
  /** A list, of which the libraries give item after item; a stream, which never ends by itself. */
  many?: 'list' | 'stream'
  /** Where nothing is set up there is nothing in the list. */
  isOftenEmpty?: true
  /** A field of the answer or of each item; `a.b` is inside. */
  shows: string
}

const order = (state: 'pending' | 'unpaid' | 'underpaid' | 'settled'): Subject => ({ kind: 'order', state })

export const examples: readonly Example[] = [
  {
    ...{ call: 'POST /v1/orders', method: 'orders.create', key: 'A-1001', shows: 'checkout_url' },
    body: { amount_usd: 49.9, external_id: 'A-1001', title: 'Blue shirt', metadata: { cart: '7' } },
  },
  {
    ...{ call: 'GET /v1/orders', method: 'orders.list', many: 'list', shows: 'order_no' },
    query: { status: 'pending', limit: 50 },
  },
  { call: 'GET /v1/orders/{order_no}', method: 'orders.get', subject: order('pending'), shows: 'status' },
  {
    call: 'POST /v1/orders/{order_no}/cancel',
    method: 'orders.cancel',
    subject: order('unpaid'),
    shows: 'status_detail',
  },
  {
    ...{ call: 'POST /v1/orders/{order_no}/refund', method: 'orders.refund', subject: order('underpaid') },
    ...{ body: { reason: 'The customer changed their mind' }, shows: 'status_detail' },
  },
  {
    ...{ call: 'POST /v1/orders/{order_no}/look-again', method: 'orders.lookAgain', subject: order('pending') },
    shows: 'asked_at',
  },
  {
    ...{ call: 'GET /v1/orders/{order_no}/events', method: 'orders.events', subject: order('settled') },
    ...{ many: 'list', shows: 'status' },
  },
  {
    ...{ call: 'POST /v1/orders/{order_no}/merchant_refunds', method: 'orders.createMerchantRefund' },
    ...{ subject: order('settled'), body: { amount: '5000000', reason: 'One of two shirts came back' }, shows: 'uri' },
  },
  {
    ...{ call: 'GET /v1/orders/{order_no}/merchant_refunds', method: 'orders.merchantRefunds' },
    ...{ subject: { kind: 'merchantRefund', state: 'requested' }, many: 'list', shows: 'status' },
  },
  {
    ...{ call: 'GET /v1/orders/{order_no}/merchant_refunds/{id}', method: 'orders.merchantRefund' },
    ...{ subject: { kind: 'merchantRefund', state: 'requested' }, shows: 'status' },
  },
  {
    call: 'POST /v1/orders/{order_no}/merchant_refunds/{id}/transaction',
    ...{ method: 'orders.nameRefundTransaction', subject: { kind: 'merchantRefund', state: 'requested' } },
    body: { tx_hash: '0x5f2d8a1c3b4e6f7089a1b2c3d4e5f60718293a4b5c6d7e8f9012a3b4c5d6e7f8' },
    ...{ bare: 'tx_hash', shows: 'status' },
  },
  {
    call: 'POST /v1/orders/{order_no}/merchant_refunds/{id}/cancel',
    ...{ method: 'orders.cancelMerchantRefund', subject: { kind: 'merchantRefund', state: 'requested' } },
    shows: 'status',
  },
  {
    ...{ call: 'GET /v1/orders/{order_no}/on-chain', method: 'orders.onChain', subject: order('pending') },
    shows: 'order_no',
  },
  {
    ...{ call: 'POST /v1/orders/{order_no}/refunds/{id}/psbt', method: 'orders.refundToSign' },
    ...{ subject: { kind: 'refund' }, shows: 'why' },
  },
  { call: 'GET /v1/reconciliation', method: 'reconciliation', query: { status: 'open' }, shows: 'waiting' },
  { call: 'GET /v1/events', method: 'events.list', many: 'list', query: { limit: 100 }, shows: 'event' },
  { call: 'GET /v1/events/stream', method: 'events.stream', many: 'stream', shows: 'event' },
  {
    ...{
      call: 'GET /v1/deliveries',
      method: 'deliveries.list',
      many: 'list',
      query: { event: 'order.success' },
      shows: 'status',
    },
  },
  { call: 'GET /v1/deliveries/{id}', method: 'deliveries.get', subject: { kind: 'delivery' }, shows: 'status' },
  { call: 'POST /v1/deliveries/{id}/resend', method: 'deliveries.resend', subject: { kind: 'delivery' }, shows: 'id' },
  {
    ...{ call: 'POST /v1/webhook_endpoints', method: 'webhookEndpoints.create', shows: 'secret' },
    body: { url: 'https://shop.example/webhooks/florin', events: ['order.success', 'order.refunded'] },
  },
  { call: 'GET /v1/webhook_endpoints', method: 'webhookEndpoints.list', many: 'list', shows: 'url' },
  {
    ...{ call: 'GET /v1/webhook_endpoints/{id}', method: 'webhookEndpoints.get', subject: { kind: 'endpoint' } },
    shows: 'status',
  },
  {
    ...{ call: 'PATCH /v1/webhook_endpoints/{id}', method: 'webhookEndpoints.update', subject: { kind: 'endpoint' } },
    ...{ body: { enabled: false }, shows: 'status' },
  },
  {
    ...{ call: 'DELETE /v1/webhook_endpoints/{id}', method: 'webhookEndpoints.delete', subject: { kind: 'endpoint' } },
    shows: 'id',
  },
  {
    ...{ call: 'POST /v1/webhook_endpoints/{id}/secret/rotate', method: 'webhookEndpoints.rotateSecret' },
    ...{ subject: { kind: 'endpoint' }, body: { overlap_seconds: 3600 }, shows: 'secret' },
  },
  {
    ...{ call: 'POST /v1/webhook_endpoints/{id}/test', method: 'webhookEndpoints.test' },
    ...{ subject: { kind: 'endpoint' }, body: { event: 'order.success' }, shows: 'http_status' },
  },
  {
    ...{ call: 'POST /v1/payment_links', method: 'paymentLinks.create', key: 'workshop-12', shows: 'url' },
    body: { title: 'Workshop, 12 December', amount: '49.90', currency: 'EUR', stock: 20, quantity_max: 4 },
  },
  {
    ...{ call: 'GET /v1/payment_links', method: 'paymentLinks.list', many: 'list', query: { active: 'true' } },
    shows: 'url',
  },
  { call: 'GET /v1/payment_links/{id}', method: 'paymentLinks.get', subject: { kind: 'link' }, shows: 'state' },
  {
    ...{ call: 'POST /v1/payment_links/{id}', method: 'paymentLinks.change', subject: { kind: 'link' } },
    ...{ body: { active: false }, shows: 'state' },
  },
  {
    ...{ call: 'POST /v1/invoices', method: 'invoices.create', key: 'consulting-11', shows: 'url' },
    body: {
      ...{ currency: 'EUR', due_date: '2099-12-31', payer_email: 'ann@client.example' },
      lines: [{ description: 'Consulting, November', quantity: '7.5', unit_price: '80' }],
      tax: { label: 'VAT', percent: '19' },
    },
  },
  { call: 'GET /v1/invoices', method: 'invoices.list', many: 'list', query: { status: 'open' }, shows: 'number' },
  { call: 'GET /v1/invoices/{id}', method: 'invoices.get', subject: { kind: 'invoice' }, shows: 'status' },
  { call: 'POST /v1/invoices/{id}/send', method: 'invoices.send', subject: { kind: 'invoice' }, shows: 'status' },
  { call: 'POST /v1/invoices/{id}/void', method: 'invoices.void', subject: { kind: 'invoice' }, shows: 'status' },
  { call: 'GET /v1/chains', method: 'chains.list', many: 'list', shows: 'id' },
  {
    ...{ call: 'GET /v1/third-party', method: 'chains.thirdParty', many: 'list', shows: 'chain' },
    isOftenEmpty: true,
  },
  {
    ...{ call: 'POST /v1/test/orders/{order_no}/simulate', method: 'test.simulate', subject: order('pending') },
    ...{ body: { action: 'pay' }, shows: 'status' },
  },
]
