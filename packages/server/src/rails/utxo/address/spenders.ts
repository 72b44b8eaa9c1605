// Whose coins a transaction spends, as far as it is known: by the payments of orders, and by what its inputs show of their scripts.
import type { Db } from '../../../platform/db/tx.ts'
import type { Spend } from '../chain/spends.ts'
import type { UtxoContext } from '../context.ts'
import { listMerchantsOfCoins } from './waits.store.ts'

/** A transaction of a merchant's own spends few coins; a look at more of them tells no more. */
const INPUTS_MOST = 500

/** @returns merchants, by id. */
export async function spendersOf(
  db: Db,
  a: { chain: string; spends: readonly Spend[]; addresses: UtxoContext['addresses'] },
): Promise<string[]> {
  const some = a.spends.slice(0, INPUTS_MOST)
  const coins = some.map(({ coin }) => coin)
  const scripts = some.flatMap((one) => [...one.scripts])
  const byCoin = await listMerchantsOfCoins(db, { chain: a.chain, coins })
  const byScript = (await a.addresses.merchantsOf?.(db, scripts)) ?? []
  return [...new Set([...byCoin, ...byScript])]
}
