// The closed table of error codes: every failure that leaves the service is one of these (contract.md 8).
// A code never changes its status or its number; a new code takes the next free number of its status.

export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'conflict'
  | 'idempotency'
  | 'rate_limit'
  | 'rail'
  | 'api'

type Row = readonly [status: number, n: number, type: ErrorType, message: string]

const table = {
  // 400: what was sent cannot be read at all
  malformed_json: [400, 1, 'invalid_request', 'The body is not valid JSON.'],
  malformed_encoding: [400, 2, 'invalid_request', 'The body is not well-formed UTF-8 text without NUL characters.'],
  malformed_request: [400, 3, 'invalid_request', 'The request could not be read.'],
  malformed_url: [400, 4, 'invalid_request', 'The address of the request is not well formed.'],
  malformed_idempotency_key: [400, 5, 'invalid_request', 'Idempotency-Key takes 1 to 255 printable ASCII characters.'],
  malformed_cursor: [400, 6, 'invalid_request', 'The cursor is not one that this list gave out.'],

  // 401: who is calling
  invalid_api_key: [401, 1, 'authentication', 'No valid API key was given. Send it as "X-API-Key: <key>".'],
  invalid_token: [401, 2, 'authentication', 'No valid console token was given. Sign in again.'],
  invalid_login: [401, 3, 'authentication', 'This code is wrong, expired or already used. Ask for a new one.'],
  invalid_confirmation: [401, 4, 'authentication', 'This code is wrong, expired or already used. Ask for a new one.'],

  // 403: known, but not allowed
  scope_missing: [403, 1, 'permission', 'This API key lacks the scope that the call needs.'],
  test_key_required: [403, 2, 'permission', 'This call works with a test key only.'],
  foreign_page: [403, 8, 'permission', 'This was sent from a page of another site. Use the checkout itself.'],
  operator_required: [403, 3, 'permission', 'This call is for operators of the service.'],
  signup_closed: [403, 4, 'permission', 'New merchants are not admitted here. Ask the operator of this service.'],
  confirmation_required: [
    403,
    5,
    'permission',
    'This needs a fresh sign-in. POST /api/v1/boss/confirmation/code mails a code, POST /api/v1/boss/confirmation takes it; then send this again.',
  ],
  merchant_suspended: [
    403,
    6,
    'permission',
    'The operator of this service has suspended this account. Ask the operator.',
  ],
  merchant_closed: [403, 7, 'permission', 'This account is closed.'],

  // 404: does not exist, or is not yours
  not_found: [404, 1, 'not_found', 'There is nothing at this address.'],
  order_not_found: [404, 2, 'not_found', 'There is no such order.'],
  delivery_not_found: [404, 3, 'not_found', 'There is no such delivery.'],
  api_key_not_found: [404, 4, 'not_found', 'There is no such API key.'],
  address_not_found: [404, 5, 'not_found', 'No receiving address is set for this chain.'],
  session_not_found: [404, 6, 'not_found', 'There is no such session.'],
  replay_not_found: [404, 7, 'not_found', 'There is no such replay.'],
  attention_not_found: [404, 8, 'not_found', 'There is no such item.'],
  checkout_not_found: [404, 9, 'not_found', 'There is no such checkout.'],
  merchant_not_found: [404, 10, 'not_found', 'There is no such merchant.'],
  change_not_found: [404, 11, 'not_found', 'There is no change that waits.'],
  endpoint_not_found: [404, 12, 'not_found', 'There is no such webhook endpoint.'],

  payment_link_not_found: [404, 16, 'not_found', 'There is no such payment link.'],
  invoice_not_found: [404, 17, 'not_found', 'There is no such invoice.'],
  refund_not_found: [404, 18, 'not_found', 'There is no such refund.'],

  method_not_allowed: [405, 1, 'invalid_request', 'This address does not take that method.'],

  // 409: the state forbids it
  idempotency_key_reused: [
    409,
    1,
    'idempotency',
    'This Idempotency-Key was used with another body. Use a new key for a new request.',
  ],
  idempotency_in_progress: [
    409,
    2,
    'idempotency',
    'A request with this Idempotency-Key is still running. Try again in a moment.',
  ],
  order_not_cancelable: [409, 3, 'conflict', 'Only a pending order that has received nothing can be canceled.'],
  refund_not_possible: [409, 4, 'conflict', 'There is nothing that can be refunded now.'],
  simulation_not_applicable: [409, 5, 'conflict', 'This step does not apply to the order as it stands.'],
  delivery_in_flight: [409, 6, 'conflict', 'This delivery is being sent right now. Look again in a few seconds.'],
  leg_not_changeable: [409, 7, 'conflict', 'The way to pay cannot be changed any more.'],
  refund_address_taken: [409, 8, 'conflict', 'A refund address has already been given for this order.'],
  key_revoked: [409, 9, 'conflict', 'This API key is revoked.'],
  secret_overlap_running: [
    409,
    10,
    'conflict',
    'Two webhook secrets are live already. Wait for the overlap to end, or rotate with overlap_seconds 0.',
  ],
  settlement_not_retryable: [409, 11, 'conflict', 'Only the settlement of a failed order can be retried.'],
  action_not_possible: [409, 12, 'conflict', 'This action does not apply to the item as it stands.'],
  too_many_refund_addresses: [
    409,
    13,
    'conflict',
    'Too many refund addresses were sent for this order. Ask the shop to name yours.',
  ],
  endpoint_disabled: [409, 14, 'conflict', 'This webhook endpoint is disabled or deleted. Enable it first.'],
  too_many_endpoints: [
    409,
    15,
    'conflict',
    'An account has at most 16 webhook endpoints in each mode. Delete one that is not used.',
  ],

  link_closed: [409, 18, 'conflict', 'This payment link takes no payments any more.'],
  sold_out: [409, 19, 'conflict', 'There is not enough left of this.'],
  invoice_not_open: [409, 20, 'conflict', 'This invoice is paid, being paid or void.'],
  invoice_number_taken: [409, 21, 'conflict', 'Another invoice has this number.'],
  wallet_in_use: [
    409,
    23,
    'conflict',
    'This wallet is in use by another account of this service. Set another account of the wallet.',
  ],

  delivery_body_expired: [
    410,
    1,
    'invalid_request',
    'The body of this event is past its retention and cannot be sent again.',
  ],
  cursor_ahead: [
    410,
    2,
    'invalid_request',
    'This place in the events is no more, because the service was set back to a backup: ask without it, read the events of the last 30 days again and drop those whose id you have.',
  ],
  body_too_large: [413, 1, 'invalid_request', 'The body is larger than 64 KiB.'],
  uri_too_long: [414, 1, 'invalid_request', 'The address of the request is too long.'],
  unsupported_media_type: [
    415,
    1,
    'invalid_request',
    'Send the body as "Content-Type: application/json" without a content encoding.',
  ],

  // 421: asked by a name that this service does not answer to
  host_not_served: [
    421,
    1,
    'invalid_request',
    'This Florin answers only to names of its own machine, such as localhost. To reach it by another name, set BASE_URL.',
  ],

  // 422: readable, but not valid
  validation_failed: [422, 1, 'invalid_request', 'A field is not valid.'],
  unknown_field: [422, 2, 'invalid_request', 'The body has a field that this call does not know.'],
  missing_field: [422, 3, 'invalid_request', 'A required field is missing.'],
  unknown_chain: [422, 4, 'invalid_request', 'There is no such chain. GET /v1/chains lists them.'],
  unknown_asset: [422, 5, 'invalid_request', 'There is no such asset on this chain. GET /v1/chains lists them.'],
  invalid_address: [422, 6, 'invalid_request', 'The address is not valid on this chain.'],
  settle_chain_required: [
    422,
    7,
    'invalid_request',
    'Several receiving addresses are set and none is the default: say settle_chain.',
  ],
  receiving_address_missing: [
    422,
    8,
    'invalid_request',
    'Set a receiving address for this chain in the console first.',
  ],
  no_rail: [422, 9, 'rail', 'No rail carries this combination of pay and settle asset here.'],
  amount_too_small: [422, 10, 'invalid_request', 'The amount is below what can be carried.'],
  invalid_webhook_url: [422, 11, 'invalid_request', 'webhook_url is not a URL that webhooks can be sent to.'],
  invalid_amount: [
    422,
    12,
    'invalid_request',
    'amount_usd takes a number above 0 and up to 1000000 with at most 6 decimals.',
  ],
  amount_too_large: [422, 13, 'invalid_request', 'The amount is above what can be carried.'],
  test_key_missing: [
    422,
    14,
    'invalid_request',
    'Make a test key first: an order is signed and accounted for with the key that it was made with.',
  ],
  invalid_wallet_signature: [
    422,
    15,
    'invalid_request',
    'The signature is not one of the wallet that paid, over this order, leg, chain, address and time.',
  ],
  unknown_currency: [
    422,
    16,
    'invalid_request',
    'currency takes a code of ISO 4217 that is in use, such as EUR. /docs/currencies lists them.',
  ],
  currency_not_offered: [422, 17, 'invalid_request', 'This service prices nothing in this currency. Use amount_usd.'],
  no_live_rail: [
    422,
    20,
    'rail',
    'Nothing here carries real money yet, so a live key could make no order. Whoever runs this Florin names a rails file in RAILS_CONFIG (/docs/going-live); until then make a test key.',
  ],
  invalid_picture: [422, 18, 'invalid_request', 'This is not a picture that can be used as a logo.'],

  rate_limited: [429, 1, 'rate_limit', 'Too many requests. Wait as long as Retry-After says.'],

  internal: [500, 1, 'api', 'Something went wrong here. The request id helps to find it.'],

  unavailable: [503, 1, 'api', 'The service cannot answer right now. Try again in a moment.'],
  rail_unavailable: [503, 2, 'rail', 'The rail cannot answer right now. Try again in a moment.'],
  no_price: [
    503,
    3,
    'rail',
    'No trustworthy price is known for this asset right now. Try another asset or try again later.',
  ],
  no_rate: [
    503,
    4,
    'api',
    'No exchange rate of this currency can be trusted right now. Other currencies and amount_usd go on working.',
  ],
} as const

/** Each row is of this form. */
const rows: Readonly<Record<string, Row>> = table

export type ErrorCode = keyof typeof table

export interface ErrorEntry {
  readonly code: ErrorCode
  /** HTTP status. */
  readonly status: number
  /** The console envelope's `code`: status × 100 + n, never 0. */
  readonly consoleCode: number
  readonly type: ErrorType
  /** The public sentence where the thrower gives none of its own. */
  readonly message: string
}

export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = Object.fromEntries(
  Object.entries(rows).map(([code, [status, n, type, message]]) => [
    code,
    { code, status, consoleCode: status * 100 + n, type, message },
  ]),
) as Record<ErrorCode, ErrorEntry>

/** The error object as `/v1` and the checkout send it under `error`, and the console beside its envelope. */
export interface ErrorBody {
  type: ErrorType
  code: ErrorCode
  message: string
  /** The field at fault, or null. */
  param: string | null
  request_id: string
}
