// One archived order as a line of a file: its number, the SHA-256 of what is moved, what is moved, what is copied. Amounts
// are numbers of up to 78 digits, so they are read as text. Pure.
import { createHash } from 'node:crypto'

export type Sums = Record<string, string>
export type ArchivedRow = Readonly<Record<string, unknown>>

export interface Line {
  orderNo: string
  sha256: string
  text: string
}

interface Parsed {
  core: { order: ArchivedRow; moved: Record<string, ArchivedRow[]>; emptied: Record<string, ArchivedRow[]> }
  copied: Record<string, ArchivedRow[]>
}

const HEAD = /^\{"order_no":"(ord_[0-9a-z]{26})","sha256":"([0-9a-f]{64})","core":/
const COPIED = ',"copied":{"order_events":'

export function lineOf(a: { orderNo: string; sha256: string; core: string; copied: string }): string {
  return `{"order_no":"${a.orderNo}","sha256":"${a.sha256}","core":${a.core},"copied":${a.copied}}`
}

/** @throws where it is not as it was written. */
export function readLine(text: string): Line {
  const head = HEAD.exec(text)
  const end = text.lastIndexOf(COPIED)
  if (head === null || end < 0) throw new Error('a line is not one of an archive')
  const [{ length }, orderNo = '', sha256 = ''] = head
  if (createHash('sha256').update(text.slice(length, end)).digest('hex') !== sha256) {
    throw new Error(`what the file holds of ${orderNo} is not what was written`)
  }
  return { orderNo, sha256, text }
}

/** Numbers stay the digits that were written. */
type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const asWritten: Reviver = (_key, value, { source }) => (typeof value === 'number' ? (source ?? value) : value)

export const parseLine = ({ text }: Line): Parsed =>
  JSON.parse(text, asWritten as (key: string, value: unknown) => unknown)

/** The same where of what is copied the rows alone count: their numbers need no care, which is dear. */
function parseParts({ text }: Line): Parsed {
  const end = text.lastIndexOf(COPIED)
  const { core } = JSON.parse(`${text.slice(0, end)}}`, asWritten as (key: string, value: unknown) => unknown) as Parsed
  return { core, copied: (JSON.parse(`{${text.slice(end + 1)}`) as Parsed).copied }
}

/** How many rows of each table, and what was paid, settled and refunded of each asset, in smallest units. */
export class Totals {
  readonly rows: Record<string, number> = {}
  readonly #sums = new Map<string, bigint>()
  orders = 0

  add(line: Line): void {
    const { core, copied } = parseParts(line)
    this.orders++
    for (const [table, rows] of Object.entries({ ...core.moved, ...core.emptied, ...copied })) {
      this.rows[table] = (this.rows[table] ?? 0) + rows.length
    }
    const legs = new Map((core.moved.pay_legs ?? []).map((leg) => [leg.id, leg]))
    for (const table of ['payments', 'refunds']) {
      for (const row of core.moved[table] ?? []) this.#count(table, row, row.amount)
    }
    for (const row of core.moved.settlements ?? [])
      this.#count('settlements', legs.get(row.pay_leg_id) ?? {}, row.gross)
  }

  #count(what: string, { chain, asset, contract }: ArchivedRow, amount: unknown): void {
    const key = `${what} ${chain} ${asset}${contract === null ? '' : ` ${contract}`}`
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + BigInt(String(amount)))
  }

  get sums(): Sums {
    return Object.fromEntries([...this.#sums].sort().map(([key, sum]) => [key, sum.toString()]))
  }
}
