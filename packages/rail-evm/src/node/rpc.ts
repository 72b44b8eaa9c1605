// The connection to a chain. `client` gives what two providers say, at a block that two agree on; `readers` give what
// each says alone, for what is shown but moves no money, and for asking the others about it.
import { machineClock } from '@florin/platform/clock'
import { type Chain, createPublicClient, custom, defineChain, type PublicClient } from 'viem'
import type { ForwarderChain } from '../settings/config.ts'
import { type AgreedHead, readAgreedFinalized, readAgreedHead } from './head.ts'
import { isRefusal, openProvider, type Provider, type RpcCall } from './provider.ts'
import { askNumbers, askQuorum, broadcast, NoQuorum } from './quorum.ts'
import { type ProviderState, Trust, type TrustClock, voicesOf } from './trust.ts'

/** One provider, speaking for itself. */
export interface Reader {
  name: string
  voice: string
  /** Nothing is held against it now. */
  isOk: boolean
  client: PublicClient
}

export interface ChainRpc {
  chain: ForwarderChain
  /** What viem knows of the chain: for wallets that sign for it. */
  viemChain: Chain
  /** @throws NoQuorum where providers contradict each other, or too few answer. */
  client: PublicClient
  /** The newest block that enough providers agree on. @throws NoQuorum */
  head(): Promise<AgreedHead>
  /** One a voice, best first; none that is set aside. */
  readers(): Reader[]
  /** In wei: the lower of two answers that are close, since what is too little to send back goes to the merchant. @throws NoQuorum */
  gasPrice(): Promise<bigint>
  /** The others contradict what this voice said about a block. */
  outvoted(voice: string, about: string): void
  /** Providers contradict each other, and nobody outvotes anybody. */
  dispute(what: string): void
  health(): { providers: ProviderState[]; disputes: string[] }
  /** Providers that say another chain id than the settings. One that does not answer now is not counted. */
  onOtherChains(): Promise<{ name: string; chainId: number }[]>
  /** Providers that answer, but not for this block tag. One that does not answer now is not counted. */
  namesWithoutTag(tag: 'finalized'): Promise<string[]>
}

/** Estimates of two honest providers are closer than this many times. */
const APART = 4n

/** No connection is made before the first call. */
export function openRpc(chain: ForwarderChain, clock: TrustClock = machineClock): ChainRpc {
  const viemChain = defineChain({
    id: chain.chainId,
    name: chain.id,
    nativeCurrency: { name: chain.nativeAsset, symbol: chain.nativeAsset, decimals: 18 },
    rpcUrls: { default: { http: chain.rpc.map((one) => one.url) } },
  })
  const providers = chain.rpc.map((settings) => openProvider(settings, chain.rpcTimeoutMs))
  const trust = new Trust(providers, chain.quorum, clock)
  const clientOver = (request: (call: RpcCall) => Promise<unknown>): PublicClient =>
    createPublicClient({
      chain: viemChain,
      cacheTime: 0,
      pollingInterval: chain.pollMs,
      transport: custom({ request }, { retryCount: 0 }),
    })
  const alone = new Map(
    providers.map((provider) => [
      provider,
      clientOver((call) =>
        provider.ask(call).catch((error: unknown) => {
          if (!isRefusal(error)) trust.silent(provider, error)
          throw error
        }),
      ),
    ]),
  )

  let looking: Promise<AgreedHead> | null = null
  /** Questions of one moment share one look. */
  const head = (): Promise<AgreedHead> => {
    looking ??= readAgreedHead(trust, chain.chainId).finally(() => {
      looking = null
    })
    return looking
  }
  const readers = (): Reader[] => {
    const heard = new Set<string>()
    return trust.inTurn().flatMap((provider) => {
      const client = alone.get(provider)
      if (client === undefined || heard.has(provider.voice)) return []
      heard.add(provider.voice)
      return [{ name: provider.name, voice: provider.voice, isOk: provider.verdict === 'ok', client }]
    })
  }
  const each = async <T>(ask: (provider: Provider) => Promise<T[]>): Promise<T[]> =>
    (await Promise.all(providers.map(ask))).flat()

  return {
    ...{ chain, viemChain, head, readers },
    client: clientOver((call) => believed(trust, head, call)),
    gasPrice: async () => (await closeNumbers(trust, { method: 'eth_gasPrice' })).low,
    outvoted(voice, about) {
      for (const one of providers) if (one.voice === voice) trust.outvoted(one, about, true)
    },
    dispute: (what) => trust.dispute(what),
    health: () => ({ providers: trust.states(), disputes: trust.disputes() }),
    onOtherChains: () =>
      each(async ({ name, ask }) => {
        const answer = await ask({ method: 'eth_chainId' }).catch(() => null)
        const chainId = Number(answer)
        return answer === null || chainId === chain.chainId ? [] : [{ name, chainId }]
      }),
    namesWithoutTag: (tag) =>
      each(async ({ name, ask }) => {
        const call = { method: 'eth_getBlockByNumber', params: [tag, false] }
        const answer = await ask(call).catch((error: unknown) => (isRefusal(error) ? null : error))
        return answer === null ? [name] : []
      }),
  }
}

/** Where the block parameter stands. */
const blockAt: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

/** @throws NoQuorum where they are far apart. */
async function closeNumbers(trust: Trust, call: RpcCall): Promise<{ low: bigint; high: bigint }> {
  const [first = 0n, ...others] = await askNumbers(trust, call)
  let [low, high] = [first, first]
  for (const number of others) [low, high] = [number < low ? number : low, number > high ? number : high]
  if (high > low * APART) throw new NoQuorum(`no two providers agree about ${call.method}`, true)
  return { low, high }
}

/** The newest block means another one on each node: whatever asks for it is asked at the block that they agree on. */
async function believed(trust: Trust, head: () => Promise<AgreedHead>, call: RpcCall): Promise<unknown> {
  const { method } = call
  const params = Array.isArray(call.params) ? (call.params as unknown[]) : []
  if (method === 'eth_sendRawTransaction') return broadcast(trust, call)
  // Too much could not be put into a block, too little would fail in it: a liar could wedge every later transaction.
  if (method === 'eth_estimateGas') return hexOf((await closeNumbers(trust, call)).high)
  if (method === 'eth_maxPriorityFeePerGas')
    return hexOf((await askNumbers(trust, call)).reduce((low, number) => (number < low ? number : low)))
  if (method === 'eth_getBlockByNumber' && params[0] === 'finalized') return readAgreedFinalized(trust)
  if (voicesOf(trust.providers).size < 2) return askQuorum(trust, call)
  if (method === 'eth_blockNumber') return hexOf((await head()).height)
  if (method === 'eth_getBlockByNumber' && params[0] === 'latest') return (await head()).raw
  const place = blockAt[method]
  if (place === undefined || (params[place] !== undefined && params[place] !== 'latest')) return askQuorum(trust, call)
  const pinned = params.slice()
  pinned[place] = hexOf((await head()).height)
  return askQuorum(trust, { method, params: pinned })
}

const hexOf = (height: bigint): string => `0x${height.toString(16)}`
