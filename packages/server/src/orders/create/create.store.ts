// SQL of order creation: the idempotency claim and the one statement that writes order, leg and answer.
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { IdempotentRequest } from '@florin/platform/http/idempotency'
import { idTime } from '@florin/platform/ids'
import { equalSecret } from '@florin/platform/secrets'
import { IDEMPOTENCY_KEPT_MS, IDEMPOTENCY_LEASE_MS } from '@florin/protocol'
import { countNew } from '../../sums/changes.store.ts'
import { insertFirstEvent } from '../../webhooks/events.store.ts'
import { EARLY_KEY } from '../list/early.ts'
import { insertLeg } from '../save.store.ts'

/** Whether the operator has suspended or closed the account of an order. */
export async function findStanding(
  db: Db,
  merchantId: string,
): Promise<{ suspendedAt: Date | null; closedAt: Date | null }> {
  const [row] = await db<{ suspendedAt: Date | null; closedAt: Date | null }[]>`
    select suspended_at as "suspendedAt", closed_at as "closedAt" from merchant_accounts where id = ${merchantId}`
  return row ?? { suspendedAt: null, closedAt: null }
}

export type Claim = { kind: 'held'; orderNo: string; orderRef: string } | { kind: 'answered'; json: string }

/**
 * `owner`: whose keys they are, an API key, a merchant in the console or a page that payers start from.
 * Claims the key with a lease. An expired lease (its holder died) is taken over with the number and the reference that
 * the first holder stored, so whatever a rail opened for them is found again.
 */
export async function claimKey(
  sql: Sql,
  a: { owner: string; idempotent: IdempotentRequest | null; orderNo: string; orderRef: string; now: Date },
): Promise<Claim> {
  if (a.idempotent === null) return { kind: 'held', orderNo: a.orderNo, orderRef: a.orderRef }
  const { key, bodyHash } = a.idempotent
  const leasedUntil = new Date(a.now.getTime() + IDEMPOTENCY_LEASE_MS)
  const oldest = new Date(a.now.getTime() - IDEMPOTENCY_KEPT_MS)
  const [held] = await sql<{ orderNo: string; orderRef: string }[]>`
    insert into idempotency_keys as k (api_key_id, key, body_hash, order_no, order_ref, leased_until, created_at)
    values (${a.owner}, ${key}, ${bodyHash}, ${a.orderNo}, ${a.orderRef}, ${leasedUntil}, ${a.now})
    on conflict (api_key_id, key) do update set
      leased_until = excluded.leased_until,
      body_hash = excluded.body_hash,
      answer = null,
      order_no = case when k.created_at < ${oldest} then excluded.order_no else k.order_no end,
      order_ref = case when k.created_at < ${oldest} then excluded.order_ref else k.order_ref end,
      created_at = case when k.created_at < ${oldest} then excluded.created_at else k.created_at end
    where k.created_at < ${oldest}
      or (k.answer is null and k.leased_until < ${a.now} and k.body_hash = excluded.body_hash)
    returning order_no as "orderNo", order_ref as "orderRef"`
  if (held) return { kind: 'held', ...held }
  const [known] = await sql<{ bodyHash: Uint8Array; answer: Uint8Array | null; leasedUntil: Date }[]>`
    select body_hash as "bodyHash", answer, leased_until as "leasedUntil"
    from idempotency_keys where api_key_id = ${a.owner} and key = ${key}`
  // The holder released the key between the two statements: try again.
  if (known === undefined) return claimKey(sql, a)
  if (!equalSecret(known.bodyHash, bodyHash)) throw new AppError('idempotency_key_reused', { param: 'Idempotency-Key' })
  if (known.answer !== null) return { kind: 'answered', json: Buffer.from(known.answer).toString('utf8') }
  throw new AppError('idempotency_in_progress', { param: 'Idempotency-Key', retryAfterS: 1 })
}

/** Releases the key after a refusal, so that it can be reused with a corrected body. */
export async function freeKey(sql: Sql, a: { owner: string; key: string; orderNo: string }): Promise<void> {
  await sql`
    delete from idempotency_keys
    where api_key_id = ${a.owner} and key = ${a.key} and order_no = ${a.orderNo} and answer is null`
}

/**
 * Writes the order, its leg, the first row of its timeline and the answer, all in one statement.
 * @returns null, or the answer that another holder of the same key stored first.
 */
export async function insertOrder(
  sql: Db,
  o: OrderState,
  a: { json: string; owner: string; idempotencyKey: string | null; eventId: string },
): Promise<string | null> {
  const [leg] = o.legs
  const rows = await sql<{ orderNo: string }[]>`
    with answered as (
      update idempotency_keys set answer = convert_to(${a.json}, 'UTF8')
      where api_key_id = ${a.owner} and key = ${a.idempotencyKey}::text and answer is null and order_no = ${o.orderNo}
      returning 1
    ), made as (
      insert into orders (order_no, order_ref, merchant_id, merchant_no, api_key_id, livemode, external_id, status,
        status_detail, amount_usd_micros, currency, amount_minor, exponent, fx, fee_bps, settle_chain, settle_asset, settle_contract, settle_decimals,
        settle_address, open_target, third_party, rail, pay_leg_id, refund_proposed, checkout_token, webhook_url, success_url, cancel_url, title,
        description, metadata, payment_link_id, invoice_id, quantity, payer_email, payer_locale, payer_name, payer_note, success_text,
        underpay_tolerance_bps, late_policy, version, created_at, updated_at, expires_at, look_at)
      select ${o.orderNo}, ${o.orderRef}, ${o.merchantId}, ${o.merchantNo}::int, ${o.apiKeyId}, ${o.livemode}::boolean,
        ${o.externalId}, ${o.status}, ${o.detail}, ${o.amountUsdMicros.toString()}::bigint,
        ${o.money.currency}, ${o.fx === null ? null : o.money.minor.toString()}::bigint, ${o.fx === null ? null : o.money.exponent}::smallint,
        ${o.fx === null ? null : JSON.stringify(o.fx)}::text::json, ${o.feeBps}::int,
        ${o.settle.chain}, ${o.settle.asset}, ${o.settle.contract}, ${o.settle.decimals}::int, ${o.settleAddress},
        ${o.open === null ? null : JSON.stringify(o.open)}::text::json, ${o.thirdParty}::boolean, ${o.rail}, ${o.payLegId}, ${o.refundProposal}, ${o.checkoutToken}, ${o.webhookUrl}, ${o.successUrl},
        ${o.cancelUrl}, ${o.title}, ${o.description}, ${JSON.stringify(o.metadata)}::text::json,
        ${o.paymentLinkId}, ${o.invoiceId}, ${o.quantity}::int, ${o.payerEmail}, ${o.payerLocale}, ${o.payerName}, ${o.payerNote}, ${o.successText},
        ${o.underpayToleranceBps}::int, ${o.latePolicy}, ${o.version}::int, ${o.createdAt}::timestamptz,
        ${o.updatedAt}::timestamptz, ${o.expiresAt}::timestamptz, ${o.lookAt}::timestamptz
      where ${a.idempotencyKey}::text is null or exists (select from answered)
      returning order_no
    ), ${leg === undefined ? sql`` : sql`first_leg as (${insertLeg(sql, o.orderNo, leg, sql`where exists (select from made)`)}), `}timeline as (${insertFirstEvent(sql, o, a.eventId, 'made')}), counted as (${countNew(sql, o, sql`where exists (select from made)`)})${hasKeys(o) ? sql`, looked_up as (${insertLookup(sql, o)})` : sql``}${isEarly(o) ? sql`, early as (${insertEarly(sql, o)})` : sql``}
    select order_no as "orderNo" from made`
  if (rows.length === 1 || a.idempotencyKey === null) return null
  const [known] = await sql<{ answer: Uint8Array | null }[]>`
    select answer from idempotency_keys where api_key_id = ${a.owner} and key = ${a.idempotencyKey}`
  if (known?.answer) return Buffer.from(known.answer).toString('utf8')
  throw new AppError('idempotency_in_progress', { param: 'Idempotency-Key', retryAfterS: 1 })
}

const hasKeys = (o: OrderState): boolean =>
  o.title !== null || o.externalId !== null || Object.keys(o.metadata).length > 0

/** The words and the metadata that lists find an order by. */
const insertLookup = (db: Db, o: OrderState): Query<Row[]> => db`
  insert into order_lookup (merchant_no, livemode, key, order_no)
  select ${o.merchantNo}::int, ${o.livemode}::boolean, key, order_no
  from made, order_keys(${o.title}::text, ${o.externalId}::text, ${JSON.stringify(o.metadata)}::text::json) key
  on conflict do nothing`

/**
 * The number of an order is older than the order where a request that died took it, and another one took it over with the
 * idempotency key. A list from a moment on is a range of numbers, and finds these orders by a row of their own.
 */
const isEarly = (o: OrderState): boolean => idTime(o.orderNo) < o.createdAt

const insertEarly = (db: Db, o: OrderState): Query<Row[]> => db`
  insert into order_lookup (merchant_no, livemode, key, order_no)
  select ${o.merchantNo}::int, ${o.livemode}::boolean, ${EARLY_KEY}, order_no from made on conflict do nothing`

/** Deletes keys older than a day. @returns how many. */
export async function deleteOldKeys(sql: Sql, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - IDEMPOTENCY_KEPT_MS)
  const rows = await sql`
    delete from idempotency_keys where (api_key_id, key) in (
      select api_key_id, key from idempotency_keys where created_at < ${oldest} order by created_at limit 1000)
    returning 1`
  return rows.length
}

/** In any case of letters: chains without a case of their own write one address in several. */
export async function isPayAddress(sql: Sql, address: string): Promise<boolean> {
  const rows = await sql`
    select 1 from pay_legs where lower(address) = lower(${address}) limit 1`
  return rows.length > 0
}

/**
 * Whether a payer paid from this address, or named it for a refund. In any case of letters.
 */
export async function isPayers(sql: Sql, address: string): Promise<boolean> {
  const rows = await sql`
    (select 1 from pay_legs where lower(coalesce(bound_refund_address, refund_address)) = lower(${address}) limit 1)
    union all (select 1 from refunds where lower(address) = lower(${address}) limit 1)
    union all (select 1 from merchant_refunds where lower(address) = lower(${address}) limit 1)
    union all (select 1 from payments where lower(from_address) = lower(${address}) limit 1)
    union all (select 1 from intents_legs where lower(refund_address) = lower(${address}) limit 1)`
  return rows.length > 0
}
