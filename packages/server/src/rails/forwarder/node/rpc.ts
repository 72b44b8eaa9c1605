// The connection to a chain's nodes: several providers, healthy ones first, the next one when one fails. An answer is
// only as good as its provider; critical answers are confirmed by a second one in the code that needs them.
import { type Chain, createPublicClient, custom, defineChain, http, type PublicClient } from 'viem'
import type { ForwarderChain } from '../settings/config.ts'

export interface ProviderHealth {
  /** Host and port only: the rest of a URL often contains a key. */
  host: string
  ok: boolean
  lastError: string | null
}

export interface ChainRpc {
  chain: ForwarderChain
  /** What viem knows of the chain: for wallets that sign for it. */
  viemChain: Chain
  /** Asks the first provider that answers. */
  client: PublicClient
  /** Prefers another provider than `client` does, where there is one. */
  second: PublicClient
  health(): ProviderHealth[]
  /** Providers that answer, but not for this block tag. One that does not answer now is not counted. */
  hostsWithoutTag(tag: 'finalized'): Promise<string[]>
}

/** How long a provider that failed is tried last. */
const REST_MS = 30_000

interface Provider {
  host: string
  request(call: { method: string; params?: unknown }): Promise<unknown>
  failedAt: number | null
  lastError: string | null
}

/** No connection is made before the first call. */
export function openRpc(chain: ForwarderChain): ChainRpc {
  const viemChain = defineChain({
    id: chain.chainId,
    name: chain.id,
    nativeCurrency: { name: chain.nativeAsset, symbol: chain.nativeAsset, decimals: 18 },
    rpcUrls: { default: { http: chain.rpc } },
  })
  const providers = chain.rpc.map((url): Provider => {
    const { request } = http(url, { timeout: chain.rpcTimeoutMs, retryCount: 0 })({ chain: viemChain, retryCount: 0 })
    return {
      host: new URL(url).host,
      request: (call) => request(call as Parameters<typeof request>[0]),
      failedAt: null,
      lastError: null,
    }
  })
  const clientOver = (inOrder: readonly Provider[]): PublicClient =>
    createPublicClient({
      chain: viemChain,
      cacheTime: 0,
      pollingInterval: chain.pollMs,
      transport: custom({ request: (call) => askInTurn(inOrder, call) }, { retryCount: 0 }),
    })
  return {
    chain,
    viemChain,
    client: clientOver(providers),
    second: clientOver([...providers.slice(1), ...providers.slice(0, 1)]),
    health: () => providers.map(({ host, failedAt, lastError }) => ({ host, ok: !isResting(failedAt), lastError })),
    async hostsWithoutTag(tag) {
      const lacks = providers.map(async (provider) => {
        const call = { method: 'eth_getBlockByNumber', params: [tag, false] }
        const answer = await provider.request(call).catch((error: unknown) => (isRefusal(error) ? null : error))
        return answer === null ? [provider.host] : []
      })
      return (await Promise.all(lacks)).flat()
    },
  }
}

const isResting = (failedAt: number | null): boolean => failedAt !== null && performance.now() - failedAt < REST_MS

async function askInTurn(providers: readonly Provider[], call: { method: string; params?: unknown }): Promise<unknown> {
  const rested = providers.filter((provider) => !isResting(provider.failedAt))
  const inTurn = [...rested, ...providers.filter((provider) => !rested.includes(provider))]
  let last: unknown
  for (const provider of inTurn) {
    try {
      const answer = await provider.request(call)
      provider.failedAt = null
      return answer
    } catch (error) {
      if (isContractsAnswer(error)) throw error
      last = error
      provider.lastError = firstLine(error)
      // An error about this one call, such as "unknown block", does not make the provider unhealthy; silence does.
      if (!isRefusal(error)) provider.failedAt = performance.now()
    }
  }
  throw last
}

/** A revert is the contract's answer, and every provider would return it. */
function isContractsAnswer(error: unknown): boolean {
  return error instanceof Error && (codeOf(error) === 3 || /revert/i.test(error.message))
}

function isRefusal(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null
  // -32005: too many requests.
  return code !== null && code !== -32005 && code !== 429
}

function codeOf(error: Error): number | null {
  return 'code' in error && typeof error.code === 'number' ? error.code : null
}

/** viem's messages go on with the URL, which may contain a key. */
export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 200) ?? ''
}
