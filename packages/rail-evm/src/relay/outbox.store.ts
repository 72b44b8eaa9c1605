// SQL of signed transactions. A row is written before the transaction is broadcast, and a nonce belongs to one row and
// its items for ever.
import { assert } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import type { Db, Tx } from '@florin/platform/db/tx'
import type { SignerTrouble } from './trouble.ts'

export type Purpose = 'settle' | 'refund_bound' | 'propose' | 'execute'

export interface Key {
  chain: string
  /** The sending address, lower case. */
  signer: string
}

export interface Attempt {
  hash: string
  raw: string
  maxFee: bigint
  tip: bigint
}

export interface OutboxRow extends Key {
  nonce: number
  state: 'open' | 'mined'
  purpose: Purpose
  itemIds: string[]
  to: string
  data: string
  gas: bigint
  sentHeight: bigint
  /** When it was first offered, or offered again after it left the chain. */
  firstHeight: bigint
  /** Its orders were told that it waits. */
  isOverdue: boolean
  minedHash: string | null
  minedHeight: bigint | null
  lostLooks: number
  /** Oldest first; never empty. */
  attempts: Attempt[]
}

/** @returns the number after the highest ever used here, or null when none was. */
export async function findNextNonce(db: Db, key: Key): Promise<number | null> {
  const [row] = await db<{ last: bigint | null }[]>`
    select max(nonce) as last from relay_outbox where chain = ${key.chain} and signer = ${key.signer}`
  return row?.last === null || row === undefined ? null : Number(row.last) + 1
}

/** The time of the newest block that the watcher has read; null: it has read none. */
export async function findReadTime(db: Db, chain: string): Promise<Date | null> {
  const [row] = await db<{ time: Date }[]>`
    select b.time from chain_cursors c join chain_blocks b using (chain, height) where c.chain = ${chain} and c.pass = 'seen'`
  return row?.time ?? null
}

export async function insertTransaction(
  tx: Tx,
  row: Key & Pick<OutboxRow, 'nonce' | 'purpose' | 'itemIds' | 'to' | 'data' | 'gas' | 'sentHeight'>,
  attempt: Attempt,
  now: Date,
): Promise<void> {
  await tx`
    insert into relay_outbox (chain, signer, nonce, state, purpose, item_ids, to_address, data, gas, sent_height,
      first_height, sent_at, created_at)
    values (${row.chain}, ${row.signer}, ${row.nonce}, 'open', ${row.purpose}, ${row.itemIds}, ${row.to}, ${row.data},
      ${row.gas.toString()}, ${row.sentHeight.toString()}, ${row.sentHeight.toString()}, ${now}, ${now})`
  await insertAttempt(tx, row, attempt, now)
  const taken = await tx`
    update relay_items set state = 'sent', updated_at = ${now} where id = any(${row.itemIds}) and state = 'waiting' returning id`
  assert(taken.length === row.itemIds.length, 'what is put into a transaction was waiting')
}

/** A replacement of the same transaction. */
export async function insertReplacement(
  tx: Tx,
  row: Key & { nonce: number },
  a: { attempt: Attempt; sentHeight: bigint; now: Date },
): Promise<void> {
  await insertAttempt(tx, row, a.attempt, a.now)
  await tx`
    update relay_outbox set sent_height = ${a.sentHeight.toString()}, sent_at = ${a.now}
    where chain = ${row.chain} and signer = ${row.signer} and nonce = ${row.nonce}`
}

function insertAttempt(tx: Tx, row: Key & { nonce: number }, attempt: Attempt, now: Date): Promise<unknown> {
  return tx`
    insert into relay_attempts (hash, chain, signer, nonce, raw, max_fee, tip, created_at)
    values (${attempt.hash}, ${row.chain}, ${row.signer}, ${row.nonce}, ${attempt.raw}, ${attempt.maxFee.toString()},
      ${attempt.tip.toString()}, ${now})
    on conflict (hash) do nothing`
}

/** Transactions that may still be mined or still leave the chain, smallest nonce first. */
export async function listLiveTransactions(sql: Sql, key: Key): Promise<OutboxRow[]> {
  const rows = await sql<
    (Omit<OutboxRow, 'nonce' | 'attempts'> & {
      nonce: bigint
      attempts: { hash: string; raw: string; maxFee: string; tip: string }[]
    })[]
  >`
    select o.chain, o.signer, o.nonce, o.state, o.purpose, o.item_ids as "itemIds", o.to_address as "to", o.data, o.gas,
      o.sent_height as "sentHeight", coalesce(o.first_height, o.sent_height) as "firstHeight",
      o.is_overdue as "isOverdue", o.mined_hash as "minedHash", o.mined_height as "minedHeight",
      o.lost_looks as "lostLooks",
      (select json_agg(json_build_object('hash', a.hash, 'raw', a.raw, 'maxFee', a.max_fee::text, 'tip', a.tip::text)
          order by a.max_fee)
        from relay_attempts a where a.chain = o.chain and a.signer = o.signer and a.nonce = o.nonce) as attempts
    from relay_outbox o
    where o.chain = ${key.chain} and o.signer = ${key.signer} and o.state in ('open', 'mined')
    order by o.nonce limit 500`
  return rows.map((row) => ({
    ...row,
    nonce: Number(row.nonce),
    attempts: row.attempts.map((attempt) => ({
      hash: attempt.hash,
      raw: attempt.raw,
      maxFee: BigInt(attempt.maxFee),
      tip: BigInt(attempt.tip),
    })),
  }))
}

type Change =
  | { state: 'mined'; hash: string; height: bigint; cost: bigint }
  /** A reorg removed it from its block: from this height on it waits again. */
  | { state: 'open'; height: bigint }
  | { state: 'done' }
  | { state: 'lost' }

export function setTransactionState(db: Db, row: Key & { nonce: number }, change: Change): Promise<unknown> {
  const mined = change.state === 'mined' ? change : null
  const from = change.state === 'open' ? change.height.toString() : null
  return db`
    update relay_outbox set state = ${change.state}, lost_looks = 0,
      sent_height = coalesce(${from}::bigint, sent_height), first_height = coalesce(${from}::bigint, first_height),
      cost = coalesce(${mined?.cost.toString() ?? null}::numeric, cost),
      mined_hash = case when ${change.state} = 'done' then mined_hash else ${mined?.hash ?? null} end,
      mined_height = case when ${change.state} = 'done' then mined_height else ${mined?.height.toString() ?? null}::bigint end
    where chain = ${row.chain} and signer = ${row.signer} and nonce = ${row.nonce}`
}

/**
 * The chain does not have these any more though they were done, since their nonces are free again: nothing later of the
 * key can be mined before they are. Only as far back as reorgs are followed, whatever a node says.
 * @param a.count the key's transaction count at the newest block. @returns all their attempts.
 */
export async function reopenGone(
  db: Db,
  key: Key,
  a: { count: number; height: bigint; reach: bigint },
): Promise<{ hash: string; itemIds: string[] }[]> {
  return db<{ hash: string; itemIds: string[] }[]>`
    with gone as (
      update relay_outbox set state = 'open', mined_hash = null, mined_height = null, lost_looks = 0,
        sent_height = ${a.height.toString()}, first_height = ${a.height.toString()}
      where chain = ${key.chain} and signer = ${key.signer} and nonce >= ${a.count} and state in ('done', 'lost')
        and coalesce(mined_height, sent_height) >= ${(a.height - a.reach).toString()}
      returning chain, signer, nonce, item_ids
    )
    select hash, item_ids as "itemIds" from relay_attempts join gone using (chain, signer, nonce)`
}

/** Whether no later transaction of the same key carries the item. */
export async function isNewestOf(tx: Tx, hash: string, itemId: string): Promise<boolean> {
  const rows = await tx`
    select 1 from relay_attempts a join relay_outbox later using (chain, signer)
    where a.hash = ${hash} and later.nonce > a.nonce and ${itemId} = any(later.item_ids) limit 1`
  return rows.length === 0
}

export async function carriesSeveral(tx: Tx, hash: string): Promise<boolean> {
  const rows = await tx`
    select 1 from relay_attempts a join relay_outbox o using (chain, signer, nonce)
    where a.hash = ${hash} and cardinality(o.item_ids) > 1 limit 1`
  return rows.length > 0
}

/** A transaction whose log left the chain: whether it was mined once more, and moved anything, is to be found out. */
export function watchAgain(tx: Tx, hash: string): Promise<unknown> {
  return tx`
    update relay_outbox o set state = 'mined' from relay_attempts a
    where a.hash = ${hash} and o.chain = a.chain and o.signer = a.signer and o.nonce = a.nonce and o.state = 'done'`
}

/** @returns whether it was not marked so before. */
export async function setOverdue(tx: Tx, row: Key & { nonce: number }, isOverdue: boolean): Promise<boolean> {
  const rows = await tx`
    update relay_outbox set is_overdue = ${isOverdue}
    where chain = ${row.chain} and signer = ${row.signer} and nonce = ${row.nonce} and is_overdue <> ${isOverdue}
    returning 1`
  return rows.length === 1
}

export function countLostLook(db: Db, row: Key & { nonce: number }): Promise<unknown> {
  return db`
    update relay_outbox set lost_looks = lost_looks + 1
    where chain = ${row.chain} and signer = ${row.signer} and nonce = ${row.nonce}`
}

export interface SignerState extends Key {
  role: 'relayer' | 'refunder'
  trouble: SignerTrouble | null
  balance: bigint | null
}

export function saveSigner(db: Db, { trouble, ...state }: SignerState, now: Date): Promise<unknown> {
  const kind = trouble?.kind ?? null
  return db`
    insert into relay_signers (chain, signer, role, trouble, trouble_kind, trouble_since, balance, looked_at)
    values (${state.chain}, ${state.signer}, ${state.role}, ${trouble?.text ?? null}, ${kind},
      ${trouble === null ? null : now}, ${state.balance?.toString() ?? null}, ${now})
    on conflict (chain, signer) do update set role = excluded.role, trouble = excluded.trouble,
      trouble_kind = excluded.trouble_kind, balance = excluded.balance, looked_at = excluded.looked_at,
      trouble_since = case when relay_signers.trouble_kind = excluded.trouble_kind then relay_signers.trouble_since
        else excluded.trouble_since end`
}

export interface SeenSigner extends SignerState {
  troubleSince: Date
  lookedAt: Date
}

/** Keys in trouble first. */
export async function listSigners(db: Db, chains: readonly string[]): Promise<SeenSigner[]> {
  const rows = await db<
    (Omit<SeenSigner, 'balance' | 'trouble'> & {
      balance: string | null
      kind: SignerTrouble['kind'] | null
      text: string | null
    })[]
  >`
    select chain, signer, role, trouble as text, trouble_kind as kind, balance::text, looked_at as "lookedAt",
      coalesce(trouble_since, looked_at) as "troubleSince"
    from relay_signers where chain = any(${chains as string[]})
    order by trouble_kind is null, chain, signer limit 200`
  return rows.map(({ kind, text, ...row }) => ({
    ...row,
    trouble: kind === null ? null : { kind, text: text ?? kind },
    balance: row.balance === null ? null : BigInt(row.balance),
  }))
}

/** What a key's transactions cost since a time, and when the first of them was sent. */
export async function sumCosts(db: Db, key: Key, since: Date): Promise<{ spent: bigint; first: Date | null }> {
  const [row] = await db<{ spent: string | null; first: Date | null }[]>`
    select sum(cost)::text as spent, min(sent_at) as first from relay_outbox
    where chain = ${key.chain} and signer = ${key.signer} and sent_at >= ${since} and cost is not null`
  return { spent: BigInt(row?.spent ?? 0), first: row?.first ?? null }
}
