// Every number of the interface (contract.md). Each names its unit and its source.
// Nothing else in the project may repeat one of these numbers.

/** A language tag, such as `de` or `pt-BR` (BCP 47, without extensions). */
export const LOCALE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** contract.md 1: a console token is valid for 7 days. */
export const CONSOLE_TOKEN_MS = 7 * DAY_MS

/** contract.md 1: an emailed code has 6 digits, lives 10 minutes, and 5 wrong tries void it. */
export const LOGIN_CODE_DIGITS = 6
export const LOGIN_CODE_MS = 10 * MINUTE_MS
export const LOGIN_CODE_TRIES_MAX = 5
/** contract.md 1: a code a minute and 10 an hour per browser, 30 an hour per client. */
export const LOGIN_CODE_RESEND_MS = MINUTE_MS
export const LOGIN_CODES_PER_HOUR_ASKER = 10
export const LOGIN_CODES_PER_HOUR_CLIENT = 30
/** contract.md 1: codes an hour that browsers unknown to the account may have mailed to one email. */
export const LOGIN_CODES_PER_HOUR_EMAIL = 20
/** contract.md 1: wrong tries a day that codes of six digits of one email bear; then codes are longer. */
export const LOGIN_WRONG_TRIES_PER_DAY = 10
/** contract.md 1: the link that signs the owner in while strangers try. */
export const LOGIN_LINK_MS = DAY_MS
/** contract.md 1: a sign-in or confirmation is fresh for this long, unless FRESH_SIGN_IN_S says otherwise. */
export const FRESH_SIGN_IN_S = 900
/** contract.md 1: 5 wrong tries void a confirmation code, 10 end the session. */
export const CONFIRMATION_TRIES_MAX = 5
export const CONFIRMATION_TRIES_PER_SESSION = 10
/** contract.md 1: a browser is known once this much time has passed since its first sign-in. */
export const BROWSER_KNOWN_AFTER_MS = DAY_MS
/** contract.md 1: another email takes effect after 24 hours, or 72 where an operator asked; 5 wishes a day. */
export const EMAIL_CHANGE_WAIT_MS = DAY_MS
export const EMAIL_CHANGE_LOST_WAIT_MS = 3 * DAY_MS
export const EMAIL_CHANGES_PER_DAY = 5
/** contract.md 1: links in mails work once, for 72 hours. */
export const MAIL_LINK_MS = 3 * DAY_MS

/** contract.md 2: the old key works this long after a rotation, and at most this many webhook secrets are live. */
export const KEY_ROTATE_GRACE_S = 86_400
export const KEY_ROTATE_GRACE_MAX_S = 30 * 86_400
export const WEBHOOK_SECRETS_LIVE_MAX = 2
export const WEBHOOK_SECRET_OVERLAP_MAX_S = 7 * 86_400
export const NAME_MAX = 100

/** contract.md 4.6: a logo as it is uploaded, and as it is kept. */
export const LOGO_MAX_BYTES = 1024 * 1024
export const LOGO_MAX_SIDE = 4_096
export const LOGO_MAX_PIXELS = 8_000_000
export const LOGO_MIN_SIDE = 16
export const LOGO_KEPT_SIDE = 512
/** contract.md 4.6: the room that a logo has at the head of a mail, in CSS pixels. */
export const MAIL_LOGO = { width: 240, height: 64 } as const

/** contract.md 3: the longest text that is looked at as an address. */
export const ADDRESS_MAX = 512
export const ADDRESS_LABEL_MAX = 100
/** contract.md 3: a new receiving address that has to wait takes effect after 24 hours. */
export const ADDRESS_WAIT_MS = DAY_MS

/** contract.md 4.1: an order's amount in integer micro-dollars. */
export const AMOUNT_USD_DECIMALS = 6
export const AMOUNT_USD_MAX_MICROS = 1_000_000n * 1_000_000n
/** docs/currencies.md: the rules by which answers become a rate; it grows when they change. */
export const FX_RULES_VERSION = 2
/** contract.md 4.1: the most that a merchant may add to a rate. */
export const FX_SPREAD_MAX_BPS = 1_000
export const EXTERNAL_ID_MAX = 128
export const URL_MAX = 2_048
export const EXPIRES_IN_DEFAULT_S = 1_800
export const EXPIRES_IN_MIN_S = 300
export const EXPIRES_IN_MAX_S = 86_400
export const UNDERPAY_TOLERANCE_DEFAULT_BPS = 50
export const UNDERPAY_TOLERANCE_MAX_BPS = 1_000
/** contract.md 4.1: the tolerance is never more than $1. */
export const UNDERPAY_TOLERANCE_MAX_MICROS = 1_000_000n
export const TITLE_MAX = 120
export const DESCRIPTION_MAX = 500
export const METADATA_KEYS_MAX = 50
export const METADATA_KEY_MAX = 40
export const METADATA_VALUE_MAX = 500
export const REASON_MAX = 200
/** contract.md 4.1: an idempotency key is kept 24 h; the request that holds it has a 30 s lease. */
export const IDEMPOTENCY_KEY_MAX = 255
export const IDEMPOTENCY_KEPT_MS = DAY_MS
export const IDEMPOTENCY_LEASE_MS = 30 * SECOND_MS
// contract.md 4.7: payment links
export const PAYMENT_LINK_QUANTITY_MAX = 1_000
/** What is taken of a stock is added up from its orders. */
export const PAYMENT_LINK_STOCK_MAX = 10_000
/** Seconds for which what a payer started is held: the rate, and the place in the stock. */
export const PAYMENT_LINK_EXPIRES_DEFAULT_S = 1_800
export const PAYMENT_LINK_EXPIRES_MAX_S = 3_600
export const SUCCESS_TEXT_MAX = 500
export const PAYER_NAME_MAX = 100
export const PAYER_NOTE_MAX = 300
/** contract.md 4.9: what strangers may start from pages, by the clock hour. */
export const STARTS_PER_HOUR = { clientOnPage: 10, client: 30, page: 600, merchant: 3_000 } as const
/**
 * contract.md 4.9: what one client may have open on a page that has a stock or is an invoice: payments, and pieces of them
 * together. One payment alone may be for as many as the page sells at once.
 */
export const STARTS_OPEN_MAX = 3

/** contract.md 6: test events that one merchant sends in a minute of the clock. */
export const TEST_EVENTS_PER_MINUTE = 10

// contract.md 4.8: invoices
export const INVOICE_LINES_MAX = 50
export const INVOICE_LINE_TEXT_MAX = 200
export const INVOICE_NUMBER_MAX = 40
export const INVOICE_PARTY_MAX = 500
export const INVOICE_NOTE_MAX = 500
/** An invoice is mailed at most so often, and not twice within the hour; a merchant's invoices so often a day. */
export const INVOICE_MAILS_MAX = 5
export const INVOICE_MAIL_AGAIN_MS = HOUR_MS
export const INVOICE_MAILS_PER_DAY = 200
/** Mails to one payer's mailbox (contract.md 5.1): over all shops, of one, and what may come before any money. */
export const PAYER_MAILS = { perDay: 10, ofShopPerHour: 3, invoicesPerDay: 5, ofTestsPerDay: 20 } as const

/** contract.md 4.2: an order object shows its newest 50 payments. */
export const PAYMENTS_SHOWN_MAX = 50
/** contract.md 4.3: late money settles, and partial money waits, for 24 h after expiry. */
export const LATE_WINDOW_MS = DAY_MS
/** contract.md 4.3: addresses of closed orders are looked at daily for 90 days. */
export const COLD_WATCH_MS = 90 * DAY_MS

/** contract.md 4.4: pages of a list. */
export const PAGE_DEFAULT = 20
export const PAGE_MAX = 100

/** contract.md 6: five attempts in all, so four waits between them, counted from the end of the failure before. */
export const WEBHOOK_ATTEMPTS_MAX = 5
export const WEBHOOK_RETRY_WAITS_MS: readonly number[] = [1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS)
/** contract.md 6: status line and headers within 10 s of the start, in all. */
export const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS
/** contract.md 6: endpoints of an account in one mode. */
export const WEBHOOK_ENDPOINTS_MAX = 16
/** contract.md 6: an endpoint that took nothing for this long, while at least this many deliveries died, is disabled. */
export const ENDPOINT_DISABLED_AFTER_MS = 5 * DAY_MS
export const ENDPOINT_DISABLED_AFTER_DEAD = 10
/** contract.md 6: a receiver should refuse a signature older than this. */
export const SIGNATURE_TOLERANCE_S = 300

/** contract.md 8: the largest request body. */
export const BODY_MAX_BYTES = 64 * 1024

// contract.md 4.3: refund addresses (docs/decisions/0020-refund-address.md)
/** An address that came with the checkout link alone lapses when the merchant did not approve it for this long. */
export const REFUND_APPROVAL_MS = DAY_MS
/** Such addresses that one order takes. */
export const REFUND_ASKS_MAX = 10
/** A wallet's signature names an end at most this far ahead. */
export const REFUND_SIGNATURE_MAX_MS = DAY_MS

/** How many orders a merchant has looked at again in an hour (contract.md 4.4). */
export const LOOKS_AN_HOUR = 60
