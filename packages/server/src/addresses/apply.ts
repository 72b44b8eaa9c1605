// Writes an address change and everything that reports it: row, history, audit entry and mail are one transaction,
// under the merchant's lock.
import { type Chain, findChain } from '@florin/chains'
import { assert } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import { enqueueNotice, type Notice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { placeTexts } from './accounts/texts.ts'
import type { AddressNews } from './mails.ts'
import { endedMail } from './mails.ts'
import * as store from './store.ts'
import { type ChainAddressRow, isRipe } from './waiting.ts'

export type ChangeDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

/** The actor recorded with the change. */
export interface Author {
  merchantId: string
  /** Who is notified. */
  email: string
  actor: string
  sessionId: string | null
}

export function chainOf(id: string): Chain {
  const chain = findChain(id)
  assert(chain !== null, `the catalogue has lost the chain ${id}`)
  return chain
}

export async function newsOf(
  deps: ChangeDeps,
  tx: Tx,
  a: { chain: string; before: string | null; after: string | null; at: Date },
): Promise<AddressNews> {
  const texts = await placeTexts(tx, [a.before, a.after])
  const { baseUrl } = deps.config
  return { chainName: chainOf(a.chain).name, before: texts(a.before), after: texts(a.after), at: a.at, baseUrl }
}

/** Writes the value in effect from now on, with its history entry. Sends no mail. */
export async function writeAddress(
  tx: Tx,
  by: Author,
  row: ChainAddressRow,
  to: { address: string | null; label: string | null; action?: string },
  now: Date,
): Promise<void> {
  const { address, label } = to
  const change = { merchantId: by.merchantId, chain: row.chain, address, label }
  const action = to.action ?? (address === null ? 'receiving_address.removed' : 'receiving_address.changed')
  await Promise.all([
    address === null
      ? store.deleteAddress(tx, by.merchantId, row.chain)
      : store.saveAddress(tx, { ...change, address, sessionId: by.sessionId }, now),
    store.insertHistory(tx, { ...change, id: newId('adr', now), changedBy: by.actor }, now),
    audit(tx, by, action, row.chain, { from: row.address, to: address, label }, now),
  ])
}

export function audit(
  tx: Tx,
  by: Author,
  action: string,
  chain: string,
  detail: Record<string, string | null>,
  now: Date,
): Promise<unknown> {
  return recordAudit(tx, { merchantId: by.merchantId, actor: by.actor, action, subject: chain, detail }, now)
}

export function tell(
  deps: ChangeDeps,
  tx: Tx,
  by: Author,
  a: Pick<Notice, 'weight' | 'subject' | 'text'>,
  now: Date,
): Promise<void> {
  const isWhereMoneyGoes = a.weight === 'addresses'
  return enqueueNotice(tx, deps, { ...a, isWhereMoneyGoes, merchantId: by.merchantId, to: by.email }, now)
}

/** A due change is applied, notified, and no longer waits. @returns the row as it is then. */
export async function ripen(
  deps: ChangeDeps,
  tx: Tx,
  who: { merchantId: string; email: string },
  row: ChainAddressRow,
  now: Date,
): Promise<ChainAddressRow> {
  const { waiting, chain } = row
  if (waiting === null || !isRipe(waiting, now)) return row
  const { address, label, sessionId, askedBy } = waiting
  const by = { ...who, actor: askedBy, sessionId }
  await store.deleteWaiting(tx, who.merchantId, chain)
  await writeAddress(tx, by, row, { address, label }, now)
  const news = await newsOf(deps, tx, { chain, before: row.address, after: address, at: now })
  await tell(deps, tx, by, { weight: 'addresses', ...endedMail(news, 'took effect') }, now)
  const updatedAt = address === null ? null : now
  return { ...row, address, label, sessionId, updatedAt, waiting: null }
}
