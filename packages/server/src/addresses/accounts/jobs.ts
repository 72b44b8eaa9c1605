// Background work on accounts: asking the chain once which addresses were used before, and deriving ahead.
import { openAccount } from '@florin/accounts'
import { SECOND_MS } from '@florin/protocol'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../platform/worker/loop.ts'
import { fillLookAhead } from './assign.ts'
import { listUnexamined, markExamined } from './store.ts'

type AccountDeps = Pick<Deps, 'sql' | 'clock' | 'log' | 'usedIndexes'>

export function accountJobs(deps: AccountDeps): Job[] {
  return [
    { name: 'account-use', everyMs: 2 * SECOND_MS, run: () => examineAll(deps) },
    { name: 'account-look-ahead', everyMs: 5 * SECOND_MS, run: () => fillLookAhead(deps.sql) },
  ]
}

/** @returns how many were examined. One whose chain does not answer is asked again. */
export async function examineAll(deps: AccountDeps): Promise<number> {
  let examined = 0
  for (const row of await listUnexamined(deps.sql, 20)) {
    try {
      const used = await deps.usedIndexes({ chain: row.chain, account: openAccount(row.descriptor, row) })
      const usedBelow = used === 'unknown' ? null : used === 'none' ? 0n : used + 1n
      await markExamined(deps.sql, { id: row.id, usedBelow }, deps.clock.now())
      examined++
    } catch (error) {
      deps.log.warn({ err: error, account: row.id }, 'the use of an account cannot be read now')
    }
  }
  return examined
}
