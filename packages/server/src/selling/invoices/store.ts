// SQL of invoices.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { InvoiceStatus } from '@florin/protocol'
import type { InvoiceState, InvoiceTerms } from './rules.ts'

export interface InvoiceRow extends Omit<InvoiceTerms, 'ownNumber'> {
  id: string
  merchantId: string
  livemode: boolean
  token: string
  number: string
  sentCount: number
  lastSentAt: Date | null
  voidedAt: Date | null
  createdAt: Date
  /** The order that paid it: the first. */
  paidOrderNo: string | null
  /** Every order that succeeded, the first one first: two have paid it twice. */
  paidOrderNos: string[]
  paidAt: Date | null
  /** The merchant's, whose days its due date is one of. null: UTC. */
  timeZone: string | null
  /** What its orders and its merchant say of it. Open and overdue differ by the day alone. */
  state: InvoiceState
}

const columns = `
  i.id, i.merchant_id as "merchantId", i.livemode, i.token, i.number, i.currency, i.exponent, i.lines,
  i.subtotal_minor as "subtotalMinor", i.tax_label as "taxLabel", i.tax_percent as "taxPercent",
  i.tax_minor as "taxMinor", i.total_minor as "totalMinor", i.due_date as "dueDate",
  i.seller_details as "sellerDetails", i.payer_email as "payerEmail", i.payer_locale as "payerLocale", i.payer_name as "payerName",
  i.payer_details as "payerDetails", i.note, i.external_id as "externalId", i.settle_chain as "settleChain",
  i.settle_asset as "settleAsset", i.sent_count as "sentCount", i.last_sent_at as "lastSentAt",
  i.voided_at as "voidedAt", i.created_at as "createdAt", paid.order_nos[1] as "paidOrderNo",
  coalesce(paid.order_nos, '{}') as "paidOrderNos", paid.settled_at as "paidAt", i.state,
  (select time_zone from merchant_accounts where id = i.merchant_id) as "timeZone"`

/** Its orders that succeeded, in the sequence in which they did: a later one changes nothing about the first. */
const paid = `
  left join lateral (
    select array_agg(o.order_no order by o.settled_at, o.order_no) as order_nos, min(o.settled_at) as settled_at
    from order_summaries o where o.invoice_id = i.id and o.status = 'success'
  ) paid on true`

/** Raises the counter; whoever else wants a number waits until this transaction is over. */
export async function nextNumber(tx: Tx, a: { merchantId: string; livemode: boolean }): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    insert into invoice_numbers as n (merchant_id, livemode, last) values (${a.merchantId}, ${a.livemode}, 1)
    on conflict (merchant_id, livemode) do update set last = n.last + 1
    returning last`
  return row?.last ?? 0
}

/** @returns false where the number is another invoice's. */
export async function insertInvoice(
  tx: Tx,
  i: Omit<
    InvoiceRow,
    'sentCount' | 'lastSentAt' | 'voidedAt' | 'paidOrderNo' | 'paidOrderNos' | 'paidAt' | 'state' | 'timeZone'
  >,
): Promise<boolean> {
  const rows = await tx`
    insert into invoices (id, merchant_id, livemode, token, number, currency, exponent, lines, subtotal_minor,
      tax_label, tax_percent, tax_minor, total_minor, due_date, seller_details, payer_email, payer_locale, payer_name, payer_details,
      note, external_id, settle_chain, settle_asset, created_at)
    values (${i.id}, ${i.merchantId}, ${i.livemode}, ${i.token}, ${i.number}, ${i.currency}, ${i.exponent},
      ${JSON.stringify(i.lines)}::text::json, ${i.subtotalMinor}, ${i.taxLabel}, ${i.taxPercent}, ${i.taxMinor},
      ${i.totalMinor}, ${i.dueDate.toISOString().slice(0, 10)}::text::date, ${i.sellerDetails}, ${i.payerEmail},
      ${i.payerLocale}, ${i.payerName}, ${i.payerDetails}, ${i.note}, ${i.externalId}, ${i.settleChain}, ${i.settleAsset}, ${i.createdAt})
    on conflict (merchant_id, livemode, number) do nothing
    returning 1`
  return rows.length === 1
}

export interface Owner {
  merchantId: string
  /** null: both modes. */
  livemode: boolean | null
}

export async function findInvoice(db: Db, a: Owner & { id: string }): Promise<InvoiceRow | null> {
  const [row] = await db<InvoiceRow[]>`
    select ${db.unsafe(columns)} from invoices i ${db.unsafe(paid)}
    where i.id = ${a.id} and i.merchant_id = ${a.merchantId}
      and (${a.livemode}::boolean is null or i.livemode = ${a.livemode})`
  return row ?? null
}

/** Newest first; open and overdue ones by their due date, the earliest first. Each is one range of one index. */
export function listInvoices(
  db: Db,
  a: {
    merchantId: string
    livemode: boolean
    status: InvoiceStatus | null
    /** The merchant's day, such as `2026-12-31`. */
    today: string
    /** The last invoice of the page before. */
    after: string | null
    limit: number
  },
): Promise<InvoiceRow[]> {
  const { status, after } = a
  const isUnpaid = status === 'open' || status === 'overdue'
  const filter =
    status === null
      ? db``
      : isUnpaid
        ? db`and state = 'unpaid' and due_date ${db.unsafe(status === 'open' ? '>=' : '<')} ${a.today}::text::date`
        : db`and state = ${status}`
  const begin =
    after === null
      ? db``
      : isUnpaid
        ? db`and (due_date, id) > ((select due_date from invoices where id = ${after}), ${after})`
        : db`and id < ${after}`
  const order = (table: string) => db.unsafe(isUnpaid ? `${table}.due_date, ${table}.id` : `${table}.id desc`)
  return db<InvoiceRow[]>`
    select ${db.unsafe(columns)} from (
      select * from invoices x
      where merchant_id = ${a.merchantId} and livemode = ${a.livemode} ${filter} ${begin}
      order by ${order('x')} limit ${a.limit}
    ) i ${db.unsafe(paid)}
    order by ${order('i')}`
}

/** Locks an invoice and then reads it: the second statement sees what the holder of the lock before committed. */
export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow | null> {
  await tx`select 1 from invoices where id = ${id} for update`
  const [row] = await tx<InvoiceRow[]>`
    select ${tx.unsafe(columns)} from invoices i ${tx.unsafe(paid)} where i.id = ${id}`
  return row ?? null
}

export function markSent(tx: Tx, a: { id: string; now: Date }): Promise<unknown> {
  return tx`update invoices set sent_count = sent_count + 1, last_sent_at = ${a.now} where id = ${a.id}`
}

export function markVoid(tx: Tx, a: { id: string; now: Date }): Promise<unknown> {
  return tx`update invoices set voided_at = ${a.now}, state = case state when 'unpaid' then 'void' else state end where id = ${a.id}`
}

/** The order that whoever wants to pay is led to: one that is not over, or the one that paid. */
export async function findCurrentOrder(
  db: Db,
  invoiceId: string,
): Promise<{ orderNo: string; token: string; status: string } | null> {
  const [row] = await db<{ orderNo: string; token: string; status: string }[]>`
    select o.order_no as "orderNo", o.checkout_token as token, o.status from order_summaries o
    where o.invoice_id = ${invoiceId} and o.status in ('pending', 'processing', 'failed', 'success')
    order by o.status = 'success' desc, o.settled_at, o.order_no desc limit 1`
  return row ?? null
}

/** An invoice that a stranger has the address of. */
export interface InvoicePage extends InvoiceRow {
  merchantNo: number
}

/** null where there is none, and where the account is suspended or closed. */
export async function findInvoiceByToken(sql: Sql, token: string): Promise<InvoicePage | null> {
  const [row] = await sql<InvoicePage[]>`
    select ${sql.unsafe(columns)}, m.no as "merchantNo"
    from invoices i join merchant_accounts m on m.id = i.merchant_id ${sql.unsafe(paid)}
    where i.token = ${token} and m.suspended_at is null and m.closed_at is null`
  return row ?? null
}

/**
 * Sets what an invoice's orders and its merchant say of it. Locks the invoice and then reads, in two statements: of two orders that
 * change at once the later commit sees the other.
 */
export async function saveInvoiceState(tx: Tx, invoiceId: string): Promise<void> {
  await tx`select from invoices where id = ${invoiceId} for no key update`
  await tx`
    update invoices i set state = case
      when exists (select from order_summaries o where o.invoice_id = i.id and o.status = 'success') then 'paid'
      when exists (select from order_summaries o where o.invoice_id = i.id and o.status in ('processing', 'failed')) then 'processing'
      when i.voided_at is not null then 'void' else 'unpaid' end
    where i.id = ${invoiceId}`
}

/**
 * Locks the invoice and then reads, in two statements: of two orders that succeed at once the later commit sees the other.
 * @returns its number and the other orders that succeeded, the first one first.
 */
export async function findOthersPaid(
  tx: Tx,
  a: { invoiceId: string; orderNo: string },
): Promise<{ number: string; others: string[] }> {
  const [invoice] = await tx<{ number: string }[]>`
    select number from invoices where id = ${a.invoiceId} for no key update`
  const rows = await tx<{ orderNo: string }[]>`
    select order_no as "orderNo" from order_summaries
    where invoice_id = ${a.invoiceId} and status = 'success' and order_no <> ${a.orderNo}
    order by settled_at, order_no`
  return { number: invoice?.number ?? '', others: rows.map((row) => row.orderNo) }
}
