// Asks a node which addresses of an account hold coins, so that a wallet that was used before is not given out again. What
// was received and spent long ago a node without an index of addresses does not know.
import { type Account, deriveAddresses } from '@florin/accounts'
import type { NodeSettings } from '../settings/config.ts'
import { nodeRpc } from './rpc.ts'

/** As many as wallets look ahead, many times over. */
const RANGE = 1_000
/** The node walks through every coin that there is. */
const TIMEOUT_MS = 600_000

/** @returns the highest index that holds coins. */
export async function highestUsed(node: NodeSettings, account: Account): Promise<bigint | 'none'> {
  const rpc = nodeRpc(node, { timeoutMs: TIMEOUT_MS })
  const asked = [{ desc: account.descriptor, range: [0, RANGE - 1] }]
  const { unspents } = await rpc.call<{ unspents: { scriptPubKey: string }[] }>('scantxoutset', 'start', asked)
  if (unspents.length === 0) return 'none'
  const there = new Set(unspents.map((one) => one.scriptPubKey))
  const last = deriveAddresses(account, 0, RANGE).findLast((one) => there.has(one.scriptPubKey))
  return last === undefined ? 'none' : BigInt(last.index)
}
