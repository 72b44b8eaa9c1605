// The webhooks that a receiver is examined with: orders that do not exist, marked livemode false, each legal by contract.md 4.2
// and 6. All are written as JSON.stringify writes them, but for the one whose spelling is the point.
import {
  BODY_MAX_BYTES,
  METADATA_KEYS_MAX,
  METADATA_VALUE_MAX,
  PAYMENTS_SHOWN_MAX,
  type Payment,
} from '@florin/protocol'
import { type EventKind, type Order, signTestWebhook } from '../sdk.ts'
import { freshId } from '../webhook.ts'

export interface SampleWish {
  readonly kind?: EventKind
  readonly id?: string
  readonly order?: Partial<Order>
  readonly externalId?: string | null
}

export interface Sample {
  readonly id: string
  readonly event: string
  readonly orderNo: string
  readonly body: Uint8Array
  /** The payload as an object, for variations of it. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** A secret is needed to make a sample and signs nothing here: each sending signs anew. */
const noSecret = `whsec_${'0'.repeat(32)}`

export function sampleOf({ kind = 'order.success', id = freshId('evt'), order, externalId }: SampleWish): Sample {
  const fields = {
    order_no: freshId('ord'),
    external_id: externalId ?? null,
    title: 'A sample of florin verify',
    ...order,
  }
  const { event } = signTestWebhook({ secret: noSecret, event: kind, id, order: fields })
  return withPayload({ ...event })
}

/** A sample of any shape. */
export function withPayload(payload: Readonly<Record<string, unknown>>, spelling = JSON.stringify(payload)): Sample {
  const { id, event, order } = payload as { id: string; event: string; order: { order_no: string } }
  return { id, event, orderNo: order.order_no, body: Buffer.from(spelling), payload }
}

/** A kind of event that a later version may send. */
export function unknownKind(sample: Sample): Sample {
  return withPayload({ ...sample.payload, event: 'order.disputed' })
}

/** Fields that a later version may add, at the top and in the order. */
export function unknownFields(sample: Sample): Sample {
  const order = sample.payload.order as object
  const added = { added_later: { nested: [1, 'two', null] }, api_revision: 7 }
  return withPayload({ ...sample.payload, ...added, order: { ...order, ...added } })
}

/**
 * The same payload as no JSON.stringify writes it: white space, an escape where none is needed and a raw character where one is
 * usual, numbers in another form, line ends of Windows, a newline at the end. Whoever decodes and encodes it gets other bytes.
 */
export function oddlySpelled(sample: Sample): Sample {
  const order = {
    ...(sample.payload.order as object),
    description: 'Cr\u00e8me br\u00fbl\u00e9e \u2028\u{1f9c1} </script>',
  }
  const spelling = JSON.stringify({ ...sample.payload, order }, null, 1)
    .replace('"order.success"', '"order\\u002esuccess"')
    .replace('"amount_usd": 20,', '"amount_usd" : 2.00E+1 ,')
    .replaceAll('\n', '\r\n')
  return withPayload(sample.payload, `${spelling}\n`)
}

/** The largest payload that the limits of the interface let arise in practice: some 60 KiB, with characters of several bytes. */
export function large(sample: Sample): Sample {
  const order = sample.payload.order as Order
  const filled = (count: number): Sample => {
    const metadata = Object.fromEntries(
      Array.from({ length: METADATA_KEYS_MAX }, (_, n) => [`key_${n}`, '\u00e9'.repeat(METADATA_VALUE_MAX - 100)]),
    )
    const payments = Array.from({ length: count }, (_, n) => paymentOf(n))
    return withPayload({ ...sample.payload, order: { ...order, metadata, payments, payments_total: count } })
  }
  let count = PAYMENTS_SHOWN_MAX
  // An order as a whole stays below the limit of a body.
  while (count > 0 && filled(count).body.byteLength > BODY_MAX_BYTES - 2_048) count--
  return filled(count)
}

function paymentOf(n: number): Payment {
  return {
    id: `pmt_${String(n).padStart(26, '0')}`,
    pay_leg: `leg_${'0'.repeat(26)}`,
    tx_hash: `0x${String(n).padStart(64, '0')}`,
    output_index: n,
    chain: 'base',
    asset: 'USDC',
    contract: `0x${'0'.repeat(40)}`,
    decimals: 6,
    amount: '400000',
    transfers: 1,
    from: null,
    confirmations: 12,
    confirmations_required: 12,
    status: 'confirmed',
    use: 'counted',
    detected_at: '2026-01-31T10:00:00.000Z',
    mined_at: '2026-01-31T09:59:58.000Z',
  }
}
