// Puts archived orders back exactly as they were.
import { join } from 'node:path'
import { DAY_MS } from '@florin/protocol'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import { lockUnpacked, mayPack, packOrders } from '../list/pack.store.ts'
import { linesOf } from './file.ts'
import type { Line } from './line.ts'
import * as store from './store.ts'

/** An order that somebody wanted back, or money, stays at least until then. */
export const keptUntil = (now: Date): Date => new Date(now.getTime() + 30 * DAY_MS)

type RestoreDeps = { sql: Sql; clock: Clock }

/** @returns false where it is not archived. @throws OperatorError where its file cannot be read. */
export async function restoreOrder(deps: RestoreDeps, dir: string, orderNo: string): Promise<boolean> {
  const file = await store.findArchived(deps.sql, orderNo)
  if (file === null) return false
  for await (const line of linesOf(join(dir, file.name), file.sha256)) {
    if (line.orderNo !== orderNo) continue
    if (await putBack(deps, file.id, line)) return true
    // It was archived anew, or somebody else put it back.
    return restoreOrder(deps, dir, orderNo)
  }
  throw new Error(`${file.name} does not hold ${orderNo}`)
}

/** Every order that the file stands for. @returns how many. */
export async function restoreFile(deps: RestoreDeps, dir: string, file: store.ArchiveFile): Promise<number> {
  const numbers = new Set(await store.listArchivedOf(deps.sql, file.id))
  let restored = 0
  for await (const line of linesOf(join(dir, file.name), file.sha256)) {
    if (numbers.has(line.orderNo) && (await putBack(deps, file.id, line))) restored++
  }
  return restored
}

function putBack({ sql, clock }: RestoreDeps, fileId: string, line: Line): Promise<boolean> {
  return withTx(sql, async (tx) => {
    if (!(await store.lockArchived(tx, line.orderNo, fileId))) return false
    await store.putBack(tx, line)
    if (await mayPack(tx, clock.now())) await packOrders(tx, await lockUnpacked(tx, [line.orderNo]))
    return true
  })
}
