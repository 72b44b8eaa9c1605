// The queue of work that is due at a time, once: "do `kind` for `subject` at `runAt`". A task is added in the transaction of what
// causes it. A claim is a lease with a fence: a worker that took too long, or whose task was asked for anew, ends nothing.
import type { Fragment } from '../db/sql.ts'
import type { Db, Tx } from '../db/tx.ts'

/** Names a task within its kind. */
export interface TaskKey {
  /** The merchant, where all tasks of one merchant are read together. Default: none. */
  owner?: string
  subject: string
}

export interface NewTask<P extends object = object> extends TaskKey {
  runAt: Date
  payload?: P
}

export interface Task<P extends object = object> extends Required<TaskKey> {
  kind: string
  /** When it was first asked for. */
  createdAt: Date
  /** Claims since it was last asked for, with this one. */
  attempts: number
  /** Names the claim. */
  fence: number
  payload: P
}

const columns = (db: Db) => db`t.kind, t.owner, t.subject, t.created_at as "createdAt", t.attempts, t.fence, t.payload`

const given = (db: Db, tasks: readonly NewTask[]) => db`
  unnest(${tasks.map((task) => task.owner ?? '')}::text[], ${tasks.map((task) => task.subject)}::text[],
    ${tasks.map((task) => task.runAt.toISOString())}::timestamptz[],
    ${tasks.map((task) => JSON.stringify(task.payload ?? {}))}::text[]) as given (owner, subject, run_at, payload)`

/** A task that is there, due or done, stays as it is. */
export async function addTasks(db: Db, kind: string, tasks: readonly NewTask[], now: Date): Promise<void> {
  if (tasks.length === 0) return
  await db`
    insert into tasks (kind, owner, subject, run_at, created_at, payload)
    select ${kind}, owner, subject, run_at, ${now}, payload::jsonb from ${given(db, tasks)}
    on conflict do nothing`
}

/** Part of a statement: adds tasks without an owner for the rows `(subject, run_at)` of another part of it. */
export const addTasksFrom = (db: Db, kind: string, rows: Fragment) => db`
  insert into tasks (kind, subject, run_at, created_at)
  select ${kind}, r.subject, r.run_at, r.run_at from (${rows}) r (subject, run_at) on conflict do nothing`

/**
 * A task that is there becomes due at the earlier of both times, and its payload takes over the fields that are given. Whoever is at it
 * can no longer end it, because that work may have begun before what is asked for now.
 */
export async function askTasks(db: Db, kind: string, tasks: readonly NewTask[], now: Date): Promise<void> {
  if (tasks.length === 0) return
  await db`
    insert into tasks as t (kind, owner, subject, run_at, created_at, payload)
    select ${kind}, owner, subject, run_at, ${now}, payload::jsonb from ${given(db, tasks)}
    on conflict (kind, owner, subject) do update set
      run_at = least(t.run_at, excluded.run_at), attempts = 0, fence = t.fence + 1, payload = t.payload || excluded.payload`
}

/** Leases what is due, longest first; rows that another process holds are skipped. */
export function claimTasks<P extends object>(
  db: Db,
  kind: string,
  a: { now: Date; leaseMs: number; limit: number },
): Promise<Task<P>[]> {
  return db<Task<P>[]>`
    with due as materialized (
      select owner, subject from tasks where kind = ${kind} and run_at <= ${a.now} order by run_at limit ${a.limit}
      for no key update skip locked
    )
    update tasks t set run_at = ${new Date(a.now.getTime() + a.leaseMs)}, attempts = attempts + 1, fence = fence + 1
    from due where t.kind = ${kind} and t.owner = due.owner and t.subject = due.subject
    returning ${columns(db)}`
}

/**
 * Holds what is due until the commit, longest first, for work that the transaction itself does. Where it dies they are due as before.
 * @param a.owner all that waits of this owner, due or not.
 */
export function takeTasks<P extends object>(
  tx: Tx,
  kind: string,
  a: { limit: number } & ({ now: Date } | { owner: string }),
): Promise<Task<P>[]> {
  const which = 'now' in a ? tx`run_at <= ${a.now}` : tx`owner = ${a.owner} and run_at is not null`
  return tx<Task<P>[]>`
    select ${columns(tx)} from tasks t where kind = ${kind} and ${which} order by run_at, subject limit ${a.limit}
    for no key update skip locked`
}

export async function findTask<P extends object>(
  db: Db,
  kind: string,
  key: Required<TaskKey>,
): Promise<Task<P> | null> {
  const [row] = await db<Task<P>[]>`
    select ${columns(db)} from tasks t where kind = ${kind} and owner = ${key.owner} and subject = ${key.subject}`
  return row ?? null
}

/** Of these, the subjects that have a task. */
export async function findSubjects(db: Db, kind: string, keys: readonly TaskKey[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ subject: string }[]>`
    select subject from tasks where kind = ${kind} and (owner, subject) in (
      select * from unnest(${keys.map(({ owner = '' }) => owner)}::text[], ${keys.map(({ subject }) => subject)}::text[]))`
  return new Set(rows.map(({ subject }) => subject))
}

/** When the task that is due first is due, or its lease ends. */
export async function findNextDue(db: Db, kind: string): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select min(run_at) as at from tasks where kind = ${kind} and run_at is not null`
  return row?.at ?? null
}

/**
 * Of tasks whose payloads have these fields: how many lack a time, and the earliest one of the others.
 * @param a.owner null: of all.
 */
export async function readTimes(
  db: Db,
  kind: string,
  a: { owner: string | null; having: object; time: string },
): Promise<{ missing: number; earliest: Date | null }> {
  const [row] = await db<{ missing: number; earliest: string | null }[]>`
    select count(*) filter (where payload ->> ${a.time}::text is null)::int as missing, min(payload ->> ${a.time}::text) as earliest
    from tasks where kind = ${kind} ${a.owner === null ? db`` : db`and owner = ${a.owner}`} and payload @> ${db.json(a.having)}::jsonb`
  const earliest = row?.earliest ?? null
  return { missing: row?.missing ?? 0, earliest: earliest === null ? null : new Date(earliest) }
}

/** Those whose claim is still the newest. A task that is being asked for anew is not waited for: it was taken away. */
const own = (db: Db, tasks: readonly Task[]) => db`
  select kind, owner, subject from tasks
  where (kind, owner, subject, fence) in (
    select * from unnest(${tasks.map((task) => task.kind)}::text[], ${tasks.map((task) => task.owner)}::text[],
      ${tasks.map((task) => task.subject)}::text[], ${tasks.map((task) => task.fence)}::int[]))
  for no key update skip locked`

/** They are done. @returns how many claims were still the newest; the other tasks stay. */
export async function endTasks(db: Db, tasks: readonly Task[]): Promise<number> {
  if (tasks.length === 0) return 0
  return (await db`delete from tasks where (kind, owner, subject) in (${own(db, tasks)}) returning 1`).length
}

/** They are done, and kept: `addTasks` never adds the same ones again. */
export async function keepTasks(db: Db, tasks: readonly Task[]): Promise<void> {
  if (tasks.length > 0) await db`update tasks set run_at = null where (kind, owner, subject) in (${own(db, tasks)})`
}

/** They are due at another time. Fields of a payload take over those that are given. */
export async function postponeTasks(
  db: Db,
  tasks: readonly (Task & { runAt: Date; change?: object })[],
): Promise<void> {
  if (tasks.length === 0) return
  const rows = tasks.map(({ change, ...task }) => ({ ...task, payload: change ?? {} }))
  await db`
    update tasks t set run_at = given.run_at, payload = t.payload || given.payload::jsonb from ${given(db, rows)}
    where t.owner = given.owner and t.subject = given.subject and (t.kind, t.owner, t.subject) in (${own(db, tasks)})`
}
