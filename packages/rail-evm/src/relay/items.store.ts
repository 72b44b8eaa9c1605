// SQL of the relay's items: settlements and refunds to send. An item ends in the transaction that notifies its order.
import type { Route } from '@florin/contracts'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import { MoveWaits } from '@florin/rail-kit/interface/moves'
import { zeroAddress } from 'viem'
import { readRoute, type StoredRoute } from '../address/stored-route.ts'

export type ItemKind = 'settle' | 'refund_bound' | 'refund_announced'

export interface NewItem {
  id: string
  kind: ItemKind
  chain: string
  orderRef: string
  legRef: string
  token: string | null
  amount: bigint
  feeBps: number
  to: string | null
}

export interface RelayItem extends NewItem {
  state: 'waiting' | 'sent' | 'done' | 'failed'
  proposalId: string | null
  failures: number
  failure: string | null
  /** 0: sent with others; 1: only with items of its receiver; 2 and more: alone. */
  apart: number
  /** Whom it pays, as far as others are to be kept apart from it. */
  receiver: string
  merchant: string
  createdAt: Date
  notBefore: Date
  /** The deposit address, lower case. */
  vault: string
  route: Route
}

type ItemRow = Omit<RelayItem, 'amount' | 'route'> & { amount: string; route: StoredRoute }

/** A refund of the same money to the same address is under way: this one waits for its turn. */
export class RefundUnderWay extends MoveWaits {}

/**
 * Idempotent by id: a repeated request is accepted once. Of a leg, asset and address one refund at a time.
 * @throws RefundUnderWay
 */
export async function insertItems(sql: Sql, items: readonly NewItem[], now: Date): Promise<void> {
  for (const item of items) {
    const inTurn = item.kind !== 'settle'
    const [row] = await sql<{ isKnown: boolean }[]>`
      with made as (
        insert into relay_items (id, kind, chain, order_ref, leg_ref, token, amount, fee_bps, to_address, state, in_turn,
          not_before, created_at, updated_at)
        select ${item.id}, ${item.kind}, ${item.chain}, ${item.orderRef}, ${item.legRef}, ${item.token},
          ${item.amount.toString()}::numeric, ${item.feeBps}::int, ${item.to}, 'waiting', ${inTurn}::boolean, ${now}::timestamptz,
          ${now}::timestamptz, ${now}::timestamptz
        where not ${inTurn}::boolean or not exists (
          select from relay_items other
          where other.leg_ref = ${item.legRef} and other.chain = ${item.chain} and other.state in ('waiting', 'sent')
            and other.kind <> 'settle' and other.token is not distinct from ${item.token} and other.to_address = ${item.to})
        on conflict do nothing returning id
      )
      select exists (select from made) or exists (select from relay_items where id = ${item.id}) as "isKnown"`
    if (row?.isKnown !== true) {
      throw new RefundUnderWay(`refund ${item.id} waits: another one of the same money goes to the same address`)
    }
  }
}

/**
 * The merchant's address, the payer's of a refund, and the token: a receiver that fails with native coins, or that one token refuses,
 * holds up no other coin.
 */
export const receiverOf = (db: Db) => db`concat_ws(' ', ${payeeOf(db)}, i.to_address, i.token)`

const payeeOf = (db: Db) => db`coalesce(lower(v.route->>'merchant'), '')`

/** Whose order it is, whatever addresses it is paid at; where that is not known, the merchant's address. */
export const merchantOf = (db: Db) => db`coalesce(v.merchant_id, ${payeeOf(db)})`

/** Whether its receiver may use gas as it likes: what a native coin is sent to, unless it has no code and never burnt any. */
export const mayBurn = (db: Db) => db`(i.token is null and (i.burnt > 0 or i.is_account is not true))`

/** Mined already: its gas is paid. */
export const isMined = (db: Db) => db`exists (
  select from forwarder_factory_logs l
  where l.chain = i.chain and l.vault = v.vault and l.event in ('Settled', 'Refunded') and l.state <> 'orphaned')`

/** A native coin goes to so many receivers of one merchant at a time: more is not lost before it is known that they burn gas. */
const RECEIVERS_MAX = 5

const columns = (db: Db) => db`
  i.id, i.kind, i.chain, i.order_ref as "orderRef", i.leg_ref as "legRef", i.token, i.amount::text, i.fee_bps as "feeBps",
  i.to_address as "to", i.state, i.proposal_id as "proposalId", i.failures, i.failure, i.created_at as "createdAt",
  i.not_before as "notBefore", i.apart, ${receiverOf(db)} as receiver, ${merchantOf(db)} as merchant, v.vault, v.route`

export interface WaitingQuery {
  chain: string
  kinds: readonly ItemKind[]
  now: Date
  limit: number
  /** Receivers whose items are sent apart. */
  suspects: readonly string[]
  /** Of them those whose turn has not come yet. */
  resting: readonly string[]
  /** Merchants whose receivers burnt much gas: what may burn more of it is sent apart. */
  burners: readonly string[]
  /** Of them those whose turn has not come yet. */
  restingBurners: readonly string[]
  /** true: what is sent apart; false: what is sent with others. */
  isApart: boolean
}

/**
 * Merchants take turns, and those with less under way come first: however many orders one of them
 * has, each other one is in the next transaction. One item per deposit address, skipping addresses with a transaction under way: they share
 * its balance. A refund also waits for every transaction of an earlier item of its address, also one given up: what was
 * broadcast may still be mined, and two of them would pay twice.
 */
export async function listWaitingItems(sql: Sql, a: WaitingQuery): Promise<RelayItem[]> {
  const suspects = sql`any(${a.suspects as string[]}::text[])`
  const rows = await sql<ItemRow[]>`
    with broadcast as (
      select e.id, e.leg_ref from relay_outbox o join relay_items e on e.id = any(o.item_ids)
      where o.chain = ${a.chain} and o.state in ('open', 'mined')
    ), under_way as (
      select ${merchantOf(sql)} as merchant, count(*) as n,
        count(distinct ${receiverOf(sql)}) filter (where i.token is null and not ${isMined(sql)}) as receivers
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.state = 'sent' and i.kind = any(${a.kinds as string[]}) group by 1
    ), ready as (
      select i.id, i.apart, i.created_at, ${receiverOf(sql)} as receiver, ${merchantOf(sql)} as merchant, i.token is null as native,
        ${mayBurn(sql)} and ${merchantOf(sql)} = any(${a.burners as string[]}::text[]) as held,
        min(i.created_at) over (partition by ${merchantOf(sql)}, ${receiverOf(sql)}) as first_at
      from relay_items i join forwarder_vaults v using (leg_ref)
      where i.chain = ${a.chain} and i.state = 'waiting' and i.kind = any(${a.kinds as string[]}) and i.not_before <= ${a.now}
        and not exists (
          select 1 from relay_items other where other.leg_ref = i.leg_ref and other.chain = i.chain and other.id <> i.id
            and (other.state = 'sent' or (other.state = 'waiting' and other.kind = 'settle'
              and (other.created_at, other.id) < (i.created_at, i.id))))
        and (i.kind = 'settle' or not exists (
          select from broadcast b where b.leg_ref = i.leg_ref and b.id <> i.id))
        -- It may have moved this very money: after a restore the chain knows more than the rows.
        and not exists (
          select from forwarder_factory_logs l where l.chain = i.chain and l.vault = v.vault and l.event in ('Settled', 'Refunded')
            and l.state <> 'orphaned' and l.relayed is distinct from 'final')
    ), turns as (
      select r.id, r.native, coalesce(u.n, 0) + row_number() over (partition by r.merchant order by r.created_at, r.id) as turn,
        coalesce(u.receivers, 0) + dense_rank() over (partition by r.merchant, r.native order by r.first_at, r.receiver) as receivers
      from ready r left join under_way u using (merchant)
      where (r.apart > 0 or r.held or r.receiver = ${suspects}) = ${a.isApart}::boolean
        and r.receiver <> all(${a.resting as string[]}::text[])
        and not (r.held and r.merchant = any(${a.restingBurners as string[]}::text[]))
    )
    select ${columns(sql)} from turns join relay_items i using (id) join forwarder_vaults v using (leg_ref)
    where ${a.isApart}::boolean or not turns.native or turns.receivers <= ${RECEIVERS_MAX}
    order by turns.turn, i.created_at, i.id limit ${a.limit}`
  return rows.map(itemOf)
}

export async function hasWaitingItems(
  sql: Sql,
  a: { chain: string; kinds: readonly ItemKind[]; now: Date },
): Promise<boolean> {
  const rows = await sql`
    select 1 from relay_items
    where chain = ${a.chain} and state = 'waiting' and kind = any(${a.kinds as string[]}) and not_before <= ${a.now} limit 1`
  return rows.length > 0
}

/** The items of the transaction with this hash that lie on this address. */
export async function findItemsOfTransaction(tx: Tx, hash: string, vault: string | null): Promise<RelayItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from relay_attempts a join relay_outbox o using (chain, signer, nonce)
      join relay_items i on i.id = any(o.item_ids) join forwarder_vaults v using (leg_ref)
    where a.hash = ${hash} and (${vault}::text is null or v.vault = ${vault})
    order by i.id limit 100 for update of i`
  return rows.map(itemOf)
}

/** What this transaction is still to move: what a later one carries is that one's. */
export async function listItemsCarriedBy(
  tx: Tx,
  row: { chain: string; signer: string; nonce: number; itemIds: readonly string[] },
): Promise<RelayItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from relay_items i join forwarder_vaults v using (leg_ref)
    where i.id = any(${row.itemIds as string[]}) and i.state = 'sent' and not exists (
      select 1 from relay_outbox later
      where later.chain = ${row.chain} and later.signer = ${row.signer} and later.nonce > ${row.nonce}
        and i.id = any(later.item_ids))
    order by i.id limit 100 for update of i`
  return rows.map(itemOf)
}

/**
 * Whether the money of an item lay on its address at a height, by the rows: what fails for want of it did not fail, it
 * waits for a payment that a reorg took away.
 */
export async function wasCovered(tx: Tx, item: RelayItem, height: bigint): Promise<boolean> {
  const at = height.toString()
  const [row] = await tx<{ held: string }[]>`
    select coalesce(sum(amount), 0)::text as held from (
      select amount from forwarder_observations
      where chain = ${item.chain} and vault = ${item.vault} and token is not distinct from ${item.token}
        and state <> 'orphaned' and height <= ${at}
      union all
      select -(coalesce(args->>'gross', args->>'amount'))::numeric from forwarder_factory_logs
      where chain = ${item.chain} and vault = ${item.vault} and args->>'token' = ${item.token ?? zeroAddress}
        and event in ('Settled', 'Refunded') and state <> 'orphaned' and height <= ${at}
    ) moved`
  return BigInt(row?.held ?? 0) >= item.amount
}

/** What failed in a block that left the chain did not fail. */
export function forgetFailures(tx: Tx, ids: readonly string[]): Promise<unknown> {
  return tx`
    update relay_items set failures = 0 where id = any(${ids as string[]}) and state in ('waiting', 'sent') and failures > 0`
}

/** What was ended on an address. */
export async function listDoneItemsOfVault(tx: Tx, chain: string, vault: string): Promise<RelayItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from relay_items i join forwarder_vaults v using (leg_ref)
    where i.chain = ${chain} and v.vault = ${vault} and i.state = 'done'
    order by i.created_at desc, i.id desc limit 100 for update of i`
  return rows.map(itemOf)
}

/** What was done left the chain; a later one of its address may be under way by now. @param a.state sent: its own transaction is offered again; waiting: it had none. */
export function reopenItem(tx: Tx, a: { id: string; state: 'sent' | 'waiting'; now: Date }): Promise<unknown> {
  return tx`
    update relay_items set state = ${a.state}, in_turn = false, failures = 0, failure = null, not_before = ${a.now},
      updated_at = ${a.now}
    where id = ${a.id} and state = 'done'`
}

/** What is in flight or waiting on an address. */
export async function listOpenItemsOfVault(tx: Tx, chain: string, vault: string): Promise<RelayItem[]> {
  const rows = await tx<ItemRow[]>`
    select ${columns(tx)} from relay_items i join forwarder_vaults v using (leg_ref)
    where i.chain = ${chain} and v.vault = ${vault} and i.state in ('waiting', 'sent')
    order by i.created_at, i.id limit 100 for update of i`
  return rows.map(itemOf)
}

export async function findItemByProposal(tx: Tx, chain: string, proposalId: string): Promise<RelayItem | null> {
  const [row] = await tx<ItemRow[]>`
    select ${columns(tx)} from relay_items i join forwarder_vaults v using (leg_ref)
    where i.chain = ${chain} and i.proposal_id = ${proposalId} and i.state in ('waiting', 'sent') limit 1 for update of i`
  return row === undefined ? null : itemOf(row)
}

/** Waits again, as if nothing had been sent; done and failed items stay as they are. */
export function postponeItems(db: Db, ids: readonly string[], notBefore: Date, now: Date): Promise<unknown> {
  return db`
    update relay_items set state = 'waiting', not_before = ${notBefore}, updated_at = ${now}
    where id = any(${ids as string[]}) and state in ('waiting', 'sent')`
}

/** Counts a failure; the item waits for another try. */
export function noteFailure(db: Db, a: { id: string; failure: string; notBefore: Date; now: Date }): Promise<unknown> {
  return db`
    update relay_items set state = 'waiting', failures = failures + 1, failure = ${a.failure},
      not_before = ${a.notBefore}, updated_at = ${a.now}
    where id = ${a.id} and state in ('waiting', 'sent')`
}

/** @returns whether it was still open: an item ends only once. */
export async function endItem(
  tx: Tx,
  a: { id: string; state: 'done' | 'failed'; failure: string | null; now: Date },
): Promise<boolean> {
  const rows = await tx`
    update relay_items set state = ${a.state}, failure = ${a.failure}, updated_at = ${a.now}
    where id = ${a.id} and (state in ('waiting', 'sent') or (${a.state} = 'done' and state = 'failed')) returning id`
  return rows.length === 1
}

/** An announced refund waits until its time; without an id the announcement is cleared. */
export function setProposal(
  db: Db,
  a: { id: string; proposalId: string | null; state: 'waiting' | 'sent'; notBefore: Date; now: Date },
): Promise<unknown> {
  return db`
    update relay_items set proposal_id = ${a.proposalId}, state = ${a.state}, not_before = ${a.notBefore},
      failures = 0, updated_at = ${a.now}
    where id = ${a.id} and state in ('waiting', 'sent')`
}

function itemOf(row: ItemRow): RelayItem {
  return { ...row, amount: BigInt(row.amount), route: readRoute(row.route) }
}

export interface WaitingWork {
  chain: string
  role: 'relayer' | 'refunder'
  /** Since when the oldest of it could have been sent. */
  since: Date
}

/** What waits for a key, by chain and role. */
export function listWaitingWork(db: Db, chains: readonly string[], now: Date): Promise<WaitingWork[]> {
  return db`
    select chain, case when kind = 'settle' then 'relayer' else 'refunder' end as role,
      min(case when proposal_id is null then created_at else not_before end) as since
    from relay_items
    where state = 'waiting' and chain = any(${chains as string[]}) and (proposal_id is null or not_before <= ${now})
    group by 1, 2`
}
