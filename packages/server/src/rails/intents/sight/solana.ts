// Looks at deposit addresses through a node of Solana: what lies on each, or on its account of the token, a hundred a call.
import { solanaTokenAccount, solanaTokenPrograms } from '@florin/chains'
import { type AskNode, isObject, NodeAway, NodeRefused, rpc } from '../node/ask.ts'
import type { Look, Looked, OpenPlace, Seen } from './look.ts'

const ACCOUNTS_MOST = 100
const ACCOUNTS_LEAST = 5
/** With more open swaps than these reach a look is no whole one, and the next goes on behind it. */
const CALLS_A_LOOK = 200
const COMMITMENT = 'confirmed'
/** In a token's account: where its amount stands, eight bytes. */
const AMOUNT = { offset: 64, length: 8 }

export function solanaLook(node: (stop: AbortSignal) => AskNode): Look {
  const size = { accounts: ACCOUNTS_MOST }
  const programs = new Map<string, string>()
  let known = new Map<string, string>()
  let next = 0

  /** Worked out once: it takes a part of a millisecond. */
  function accountOf({ address, asset: { contract } }: OpenPlace, kept: Map<string, string>): string {
    if (contract === null) return address
    const key = `${address} ${contract}`
    const program = programs.get(contract) ?? solanaTokenPrograms[0]
    const account = known.get(key) ?? solanaTokenAccount({ wallet: address, token: contract, program }) ?? address
    kept.set(key, account)
    return account
  }

  return async ({ open, stop }): Promise<Looked> => {
    const ask = node(stop)
    const places = await open()
    await learnPrograms(ask, places, programs)
    const kept = new Map<string, string>()
    const seen: Seen[] = []
    const from = next < places.length ? next : 0
    next = 0
    let calls = 0
    for (let done = 0; done < places.length; ) {
      const at = (from + done) % places.length
      const some = places.slice(at, Math.min(at + size.accounts, at + places.length - done))
      if (calls++ >= CALLS_A_LOOK) {
        next = at
        return { seen, cursor: null, gap: 'more swaps are open than it tells of in time' }
      }
      const accounts = some.map((place) => accountOf(place, kept))
      try {
        const values = await readAccounts(ask, accounts, AMOUNT)
        seen.push(...some.flatMap((place, n) => seenAt(place, values[n])))
        done += some.length
      } catch (error) {
        if (error instanceof NodeRefused && some.length > ACCOUNTS_LEAST)
          size.accounts = Math.max(ACCOUNTS_LEAST, some.length >> 1)
        else if (error instanceof NodeAway && seen.length > 0) {
          next = at
          return { seen, cursor: null, gap: error.message }
        } else throw error
      }
    }
    known = kept
    return { seen, cursor: null, gap: null }
  }
}

/** Which program keeps a token says the token's own account. */
async function learnPrograms(ask: AskNode, places: readonly OpenPlace[], programs: Map<string, string>): Promise<void> {
  const tokens = [...new Set(places.flatMap(({ asset }) => asset.contract ?? []))].filter((one) => !programs.has(one))
  const some = tokens.slice(0, ACCOUNTS_MOST)
  if (some.length === 0) return
  const values = await readAccounts(ask, some, { offset: 0, length: 0 })
  for (const [n, token] of some.entries()) {
    const value = values[n]
    const program = solanaTokenPrograms.find((one) => isObject(value) && value.owner === one)
    if (program !== undefined) programs.set(token, program)
  }
}

async function readAccounts(ask: AskNode, accounts: readonly string[], dataSlice: object): Promise<unknown[]> {
  const options = { commitment: COMMITMENT, encoding: 'base64', dataSlice }
  const result = await rpc(ask, 'getMultipleAccounts', [accounts, options])
  const values = isObject(result) ? result.value : null
  if (!Array.isArray(values) || values.length !== accounts.length)
    throw new NodeAway('it answered another number of accounts')
  return values
}

function seenAt({ ref, asset }: OpenPlace, value: unknown): Seen[] {
  if (!isObject(value)) return []
  const amount = asset.contract === null ? coinsOf(value) : tokensOf(value)
  return amount > 0n ? [{ ref, key: `holds ${amount}`, txHash: null }] : []
}

const coinsOf = ({ lamports }: { lamports?: unknown }): bigint =>
  typeof lamports === 'number' && Number.isFinite(lamports) && lamports > 0 ? BigInt(Math.floor(lamports)) : 0n

function tokensOf({ data }: { data?: unknown }): bigint {
  const bytes = Array.isArray(data) ? Buffer.from(String(data[0]), 'base64') : Buffer.alloc(0)
  return bytes.length === AMOUNT.length ? bytes.readBigUInt64LE() : 0n
}
