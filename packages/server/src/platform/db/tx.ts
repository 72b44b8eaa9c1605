// A Tx can only be made by withTx, so a function that asks for one is known to run inside; nothing that waits for the
// network may take one.
import { isConflict, isStalePlan } from './failures.ts'
import type { Sql } from './pool.ts'
import type { Tag } from './sql.ts'

declare const made: unique symbol
export type Tx = Tag & { readonly [made]: true }

/** Either a transaction or the pool: for reads that may run in both. */
export type Db = Sql | Tx

/**
 * Runs `work` in one transaction; one that was undone by a conflict is tried again, since nothing of it was kept.
 * Statements that do not depend on each other should be started together: they travel in one round trip.
 */
export async function withTx<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sql.begin((tx) => work(tx as Tx))
    } catch (error) {
      if (attempt >= 3 || !(isConflict(error) || isStalePlan(error))) throw error
    }
  }
}
