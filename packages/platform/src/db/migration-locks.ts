// The locks of a migration, taken all at once before it changes anything and given up within moments where somebody holds one, to be
// tried again: while a migration waits for a table, everybody else waits behind it, and what waits for each other for a second is
// a deadlock, of which PostgreSQL ends one side.
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../errors.ts'
import { isConflict, isLockTimeout } from './failures.ts'
import type { Tx } from './tx.ts'

/** Of all together well below the second after which PostgreSQL looks for deadlocks. */
const LOCKS_WITHIN_MS = 600
/** For what the text does not name. */
const OTHER_LOCKS_MS = 3_000
const PAUSE_MS = 300
const GIVE_UP_MS = 10 * 60_000

/** Tables that are there, in the order of the text, and how they are locked: a changed one against everybody, others against writers. */
export function touchedTables(text: string): Map<string, 'access exclusive' | 'share row exclusive'> {
  const found = new Map<string, 'access exclusive' | 'share row exclusive'>()
  const words =
    /\b(alter table(?: only)?|drop table(?: if exists)?|references|update|index \w+ on|trigger [^;]*? on)\s+(\w+)/gi
  for (const [, how = '', table = ''] of text.replace(/^\s*--.*$/gm, '').matchAll(words)) {
    const isChanged = /^(alter|drop) table/i.test(how)
    if (isChanged || !found.has(table)) found.set(table, isChanged ? 'access exclusive' : 'share row exclusive')
  }
  return found
}

/** A foreign key goes only under a lock of the table that it points to, which no text names. */
async function pointedTo(tx: Tx, text: string, touched: readonly string[]): Promise<string[]> {
  const drops = /\bdrop (?:constraint|column|table)(?: if exists)?\s+(\w+)/gi
  const gone = [...text.replace(/^\s*--.*$/gm, '').matchAll(drops)].map(([, name = '']) => name)
  const rows = await tx<{ name: string }[]>`
    select distinct confrelid::regclass::text as name from pg_constraint
    where contype = 'f' and conrelid = any(select to_regclass(t) from unnest(${touched}::text[]) as t)
      and (conname = any(${gone}::text[]) or conrelid = any(select to_regclass(g) from unnest(${gone}::text[]) as g)
        or exists (select 1 from pg_attribute where attrelid = conrelid and attnum = any(conkey) and attname = any(${gone}::text[])))`
  return rows.map(({ name }) => name)
}

export async function takeLocks(tx: Tx, text: string): Promise<void> {
  const touched = touchedTables(text)
  for (const name of await pointedTo(tx, text, [...touched.keys()])) touched.set(name, 'access exclusive')
  const names = [...touched.keys()]
  const there = await tx<{ name: string }[]>`
    select name from unnest(${names}::text[]) as name
    where exists (select 1 from pg_class where oid = to_regclass(name) and relkind in ('r', 'p'))`
  const known = new Set(there.map(({ name }) => name))
  const locks = [...touched].flatMap(([name, mode]) => (known.has(name) ? [`lock table ${name} in ${mode} mode;`] : []))
  // At once: on a busy machine the ways there and back would make the moments seconds, and the waiting deadlocks.
  await tx.unsafe(`set local lock_timeout = ${Math.round(LOCKS_WITHIN_MS / Math.max(1, known.size))};
    ${locks.join(' ')} set local lock_timeout = ${OTHER_LOCKS_MS}`)
}

/** @throws OperatorError where it was not let in for ten minutes. */
export async function untilLocked<T>(run: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isLockTimeout(error) && !isConflict(error)) throw error
      if (performance.now() > deadline)
        throw new OperatorError(
          'A migration could not lock its tables for ten minutes, since somebody keeps a transaction open. ' +
            'Find it with: select pid, application_name, xact_start, query from pg_stat_activity order by xact_start. Then start this again.',
          { cause: error },
        )
      await sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}
