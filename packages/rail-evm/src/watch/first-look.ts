// Decides where reading a chain begins, before any of its addresses is shown, so that no payment can fall before the
// first block that a watcher reads.

import type { ForwarderContext, ForwarderLink } from '../context.ts'
import { readHead } from '../node/blocks.ts'
import type { ChainRpc } from '../node/rpc.ts'
import { ChainMismatch, verifyOnce } from '../node/verify.ts'
import { checkOtherTokens } from '../tokens/each.ts'
import { findCursor, insertCursors } from './cursors.store.ts'

type Parts = Pick<ForwarderContext, 'sql' | 'clock' | 'log'>

export function linkOf(rpc: ChainRpc, parts: Parts): ForwarderLink {
  return {
    rpc,
    verified: verifyOnce(rpc, async () => {
      await begin(rpc, parts)
      await checkOtherTokens(rpc, parts)
    }),
  }
}

async function begin({ chain, client }: ChainRpc, parts: Parts): Promise<void> {
  const known = await findCursor(parts.sql, chain.id, 'seen')
  if (known !== null && known.chainId !== BigInt(chain.chainId)) {
    throw new ChainMismatch(
      `This database has read ${chain.id} on chain ${known.chainId}; the rails file says ${chain.chainId}.`,
    )
  }
  if (known !== null) return
  const head = await readHead(client, 'latest')
  const first = chain.startHeight ?? head?.height ?? 0n
  const before = await readHead(client, first > 0n ? first - 1n : 0n)
  if (head === null || before === null) throw new Error(`${chain.id}: the node has no block to begin with`)
  await insertCursors(parts.sql, {
    ...{ chain: chain.id, chainId: chain.chainId, livemode: chain.mode === 'live' },
    ...{ head: head.height, before, now: parts.clock.now() },
  })
}
