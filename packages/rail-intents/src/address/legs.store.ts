// SQL of legs. A leg's row is committed before its address is shown, with the reply that binds it.
import { holdLock } from '@florin/platform/db/locks/advisory-locks'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { OpenedLeg } from '@florin/rail-kit/interface/leg'
import { readOpened } from '@florin/rail-kit/opened'
import { holdTrust } from '../catalogue/store.ts'
import type { QuoteReply } from '../client/wire.ts'

export interface NewLeg {
  ref: string
  orderRef: string
  livemode: boolean
  pay: AssetRef
  settle: AssetRef
  merchantAddress: string
  refundAddress: string
  opened: OpenedLeg
  /** Its address in its chain's canonical form. */
  place: string
  reply: QuoteReply
  createdAt: Date
  payUntil: Date
  returnsFrom: Date
  watchUntil: Date
  least: bigint
  refundFee: bigint
  feeBps: number
  takesUnproven: boolean
  dueAt: Date
}

const json = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? one.toString() : one))

/** Whether an order is paid at this address: what a swap brought there would pay that one as well. */
export async function isPayAddress(sql: Sql, address: string): Promise<boolean> {
  return (await sql`select 1 from pay_legs where lower(address) = lower(${address}) limit 1`).length > 0
}

/**
 * Stores the answer, or returns the one that was stored for this reference before: what was allocated beside it is never shown.
 * @returns `taken` where the address is another leg's, `distrusted` where a quote has lied meanwhile.
 */
export async function insertLeg(sql: Sql, a: NewLeg, now: Date): Promise<OpenedLeg | 'taken' | 'distrusted'> {
  const { opened } = a
  const isTrusted = await withTx(sql, async (tx) => {
    if (!(await holdTrust(tx, now))) return false
    // One address has several spellings: of two legs that come at once the second sees the first. And one that was given without a
    // memo is its swap's alone: what comes there is that one's, whatever memo another one has.
    await holdLock(tx, 'intents place', a.place)
    const rows = await tx`
      select 1 from intents_legs
      where place = ${a.place} and (memo is null or ${opened.memo}::text is null or memo = ${opened.memo}) limit 1`
    if (rows.length === 0) await insert(tx, a)
    return true
  })
  return (await findOpened(sql, a.ref)) ?? (isTrusted ? 'taken' : 'distrusted')
}

async function insert(tx: Tx, a: NewLeg): Promise<void> {
  const { opened } = a
  await tx`
    insert into intents_legs (ref, order_ref, livemode, pay, settle, merchant_address, refund_address, address, place, memo, opened,
      reply, created_at, pay_until, returns_from, watch_until, amount_due, amount_least, amount_out, refund_fee, fee_bps, takes_unproven, due_at)
    values (${a.ref}, ${a.orderRef}, ${a.livemode}, ${json(a.pay)}::text::json, ${json(a.settle)}::text::json,
      ${a.merchantAddress}, ${a.refundAddress}, ${opened.address}, ${a.place}, ${opened.memo}, ${json(opened)}::text::json,
      ${json(a.reply)}::text::json, ${a.createdAt}, ${a.payUntil}, ${a.returnsFrom}, ${a.watchUntil},
      ${opened.amountDue.toString()}, ${a.least.toString()}, ${opened.amountOut.toString()}, ${a.refundFee.toString()},
      ${a.feeBps}, ${a.takesUnproven}, ${a.dueAt})
    on conflict do nothing`
}

export async function findOpened(sql: Sql, ref: string): Promise<OpenedLeg | null> {
  const [row] = await sql<{ opened: unknown }[]>`select opened from intents_legs where ref = ${ref}`
  return row === undefined ? null : readOpened(row.opened)
}

export async function isSwapPlace(sql: Sql, place: string): Promise<boolean> {
  return (await sql`select 1 from intents_legs where place = ${place} limit 1`).length > 0
}
