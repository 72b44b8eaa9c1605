// The SQL of receiving_addresses and their history. An order copies the address it settles to when it is made, so
// nothing here can redirect one.
import type { ChainAddress } from '@florin/chains'
import type { Sql } from '../platform/db/pool.ts'
import type { Db, Tx } from '../platform/db/tx.ts'

export interface ReceivingAddress {
  /** Canonical id. */
  chain: string
  /** Canonical form. */
  address: string
  label: string | null
  updatedAt: Date
  /** Its chain is the merchant's default settle chain. */
  isDefault: boolean
}

// One statement text for both readers. The bound is above the number of chains there are.
const addressesOf = (db: Db, merchantId: string, chain: string | null) => db<ReceivingAddress[]>`
  select r.chain, r.address, r.label, r.updated_at as "updatedAt",
         r.chain is not distinct from m.default_settle_chain as "isDefault"
  from receiving_addresses r join merchants m on m.id = r.merchant_id
  where r.merchant_id = ${merchantId} and (${chain}::text is null or r.chain = ${chain})
  order by r.chain limit 500`

/** Where the merchant's money of this chain goes, or null. @param chain canonical id. */
export async function findReceivingAddress(
  db: Db,
  merchantId: string,
  chain: string,
): Promise<ReceivingAddress | null> {
  const [row] = await addressesOf(db, merchantId, chain)
  return row ?? null
}

/** All receiving addresses of a merchant, by chain id: at most one a chain. */
export function listReceivingAddresses(db: Db, merchantId: string): Promise<ReceivingAddress[]> {
  return addressesOf(db, merchantId, null)
}

/** Changes of one merchant's addresses happen one after another; rows that refer to the merchant are still made. */
export function lockAddresses(tx: Tx, merchantId: string): Promise<unknown> {
  return tx`select 1 from merchants where id = ${merchantId} for no key update`
}

export interface AddressChange {
  merchantId: string
  chain: string
  /** null: removed. */
  address: ChainAddress | null
  label: string | null
}

export function saveAddress(tx: Tx, a: AddressChange & { address: ChainAddress }, now: Date): Promise<unknown> {
  return tx`
    insert into receiving_addresses (merchant_id, chain, address, label, updated_at)
    values (${a.merchantId}, ${a.chain}, ${a.address}, ${a.label}, ${now})
    on conflict on constraint one_address_per_chain do update
      set address = excluded.address, label = excluded.label, updated_at = excluded.updated_at`
}

export function deleteAddress(tx: Tx, merchantId: string, chain: string): Promise<unknown> {
  return tx`delete from receiving_addresses where merchant_id = ${merchantId} and chain = ${chain}`
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
