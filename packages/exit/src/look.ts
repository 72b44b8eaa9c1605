// Looks at a vault over whatever answers JSON-RPC: a node's URL or a wallet. Reads only.
import { encodeCall, type Method } from './abi.ts'
import { type Announced, type Call, callsOf, type Holding, ownerOf } from './calls.ts'
import { faultOfCode } from './code.ts'
import { type Exit, type Hex, printable, ZERO } from './proof.ts'

/** What wallets inject (EIP-1193), and what `rpc.ts` makes of a URL. */
export interface Provider {
  request(a: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

/** Its message is a sentence for whoever runs this. */
export class LookFault extends Error {}

export interface Block {
  number: bigint
  hash: string
  /** Unix seconds. */
  time: number
  /** null on a chain without EIP-1559. */
  baseFee: bigint | null
}

export interface Sight {
  chainId: number
  block: Block
  /** null: the factory and the vault code are the pinned ones. */
  fault: string | null
  /** The route's own token first, with nothing too. */
  holdings: Holding[]
  /** The same with when each could not be paid out, as the chain recorded it. */
  recorded: Holding[]
  calls: Call[]
}

export async function chainIdOf(provider: Provider): Promise<number> {
  return Number(quantity(await provider.request({ method: 'eth_chainId' })))
}

export async function blockOf(provider: Provider, at: bigint | 'latest' = 'latest'): Promise<Block> {
  const tag = at === 'latest' ? at : `0x${at.toString(16)}`
  const block = await provider.request({ method: 'eth_getBlockByNumber', params: [tag, false] })
  if (typeof block !== 'object' || block === null) throw new LookFault(`The node does not know block ${String(at)}.`)
  const { number, hash, timestamp, baseFeePerGas } = block as Record<string, unknown>
  return {
    number: quantity(number),
    hash: printable(String(hash), 66),
    time: Number(quantity(timestamp)),
    baseFee: baseFeePerGas == null ? null : quantity(baseFeePerGas),
  }
}

/**
 * What lies on a vault and what moves it.
 * @param a.tokens tokens to look for beside the route's own and the native coin.
 * @param a.block where to read; left out: the newest.
 * @param a.fault what an earlier look said of the same factory's code; left out: the code is read.
 */
export async function look(
  provider: Provider,
  exit: Exit,
  a: { tokens?: readonly Hex[]; block?: Block; fault?: string | null } = {},
): Promise<Sight> {
  const chainId = await chainIdOf(provider)
  const block = a.block ?? (await blockOf(provider))
  const at = `0x${block.number.toString(16)}`
  const tokens = [...new Set([exit.route.token, ZERO, ...(a.tokens ?? [])])]
  const holdings = await Promise.all(
    tokens.map(async (token) => ({ token, units: await unitsAt(provider, token, exit.vault, at) })),
  )
  const fault = a.fault === undefined ? await codeFault(provider, exit, at) : a.fault
  const recorded = fault === null ? await withFailures(provider, exit, { chainId, at, holdings }) : []
  return {
    ...{ chainId, block, fault, recorded },
    holdings: holdings.filter(({ token, units }) => units > 0n || token === exit.route.token),
    calls: callsOf(exit, chainId, recorded),
  }
}

/** The same with refunds that were announced. */
export const withAnnounced = (exit: Exit, sight: Sight, announced: readonly Announced[]): Sight =>
  sight.fault === null ? { ...sight, calls: callsOf(exit, sight.chainId, sight.recorded, announced) } : sight

/** The chain's record of receivers that could not be paid, which decides when somebody else may be. */
function withFailures(
  provider: Provider,
  exit: Exit,
  { chainId, at, holdings }: { chainId: number; at: string; holdings: readonly Holding[] },
): Promise<Holding[]> {
  return Promise.all(
    holdings.map(async (holding) => {
      const owner = holding.units === 0n ? null : ownerOf(exit, chainId, holding)
      if (owner === null) return holding
      const data = encodeCall('failedPushAt', exit.route, holding.token, owner.to)
      const answer = await provider.request({ method: 'eth_call', params: [{ to: exit.factory, data }, at] })
      return { ...holding, failedAt: Number(quantity(answer)) }
    }),
  )
}

/** Why two looks at the same block do not agree; null: they do. */
export function differenceOf(a: Sight, b: Sight): string | null {
  const parts: [string, (sight: Sight) => unknown][] = [
    ['the chain', (sight) => sight.chainId],
    ['the block', (sight) => sight.block.hash],
    ['the code of the factory', (sight) => sight.fault],
    ['what lies there', (sight) => sight.holdings.map(({ token, units }) => `${token} ${units}`).join()],
  ]
  for (const [what, read] of parts) {
    if (read(a) !== read(b)) return `The two nodes do not agree on ${what}: ${String(read(a))} and ${String(read(b))}.`
  }
  return null
}

/** Whether an account may settle (relayer) or return money to a bound address (refunder). */
export async function hasRole(provider: Provider, factory: Hex, role: 'relayer' | 'refunder', who: Hex) {
  const data = encodeCall('hasRole', role === 'relayer' ? 0n : 1n, who)
  const answer = await provider.request({ method: 'eth_call', params: [{ to: factory, data }, 'latest'] })
  return quantity(answer) === 1n
}

async function codeFault(provider: Provider, exit: Exit, at: string): Promise<string | null> {
  const [factory, impl] = await Promise.all([codeAt(provider, exit.factory, at), codeAt(provider, exit.impl, at)])
  return faultOfCode(exit, { factory, impl })
}

async function codeAt(provider: Provider, address: Hex, at: string): Promise<Hex> {
  const code = await provider.request({ method: 'eth_getCode', params: [address, at] })
  if (typeof code !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(code)) throw new LookFault('The node answered no code.')
  return code as Hex
}

async function unitsAt(provider: Provider, token: Hex, owner: Hex, at: string): Promise<bigint> {
  if (token === ZERO) return quantity(await provider.request({ method: 'eth_getBalance', params: [owner, at] }))
  const answer = await callAt(provider, token, at, 'balanceOf', owner)
  // No contract stands there on this chain: it holds nothing of it.
  return answer === '0x' ? 0n : quantity(answer)
}

function callAt(provider: Provider, to: Hex, at: string, method: Method, ...args: Hex[]): Promise<unknown> {
  return provider.request({ method: 'eth_call', params: [{ to, data: encodeCall(method, ...args) }, at] })
}

/** How people read a token's units; null where the token does not say. */
export async function tokenWords(provider: Provider, token: Hex): Promise<{ decimals: number; symbol: string } | null> {
  try {
    const decimals = Number(quantity(await callAt(provider, token, 'latest', 'decimals')))
    const text = String(await callAt(provider, token, 'latest', 'symbol')).slice(2)
    // A string: offset, length, bytes. A symbol is for reading only, so anything unusual is left out.
    const length = Number.parseInt(text.slice(64, 128), 16)
    const symbol = String.fromCharCode(
      ...(text.slice(128, 128 + 2 * length).match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
    )
    return decimals <= 77 && /^[\w.-]{1,16}$/.test(symbol) ? { decimals, symbol } : null
  } catch {
    return null
  }
}

export function quantity(value: unknown): bigint {
  if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw new LookFault('The node answered something that is no number.')
}
