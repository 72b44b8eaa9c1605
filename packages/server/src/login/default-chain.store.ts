// SQL of the chain where orders of a merchant settle that name none.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db, Tx } from '@florin/platform/db/tx'

/** As a part of a statement. */
export const defaultChainOf = (db: Db, merchantId: string): Query<Row[]> =>
  db`(select default_settle_chain from merchants where id = ${merchantId})`

/** @returns whether it is another one now. */
export async function setDefaultChain(tx: Tx, merchantId: string, chain: string): Promise<boolean> {
  const rows = await tx`
    update merchants set default_settle_chain = ${chain}
    where id = ${merchantId} and default_settle_chain is distinct from ${chain} returning 1`
  return rows.length > 0
}
