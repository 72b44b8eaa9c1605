// What the rails file says of a chain once the contracts are there: the deployment prints it, so that no address is typed.
import type { Address } from 'viem'
import type { DeployPlan } from '../src/plan.ts'

/** Chain number → the id that the rails file knows it by. */
const liveChains: Readonly<Record<number, string>> = {
  1: 'eth',
  10: 'op',
  56: 'bsc',
  137: 'pol',
  8453: 'base',
  42161: 'arb',
  43114: 'avax',
}

export interface RailsToken {
  asset: string
  contract: Address
  decimals: number
}

/** Where a coin's dollar price is read: a feed on the chain, or a JSON answer over HTTP. */
export type PegSource =
  | { kind: 'chainlink'; feed: Address; heartbeatS: number }
  | { kind: 'http'; name: string; url: string; path: string }

const ANOTHER = 'https://ANOTHER-PROVIDER-OF-ANOTHER-OPERATOR'

/**
 * The entry of a live chain, complete but for what only its operator can know. A chain of another number is a testnet or
 * devnet: which chain it stands in for, and its tokens, are to be filled in.
 *
 * @param a.rpc the providers that were named; real money takes two of different operators.
 * @param a.pegs real money takes two for each coin, or "none" said aloud. A list that is too short is printed as it is: the
 * start refuses it by name, so that nothing unsaid passes for a choice.
 * @param a.tokens left out on a live chain, the rails file means those of the catalogue.
 */
export function railsEntry(a: {
  chainId: number
  rpc: readonly string[]
  plan: DeployPlan
  tokens: readonly RailsToken[]
  pegs: readonly { asset: string; source: PegSource }[]
}): Record<string, unknown> {
  const { chainId, plan, tokens, pegs } = a
  const live = liveChains[chainId]
  const chain = live ?? 'CHAIN'
  const coins = live === undefined ? [] : tokens.map((token) => token.asset)
  const peg = Object.fromEntries(
    [...new Set([...coins, ...pegs.map((one) => one.asset)])].map((coin) => [
      coin,
      pegs.filter((one) => one.asset === coin).map((one) => one.source),
    ]),
  )
  const entry = {
    ...(live === undefined ? { mode: 'test', chainId } : { mode: 'live' }),
    rpc: a.rpc.length === 1 && live !== undefined ? [...a.rpc, ANOTHER] : [...a.rpc],
    factory: plan.factory.address,
    impl: plan.impl.address,
    collector: plan.feeVault.address,
    ...(live === undefined || tokens.length > 0 ? { tokens } : {}),
    ...(live !== undefined || pegs.length > 0 ? { peg } : {}),
    relayer: { privateKeyEnv: `RELAYER_KEY_${chain.toUpperCase()}` },
  }
  return { chains: { [chain]: entry } }
}

/**
 * @param text what stands in the rails file; null where there is none yet.
 * @returns the file with the entry in it, other chains untouched.
 * @throws Error where the chain is in it already: what somebody wrote there is not overwritten.
 */
export function withEntry(text: string | null, entry: Record<string, unknown>): string {
  const file = text === null ? {} : objectIn(JSON.parse(text))
  const chains = objectIn(file.chains ?? {})
  const added = objectIn(entry.chains)
  const taken = Object.keys(added).find((chain) => Object.hasOwn(chains, chain))
  if (taken !== undefined) throw new Error(`it has chains.${taken} already; take it out first, or compare by hand`)
  return `${JSON.stringify({ ...file, chains: { ...chains, ...added } }, null, 2)}\n`
}

function objectIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a rails file')
  return value as Record<string, unknown>
}
