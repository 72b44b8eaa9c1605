// Rows of orders with their child rows, and what they are to the rules. Lists and single orders read the same columns.
import type {
  LegState,
  OpenTarget,
  OrderState,
  OwnRefund,
  PaymentState,
  RefundState,
  SettlementState,
} from '@florin/order-model/state'
import type { Query } from '@florin/platform/db/sql'
import type { Db } from '@florin/platform/db/tx'
import { dollarMoney, type Fx, type Money } from '@florin/protocol'

type JsonRow = Record<string, unknown>

/** Everything the rules need of an order in one round trip. Amounts leave JSON as text: they do not fit a number. */
const children = [
  {
    as: 'legs',
    from: 'pay_legs l',
    orderNo: 'l.order_no',
    list: `json_agg(json_build_object(
      'id', l.id, 'n', l.n, 'ref', l.ref, 'rail', l.rail, 'route', l.route, 'chain', l.chain, 'asset', l.asset, 'contract', l.contract,
      'decimals', l.decimals, 'address', l.address, 'memo', l.memo, 'uri', l.uri, 'amountDue', l.amount_due::text,
      'amountOut', l.amount_out::text, 'dust', l.dust::text, 'isStable', l.is_stable, 'rate', l.rate,
      'rateSource', l.rate_source, 'rateExpiresAt', l.rate_expires_at, 'confirmationsRequired', l.confirmations_required,
      'least', l.least::text, 'expectedS', l.expected_s, 'boundRefundAddress', l.bound_refund_address, 'holder', encode(l.holder, 'hex'), 'refundAddress', l.refund_address,
      'settleAddress', l.settle_address,
      'settle', json_build_object('chain', l.settle_chain, 'asset', l.settle_asset, 'contract', l.settle_contract,
      'decimals', l.settle_decimals), 'proof', l.proof, 'createdAt', l.created_at,
      'chosenAt', coalesce(l.chosen_at, l.created_at)) order by l.n)`,
  },
  {
    as: 'payments',
    from: 'payments p',
    orderNo: 'p.order_no',
    list: `json_agg(json_build_object(
      'key', p.key, 'id', p.id, 'legId', p.pay_leg_id, 'txHash', p.tx_hash, 'outputIndex', p.output_index,
      'chain', p.chain, 'asset', p.asset, 'contract', p.contract, 'decimals', p.decimals, 'amount', p.amount::text,
      'from', p.from_address, 'height', p.height::text, 'confirmationsRequired', p.confirmations_required,
      'status', p.status, 'use', p.use, 'seenAt', p.seen_at, 'minedAt', p.mined_at, 'detectedAt', p.detected_at, 'floor', p.floor::text,
      'leftAt', p.left_at,
      'fold', p.fold, 'transfers', p.transfers) order by p.id)`,
  },
  {
    as: 'settlements',
    from: 'settlements s',
    orderNo: 's.order_no',
    list: `json_agg(json_build_object(
      'id', s.id, 'legId', s.pay_leg_id, 'status', s.status, 'gross', s.gross::text, 'feeBps', s.fee_bps,
      'fee', s.fee::text, 'amountOut', s.amount_out::text, 'txHash', s.tx_hash, 'failure', s.failure,
      'leftAt', s.left_at, 'hold', s.hold, 'isReleased', s.is_released, 'proven', s.proven,
      'createdAt', s.created_at) order by s.id)`,
  },
  {
    as: 'refunds',
    from: 'refunds r',
    orderNo: 'r.order_no',
    list: `json_agg(json_build_object(
      'id', r.id, 'legId', r.pay_leg_id, 'status', r.status, 'chain', r.chain, 'asset', r.asset, 'contract', r.contract,
      'decimals', r.decimals, 'amount', r.amount::text, 'address', r.address, 'txHash', r.tx_hash, 'reason', r.reason,
      'failure', r.failure, 'signedBy', r.signed_by, 'parts', r.parts, 'leftAt', r.left_at,
      'createdAt', r.created_at) order by r.id)`,
  },
  {
    as: 'own_refunds',
    from: 'merchant_refunds r',
    orderNo: 'r.order_no',
    list: `json_agg(json_build_object(
      'id', r.id, 'status', r.status, 'chain', r.chain, 'asset', r.asset, 'contract', r.contract, 'decimals', r.decimals,
      'amount', r.amount::text, 'address', r.address, 'reason', r.reason, 'txHash', r.tx_hash, 'failure', r.failure,
      'key', r.transfer_key, 'sender', r.sender, 'sentFrom', r.sent_from, 'onceKey', r.once_key, 'onceBody', r.once_body,
      'fromHeight', r.from_height::text, 'createdAt', r.created_at, 'recordedAt', r.recorded_at) order by r.id)`,
  },
] as const

/** The columns of the order `o` that `toOrder` reads. */
export const orderColumns = `
  o.amount_minor, o.amount_usd_micros, o.currency, o.exponent, o.settle_chain, o.settle_asset, o.settle_contract,
  o.settle_decimals, o.settle_address, o.order_no, o.order_ref, o.merchant_id, o.merchant_no, o.api_key_id, o.livemode,
  o.external_id, o.status, o.status_detail, o.fx, o.fee_bps, o.amount_out, o.rail, o.open_target, o.third_party,
  o.settle_tx_hash, o.pay_leg_id, o.refund_proposed, o.refund_asks, o.refund_asked_at, o.checkout_token, o.webhook_url,
  o.success_url, o.cancel_url, o.title, o.description, o.metadata, o.payment_link_id, o.invoice_id, o.quantity, o.payer_email, o.payer_locale,
  o.payer_name, o.payer_note, o.success_text, o.underpay_tolerance_bps, o.late_policy, o.canceled, o.version, o.created_at,
  o.updated_at, o.expires_at, o.look_at, o.settled_at`

/** Of the order `o`. */
export const childColumns = children
  .map(
    (each) =>
      `(select coalesce(${each.list}, '[]') from ${each.from} where ${each.orderNo} = o.order_no) as ${each.as}`,
  )
  .join(', ')

export type OrderRow = Record<string, unknown> & {
  legs: JsonRow[]
  payments: JsonRow[]
  settlements: JsonRow[]
  refunds: JsonRow[]
  own_refunds: JsonRow[]
}
const date = (value: unknown): Date => new Date(value as string)
const dateOrNull = (value: unknown): Date | null => (value === null ? null : (value as Date))
const units = (value: unknown): bigint => BigInt(value as string)
const unitsOrNull = (value: unknown): bigint | null => (value === null ? null : BigInt(value as string))

/** Rows of before refunds had parts have none. */
const partsIn = (value: unknown): RefundState['parts'] =>
  value == null
    ? null
    : (value as JsonRow[]).map((part) => ({ payment: part.payment as string, amount: units(part.amount) }))

/** Dollars are kept once, as micro-dollars. */
function moneyOf(row: OrderRow): Money {
  if (row.amount_minor === null) return dollarMoney(row.amount_usd_micros as bigint)
  return {
    currency: row.currency as string,
    minor: row.amount_minor as bigint,
    exponent: row.exponent as number,
  }
}

export function toOrder(row: OrderRow): OrderState {
  return {
    settle: {
      chain: row.settle_chain as string,
      asset: row.settle_asset as string,
      contract: row.settle_contract as string | null,
      decimals: row.settle_decimals as number,
    },
    settleAddress: row.settle_address as string,
    orderNo: row.order_no as string,
    orderRef: row.order_ref as string,
    merchantId: row.merchant_id as string,
    merchantNo: row.merchant_no as number,
    apiKeyId: row.api_key_id as string | null,
    livemode: row.livemode as boolean,
    externalId: row.external_id as string | null,
    status: row.status as OrderState['status'],
    detail: row.status_detail as OrderState['detail'],
    money: moneyOf(row),
    fx: row.fx as Fx | null,
    amountUsdMicros: row.amount_usd_micros as bigint,
    feeBps: row.fee_bps as number,
    amountOut: unitsOrNull(row.amount_out),
    rail: row.rail as string,
    open: row.open_target as OpenTarget | null,
    thirdParty: row.third_party as boolean,
    settleTxHash: row.settle_tx_hash as string | null,
    payLegId: row.pay_leg_id as string | null,
    refundProposal: row.refund_proposed as string | null,
    refundAsks: row.refund_asks as number,
    refundAskedAt: dateOrNull(row.refund_asked_at),
    checkoutToken: row.checkout_token as string,
    webhookUrl: row.webhook_url as string | null,
    successUrl: row.success_url as string | null,
    cancelUrl: row.cancel_url as string | null,
    title: row.title as string | null,
    description: row.description as string | null,
    metadata: row.metadata as Record<string, string>,
    paymentLinkId: row.payment_link_id as string | null,
    invoiceId: row.invoice_id as string | null,
    quantity: row.quantity as number | null,
    payerEmail: row.payer_email as string | null,
    payerLocale: row.payer_locale as string | null,
    payerName: row.payer_name as string | null,
    payerNote: row.payer_note as string | null,
    successText: row.success_text as string | null,
    underpayToleranceBps: row.underpay_tolerance_bps as number,
    latePolicy: row.late_policy as OrderState['latePolicy'],
    canceled: row.canceled as boolean,
    version: row.version as number,
    createdAt: row.created_at as Date,
    updatedAt: row.updated_at as Date,
    expiresAt: row.expires_at as Date,
    lookAt: dateOrNull(row.look_at),
    settledAt: dateOrNull(row.settled_at),
    legs: row.legs.map((leg) => ({
      ...(leg as unknown as LegState),
      amountDue: units(leg.amountDue),
      amountOut: units(leg.amountOut),
      dust: units(leg.dust),
      least: unitsOrNull(leg.least),
      rateExpiresAt: date(leg.rateExpiresAt),
      createdAt: date(leg.createdAt),
      chosenAt: date(leg.chosenAt),
    })),
    payments: row.payments.map((payment) => ({
      ...(payment as unknown as PaymentState),
      amount: units(payment.amount),
      height: unitsOrNull(payment.height),
      seenAt: date(payment.seenAt),
      // Rows of before a payment had it have none.
      minedAt: payment.minedAt == null ? null : date(payment.minedAt),
      detectedAt: date(payment.detectedAt),
      floor: unitsOrNull(payment.floor),
      // Rows of before payments could have left have none.
      leftAt: payment.leftAt == null ? null : date(payment.leftAt),
    })),
    folded: [],
    settlements: row.settlements.map((settlement) => ({
      ...(settlement as unknown as SettlementState),
      gross: units(settlement.gross),
      fee: unitsOrNull(settlement.fee),
      amountOut: unitsOrNull(settlement.amountOut),
      leftAt: settlement.leftAt === null ? null : date(settlement.leftAt),
      createdAt: date(settlement.createdAt),
    })),
    refunds: row.refunds.map((refund) => ({
      ...(refund as unknown as RefundState),
      amount: units(refund.amount),
      parts: partsIn(refund.parts),
      leftAt: refund.leftAt === null ? null : date(refund.leftAt),
      createdAt: date(refund.createdAt),
    })),
    ownRefunds: row.own_refunds.map((refund) => ({
      ...(refund as unknown as OwnRefund),
      amount: units(refund.amount),
      fromHeight: unitsOrNull(refund.fromHeight),
      createdAt: date(refund.createdAt),
      recordedAt: refund.recordedAt === null ? null : date(refund.recordedAt),
    })),
  }
}

/**
 * The orders of these numbers, in no order. Each table is read once for all of them, in the order of its index, so that neighbours
 * share its pages (npm run bench -- scale).
 */
export async function listByNumbers(
  db: Db,
  a: { merchantId: string; livemode: boolean; numbers: readonly string[] },
): Promise<OrderState[]> {
  if (a.numbers.length === 0) return []
  const columns = children.map((each) => `coalesce(${each.as}.list, '[]') as ${each.as}`).join(', ')
  const joins = children.map((each) => `left join ${each.as} on ${each.as}.no = o.order_no`).join(' ')
  const lists = children.map(
    (each) => db`, ${db.unsafe(each.as)} as materialized (
      select ${db.unsafe(each.orderNo)} as no, ${db.unsafe(each.list)} as list from ${db.unsafe(each.from)}
      where ${db.unsafe(each.orderNo)} = any(array(select order_no from own)) group by 1)`,
  )
  const rows = await db<OrderRow[]>`
    with own as materialized (${ordersOf(db, a)}) ${lists.reduce((all, one) => db`${all}${one}`, db``)}
    select o.*, ${db.unsafe(columns)} from own o ${db.unsafe(joins)}`
  return rows.map(toOrder)
}

/** A merchant's orders of these numbers, by the primary key; the fence keeps other conditions from choosing another index. */
export const ordersOf = (
  db: Db,
  a: { merchantId: string; livemode: boolean; numbers: readonly string[] },
): Query<OrderRow[]> => db<OrderRow[]>`
  select * from (select * from orders where order_no = any(${a.numbers}::text[]) offset 0) numbered
  where merchant_id = ${a.merchantId} and livemode = ${a.livemode}`
