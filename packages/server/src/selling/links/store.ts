// SQL of payment links.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { LinkTerms } from './rules.ts'

export interface PaymentLinkRow extends LinkTerms {
  id: string
  merchantId: string
  livemode: boolean
  token: string
  createdAt: Date
  updatedAt: Date
  /** Of the stock: paid, being paid, or held for a payer who started. */
  taken: number
  ordersPaid: number
}

/**
 * An order takes of the stock until it is over without a sale: expired or given back. Money that comes later on an order
 * with a stock is returned (late_policy `refund`), so what was given back stays free. The index orders_taking holds just these.
 */
const taken = `
  case when l.stock is null then 0 else (
    select coalesce(sum(quantity), 0)::int from order_summaries
    where payment_link_id = l.id and status in ('pending', 'processing', 'success', 'failed')) end as taken`

const ordersPaid = `
  (select count(*)::int from order_summaries where payment_link_id = l.id and status = 'success') as "ordersPaid"`

const fields = `
  l.id, l.merchant_id as "merchantId", l.livemode, l.token, l.active, l.title, l.description, l.currency,
  l.exponent, l.amount_minor as "amountMinor", l.min_minor as "minMinor", l.max_minor as "maxMinor",
  l.quantity_max as "quantityMax", l.stock, l.ends_at as "endsAt", l.ask_email as "askEmail", l.ask_name as "askName",
  l.ask_note as "askNote", l.success_text as "successText", l.success_url as "successUrl",
  l.settle_chain as "settleChain", l.settle_asset as "settleAsset", l.expires_in_s as "expiresInS",
  l.external_id as "externalId", l.created_at as "createdAt", l.updated_at as "updatedAt", ${taken}`

const columns = `${fields}, ${ordersPaid}`

export function insertLink(tx: Tx, l: Omit<PaymentLinkRow, 'taken' | 'ordersPaid'>): Promise<unknown> {
  return tx`
    insert into payment_links (id, merchant_id, livemode, token, active, title, description, currency, exponent,
      amount_minor, min_minor, max_minor, quantity_max, stock, ends_at, ask_email, ask_name, ask_note, success_text,
      success_url, settle_chain, settle_asset, expires_in_s, external_id, created_at, updated_at)
    values (${l.id}, ${l.merchantId}, ${l.livemode}, ${l.token}, ${l.active}, ${l.title}, ${l.description},
      ${l.currency}, ${l.exponent}, ${l.amountMinor}, ${l.minMinor}, ${l.maxMinor}, ${l.quantityMax}, ${l.stock},
      ${l.endsAt}, ${l.askEmail}, ${l.askName}, ${l.askNote}, ${l.successText}, ${l.successUrl}, ${l.settleChain},
      ${l.settleAsset}, ${l.expiresInS}, ${l.externalId}, ${l.createdAt}, ${l.updatedAt})`
}

export function updateLink(tx: Tx, l: PaymentLinkRow): Promise<unknown> {
  return tx`
    update payment_links set active = ${l.active}, title = ${l.title}, description = ${l.description},
      stock = ${l.stock}, ends_at = ${l.endsAt}, ask_email = ${l.askEmail}, ask_name = ${l.askName},
      ask_note = ${l.askNote}, success_text = ${l.successText}, success_url = ${l.successUrl},
      external_id = ${l.externalId}, updated_at = ${l.updatedAt}
    where id = ${l.id}`
}

export interface Owner {
  merchantId: string
  /** null: both modes. */
  livemode: boolean | null
}

export async function findLink(db: Db, a: Owner & { id: string }): Promise<PaymentLinkRow | null> {
  const [row] = await db<PaymentLinkRow[]>`
    select ${db.unsafe(columns)} from payment_links l
    where l.id = ${a.id} and l.merchant_id = ${a.merchantId} and (${a.livemode}::boolean is null or l.livemode = ${a.livemode})`
  return row ?? null
}

/** Newest first; ids sort by time. */
export function listLinks(
  db: Db,
  a: { merchantId: string; livemode: boolean; active: boolean | null; below: string | null; limit: number },
): Promise<PaymentLinkRow[]> {
  return db<PaymentLinkRow[]>`
    select ${db.unsafe(columns)} from (
      select * from payment_links
      where merchant_id = ${a.merchantId} and livemode = ${a.livemode}
        and (${a.active}::boolean is null or active = ${a.active}) and (${a.below}::text is null or id < ${a.below})
      order by id desc limit ${a.limit}
    ) l order by l.id desc`
}

/** Locks a link and then reads it, in two statements: the second sees what the holder of the lock before committed. */
export async function lockLink(tx: Tx, id: string): Promise<PaymentLinkRow | null> {
  await tx`select 1 from payment_links where id = ${id} for update`
  const [row] = await tx<PaymentLinkRow[]>`select ${tx.unsafe(columns)} from payment_links l where l.id = ${id}`
  return row ?? null
}

/** A page that a stranger has the address of, with its merchant. */
export interface LinkPage extends Omit<PaymentLinkRow, 'ordersPaid'> {
  merchantNo: number
}

/** null where there is none, and where the account is suspended or closed: nothing new is sold for it. */
export async function findLinkByToken(sql: Sql, token: string): Promise<LinkPage | null> {
  const [row] = await sql<LinkPage[]>`
    select ${sql.unsafe(fields)}, m.no as "merchantNo"
    from payment_links l join merchant_accounts m on m.id = l.merchant_id
    where l.token = ${token} and m.suspended_at is null and m.closed_at is null`
  return row ?? null
}
