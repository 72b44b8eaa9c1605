// What the document says of a call beyond what its route is: a better name than the rule's, what it refuses beyond what its shape
// says, and a description where the route has none. By method and path without `/v1` or `/api/v1/boss`: the two faces of a call
// are one entry. A call that is not here is documented all the same.
import type { ErrorCode } from '@florin/protocol'

export interface Said {
  id?: string
  errors?: readonly ErrorCode[]
  description?: string
  /** It takes an Idempotency-Key. */
  isIdempotent?: true
  /** The media type of the answer, and of the body, where it is not JSON. */
  answer?: 'text/event-stream' | 'text/csv' | 'application/gzip'
  body?: readonly string[]
  /** It may give the browser a cookie: where it succeeds, or refused too. */
  cookie?: 'success' | 'always'
}

const target: readonly ErrorCode[] = [
  ...(['unknown_chain', 'unknown_asset', 'settle_chain_required', 'receiving_address_missing', 'no_rail'] as const),
  ...(['amount_too_small', 'amount_too_large', 'invalid_amount', 'unknown_currency', 'currency_not_offered'] as const),
  ...(['missing_field', 'invalid_address', 'rail_unavailable', 'no_price', 'no_rate'] as const),
]
const one: readonly ErrorCode[] = ['order_not_found']
const link: readonly ErrorCode[] = ['payment_link_not_found']
const invoice: readonly ErrorCode[] = ['invoice_not_found']
const endpoint: readonly ErrorCode[] = ['endpoint_not_found']
const key: readonly ErrorCode[] = ['api_key_not_found']
const refund: readonly ErrorCode[] = ['order_not_found', 'refund_not_found']
/** The account of the order was suspended or closed. */
const shop = ['merchant_suspended', 'merchant_closed'] as const
const checkout: readonly ErrorCode[] = ['checkout_not_found']
const chain: readonly ErrorCode[] = ['unknown_chain']
const account: readonly ErrorCode[] = ['merchant_not_found', 'action_not_possible']
const simulating: readonly ErrorCode[] = ['simulation_not_applicable', ...target]
const resending: readonly ErrorCode[] = [
  'delivery_not_found',
  'delivery_in_flight',
  'delivery_body_expired',
  'endpoint_disabled',
]

export const operations: Readonly<Record<string, Said>> = {
  'POST /orders': { errors: [...target, 'invalid_webhook_url'], isIdempotent: true },
  'GET /orders': { errors: chain },
  'GET /orders/{order_no}': {
    errors: one,
    description: 'The order as it stands. That of another merchant or mode does not exist.',
  },
  'POST /orders/{order_no}/cancel': { errors: [...one, 'order_not_cancelable'] },
  'POST /orders/{order_no}/refund': { errors: [...one, 'refund_not_possible'] },
  'POST /orders/{order_no}/look-again': { id: 'lookAgainAtOrder', errors: one },
  'GET /orders/{order_no}/on-chain': { errors: one },
  'GET /orders/{order_no}/events': { id: 'getOrderTimeline', errors: one },
  'POST /orders/{order_no}/merchant_refunds': {
    id: 'createMerchantRefund',
    errors: [...one, 'refund_not_possible', 'invalid_address'],
    isIdempotent: true,
  },
  'GET /orders/{order_no}/merchant_refunds': {
    id: 'listMerchantRefunds',
    errors: one,
    description: 'All of them on one page.',
  },
  'GET /orders/{order_no}/merchant_refunds/{id}': {
    id: 'getMerchantRefund',
    errors: refund,
    description: 'As it stands, with the `uri` that a wallet opens.',
  },
  'POST /orders/{order_no}/merchant_refunds/{id}/transaction': {
    id: 'nameMerchantRefundTransaction',
    errors: [...refund, 'refund_not_possible'],
  },
  'POST /orders/{order_no}/merchant_refunds/{id}/cancel': {
    id: 'cancelMerchantRefund',
    errors: [...refund, 'refund_not_possible'],
    description: 'None is coming any more. What is recorded stays.',
  },
  'POST /orders/{order_no}/refunds/{id}/psbt': { id: 'getRefundToSign', errors: refund },
  'POST /orders/{order_no}/retry-settlement': {
    id: 'retrySettlement',
    errors: [...one, 'settlement_not_retryable', 'action_not_possible'],
  },
  'GET /orders/export': { id: 'exportOrders', errors: chain, answer: 'text/csv' },
  'POST /test/orders': { errors: [...target, 'invalid_webhook_url', 'test_key_missing'] },
  'POST /test/orders/{order_no}/simulate': {
    id: 'simulateOrder',
    errors: [...one, 'test_key_required', ...simulating],
  },
  'GET /events': { errors: ['malformed_cursor', 'cursor_ahead'] },
  'GET /events/stream': {
    id: 'streamEvents',
    errors: ['malformed_cursor', 'cursor_ahead'],
    answer: 'text/event-stream',
  },
  'GET /deliveries': { description: 'Newest first, each with its attempts.' },
  'GET /deliveries/{id}': { errors: ['delivery_not_found'], description: 'With all of its attempts, oldest first.' },
  'POST /deliveries/{id}/resend': { errors: resending, description: 'The same body, signed anew.' },
  'POST /deliveries/replay': { id: 'replayDeliveries', errors: ['action_not_possible'] },
  'GET /replays/{id}': { errors: ['replay_not_found'], description: 'It goes on by itself until it is `done`.' },
  'POST /webhook_endpoints': {
    errors: ['invalid_webhook_url', 'too_many_endpoints', 'no_live_rail'],
    isIdempotent: true,
  },
  'GET /webhook_endpoints': { description: 'With their health. Secrets are never listed.' },
  'GET /webhook_endpoints/{id}': {
    errors: endpoint,
    description: 'Its secret is in no answer but that of its making.',
  },
  'PATCH /webhook_endpoints/{id}': { errors: [...endpoint, 'invalid_webhook_url'] },
  'DELETE /webhook_endpoints/{id}': { errors: endpoint },
  'POST /webhook_endpoints/{id}/secret/rotate': {
    id: 'rotateWebhookEndpointSecret',
    errors: [...endpoint, 'secret_overlap_running'],
    description: 'The answer has the new secret, and no other answer does.',
  },
  'POST /webhook_endpoints/{id}/test': { errors: [...endpoint, 'endpoint_disabled'] },
  'POST /payment_links': { errors: target, isIdempotent: true },
  'GET /payment_links/{id}': { errors: link, description: 'With what is left of its stock.' },
  'POST /payment_links/{id}': { id: 'updatePaymentLink', errors: [...link, ...target] },
  'POST /invoices': { errors: [...target, 'invoice_number_taken'], isIdempotent: true },
  'GET /invoices/{id}': { errors: invoice, description: 'With its status and the order that paid it.' },
  'POST /invoices/{id}/send': { errors: [...invoice, 'invoice_not_open', ...target] },
  'POST /invoices/{id}/void': { errors: [...invoice, 'invoice_not_open'] },
  'GET /chains': {
    description: 'Every chain with its assets, its explorers, and which rails carry it here.',
  },
  'GET /third-party': { id: 'listThirdPartyChains' },
  'PUT /third-party': { id: 'setThirdPartyChain', errors: chain },

  'GET /checkout/{token}': { errors: checkout, description: 'Everything that the page of one order shows.' },
  'GET /checkout/{token}/choices': { id: 'listPayChoices', errors: checkout },
  'POST /checkout/{token}/pay': {
    id: 'chooseHowToPay',
    cookie: 'always',
    errors: [...checkout, ...shop, 'foreign_page', 'leg_not_changeable', ...target],
  },
  'POST /checkout/{token}/refund-address': {
    id: 'giveRefundAddress',
    cookie: 'always',
    errors: [
      ...[...checkout, ...shop],
      ...(['foreign_page', 'refund_address_taken', 'too_many_refund_addresses', 'invalid_wallet_signature'] as const),
      ...(['leg_not_changeable', ...target] as const),
    ],
  },
  'POST /checkout/{token}/look': { id: 'lookForPayment', errors: [...checkout, 'foreign_page', 'rail_unavailable'] },
  'POST /checkout/{token}/simulate': { errors: [...checkout, ...shop, ...simulating] },
  'GET /checkout/{token}/stream': { id: 'streamCheckout', errors: checkout, answer: 'text/event-stream' },

  'POST /auth/code': { id: 'sendCode' },
  'POST /auth/login': {
    id: 'signIn',
    cookie: 'success',
    errors: ['invalid_login', 'signup_closed', 'merchant_suspended', 'merchant_closed'],
    description: 'The code works once, for ten minutes, in the browser that asked for it.',
  },
  'POST /auth/link': {
    id: 'signInByLink',
    cookie: 'success',
    errors: ['invalid_login', 'signup_closed', 'merchant_suspended', 'merchant_closed'],
  },
  'POST /logout': { id: 'signOut', description: 'The token is refused from then on.' },
  'GET /sessions': { description: 'The one of this token is marked.' },
  'DELETE /sessions': { id: 'endSessions' },
  'DELETE /sessions/{id}': {
    id: 'endSession',
    errors: ['session_not_found'],
    description: 'Its token is refused at once, on every replica.',
  },
  'POST /confirmation': { id: 'confirm', errors: ['invalid_confirmation'] },
  'POST /confirmation/code': { id: 'sendConfirmationCode' },
  'GET /merchant': { description: 'Name, email and default chain.' },
  'PATCH /merchant': { errors: ['address_not_found', ...chain] },
  'GET /email': { id: 'getEmailChange' },
  'POST /email': { id: 'changeEmail', errors: ['action_not_possible'] },
  'DELETE /email': { id: 'cancelEmailChange', errors: ['change_not_found'] },
  'POST /merchants/{id}/suspend': { errors: account },
  'POST /merchants/{id}/resume': { errors: account },
  'POST /merchants/{id}/close': { errors: account },
  'POST /merchants/{id}/email': { id: 'changeMerchantEmail', errors: account },
  'POST /merchants/{id}/email/cancel': { id: 'cancelMerchantEmailChange', errors: [...account, 'change_not_found'] },
  'POST /appkeys': { errors: ['no_live_rail'] },
  'GET /appkeys': { description: 'Masked: no key can be read again.' },
  'GET /appkeys/{id}': { errors: key, description: 'Masked: no key can be read again.' },
  'PATCH /appkeys/{id}': { errors: [...key, 'key_revoked', 'action_not_possible'] },
  'DELETE /appkeys/{id}': {
    id: 'revokeApiKey',
    errors: key,
    description:
      'It is refused at once, on every replica. Its orders go on, and their webhooks stay signed with its secret.',
  },
  'POST /appkeys/{id}/rotate': { errors: [...key, 'key_revoked', 'action_not_possible'] },
  'POST /appkeys/{id}/webhook-secret/rotate': {
    id: 'rotateWebhookSecret',
    errors: [...key, 'key_revoked', 'secret_overlap_running', 'action_not_possible'],
  },
  'POST /appkeys/{id}/test-event': {
    id: 'sendTestEvent',
    errors: [...key, 'invalid_webhook_url', 'key_revoked'],
    description: 'Ten a minute for each merchant, with those of endpoints.',
  },
  'PUT /addresses': { errors: [...chain, 'invalid_address', 'wallet_in_use'] },
  'GET /addresses': { description: 'With what waits to take effect.' },
  'GET /addresses/history': { id: 'listAddressHistory', errors: chain, description: 'Removals too.' },
  'POST /addresses/validate': {
    id: 'validateAddress',
    errors: [...chain, 'invalid_address'],
    description: 'Good and bad ones alike are a 200; `valid` tells.',
  },
  'PUT /addresses/{chain}/wallet-limit': { errors: [...chain, 'address_not_found'] },
  'PUT /addresses/{chain}/used': { id: 'setAddressUsed', errors: [...chain, 'address_not_found'] },
  'PUT /addresses/{chain}/confirmations': { id: 'setAddressConfirmations', errors: [...chain, 'address_not_found'] },
  'DELETE /addresses/{chain}': { errors: [...chain, 'address_not_found'] },
  'DELETE /addresses/{chain}/waiting': {
    id: 'cancelAddressChange',
    errors: [...chain, 'change_not_found'],
    description: 'What is in effect stays.',
  },
  'GET /brand': { description: 'Colours, logo and support contact.' },
  'PATCH /brand': { errors: ['unavailable'] },
  'PUT /brand/logo': { errors: ['invalid_picture'], body: ['image/png', 'image/webp'] },
  'DELETE /brand/logo': { description: 'Payers see the name alone.' },
  'GET /currencies': { description: 'The rate of each with its age, and what is chosen.' },
  'PATCH /currencies': {
    id: 'updateCurrencies',
    errors: ['unknown_currency', 'currency_not_offered'],
    description: 'Only the fields given change. It counts for orders from now on.',
  },
  'GET /stats/series': { id: 'getStatsSeries' },
  'GET /attention': { id: 'listAttention' },
  'POST /attention/{id}/{action}': {
    id: 'actOnAttention',
    errors: [
      ...(['attention_not_found', 'action_not_possible', 'operator_required', 'invalid_address'] as const),
      ...(['refund_not_possible', 'settlement_not_retryable', 'too_many_refund_addresses'] as const),
    ],
  },
  'GET /audit': { id: 'listAudit' },
  'GET /stream': { id: 'streamChanges', answer: 'text/event-stream' },
  'GET /golive/{chain}': { id: 'getGoLive', errors: chain },
  'GET /mails': { id: 'getMails', description: 'Each kind, on or off.' },
  'PATCH /mails': { description: 'Only the kinds given change.' },
  'GET /healthz': { id: 'getHealth', description: 'It answers as soon as the process serves requests.' },
  'GET /readyz': {
    id: 'getReadiness',
    description:
      '503 while one of the checks `database`, `drain` and, on workers, `job` is not `ok`. The other checks are for operators and do not make a process unready.',
  },
}

/** @returns the key of `operations`. @example pathOf('/api/v1/boss/orders') // '/orders' */
export const bare = (path: string): string => path.replace(/^\/(?:v1|api\/v1\/boss|api\/v1)(?=\/)/, '')
