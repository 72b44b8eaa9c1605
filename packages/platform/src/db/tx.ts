// A Tx can only be made by withTx, so a function that takes one is known to run inside a transaction; nothing that
// waits for the network may take one.
import { isConflict, isStalePlan } from './failures.ts'
import type { Sql } from './pool.ts'
import type { Tag } from './sql.ts'

declare const made: unique symbol
export type Tx = Tag & { readonly [made]: true }

/** Either a transaction or the pool: for reads that may run in both. */
export type Db = Sql | Tx

/**
 * Runs `work` in one transaction; it is retried when a conflict rolled it back, since nothing of it was kept. Start
 * independent statements together: they travel in one round trip.
 */
export function withTx<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  return untilNoConflict(() => sql.begin((tx) => work(tx as Tx)))
}

/** For a transaction, or for one statement, which is a transaction too. */
export async function untilNoConflict<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= 3 || !(isConflict(error) || isStalePlan(error))) throw error
    }
  }
}
