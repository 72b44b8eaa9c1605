// A start's turn to do what one process does at a time. A process that has to wait asks again and again, and holds no transaction
// meanwhile: `create index concurrently` waits for every transaction that is older, also for one that only waits for a lock, and
// PostgreSQL does not notice when a session that waits for a lock has lost its client.
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../errors.ts'
import type { Sql } from '../pool.ts'
import { type Tx, withTx } from '../tx.ts'
import { holderOf, type LockName, tryLock } from './advisory-locks.ts'

/** Takes a line for the log. */
export type Say = (line: string) => void

export const sayNothing: Say = () => undefined

/** How long a start waits in silence. */
export const SAY_AFTER_MS = 5_000
const SAY_AGAIN_MS = 60_000
const GIVE_UP_MS = 10 * 60_000
const ASK_AGAIN_MS = 250

/**
 * @param work runs in the transaction that holds the lock.
 * @throws OperatorError where another process held the lock for ten minutes.
 */
export async function inTurn<T>(sql: Sql, name: LockName, work: (tx: Tx) => Promise<T>, say: Say): Promise<T> {
  const began = performance.now()
  let sayAt = began + SAY_AFTER_MS
  for (;;) {
    const turn = await withTx(sql, async (tx) => {
      // A database may have another default, which would keep a snapshot.
      await tx.unsafe('set transaction isolation level read committed')
      return (await tryLock(tx, name)) ? { result: await work(tx) } : null
    })
    if (turn !== null) return turn.result
    const now = performance.now()
    if (now >= sayAt) {
      const holder = await holderOf(sql, name)
      const seconds = Math.round((now - began) / 1000)
      if (holder !== null) say(`waiting for ${holder}, which holds the lock "${name}", for ${seconds} s`)
      if (now > began + GIVE_UP_MS)
        throw new OperatorError(
          `This process waited ten minutes for the lock "${name}"${holder === null ? '' : `, which ${holder} holds`}. ` +
            'That process changes the schema. Start this one again when it has ended.',
        )
      sayAt = now + SAY_AGAIN_MS
    }
    await sleep(ASK_AGAIN_MS)
  }
}
