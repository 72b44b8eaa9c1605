// A transfer shows to whom it went and how much, and not for which merchant's order. So no two merchants wait for the same amount
// at the same address: who asks later is given the least amount above it that nobody waits for.
import type { Sql } from '../../platform/db/pool.ts'
import type { Db, Tx } from '../../platform/db/tx.ts'
import { AppError } from '../../platform/errors.ts'
import type { AssetRef } from '../../rails/interface/asset.ts'
import type { OutsideTransfers } from '../../rails/interface/outside.ts'
import { listAwaited, lockPayee } from './store.ts'

interface Wish {
  livemode: boolean
  asset: AssetRef
  to: string
  amount: bigint
  /** The merchant who asks: what he himself waits for is his either way. */
  notOf: string
}

/** Another asked between the look and the commit. */
class Taken extends Error {}

const TRIES = 5

/**
 * @param ask commits what is asked for with so much beside it; it calls `isApart` in its transaction.
 * @throws AppError refund_not_possible
 */
export async function apart<T>(
  sql: Sql,
  outside: OutsideTransfers,
  wish: Wish,
  ask: (extra: bigint, isApart: (tx: Tx) => Promise<void>) => Promise<T>,
): Promise<T> {
  for (let n = 0; n < TRIES; n++) {
    const extra = await extraOf(sql, outside, wish)
    try {
      return await ask(extra, async (tx) => {
        if (outside.awaited === undefined) return
        await lockPayee(tx, { chain: wish.asset.chain, to: wish.to })
        if ((await extraOf(tx, outside, wish)) !== extra) throw new Taken()
      })
    } catch (error) {
      if (!(error instanceof Taken)) throw error
    }
  }
  throw new AppError('refund_not_possible', { message: 'Many refunds to this address are asked for now: try again.' })
}

async function extraOf(db: Db, outside: OutsideTransfers, wish: Wish): Promise<bigint> {
  if (outside.awaited === undefined) return 0n
  const taken = new Set([...(await listAwaited(db, wish)), ...(await outside.awaited(db, wish))])
  let extra = 0n
  while (taken.has(wish.amount + extra)) extra++
  return extra
}
