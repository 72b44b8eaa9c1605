// Applies waiting changes whose time has come. Orders check the time themselves: this job only keeps the history and
// notifies the merchant.
import { withTx } from '@florin/platform/db/tx'
import type { Job } from '@florin/platform/worker/job'
import { SECOND_MS } from '@florin/protocol'
import { type ChangeDeps, ripen } from './apply.ts'
import { findChainAddress, listRipe, lockAddresses } from './store.ts'

export function ripenJob(deps: ChangeDeps): Job {
  return { name: 'waiting-addresses', everyMs: 10 * SECOND_MS, run: () => ripenAll(deps) }
}

/** @returns how many took effect. */
export async function ripenAll(deps: ChangeDeps): Promise<number> {
  const now = deps.clock.now()
  const ripe = await listRipe(deps.sql, { now, limit: 100 })
  for (const { merchantId, chain } of ripe) {
    await withTx(deps.sql, async (tx) => {
      const email = await lockAddresses(tx, merchantId)
      await ripen(deps, tx, { merchantId, email }, await findChainAddress(tx, merchantId, chain), now)
    })
  }
  if (ripe.length > 0) deps.wake.mail.fire()
  return ripe.length
}
