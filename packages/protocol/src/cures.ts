// What whoever calls does about each error: one or two sentences for documentation and libraries. The message of an
// answer says what was wrong with that request; this says what to do next, and whether the same request can succeed.
import type { ErrorCode } from './errors.ts'

export const errorCures: Readonly<Record<ErrorCode, string>> = {
  malformed_json:
    'Send what your JSON library prints. The usual causes are quotes of the shell around the body and a trailing comma.',
  malformed_encoding: 'Encode the body as UTF-8, without a byte order mark of UTF-16 and without NUL characters.',
  malformed_request: 'Look at the request as it leaves: a proxy or a hand-written client sends headers that are none.',
  malformed_url: 'Percent-encode what you put into paths and queries: a + in a query is a space unless it is %2B.',
  malformed_idempotency_key: 'Use a UUID or the number of your own order: 1 to 255 printable ASCII characters.',
  malformed_cursor: 'Pass next_cursor back as it came, to the same list. To begin anew, leave cursor out.',

  invalid_api_key:
    'Check that the header is there, that the key was copied whole and that it was not revoked. A console token or a webhook secret is no API key. Make a new key in the console if in doubt.',
  invalid_token: 'Sign in again: tokens last seven days and end with their session.',
  invalid_login: 'Ask for a new code and use it in the same browser within ten minutes.',
  invalid_confirmation: 'Ask for a new confirmation code and use it within ten minutes.',

  scope_missing:
    'Add the scope that the message names to the key, in the console under API keys, or use a key that has it.',
  test_key_required: 'Use a key that begins with florin_test_. Live orders advance by real payments alone.',
  foreign_page: 'Pay on the checkout itself; pages of other sites cannot post to it.',
  operator_required: 'Ask whoever runs this Florin: OPERATOR_EMAILS names its operators.',
  signup_closed: 'Ask whoever runs this Florin to admit you: SIGNUP decides who may sign up.',
  confirmation_required:
    'Confirm with a mailed code as the message says, then send the same request again. The console does so by itself.',
  merchant_suspended: 'Ask the operator of the service. Orders in flight settle meanwhile.',
  merchant_closed: 'The account is closed for good. Sign up with another email, or ask the operator.',

  not_found: 'Compare method and path with the reference: they are case-sensitive and take no trailing slash.',
  order_not_found:
    'Check the order number and the mode: a test key does not see live orders, and another merchant’s orders do not exist for you.',
  delivery_not_found: 'Check the id and the mode of the key. GET /v1/deliveries lists what there is.',
  api_key_not_found: 'Check the id. GET /api/v1/boss/appkeys lists your keys, revoked ones too.',
  address_not_found: 'Set a receiving address for this chain first.',
  session_not_found: 'It has ended already. GET /api/v1/boss/sessions lists those that live.',
  replay_not_found: 'Check the id that the start of the replay answered.',
  attention_not_found: 'Read the list again: the item may have ended by itself.',
  checkout_not_found: 'Open checkout_url as the order has it; the token in it is not the order number.',
  merchant_not_found: 'Check the id. GET /api/v1/boss/merchants lists the accounts.',
  change_not_found: 'Nothing waits any more: it took effect or was dropped.',
  endpoint_not_found: 'Check the id and the mode of the key. GET /v1/webhook_endpoints lists what there is.',
  payment_link_not_found: 'Check the id and the mode of the key. GET /v1/payment_links lists what there is.',
  invoice_not_found: 'Check the id and the mode of the key. GET /v1/invoices lists what there is.',
  refund_not_found: 'Check the id and the order that it belongs to.',
  method_not_allowed: 'Compare the method with the reference.',

  idempotency_key_reused:
    'Use a new key for a new request. If you meant to repeat the first one, send the very same body.',
  idempotency_in_progress:
    'Wait as long as Retry-After says and send the same request again: it gets the first answer.',
  order_not_cancelable:
    'Read the order: it has received money or has ended. Money that came in settles or goes back by itself.',
  refund_not_possible:
    'Read balance and status of the order: only what is held can go back. What was settled is refunded with POST /v1/orders/{order_no}/merchant_refunds.',
  simulation_not_applicable:
    'Read the order and choose a step that follows its status, for instance pay before settle.',
  delivery_in_flight: 'Ask again in a few seconds; an attempt lasts ten at most.',
  leg_not_changeable: 'Money was seen, so coin and chain are fixed. Pay the rest to the address that is shown.',
  refund_address_taken: 'The address that was given counts. The merchant can name another in the console.',
  key_revoked: 'Make a new key: one that was revoked stays so.',
  secret_overlap_running: 'Wait until the overlap has ended, or rotate with overlap_seconds 0, which ends it now.',
  settlement_not_retryable: 'Read the order: only one that failed has a settlement to retry.',
  action_not_possible: 'Read the item again: somebody else may have decided it already.',
  too_many_refund_addresses: 'The shop names the address in the console.',
  endpoint_disabled: 'PATCH the endpoint with {"enabled": true} once its receiver works.',
  too_many_endpoints: 'Delete an endpoint that is not used, or let one receiver hand on what it gets.',
  link_closed: 'Read state of the link: make it active, give it a later end, or make a new one.',
  sold_out: 'Raise stock of the link, or ask for fewer.',
  invoice_not_open: 'Read status of the invoice. One that is paid or void does not change: make another.',
  wallet_in_use:
    'Set another account of the wallet. If it is yours, sign the text of the message with a key of it, and send that as signature.',
  invoice_number_taken: 'Leave number out to get the next one of Florin’s, or choose another.',

  delivery_body_expired: 'The bytes are gone. Read the order itself: GET /v1/orders/{order_no} has its present state.',
  cursor_ahead:
    'Ask without after, read the events of the last 30 days and drop those whose id you have; then go on from the new cursor.',
  body_too_large: 'Send less: a body has at most 64 KiB. Keep large texts with you and their reference in metadata.',
  uri_too_long: 'Shorten the query: filters belong in few parameters.',
  unsupported_media_type: 'Set Content-Type: application/json and send the body uncompressed.',
  host_not_served: 'Use localhost, or have whoever runs this Florin set BASE_URL to the name that you use.',

  validation_failed: 'Correct the field that param names, as the message says.',
  unknown_field: 'Take the field that param names out, or spell it as in the reference.',
  missing_field: 'Add the field that param names.',
  unknown_chain: 'Use an id of GET /v1/chains, such as base or eth; aliases and CAIP-2 ids are taken too.',
  unknown_asset: 'Use a symbol that GET /v1/chains lists for this chain, such as USDC.',
  invalid_address:
    'Copy the address from the wallet again and compare the chain: the message says whether length, checksum or network is wrong.',
  settle_chain_required: 'Add settle_chain, or choose a default chain in the console under Addresses.',
  receiving_address_missing: 'Set a receiving address for the chain in the console under Addresses, then try again.',
  no_rail:
    'Leave pay_chain, pay_asset and settle_asset out, so that the payer chooses among what works, or compare with GET /v1/chains.',
  amount_too_small: 'Ask for at least the amount that the message names, or settle on a chain with lower fees.',
  invalid_webhook_url:
    'Use https with a public host on port 443, 80 or from 1024 on, without credentials and fragment. A shop on a private network, or on the machine of this service, needs WEBHOOK_ALLOW.',
  invalid_amount: 'Send a plain decimal number with a point, above zero, with no more decimals than the currency has.',
  amount_too_large: 'Split the payment: the message names the largest amount.',
  test_key_missing: 'Make a test key in the console under API keys.',
  invalid_wallet_signature: 'Sign the very text that refundMessage gives, with the wallet that paid, and in time.',
  unknown_currency: 'Use a code of ISO 4217 in capital letters, such as EUR.',
  currency_not_offered:
    'Price in dollars with amount_usd, or choose the market of the currency in the console under Settings.',
  no_live_rail: 'Make a test key until the operator has configured a chain with real money (/docs/going-live).',
  invalid_picture: 'Save the logo as a still PNG or WebP of at most 1 MiB.',

  rate_limited: 'Wait as long as Retry-After says, then go on more slowly. The libraries do so by themselves.',

  internal:
    'Try again with the same Idempotency-Key. If it stays, tell the operator the request id: the log has the cause.',
  unavailable: 'Try again in a few seconds, with the same Idempotency-Key.',
  rail_unavailable:
    'Try again with the same Idempotency-Key, or let the payer choose another chain. On an account of a wallet, see its state.',
  no_price: 'Try again later, or take a stable coin, which needs no market price.',
  no_rate: 'Wait as long as Retry-After says, or price this order in dollars.',
}
