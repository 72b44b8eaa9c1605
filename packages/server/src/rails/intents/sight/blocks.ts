// Looks at deposit addresses in whole blocks of Bitcoin and Litecoin, as a node or a block host tells them: each once.
import type { BlockOutputs } from '../../interface/blocks.ts'
import { NodeAway } from '../node/ask.ts'
import type { Look, Looked, Seen } from './look.ts'

/** Of megabytes each: the rest is left to the next look. */
const BLOCKS_A_LOOK = 6
/** After days away what is older is left to the single questions. */
const BACK_MOST = 36
/** Replaced blocks are read again so far back. */
const REMEMBERED = 6

export function blocksLook(source: BlockOutputs): Look {
  const read = new Map<number, string>()

  /** @returns null: there is no such block any more. @throws NodeAway */
  async function asked<T>(question: Promise<T>): Promise<T> {
    return question.catch((error: unknown) => {
      throw new NodeAway(error instanceof Error ? error.message : 'it does not answer')
    })
  }

  async function replacedFrom(height: number): Promise<number> {
    let at = height
    while (read.has(at) && (await asked(source.hashAt(at))) !== read.get(at)) read.delete(at--)
    return at
  }

  return async ({ cursor, open, stop }): Promise<Looked> => {
    const tip = await asked(source.tip())
    const places = await open()
    const refs = new Map<string, string[]>()
    for (const { address, ref } of places) refs.set(address, [...(refs.get(address) ?? []), ref])
    const last = await replacedFrom(cursor === null ? tip - 2 : Math.min(Number(cursor), tip))
    const seen: Seen[] = []
    let upTo = Math.max(last, tip - BACK_MOST, -1)
    for (let n = 0; n < BLOCKS_A_LOOK && upTo < tip && !stop.aborted; n++) {
      const hash = await asked(source.hashAt(upTo + 1))
      if (hash === null) break
      for (const { address, txHash } of await asked(source.paid(hash, [...refs.keys()])))
        seen.push(...(refs.get(address) ?? []).map((ref) => ({ ref, key: txHash, txHash })))
      upTo++
      read.set(upTo, hash)
      read.delete(upTo - REMEMBERED)
    }
    return {
      seen,
      cursor: BigInt(Math.max(0, upTo)),
      gap: upTo < tip ? 'it is not through with its older blocks' : null,
    }
  }
}
