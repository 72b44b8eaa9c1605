// Every advisory lock that Florin takes in PostgreSQL, by name. A lock's number is a hash of its name, so two names never share
// one. All of them are locks of a transaction, which also hold behind a pooler.
import { hash } from 'node:crypto'
import type { Sql } from '../pool.ts'
import type { Tx } from '../tx.ts'

export const lockNames = [
  // The schema.
  'migration',
  'index change',
  // Of a database and a role.
  'role settings',
  // Of one subject each: an email, an IP address, a mailbox, a merchant.
  'sign-in email',
  'sign-in client',
  'payer mailbox',
  'test mails of a merchant',
  'replays of a merchant',
  'payee of refunds',
  // Of a chain.
  'counted transfers',
  'account owners',
  'order sums',
  'intents trust',
  'intents place',
] as const

export type LockName = (typeof lockNames)[number]

/** @param subject for a name that has a lock for each email, merchant and so on. */
export function lockNumber(name: LockName, subject = ''): bigint {
  return hash('sha256', `florin ${name}\n${subject}`, 'buffer').readBigInt64BE()
}

/** Waits until this transaction holds the lock, which it keeps until it ends. Of a pool with a lock timeout only. */
export function holdLock(tx: Tx, name: LockName, subject?: string): Promise<unknown> {
  return tx`select pg_advisory_xact_lock(${lockNumber(name, subject)})`
}

/** As `holdLock`, beside others that share it; whoever holds it waits for all of them. */
export function shareLock(tx: Tx, name: LockName, subject?: string): Promise<unknown> {
  return tx`select pg_advisory_xact_lock_shared(${lockNumber(name, subject)})`
}

/**
 * @returns false where another transaction holds the lock. A statement without parameters is sent, which leaves no snapshot in an open
 * transaction that is read committed.
 */
export async function tryLock(tx: Tx, name: LockName): Promise<boolean> {
  const [row] = await tx.unsafe<{ isHeld: boolean }[]>(
    `select pg_try_advisory_xact_lock(${lockNumber(name)}) as "isHeld"`,
  )
  return row?.isHeld === true
}

/** Which session holds the lock, as a person reads it; null: none does now. */
export async function holderOf(sql: Sql, name: LockName): Promise<string | null> {
  const number = BigInt.asUintN(64, lockNumber(name))
  const [row] = await sql<{ pid: number; application: string | null }[]>`
    select l.pid, a.application_name as application from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and l.classid::bigint = ${number >> 32n} and l.objid::bigint = ${number & 0xffff_ffffn} limit 1`
  return row === undefined ? null : `pid ${row.pid} (${row.application ?? ''})`
}
