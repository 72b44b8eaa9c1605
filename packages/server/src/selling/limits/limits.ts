// What strangers may start from a page (contract.md 4.9). Counted in the database, in the transaction that makes the
// order: any number of processes and requests count together, and what is refused counts nowhere.
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { countWithin, endOfWindow } from '@florin/platform/limits/store'
import { DAY_MS, HOUR_MS, INVOICE_MAILS_PER_DAY, SECOND_MS, STARTS_OPEN_MAX, STARTS_PER_HOUR } from '@florin/protocol'
import { countOpen, deleteOldStarts, insertStart } from './limits.store.ts'

/** The payment link or the invoice, whose row the caller has locked. */
export interface Page {
  id: string
  merchantId: string
  livemode: boolean
  /** Something is held for who starts: a place in the stock, or the only payment of an invoice. */
  isScarce: boolean
  /** How many pieces this start would hold. */
  pieces: number
}

/** Whoever starts, as far as limits tell them apart: an IPv4 address, or the /64 of an IPv6 one. */
export type Client = string

/** @throws AppError rate_limited */
export async function admitStart(tx: Tx, a: { page: Page; client: Client; orderNo: string; now: Date }): Promise<void> {
  const { page, client, now } = a
  const open = page.isScarce ? await countOpen(tx, { page: page.id, client }) : 0
  // The first is the page's to bound: a family buys its six places in one payment.
  if (open > 0 && open + page.pieces > STARTS_OPEN_MAX) {
    throw new AppError('rate_limited', {
      retryAfterS: 60,
      message: `You have payments open here for ${open}, and may have them for ${STARTS_OPEN_MAX}. Finish one of them, or wait until it has lapsed.`,
    })
  }
  // Always in this sequence, after the lock of the page: two of them never wait for each other.
  const scopes: readonly (readonly [scope: string, max: number])[] = [
    [`start client ${client}`, STARTS_PER_HOUR.client],
    [`start page ${page.id} ${client}`, STARTS_PER_HOUR.clientOnPage],
    [`start page ${page.id}`, STARTS_PER_HOUR.page],
    [`start merchant ${page.merchantId} ${page.livemode ? 'live' : 'test'}`, STARTS_PER_HOUR.merchant],
  ]
  for (const [scope, max] of scopes) {
    if ((await countWithin(tx, { scope, max, windowMs: HOUR_MS }, now)) !== null) continue
    throw new AppError('rate_limited', {
      retryAfterS: (endOfWindow(HOUR_MS, now).getTime() - now.getTime()) / SECOND_MS,
      message: 'Too many payments were started here. Try again later.',
    })
  }
  await insertStart(tx, { orderNo: a.orderNo, page: page.id, client, now })
}

/** One more mail of this merchant's invoices today. @throws AppError rate_limited */
export async function admitMail(tx: Tx, a: { merchantId: string; now: Date }): Promise<void> {
  const limit = { scope: `invoice mails ${a.merchantId}`, max: INVOICE_MAILS_PER_DAY, windowMs: DAY_MS }
  if ((await countWithin(tx, limit, a.now)) !== null) return
  throw new AppError('rate_limited', {
    retryAfterS: (endOfWindow(DAY_MS, a.now).getTime() - a.now.getTime()) / SECOND_MS,
    message: `${INVOICE_MAILS_PER_DAY} invoices were mailed today. Share their links yourself, or go on tomorrow.`,
  })
}

/** @returns how many rows were forgotten. */
export function forgetStarts(deps: { sql: Sql; clock: { now(): Date } }): Promise<number> {
  return deleteOldStarts(deps.sql, new Date(deps.clock.now().getTime() - 2 * DAY_MS))
}
