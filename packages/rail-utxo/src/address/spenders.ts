// Whose coins a transaction spends, as far as it is known: by the payments of orders, and by what its inputs show of their scripts.
import type { Db } from '@florin/platform/db/tx'
import type { Spend } from '../chain/spends.ts'
import type { UtxoContext } from '../context.ts'
import { listPaidCoins } from './waits.store.ts'

/** A transaction of a merchant's own spends few coins; a look at more of them tells no more. */
const INPUTS_MOST = 500

/** @returns merchants, by id. What one of an order's coins is locked by is known also where its input does not show it. */
export async function spendersOf(
  db: Db,
  a: { chain: string; spends: readonly Spend[]; addresses: UtxoContext['addresses'] },
): Promise<string[]> {
  const some = a.spends.slice(0, INPUTS_MOST)
  const paid = await listPaidCoins(db, { chain: a.chain, coins: some.map(({ coin }) => coin) })
  const scripts = [...new Set([...some.flatMap((one) => one.scripts), ...paid.map((one) => one.script)])]
  const owners = scripts.length === 0 ? [] : ((await a.addresses.ownersOf?.(db, scripts)) ?? [])
  const known = new Set(owners.map((one) => one.script))
  // A coin that paid an order belongs to whoever has the account now.
  const others = paid.filter((one) => !known.has(one.script))
  return [...new Set([...owners, ...others].map((one) => one.merchantId))]
}
