// Learns in the background which addresses of an account were used before it came here: from the coins that a node knows,
// then from blocks, read backwards in parts that any process may go on with. The first orders wait for the newest part.
import { openAccount } from '@florin/accounts'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import type { Log } from '@florin/platform/worker/job'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { fillLookAhead } from './assign.ts'
import { findCounter } from './counter.store.ts'
import { type AccountHistory, isReadEnough, type ToldBy } from './rules.ts'
import { type AccountRow, lockAccount } from './store.ts'
import { claimToRead, saveLearnt, setTurn } from './use.store.ts'

export type UseDeps = { sql: Sql; clock: Clock; log: Log; accountHistory: AccountHistory }

/** A node may walk for this long through all coins that there are. */
const TURN_MS = 15 * MINUTE_MS
const AGAIN_MS = 10 * SECOND_MS

/** Accounts whose chain does not answer, so that an outage is said once. */
const silent = new Set<string>()

/** One part of one account. @returns how many were asked about. */
export async function learnUse(deps: UseDeps, signal?: AbortSignal): Promise<number> {
  const now = deps.clock.now()
  const row = await claimToRead(deps.sql, { now, until: new Date(now.getTime() + TURN_MS) })
  if (row === null) return 0
  try {
    await learnOf(deps, row, signal)
    if (silent.delete(row.id)) deps.log.info({ account: row.id }, 'the use of an account is read again')
    return 1
  } catch (error) {
    await setTurn(deps.sql, { id: row.id, at: new Date(deps.clock.now().getTime() + AGAIN_MS) })
    if (!silent.has(row.id)) deps.log.warn({ err: error, account: row.id }, 'the use of an account cannot be read now')
    silent.add(row.id)
    return 0
  }
}

async function learnOf(deps: UseDeps, row: AccountRow, signal?: AbortSignal): Promise<void> {
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
  const read = await deps.accountHistory.read({ ...asked, ...(signal === undefined ? {} : { signal }) })
  if (read.readDownTo !== null || read.end === 'whole') toldBy.push('blocks')
  if (read.highest !== null && (usedBelow === null || read.highest >= usedBelow)) usedBelow = read.highest + 1n
  const { end, top, readDownTo } = read
  const learnt = { id: row.id, usedBelow, toldBy, history: end ?? ('reading' as const), top, readDownTo }
  await withTx(deps.sql, async (tx) => {
    await lockAccount(tx, row.id)
    await saveLearnt(tx, { ...learnt, isReady: isReadEnough(read) }, deps.clock.now())
  })
}
