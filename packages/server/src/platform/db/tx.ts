// Transactions. A Tx can only be made by withTx, so a function that asks for one is known to run inside;
// nothing that waits for the network may take one.
import type postgres from 'postgres'
import type { Sql } from './pool.ts'

declare const made: unique symbol
export type Tx = postgres.TransactionSql<{ bigint: bigint }> & { readonly [made]: true }

/** Either a transaction or the pool: for reads that may run in both. */
export type Db = Sql | Tx

/**
 * Runs `work` in one transaction; serialization failures and deadlocks are tried again, since no work was kept.
 * Statements that do not depend on each other should be started together: they travel in one round trip.
 */
export async function withTx<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await sql.begin((tx) => work(tx as Tx))) as T
    } catch (error) {
      if (attempt >= 3 || !isRetryable(error)) throw error
    }
  }
}

function isRetryable(error: unknown): boolean {
  // serialization_failure, deadlock_detected
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01')
}
