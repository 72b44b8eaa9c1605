// What the console reads beside orders, keys, addresses and deliveries (contract.md 5). All of it comes in the
// envelope {code: 0, data}.
import type { DeliveryStatus } from './events.ts'
import type { OrderStatus } from './order/statuses.ts'

/** Sums of what orders said, in whole units of the currency: never converted. */
export interface CurrencySum {
  currency: string
  orders: number
  volume: string
  settled: string
}

/** GET /api/v1/boss/stats/summary?livemode=&from=&to= */
export interface StatsSummary {
  from: string
  to: string
  orders_total: number
  orders_by_status: Record<OrderStatus, number>
  /** US dollars of orders made, and of those settled, in the range. */
  volume_usd: number
  settled_usd: number
  /** Of those settled: orders that go on as success, and whose settlement the chain took back since. */
  left_chain_usd: number
  left_chain_orders: number
  /** The same orders in the currencies that they were asked for in, exactly; the display currency first, then the larger. */
  by_currency: CurrencySum[]
  /** All of it in the display currency; null: that is dollars, or no rate of it is known. */
  display: {
    currency: string
    volume: string
    settled: string
    /** Some of it was asked for in other currencies, and is told by `rate`, units for one dollar. */
    is_estimate: boolean
    rate: string
    observed_at: string
  } | null
  /** success ÷ orders that came to an end (success, failed, refunded, expired), 0 to 1; null: none ended. */
  success_rate: number | null
  /** Seconds from creation to settlement; null: none settled. */
  time_to_pay_p50_s: number | null
  time_to_pay_p95_s: number | null
  deliveries_by_status: Record<DeliveryStatus, number>
  /** Deliveries of any age that are due for more than a minute and not sent, at most 1000; when the oldest was due. */
  deliveries_late: number
  deliveries_late_since: string | null
  /** succeeded ÷ (ended and late deliveries), 0 to 1; null: there are none. */
  webhook_success_rate: number | null
  attention_open: number
}

/** GET and PATCH /api/v1/boss/currencies */
export interface CurrencySettings {
  default_currency: string
  display_currency: string
  spread_bps: number
}

export interface CurrencyChoice {
  code: string
  digits: number
  /** Units for one dollar; null: none can be trusted now. */
  rate: string | null
  rate_valid_until: string | null
}

export interface CurrencyList {
  is_on: boolean
  settings: CurrencySettings
  currencies: CurrencyChoice[]
}

export const statsMetrics = ['volume', 'settled', 'orders', 'success_rate', 'time_to_pay', 'webhook_success'] as const
export type StatsMetric = (typeof statsMetrics)[number]
export const statsBuckets = ['hour', 'day', 'week', 'month'] as const
export type StatsBucket = (typeof statsBuckets)[number]

/** GET /api/v1/boss/stats/series?metric=&bucket=&from=&to=&livemode= : one point a bucket, gaps are present as 0 or null. */
export interface StatsSeries {
  metric: StatsMetric
  bucket: StatsBucket
  /** The zone that the days, weeks and months of the buckets belong to. */
  time_zone: string
  /** Of the values of volume and settled. */
  currency: string
  points: { at: string; value: number | null }[]
}

/**
 * What a person has to do. All items of a kind follow one rule for mail and can be ended by the same people:
 * - `approve_refund_address`, `give_refund_address`: say where a refund goes. Always mailed.
 * - `move_money`: settle or refund what is stuck, or repay what is owed. Always mailed.
 * - `investigate`: find out why the chain differs from the books. Mailed at once, to operators as well.
 * - `confirm_payout`: look whether a payout has arrived.
 * - `return_payment`: refund a payment that is not for the order, or send a refund from the wallet.
 * - `wait`: know why an order takes longer; most of these end without a person.
 * - `fix_wallet`: the merchant's wallet needs another limit or an account of its own.
 * - `fix_webhooks`: a receiver of the merchant's does not take webhooks. Mailed unless switched off.
 * - `fix_service`: the operator's keys, chains, providers or prices need a change. A fault is mailed to operators.
 */
export const attentionKinds = [
  'approve_refund_address',
  'give_refund_address',
  'move_money',
  'investigate',
  'confirm_payout',
  'return_payment',
  'wait',
  'fix_wallet',
  'fix_webhooks',
  'fix_service',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

export interface AttentionItem {
  id: string
  livemode: boolean
  kind: AttentionKind
  /** What happened, such as `settlement_failed` or the id of a check. New reasons may come. */
  reason: string
  order_no: string | null
  /** One sentence a person understands. */
  summary: string
  evidence: Record<string, string>
  /** Names for POST /api/v1/boss/attention/{id}/{action}. */
  actions: string[]
  created_at: string
  resolved_at: string | null
  resolved_by: string | null
  resolution: string | null
}

/** A row of GET /api/v1/boss/audit. */
export interface AuditItem {
  id: string
  actor: string
  action: string
  subject: string
  detail: Record<string, string | number | boolean | null>
  created_at: string
}

/** Progress of POST /api/v1/boss/deliveries/replay. */
export interface Replay {
  id: string
  status: 'running' | 'done'
  from: string
  to: string
  delivery_status: 'dead' | 'all'
  matched: number
  replayed: number
  created_at: string
  finished_at: string | null
}

/** GET /api/v1/boss/stream sends `event: change` with one of these after each commit that concerns the merchant. */
export interface ConsoleChange {
  kind: 'order' | 'delivery' | 'attention'
  livemode: boolean
  order_no: string | null
}

/** What lies on an address of an order and is not what the order has booked, in smallest units. */
export interface BookDifference {
  id: string
  livemode: boolean
  order_no: string
  /** The merchant's email where an operator looks at another's; else null. */
  merchant: string | null
  chain: string
  asset: string
  contract: string | null
  decimals: number
  /** received - settled - fee - refunded. */
  booked: string
  found: string
  /** The final block at which it was first seen as it is; null where a rail has none. */
  block: string | null
  told_at: string
  resolved_at: string | null
}

/** Fees of money that went straight to merchants' wallets, in one month (contract.md 5). */
export interface FeesOwed {
  /** @example 2026-11 */
  month: string
  data: {
    /** For operators, whose it is; null: the reader's own. */
    merchant: string | null
    chain: string
    asset: string
    decimals: number
    orders: number
    amount: string
  }[]
}

/** How the books of orders compare with the chain (contract.md 5). */
export interface Reconciliation {
  /** Every order that is still compared was compared then or later; null: none was yet. */
  compared_since: string | null
  /** How many closed or changed and were not compared since; 1000 stands for that many or more. */
  waiting: number
  differences: { data: BookDifference[]; has_more: boolean; next_cursor: string | null }
}
