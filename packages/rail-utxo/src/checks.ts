// The checks of the rail, from what the process that watches wrote down.
import { MINUTE_MS } from '@florin/protocol'
import type { RailCheck } from '@florin/rail-kit/interface/rail'
import { journalChecks } from '@florin/rail-kit/journaled'
import type { UtxoContext } from './context.ts'
import type { UtxoChain } from './settings/config.ts'
import { listCursors } from './watch/watch.store.ts'

const REMEDY =
  'Look at the node and the block hosts of the rails file: reading goes on by itself once one of them answers, and nothing is lost meanwhile. /docs/rails says more.'

export async function checksOf(
  parts: Pick<UtxoContext, 'sql' | 'clock' | 'journal'>,
  chains: ReadonlyMap<string, UtxoChain>,
): Promise<RailCheck[]> {
  const now = parts.clock.now()
  const cursors = await listCursors(parts.sql)
  const journaled = journalChecks(
    [...chains.values()].map(({ id, mode }) => ({ id, livemode: mode === 'live' })),
    (await parts.journal.checks?.()) ?? [],
  )
  const read = [...chains.values()].map((chain): RailCheck => {
    const cursor = cursors.find((row) => row.chain === chain.id)
    const silentMs = Math.max(MINUTE_MS, 3 * chain.pollMs)
    const about = { id: 'chain', subject: chain.id, chain: chain.id, livemode: chain.mode === 'live' }
    const out = (why: string, since: Date): RailCheck => ({
      ...{ ...about, status: 'fault', summary: `${chain.id}: ${why}`, remedy: REMEDY },
      ...{ since, holdsUp: ['payments', 'refunds'] },
    })
    if (cursor === undefined) return out('it is not watched yet', now)
    if (cursor.note !== null) return out(cursor.note, cursor.updatedAt)
    if (now.getTime() - cursor.updatedAt.getTime() > silentMs)
      return out(`it was last read at ${cursor.updatedAt.toISOString()}`, cursor.updatedAt)
    const summary = `${chain.id} is read up to block ${cursor.height}.`
    return { ...about, status: 'ok', summary, remedy: null, since: null, holdsUp: [] }
  })
  return [...read, ...journaled]
}
