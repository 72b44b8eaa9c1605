// SQL of receiving_addresses, of waiting changes, and of their history. An order copies the address it settles to when
// it is created, so nothing here can redirect one.
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { defaultChainOf, setDefaultChain } from '../login/default-chain.store.ts'
import type { ChainAddressRow, Waiting } from './waiting.ts'

type FlatRow = Omit<ChainAddressRow, 'waiting'> & {
  next: string | null
  nextLabel: string | null
  nextSessionId: string | null
  askedBy: string | null
  askedAt: Date | null
  effectiveAt: Date | null
}

// One statement text for both readers. The limit exceeds the number of chains.
const rowsOf = (db: Db, merchantId: string, chain: string | null) => db<FlatRow[]>`
  select chain, r.address, r.label, r.session_id as "sessionId", r.updated_at as "updatedAt",
         w.address as next, w.label as "nextLabel", w.session_id as "nextSessionId", w.asked_by as "askedBy",
         w.asked_at as "askedAt", w.effective_at as "effectiveAt",
         chain is not distinct from ${defaultChainOf(db, merchantId)} as "isDefault"
  from (select * from receiving_addresses where merchant_id = ${merchantId}) r
  full join (select * from waiting_addresses where merchant_id = ${merchantId}) w using (chain)
  where ${chain}::text is null or chain = ${chain}
  order by chain limit 500`

function toRow(flat: FlatRow): ChainAddressRow {
  const { next, nextLabel, nextSessionId, askedBy, askedAt, effectiveAt, ...row } = flat
  const isWaiting = askedBy !== null && askedAt !== null && effectiveAt !== null
  const waiting: Waiting | null = isWaiting
    ? { address: next, label: nextLabel, sessionId: nextSessionId, askedBy, askedAt, effectiveAt }
    : null
  return { ...row, waiting }
}

/** @param chain canonical id. @returns an empty row where nothing was ever set. */
export async function findChainAddress(db: Db, merchantId: string, chain: string): Promise<ChainAddressRow> {
  const [flat] = await rowsOf(db, merchantId, chain)
  const nothing = { chain, address: null, label: null, sessionId: null, updatedAt: null, waiting: null }
  return flat === undefined ? { ...nothing, isDefault: false } : toRow(flat)
}

/** All of a merchant, by chain id: at most one row per chain. */
export async function listChainAddresses(db: Db, merchantId: string): Promise<ChainAddressRow[]> {
  return (await rowsOf(db, merchantId, null)).map(toRow)
}

/** Serializes changes of one merchant's addresses; rows that refer to the merchant can still be inserted. */
export async function lockAddresses(tx: Tx, merchantId: string): Promise<string> {
  const [row] = await tx<{ email: string }[]>`
    select email from merchant_accounts where id = ${merchantId} for no key update`
  return row?.email ?? ''
}

/**
 * Whether a live order of the merchant was ever paid: it got beyond pending and did not expire. Uses the index of
 * statuses, one probe each.
 */
export async function hasBeenPaid(db: Db, merchantId: string): Promise<boolean> {
  const rows = await db`
    select 1 from order_summaries
    where merchant_id = ${merchantId} and livemode and status in ('processing', 'success', 'failed', 'refunded') limit 1`
  return rows.length > 0
}

/** Whether any merchant receives money there, on whichever chain, is to, or did. @param address in its chain's canonical form */
export async function isReceiving(db: Db, address: string): Promise<boolean> {
  const rows = await db`
    (select 1 from receiving_addresses where address = ${address} limit 1)
    union all (select 1 from waiting_addresses where address = ${address} limit 1)
    union all (select 1 from receiving_address_history where address = ${address} limit 1)`
  return rows.length > 0
}

export async function hadAddress(db: Db, merchantId: string): Promise<boolean> {
  const rows = await db`
    (select 1 from receiving_address_history where merchant_id = ${merchantId} limit 1)
    union all (select 1 from receiving_addresses where merchant_id = ${merchantId} limit 1)
    union all (select 1 from waiting_addresses where merchant_id = ${merchantId} limit 1)`
  return rows.length > 0
}

/**
 * The only address of a merchant is where orders settle that name no chain: said so from the start, a second one changes
 * nothing by itself. @returns whether it became so now.
 */
export async function makeOnlyDefault(tx: Tx, merchantId: string, chain: string): Promise<boolean> {
  const others = await tx`
    (select 1 from receiving_addresses where merchant_id = ${merchantId} and chain <> ${chain} limit 1)
    union all (select 1 from waiting_addresses where merchant_id = ${merchantId} and chain <> ${chain} limit 1)`
  return others.length === 0 && setDefaultChain(tx, merchantId, chain)
}

export interface AddressChange {
  merchantId: string
  chain: string
  /** null: removed. */
  address: string | null
  label: string | null
}

export function saveAddress(
  tx: Tx,
  a: AddressChange & { address: string; sessionId: string | null },
  now: Date,
): Promise<unknown> {
  return tx`
    insert into receiving_addresses (merchant_id, chain, address, label, session_id, updated_at)
    values (${a.merchantId}, ${a.chain}, ${a.address}, ${a.label}, ${a.sessionId}, ${now})
    on conflict on constraint one_address_per_chain do update
      set address = excluded.address, label = excluded.label, session_id = excluded.session_id,
          updated_at = excluded.updated_at`
}

export function deleteAddress(tx: Tx, merchantId: string, chain: string): Promise<unknown> {
  return tx`delete from receiving_addresses where merchant_id = ${merchantId} and chain = ${chain}`
}

/** Each new value waits its own time. */
export function saveWaiting(tx: Tx, a: AddressChange & Waiting): Promise<unknown> {
  return tx`
    insert into waiting_addresses (merchant_id, chain, address, label, session_id, asked_by, asked_at, effective_at)
    values (${a.merchantId}, ${a.chain}, ${a.address}, ${a.label}, ${a.sessionId}, ${a.askedBy}, ${a.askedAt},
            ${a.effectiveAt})
    on conflict on constraint one_waiting_address_per_chain do update
      set address = excluded.address, label = excluded.label, session_id = excluded.session_id,
          asked_by = excluded.asked_by, asked_at = excluded.asked_at, effective_at = excluded.effective_at`
}

export function deleteWaiting(tx: Tx, merchantId: string, chain: string): Promise<unknown> {
  return tx`delete from waiting_addresses where merchant_id = ${merchantId} and chain = ${chain}`
}

export function listRipe(sql: Sql, a: { now: Date; limit: number }): Promise<{ merchantId: string; chain: string }[]> {
  return sql<{ merchantId: string; chain: string }[]>`
    select merchant_id as "merchantId", chain from waiting_addresses where effective_at <= ${a.now}
    order by effective_at limit ${a.limit}`
}

export interface AddressHistoryRow {
  id: string
  chain: string
  address: string | null
  label: string | null
  changedBy: string
  changedAt: Date
}

export function insertHistory(
  tx: Tx,
  a: AddressChange & { id: string; changedBy: string },
  now: Date,
): Promise<unknown> {
  return tx`
    insert into receiving_address_history (id, merchant_id, chain, address, label, changed_by, changed_at)
    values (${a.id}, ${a.merchantId}, ${a.chain}, ${a.address}, ${a.label}, ${a.changedBy}, ${now})`
}

export function listHistory(
  sql: Sql,
  a: { merchantId: string; chain: string | null; before: string | null; limit: number },
): Promise<AddressHistoryRow[]> {
  return sql<AddressHistoryRow[]>`
    select id, chain, address, label, changed_by as "changedBy", changed_at as "changedAt"
    from receiving_address_history
    where merchant_id = ${a.merchantId} and (${a.chain}::text is null or chain = ${a.chain})
      and (${a.before}::text is null or id < ${a.before})
    order by id desc limit ${a.limit}`
}
