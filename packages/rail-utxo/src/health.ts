// How the rail fares, from what the process that watches wrote down.
import { MINUTE_MS } from '@florin/protocol'
import type { RailHealth, RailTrouble } from '@florin/rail-kit/interface/health'
import { journalTroubles } from '@florin/rail-kit/journaled'
import type { UtxoContext } from './context.ts'
import type { UtxoChain } from './settings/config.ts'
import { listCursors } from './watch/watch.store.ts'

const CURE =
  'Look at the node and the block hosts of the rails file: reading goes on by itself once one of them answers, and nothing is lost meanwhile. /docs/rails says more.'

export async function healthOf(
  parts: Pick<UtxoContext, 'sql' | 'clock' | 'journal'>,
  chains: ReadonlyMap<string, UtxoChain>,
): Promise<RailHealth> {
  const now = parts.clock.now()
  const cursors = await listCursors(parts.sql)
  const troubles = [...chains.values()].flatMap((chain): RailTrouble[] => {
    const cursor = cursors.find((row) => row.chain === chain.id)
    const silentMs = Math.max(MINUTE_MS, 3 * chain.pollMs)
    const stands = (note: string, since: Date): RailTrouble[] => [
      {
        ...{ kind: 'chain_silent', chain: chain.id, livemode: chain.mode === 'live', subject: null },
        ...{ note: `${chain.id}: ${note}`, since, cure: CURE, holdsUp: ['payments', 'refunds'] },
      },
    ]
    if (cursor === undefined) return stands('it is not watched yet', now)
    if (cursor.note !== null) return stands(cursor.note, cursor.updatedAt)
    const isSilent = now.getTime() - cursor.updatedAt.getTime() > silentMs
    return isSilent ? stands(`nobody has looked at it since ${cursor.updatedAt.toISOString()}`, cursor.updatedAt) : []
  })
  const journaled = journalTroubles(
    [...chains.values()].map(({ id, mode }) => ({ id, livemode: mode === 'live' })),
    (await parts.journal.troubles?.()) ?? [],
  )
  troubles.push(...journaled)
  const notes = troubles.map((trouble) => trouble.note)
  return { ok: notes.length === 0, notes, troubles, chains: [...chains.keys()] }
}
