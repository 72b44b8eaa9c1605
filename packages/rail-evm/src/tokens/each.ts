// Each token is judged alone: one contract of `otherTokens` that does not answer as a token does is left out and said, and
// what lies on addresses in every other asset is read as ever. It is asked again every ten minutes.
import { MINUTE_MS } from '@florin/protocol'
import { type Address, erc20Abi, type Hex } from 'viem'
import type { ForwarderContext } from '../context.ts'
import { NotAToken, type Pair, readBalance, readPairs } from '../node/balances.ts'
import { isContractsAnswer } from '../node/provider.ts'
import { noQuorumIn } from '../node/quorum.ts'
import type { ChainRpc } from '../node/rpc.ts'
import { forgetUnreadable, keepUnreadable, listUnreadable, noteUnreadable } from './unreadable.store.ts'

const ASK_AGAIN_MS = 10 * MINUTE_MS

type Parts = Pick<ForwarderContext, 'sql' | 'clock' | 'log'>

/** Whether a contract's own answer was in the way, and no provider. */
export function isTokensFault(error: unknown): boolean {
  if (noQuorumIn(error) !== null) return false
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof NotAToken || isContractsAnswer(cause) || /out ?of ?gas|invalid opcode/i.test(cause.message))
      return true
  }
  return false
}

/** As `readPairs`; null: this token is left out. @throws what the client throws where a chain cannot be read. */
export async function readPairsOfEach(
  rpc: ChainRpc,
  parts: Parts,
  pairs: readonly Pair[],
  blockHash: Hex,
): Promise<(bigint | null)[]> {
  const resting = await restingTokens(rpc, parts)
  const asked = pairs.filter(({ token }) => token === null || !resting.has(token))
  const balances = new Map<Pair, bigint>()
  const read = async (some: readonly Pair[]): Promise<void> => {
    const units = await readPairs(rpc.client, some, blockHash)
    for (const [n, pair] of some.entries()) balances.set(pair, units[n] ?? 0n)
    await answered(rpc, parts, some)
  }
  try {
    await read(asked)
  } catch (error) {
    if (!isTokensFault(error)) throw error
    for (const [token, some] of Map.groupBy(asked, (pair) => pair.token)) {
      try {
        await read(some)
      } catch (fault) {
        if (token === null || !isTokensFault(fault)) throw fault
        await leaveOut(rpc, parts, token)
      }
    }
  }
  return pairs.map((pair) => balances.get(pair) ?? null)
}

/** As `readBalance`; null: this token is left out. What orders are paid in is not: nothing is decided without it. */
export async function readBalanceOf(
  rpc: ChainRpc,
  parts: Parts,
  question: Parameters<typeof readBalance>[1],
): Promise<bigint | null> {
  const { token } = question
  const isOther = token !== null && rpc.chain.otherTokens.some(({ contract }) => contract === token)
  if (isOther && (await restingTokens(rpc, parts)).has(token)) return null
  try {
    return await readBalance(rpc.client, question)
  } catch (error) {
    if (!isOther || !isTokensFault(error)) throw error
    await leaveOut(rpc, parts, token)
    return null
  }
}

/** At the start, of each token that is not taken: what is wrong is said, and keeps no chain from starting. */
export async function checkOtherTokens(rpc: ChainRpc, parts: Parts): Promise<void> {
  const { chain, client } = rpc
  await keepUnreadable(
    parts.sql,
    chain.id,
    chain.otherTokens.map(({ contract }) => contract),
  )
  for (const { contract, decimals } of chain.otherTokens) {
    try {
      const found = await client.readContract({ address: contract, abi: erc20Abi, functionName: 'decimals' })
      if (found === decimals) await forgetUnreadable(parts.sql, chain.id, [contract])
      else await note(rpc, parts, contract, { why: `it has ${found} decimals, not ${decimals}`, isRead: true })
    } catch (error) {
      const isNone = error instanceof Error && /returned no data/i.test(error.message)
      if (isNone || isTokensFault(error)) await leaveOut(rpc, parts, contract)
      else parts.log.warn({ err: error, chain: chain.id, token: contract }, 'a token could not be looked at')
    }
  }
}

async function restingTokens({ chain }: ChainRpc, { sql, clock }: Parts): Promise<ReadonlySet<Address>> {
  const since = clock.now().getTime() - ASK_AGAIN_MS
  const known = await listUnreadable(sql)
  return new Set(
    known.flatMap((one) =>
      one.chain === chain.id && one.askedAt !== null && one.askedAt.getTime() > since ? [one.contract] : [],
    ),
  )
}

async function answered({ chain }: ChainRpc, { sql }: Parts, pairs: readonly Pair[]): Promise<void> {
  const tokens = new Set(pairs.map(({ token }) => token))
  const again = (await listUnreadable(sql)).filter(
    (one) => one.chain === chain.id && one.askedAt !== null && tokens.has(one.contract),
  )
  if (again.length > 0)
    await forgetUnreadable(
      sql,
      chain.id,
      again.map(({ contract }) => contract),
    )
}

const leaveOut = (rpc: ChainRpc, parts: Parts, token: Address): Promise<void> =>
  note(rpc, parts, token, { why: 'there is no token that tells a balance', isRead: false })

async function note(
  { chain }: ChainRpc,
  { sql, clock, log }: Parts,
  contract: Address,
  { why, isRead }: { why: string; isRead: boolean },
): Promise<void> {
  const now = clock.now()
  log.warn({ chain: chain.id, token: contract }, `a token is not as the rails file says: ${why}`)
  await noteUnreadable(sql, { chain: chain.id, contract, why, since: now, askedAt: isRead ? null : now })
}
