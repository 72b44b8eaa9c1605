// SQL of orders and their child rows. Only orders/advance and orders/create call the functions that write.
import { dollarMoney, eventKinds, type Fx, IDEMPOTENCY_KEPT_MS, type Money } from '@florin/protocol'
import { assert } from '../platform/assert.ts'
import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'
import { firstIdAt } from '../platform/ids.ts'
import type {
  FoldedTransfer,
  LegState,
  OpenTarget,
  OrderState,
  OwnRefund,
  PaymentState,
  RefundState,
  SettlementState,
  Target,
} from './model/state.ts'

// Everything the rules need of an order in one round trip. Amounts leave JSON as text: they do not fit a number.
const childColumns = `
  (select coalesce(json_agg(json_build_object(
     'id', l.id, 'n', l.n, 'ref', l.ref, 'rail', l.rail, 'route', l.route, 'chain', l.chain, 'asset', l.asset, 'contract', l.contract,
     'decimals', l.decimals, 'address', l.address, 'memo', l.memo, 'uri', l.uri, 'amountDue', l.amount_due::text,
     'amountOut', l.amount_out::text, 'dust', l.dust::text, 'isStable', l.is_stable, 'rate', l.rate,
     'rateSource', l.rate_source, 'rateExpiresAt', l.rate_expires_at, 'confirmationsRequired', l.confirmations_required,
     'least', l.least::text, 'expectedS', l.expected_s, 'boundRefundAddress', l.bound_refund_address, 'holder', encode(l.holder, 'hex'), 'refundAddress', l.refund_address,
     'settleAddress', l.settle_address,
     'settle', json_build_object('chain', l.settle_chain, 'asset', l.settle_asset, 'contract', l.settle_contract,
       'decimals', l.settle_decimals), 'proof', l.proof, 'createdAt', l.created_at,
     'chosenAt', coalesce(l.chosen_at, l.created_at)) order by l.n), '[]')
   from pay_legs l where l.order_no = o.order_no) as legs,
  (select coalesce(json_agg(json_build_object(
     'key', p.key, 'id', p.id, 'legId', p.pay_leg_id, 'txHash', p.tx_hash, 'outputIndex', p.output_index,
     'chain', p.chain, 'asset', p.asset, 'contract', p.contract, 'decimals', p.decimals, 'amount', p.amount::text,
     'from', p.from_address, 'height', p.height::text, 'confirmationsRequired', p.confirmations_required,
     'status', p.status, 'use', p.use, 'seenAt', p.seen_at, 'detectedAt', p.detected_at, 'floor', p.floor::text,
     'fold', p.fold, 'transfers', p.transfers) order by p.id), '[]')
   from payments p where p.order_no = o.order_no) as payments,
  (select coalesce(json_agg(json_build_object(
     'id', s.id, 'legId', s.pay_leg_id, 'status', s.status, 'gross', s.gross::text, 'feeBps', s.fee_bps,
     'fee', s.fee::text, 'amountOut', s.amount_out::text, 'txHash', s.tx_hash, 'failure', s.failure,
     'leftAt', s.left_at, 'hold', s.hold, 'isReleased', s.is_released, 'proven', s.proven,
     'createdAt', s.created_at) order by s.id), '[]')
   from settlements s where s.order_no = o.order_no) as settlements,
  (select coalesce(json_agg(json_build_object(
     'id', r.id, 'legId', r.pay_leg_id, 'status', r.status, 'chain', r.chain, 'asset', r.asset, 'contract', r.contract,
     'decimals', r.decimals, 'amount', r.amount::text, 'address', r.address, 'txHash', r.tx_hash, 'reason', r.reason,
     'failure', r.failure, 'signedBy', r.signed_by, 'leftAt', r.left_at,
     'createdAt', r.created_at) order by r.id), '[]')
   from refunds r where r.order_no = o.order_no) as refunds,
  (select coalesce(json_agg(json_build_object(
     'id', r.id, 'status', r.status, 'chain', r.chain, 'asset', r.asset, 'contract', r.contract, 'decimals', r.decimals,
     'amount', r.amount::text, 'address', r.address, 'reason', r.reason, 'txHash', r.tx_hash, 'failure', r.failure,
     'key', r.transfer_key, 'sender', r.sender, 'onceKey', r.once_key, 'onceBody', r.once_body,
     'createdAt', r.created_at, 'recordedAt', r.recorded_at) order by r.id), '[]')
   from merchant_refunds r where r.order_no = o.order_no) as own_refunds`

type Row = Record<string, unknown> & {
  legs: JsonRow[]
  payments: JsonRow[]
  settlements: JsonRow[]
  refunds: JsonRow[]
  own_refunds: JsonRow[]
}
type JsonRow = Record<string, unknown>

const date = (value: unknown): Date => new Date(value as string)
const dateOrNull = (value: unknown): Date | null => (value === null ? null : (value as Date))
const units = (value: unknown): bigint => BigInt(value as string)
const unitsOrNull = (value: unknown): bigint | null => (value === null ? null : BigInt(value as string))

/** Dollars are kept once, as micro-dollars. */
function moneyOf(row: Row): Money {
  if (row.amount_minor === null) return dollarMoney(row.amount_usd_micros as bigint)
  return {
    currency: row.currency as string,
    minor: row.amount_minor as bigint,
    exponent: row.exponent as number,
  }
}

function toOrder(row: Row): OrderState {
  const target: Target = {
    settle: {
      chain: row.settle_chain as string,
      asset: row.settle_asset as string,
      contract: row.settle_contract as string | null,
      decimals: row.settle_decimals as number,
    },
    settleAddress: row.settle_address as string,
  }
  return {
    ...target,
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
      // A leg from before targets were stored with legs uses its order's target.
      ...(leg.settleAddress === null ? target : {}),
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
      detectedAt: date(payment.detectedAt),
      floor: unitsOrNull(payment.floor),
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
      leftAt: refund.leftAt === null ? null : date(refund.leftAt),
      createdAt: date(refund.createdAt),
    })),
    ownRefunds: row.own_refunds.map((refund) => ({
      ...(refund as unknown as OwnRefund),
      amount: units(refund.amount),
      createdAt: date(refund.createdAt),
      recordedAt: refund.recordedAt === null ? null : date(refund.recordedAt),
    })),
  }
}

/**
 * A merchant's order of one mode; another's does not exist.
 * @param a.merchantId null: of any merchant, for operators. @param a.livemode null: of either mode.
 */
export async function findOrder(
  db: Db,
  a: { orderNo: string; merchantId: string | null; livemode: boolean | null },
): Promise<OrderState | null> {
  const [row] = await db<Row[]>`
    select o.*, ${db.unsafe(childColumns)} from orders o
    where o.order_no = ${a.orderNo}
    ${a.merchantId === null ? db`` : db`and o.merchant_id = ${a.merchantId}`}
    ${a.livemode === null ? db`` : db`and o.livemode = ${a.livemode}`}`
  return row ? toOrder(row) : null
}

/** The order behind a checkout link. */
export async function findOrderByToken(db: Db, checkoutToken: string): Promise<OrderState | null> {
  const [row] = await db<Row[]>`
    select o.*, ${db.unsafe(childColumns)} from orders o where o.checkout_token = ${checkoutToken}`
  return row ? toOrder(row) : null
}

/** For callers that have already checked access. */
export async function getOrder(db: Db, orderNo: string): Promise<OrderState> {
  const [row] = await db<Row[]>`select o.*, ${db.unsafe(childColumns)} from orders o where o.order_no = ${orderNo}`
  assert(row !== undefined, `order ${orderNo} exists`)
  return toOrder(row)
}

/**
 * Locks an order and then reads it. Two statements on purpose: a statement that waits for the lock would go on with
 * the child rows of its old snapshot.
 */
export async function lockOrder(tx: Tx, orderNo: string): Promise<OrderState> {
  await tx`select 1 from orders where order_no = ${orderNo} for update`
  return getOrder(tx, orderNo)
}

/** The transfers among `keys` that stand in a row with others. */
export async function listFolded(tx: Tx, orderNo: string, keys: readonly string[]): Promise<FoldedTransfer[]> {
  if (keys.length === 0) return []
  const rows = await tx<(Omit<FoldedTransfer, 'amount'> & { amount: string })[]>`
    select key, fold, tx_hash as "txHash", output_index as "outputIndex", amount::text, from_address as "from", height,
      status, seen_at as "seenAt"
    from folded_payments where key = any(${keys}::text[]) and order_no = ${orderNo}`
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }))
}

export interface OrderFilter {
  merchantId: string
  livemode: boolean
  statuses: readonly string[] | null
  externalId: string | null
  settleChain: string | null
  paymentLinkId: string | null
  invoiceId: string | null
  createdFrom: Date | null
  createdTo: Date | null
  metadata?: Readonly<Record<string, string>> | null
  /** Console search: a part of order number, external id or title; a whole pay address or transaction hash. */
  search: string | null
  /** Continue below this order_no, or above it where the oldest come first. */
  below: string | null
  isOldestFirst?: boolean
  limit: number
}

/**
 * The SQL condition of a filter. An order number is made with its order, or up to a day earlier where an idempotency
 * key was taken over, so a range of time is also a range of the index that lists are read from.
 */
export function orderConditions(db: Db, f: Omit<OrderFilter, 'limit'>) {
  const earliest = f.createdFrom === null ? null : new Date(f.createdFrom.getTime() - IDEMPOTENCY_KEPT_MS)
  return db`
    merchant_id = ${f.merchantId} and livemode = ${f.livemode}
    ${f.below === null ? db`` : f.isOldestFirst === true ? db`and order_no > ${f.below}` : db`and order_no < ${f.below}`}
    ${f.statuses === null ? db`` : db`and status = any(${f.statuses as string[]})`}
    ${f.externalId === null ? db`` : db`and external_id = ${f.externalId}`}
    ${f.settleChain === null ? db`` : db`and settle_chain = ${f.settleChain}`}
    ${f.metadata === undefined || f.metadata === null ? db`` : hasMetadata(db, f.metadata)}
    ${f.paymentLinkId === null ? db`` : db`and payment_link_id = ${f.paymentLinkId}`}
    ${f.invoiceId === null ? db`` : db`and invoice_id = ${f.invoiceId}`}
    ${earliest === null ? db`` : db`and created_at >= ${f.createdFrom} and order_no >= ${firstIdAt('ord', earliest)}`}
    ${f.createdTo === null ? db`` : db`and created_at < ${f.createdTo} and order_no < ${firstIdAt('ord', f.createdTo)}`}
    ${f.search === null ? db`` : db`and ${matches(db, f.search)}`}`
}

/** As the index of metadata has it: only orders with any, by containment. */
const hasMetadata = (db: Db, metadata: Readonly<Record<string, string>>) =>
  db`and metadata::text <> '{}' and metadata::jsonb @> ${JSON.stringify(metadata)}::text::jsonb`

function matches(db: Db, search: string) {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  // Searches for a payment give its address or its transaction; both are matched whole, each by an index of its own.
  const isChainText = /^[!-~]{16,200}$/.test(search)
  return db`(
    order_no ilike ${like} or external_id ilike ${like} or title ilike ${like}
    ${
      isChainText
        ? db`or lower(settle_tx_hash) = lower(${search})
             or order_no in (select order_no from pay_legs where lower(address) = lower(${search}))
             or order_no in (select order_no from payments where lower(tx_hash) = lower(${search}))
             or order_no in (select order_no from folded_payments where lower(tx_hash) = lower(${search}))`
        : db``
    })`
}

/** Newest first unless asked otherwise; order numbers sort by time, so the number is the cursor. */
export async function listOrders(db: Db, f: OrderFilter): Promise<OrderState[]> {
  const direction = f.isOldestFirst === true ? db`asc` : db`desc`
  const rows = await db<Row[]>`
    select o.*, ${db.unsafe(childColumns)} from (
      select * from orders where ${orderConditions(db, f)} order by order_no ${direction} limit ${f.limit}
    ) o order by o.order_no ${direction}`
  return rows.map(toOrder)
}

export interface TimelineRow {
  id: string
  event: string | null
  status: string
  statusDetail: string
  version: number
  createdAt: Date
}

/**
 * Oldest first, bounded: an order changes a few dozen times at most. The times allow partitions to be skipped. Every
 * version has a row; those that changed neither status nor detail are left out, as are
 * the updates that an endpoint chose to hear of.
 */
export async function listTimeline(db: Db, order: OrderState): Promise<TimelineRow[]> {
  const rows = await db<TimelineRow[]>`
    select id, event, status, status_detail as "statusDetail", version, created_at as "createdAt"
    from order_events
    where order_no = ${order.orderNo} and (event is null or event = any(${[...eventKinds]})) and created_at between ${order.createdAt} and ${order.updatedAt}
    order by version, id limit 1000`
  return rows.filter((row, n) => {
    const before = rows[n - 1]
    return row.event !== null || row.status !== before?.status || row.statusDetail !== before.statusDetail
  })
}

export interface OrderToLookAt {
  orderNo: string
  orderRef: string
  /** Kinds of the rails that its legs are on. */
  rails: string[]
}

/** Leases orders that are due, oldest first; rows that another process holds are skipped. */
export function claimOrdersToLookAt(
  sql: Sql,
  a: { now: Date; leasedUntil: Date; limit: number },
): Promise<OrderToLookAt[]> {
  return sql<OrderToLookAt[]>`
    with due as (
      select order_no from orders where look_at <= ${a.now} order by look_at limit ${a.limit}
      for no key update skip locked
    )
    update orders o set look_at = ${a.leasedUntil} from due where o.order_no = due.order_no
    returning o.order_no as "orderNo", o.order_ref as "orderRef",
      array(select distinct l.rail from pay_legs l where l.order_no = o.order_no) as rails`
}
