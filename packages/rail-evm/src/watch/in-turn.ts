// Whose word is taken for what is in a block: one provider's, another one's at each block, and at the second scan another
// than at the first. So what one leaves out is found; only where no other answers it is asked twice.
import type { PublicClient } from 'viem'
import { NoQuorum } from '../node/quorum.ts'
import type { Reader } from '../node/rpc.ts'

/**
 * @param a.turn moves on with each block and each failure.
 * @param a.heard voices that told these blocks before.
 * @throws what the last one failed with.
 */
export async function askInTurn<T>(
  readers: readonly Pick<Reader, 'voice' | 'isOk' | 'client'>[],
  { turn, heard }: { turn: number; heard: ReadonlySet<string> },
  read: (asked: PublicClient) => Promise<T>,
): Promise<{ saidBy: string; read: T }> {
  const healthy = readers.filter((reader) => reader.isOk)
  const at = healthy.length === 0 ? 0 : turn % healthy.length
  const all = [...healthy.slice(at), ...healthy.slice(0, at), ...readers.filter((reader) => !reader.isOk)]
  const isHeard = ({ voice }: { voice: string }): boolean => heard.has(voice)
  let last: unknown = new NoQuorum('no provider can be asked now')
  for (const { voice, client } of [...all.filter((one) => !isHeard(one)), ...all.filter(isHeard)]) {
    try {
      return { saidBy: voice, read: await read(client) }
    } catch (error) {
      last = error
    }
  }
  throw last
}
