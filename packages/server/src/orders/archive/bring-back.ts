// Something happened on the chain to an archived order: it is put back by itself, so that the rules judge it as ever. Where
// its file is not at hand, what happened waits, and merchant and operator are told which file is missing.
import { closeCauses } from '../../attention/store.ts'
import { withTx } from '../../platform/db/tx.ts'
import type { AdvanceDeps } from '../advance.ts'
import type { NewAttention } from '../model/attention/item.ts'
import { getOrder } from '../store.ts'
import { ARCHIVE_MISSING } from '../tell/notices.ts'
import { raise } from '../tell/raise.ts'
import { keptUntil, restoreOrder } from './restore.ts'
import { findArchived, keepHot } from './store.ts'

const causeOf = (orderNo: string): string => `${ARCHIVE_MISSING}:${orderNo}`

/** @returns false: its file cannot be read; to be tried again later. */
export async function bringBack(deps: AdvanceDeps, orderNo: string): Promise<boolean> {
  const now = deps.clock.now()
  try {
    await restoreOrder(deps, deps.config.archiveDir, orderNo)
    await keepHot(deps.sql, [orderNo], keptUntil(now))
  } catch (error) {
    const file = await findArchived(deps.sql, orderNo)
    if (file === null) return true
    deps.log.error(
      { err: error, order_no: orderNo, file: file.name },
      'an archived order that is wanted cannot be put back',
    )
    const wish: NewAttention = {
      ...{ kind: ARCHIVE_MISSING, cause: causeOf(orderNo), actions: [] },
      evidence: { file: file.name, archived_at: file.archivedAt.toISOString() },
    }
    const order = await getOrder(deps.sql, orderNo)
    await withTx(deps.sql, (tx) => raise(deps, tx, order, wish, now))
    deps.wake.mail.fire()
    return false
  }
  deps.log.info({ order_no: orderNo }, 'an archived order was put back, because something happened to it on the chain')
  await withTx(deps.sql, (tx) => closeCauses(tx, [causeOf(orderNo)], 'the order was put back', now))
  return true
}
