// Learns in the background which addresses of an account were used before it came here: from the coins that a node knows,
// then from blocks, read backwards in parts that any process may go on with. The first orders wait for the newest part.
import { openAccount } from '@florin/accounts'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { taskJob } from '@florin/platform/tasks/job'
import type { Job, Log } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { fillLookAhead } from './assign.ts'
import { findCounter } from './counter.store.ts'
import { type AccountHistory, isReadEnough, type ToldBy } from './rules.ts'
import { ACCOUNT_USE, type AccountRow, listAccounts, lockAccount } from './store.ts'
import { type Learnt, saveLearnt } from './use.store.ts'

export type UseDeps = { sql: Sql; clock: Clock; log: Log; accountHistory: AccountHistory }

/** A node may walk for this long through all coins that there are. */
const TURN_MS = 15 * MINUTE_MS
const AGAIN_MS = 10 * SECOND_MS

/** One part of one account a turn. */
export function accountUseJob(deps: UseDeps): Job {
  return taskJob(deps, {
    ...{ kind: ACCOUNT_USE, everyMs: 2 * SECOND_MS, leaseMs: TURN_MS, batch: 1, againMs: AGAIN_MS },
    async run({ subject }, signal) {
      const row = (await listAccounts(deps.sql, [subject])).get(subject)
      if (row === undefined || !isBeingRead(row)) return null
      return isBeingRead(await learnOf(deps, row, signal)) ? { runAt: deps.clock.now() } : null
    },
  })
}

const isBeingRead = ({ history }: Pick<AccountRow, 'history'>): boolean =>
  history === 'waiting' || history === 'reading'

async function learnOf(deps: UseDeps, row: AccountRow, signal: AbortSignal): Promise<Learnt> {
  const { chain } = row
  const account = openAccount(row.descriptor, row)
  const toldBy: ToldBy[] = []
  let usedBelow: bigint | null = null
  if (row.history === 'waiting') {
    // What is paid from here on is seen by who watches the chain: its scripts come before the newest block is asked for.
    await fillLookAhead(deps.sql)
    const unspent = await deps.accountHistory.unspent({ chain, account })
    if (unspent !== 'unknown') toldBy.push('unspent')
    if (typeof unspent === 'bigint') usedBelow = unspent + 1n
  }
  const known = usedBelow !== null && usedBelow > row.foundBelow ? usedBelow : row.foundBelow
  // What is looked for goes beyond the counter.
  const from = (await findCounter(deps.sql, row.id)) ?? 0n
  const asked = { chain, account, top: row.readTop, readDownTo: row.readDownTo, usedBelow: known, from }
  const read = await deps.accountHistory.read({ ...asked, signal })
  if (read.readDownTo !== null || read.end === 'whole') toldBy.push('blocks')
  if (read.highest !== null && (usedBelow === null || read.highest >= usedBelow)) usedBelow = read.highest + 1n
  const { end, top, readDownTo } = read
  const isReady = isReadEnough(read)
  const learnt: Learnt = { id: row.id, usedBelow, toldBy, history: end ?? 'reading', top, readDownTo, isReady }
  await withTx(deps.sql, async (tx) => {
    await lockAccount(tx, row.id)
    await saveLearnt(tx, learnt, deps.clock.now())
  })
  return learnt
}
