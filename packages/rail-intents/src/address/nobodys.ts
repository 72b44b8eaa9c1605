// Which addresses are nobody's wallet by what this rail knows: contracts of the tokens that the provider lists, and the
// addresses of swaps, whoever they were made for.
import { findChain, placeOf } from '@florin/chains'
import type { Sql } from '@florin/platform/db/pool'
import type { IntentsAsset } from '../catalogue/assets.ts'
import { isSwapPlace } from './legs.store.ts'

/** @param a.address in its chain's canonical form */
export async function isNobodysWallet(
  sql: Sql,
  assets: readonly IntentsAsset[],
  { chain: id, address }: { chain: string; address: string },
): Promise<boolean> {
  const chain = findChain(id)
  if (chain === null) return false
  // A token's contract is nobody's wallet on the other chains of its family either.
  const isContract = assets.some(
    ({ chain: on, contract }) =>
      contract !== null && findChain(on)?.family === chain.family && placeOf(chain, contract) === address,
  )
  return isContract || isSwapPlace(sql, address)
}
