// The n-th of many orders with all that hangs on it, as lines for COPY: the same number is always the same order.
import { hash } from 'node:crypto'
import { firstIdAt } from '@florin/platform/ids'

/** What is rare, and what is common, among them. */
export const skew = {
  rareChain: 'arbitrum',
  commonChain: 'base',
  /** A few orders, all of them old. */
  rareStatus: 'failed',
  /** None. */
  noStatus: 'refunded',
  commonCurrency: 'EUR',
  rareCurrency: 'CHF',
  /** Dollars: nobody else paid as much. */
  rareAmount: '77777.77',
  commonAmount: '13',
  rareWord: 'zeppelin',
  commonWord: 'shirt',
  commonPlan: 'basic',
  rarePlan: 'enterprise',
} as const

export interface Filling {
  orders: number
  /** Whose a quarter of all are. */
  large: { id: string; no: number }
  apiKeyId: string
  /** Those who share the rest. */
  others: readonly { id: string; no: number }[]
  from: Date
  stepMs: number
  now: Date
}

/** A line's worth of values; JSON as its text, null as none. */
export type Values = Readonly<Record<string, string | number | boolean | null>>

export interface Made {
  orders: Values
  pay_legs: Values
  payments: Values | null
  settlements: Values | null
  deliveries: Values | null
  delivery_attempts: Values | null
  order_events: readonly Values[]
  order_lookup: readonly Values[]
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** As long are events read. */
const EVENT_DAYS = 28
/** A webhook of an order has about as many bytes. */
const BODY_BYTES = 1_600

const colours = ['Blue', 'Red', 'Green', 'Black', 'Large', 'Small'] as const
const merchantAddress = '0x52908400098527886E0F7030069857D2E4169EE7'
const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Digits of any kind in place of what is random elsewhere: hexadecimal ones are letters of ids too. */
const digits = (what: string): string => hash('md5', what)
const hashOf = (what: string): string => `0x${digits(what)}${digits(`${what}.`)}`
const addressOf = (what: string): string => hashOf(what).slice(0, 42)

export const metadataKey = (key: string, value: string): string =>
  `m${hash('sha256', `${key.length}:${key}${value}`, 'buffer').subarray(0, 9).toString('base64')}`

const words = (text: string): string[] => text.toLowerCase().split(/[^a-z0-9]+/)

function statusOf(n: number, at: Date, now: Date): string {
  if (now.getTime() - at.getTime() < 30 * MINUTE_MS) return n % 2 === 0 ? 'pending' : 'processing'
  if (n % 40_000 === 8 && now.getTime() - at.getTime() > 30 * DAY_MS) return skew.rareStatus
  return n % 100 < 72 ? 'success' : 'expired'
}

function titleOf(n: number): string {
  const word = n % 100_000 === 16 ? skew.rareWord : n % 3 === 0 ? skew.commonWord : `word${n % 4999}`
  return `${colours[n % 6]} ${word} no ${n % 97}`
}

const details: Record<string, string> = { success: 'paid', failed: 'settlement_failed', expired: 'expired' }

export function orderOf(n: number, a: Filling): Made {
  const atMs = a.from.getTime() + Math.floor(n * a.stepMs)
  const date = new Date(atMs)
  const at = date.toISOString()
  const later = (ms: number): string => new Date(atMs + ms).toISOString()
  const isLarge = n % 4 === 0
  const owner = isLarge ? a.large : a.others[Number.parseInt(digits(`m${n}`).slice(0, 6), 16) % a.others.length]
  if (owner === undefined) throw new Error('nobody else has orders')
  const tail = firstIdAt('', date).slice(1, 11) + digits(`o${n}`).slice(0, 16)
  const no = `ord_${tail}`
  const leg = `leg_${tail}`
  const status = statusOf(n, date, a.now)
  const isPaid = status === 'success' || status === 'failed'
  const chain = n % 20_000 === 4 ? skew.rareChain : n % 20 < 3 ? 'ethereum' : skew.commonChain
  const micros = n % 100_000 === 24 ? 77_777_770_000 : ((Math.imul(n, 7919) >>> 0) % 400) * 250_000 + 1_000_000
  const currency = n % 100_000 === 20 ? skew.rareCurrency : n % 5 === 0 ? skew.commonCurrency : 'USD'
  const isDollars = currency === 'USD'
  const title = titleOf(n)
  const externalId = `A-${n}`
  const metadata = { cart: String(n), plan: n % 50_000 === 12 ? skew.rarePlan : n % 10 === 0 ? 'pro' : skew.commonPlan }
  const settleHash = hashOf(`s${n}`)
  const out = Math.floor((micros * 99) / 100)
  const settling = { settle_chain: chain, settle_asset: 'USDC', settle_decimals: 6, settle_address: merchantAddress }
  const isTold = isLarge && isPaid && a.now.getTime() - atMs < EVENT_DAYS * DAY_MS
  // As long as they are kept.
  const isDelivered = isTold && status === 'success'
  const event = (kind: string, step: number): Values => {
    const id = `evt_${tail.slice(0, 25)}${step}`
    const head = `{"id":"${id}","event":"order.${kind}","order":{"order_no":"${no}","title":"${title}","pad":"`
    return {
      ...{ id, order_no: no, merchant_id: owner.id, api_key_id: a.apiKeyId, livemode: true, event: `order.${kind}` },
      ...{ status: kind, status_detail: details[kind] ?? 'awaiting_payment', version: step + 1 },
      body: `${head.padEnd(BODY_BYTES - 3, 'x')}"}}`,
      ...{ created_at: later(step * MINUTE_MS), position: 2 * n + step },
    }
  }
  const found = new Set([
    ...words(`${title} ${externalId}`).map((word) => `w${word}`),
    ...Object.entries(metadata).map(([key, value]) => metadataKey(key, value)),
  ])
  const payHash = hashOf(`p${n}`)
  return {
    orders: {
      ...{
        order_no: no,
        order_ref: `${digits(`r${n}`).slice(0, 16)}abcdef`,
        merchant_id: owner.id,
        merchant_no: owner.no,
      },
      ...{ api_key_id: isLarge ? a.apiKeyId : null, livemode: true, external_id: externalId, status },
      ...{ status_detail: details[status] ?? 'awaiting_payment', amount_usd_micros: micros, fee_bps: 100 },
      ...{ amount_out: status === 'success' ? out : null, ...settling },
      ...{ settle_tx_hash: status === 'success' ? settleHash : null, rail: 'forwarder', pay_leg_id: leg },
      ...{ checkout_token: digits(`t${n}`), title, metadata: JSON.stringify(metadata), underpay_tolerance_bps: 50 },
      ...{ late_policy: 'settle', version: 4, created_at: at, updated_at: later(5 * MINUTE_MS) },
      expires_at: later(30 * MINUTE_MS),
      settled_at: status === 'success' ? later(((n % 900) + 20) * 1000) : null,
      ...{ currency, amount_minor: isDollars ? null : Math.ceil(micros / 10_900), exponent: isDollars ? null : 2 },
      fx: isDollars ? null : '{"rate":"1.09","observed_at":"2026-01-01T00:00:00.000Z","sources":[]}',
    },
    pay_legs: {
      ...{
        id: leg,
        order_no: no,
        n: 1,
        ref: `${digits(`l${n}`).slice(0, 16)}abcdef`,
        rail: 'forwarder',
        chain,
        asset: 'USDC',
      },
      ...{ contract: token, decimals: 6, address: addressOf(`a${n}`), uri: `ethereum:${addressOf(`a${n}`)}` },
      ...{ amount_due: micros, amount_out: out, dust: 1000, is_stable: true, rate: '1', rate_source: 'stable' },
      ...{
        rate_expires_at: later(30 * MINUTE_MS),
        confirmations_required: 12,
        created_at: at,
        ...settling,
        chosen_at: at,
      },
    },
    payments:
      isPaid || status === 'processing'
        ? {
            ...{ key: `${chain} ${payHash} 0`, id: `pay_${tail}`, order_no: no, pay_leg_id: leg },
            ...{ tx_hash: payHash, output_index: 0, chain, asset: 'USDC', contract: token, decimals: 6 },
            ...{ amount: micros, from_address: addressOf(`f${n}`), height: n, confirmations_required: 12 },
            ...{ status: 'confirmed', use: 'counted', seen_at: at, detected_at: at },
          }
        : null,
    settlements: isPaid
      ? {
          ...{ id: `stl_${tail}`, order_no: no, pay_leg_id: leg, status: status === 'success' ? 'final' : 'failed' },
          ...{ gross: micros, fee_bps: 100, fee: micros - out, amount_out: out, tx_hash: settleHash, created_at: at },
          ...{ updated_at: at, hand_over_at: at, handed_over_at: at },
        }
      : null,
    deliveries: isDelivered
      ? {
          ...{ id: `dlv_${tail}`, event_id: `evt_${tail.slice(0, 25)}1`, event_created_at: later(MINUTE_MS) },
          ...{ event: 'order.success', order_no: no, merchant_no: owner.no, api_key_id: a.apiKeyId, livemode: true },
          ...{ url: 'https://shop.example/hook', status: n % 1000 === 4 ? 'dead' : 'succeeded', attempt_count: 1 },
          created_at: at,
        }
      : null,
    delivery_attempts: isDelivered
      ? {
          delivery_id: `dlv_${tail}`,
          started_at: later(1000),
          n: 1,
          http_status: n % 1000 === 4 ? 500 : 200,
          latency_ms: 40,
        }
      : null,
    order_events: isTold ? [event('processing', 0), event(status, 1)] : [],
    order_lookup: [...found].map((key) => ({ merchant_no: owner.no, livemode: true, key, order_no: no })),
  }
}
