// What a merchant says about itself: its name, and the chain that orders settle on when they name none.
import type { MerchantCaller } from '../callers.ts'
import type { Deps } from '../deps.ts'
import { only } from '../platform/assert.ts'
import { recordAudit } from '../platform/db/audit.ts'
import { withTx } from '../platform/db/tx.ts'
import * as store from './store.ts'

/** Only what is given changes; null clears. Which chain money goes to is worth a line in the audit log. */
export function changeMerchant(
  deps: Pick<Deps, 'sql' | 'clock'>,
  caller: Pick<MerchantCaller, 'id' | 'email'>,
  change: store.MerchantChange,
): Promise<store.Merchant> {
  return withTx(deps.sql, async (tx) => {
    const before = await store.lockMerchant(tx, caller.id)
    const after = only(await store.saveMerchant(tx, caller.id, change), 'merchant')
    if (before !== after.defaultSettleChain) {
      const detail = { before, after: after.defaultSettleChain }
      const entry = { merchantId: caller.id, actor: caller.email, subject: caller.id, detail }
      await recordAudit(tx, { ...entry, action: 'default_settle_chain.changed' }, deps.clock.now())
    }
    return after
  })
}
