// Parses the Bitcoin and Litecoin chains of the rails file and reports every fault at once.
import { SettingsError } from '@florin/platform/errors'
import { type PriceSettings, readPrices } from '@florin/rail-kit/settings/prices'
import { type Fields, fieldsOf, type Reader } from '@florin/rail-kit/settings/reader'
import { dustOf, type Network, networkOf, utxoChainIds } from '../chain/networks.ts'
import { symbolOf } from './coin.ts'

export type NodeLogin = { kind: 'user'; user: string; password: string } | { kind: 'cookie'; file: string }

export interface NodeSettings {
  name: string
  url: string
  login: NodeLogin
}

export interface HostSettings {
  name: string
  /** Without a slash at its end. */
  url: string
}

/** An order below `belowMicros` is paid at `blocks` confirmations; the last tier has no bound. */
export interface DepthTier {
  belowMicros: bigint | null
  blocks: number
}

export interface UtxoChain {
  /** The catalogue's id. */
  id: 'btc' | 'ltc'
  asset: string
  mode: 'live' | 'test'
  network: Network
  /** The operator's own node; null: blocks are read from hosts and checked here. */
  node: NodeSettings | null
  /** Esplora-compatible block hosts. Beside a node they are asked only for blocks that it has pruned. */
  hosts: readonly HostSettings[]
  depths: readonly DepthTier[]
  prices: PriceSettings | null
  pollMs: number
  timeoutMs: number
  /** While the newest block is older, nothing expires; null: not checked. */
  headMaxAgeMs: number | null
  /** A deeper reorg stops the chain for human review. */
  maxReorg: number
  /** What sending a refund costs the merchant's wallet: less is not worth it. */
  refundCostSat: bigint
  startHeight: bigint | null
  /** How many blocks are read backwards at most to learn which addresses of an account were used before. */
  historyBlocks: number
}

type Environment = Readonly<Record<string, string | undefined>>

const unusable = (faults: readonly string[]): SettingsError =>
  new SettingsError('The rails file is', faults, 'docs/rails.md#bitcoin-and-litecoin')

const micros = (usd: number): bigint => BigInt(usd) * 1_000_000n
const defaultDepths: Readonly<Record<string, readonly DepthTier[]>> = {
  btc: [
    { belowMicros: micros(500), blocks: 1 },
    { belowMicros: micros(5_000), blocks: 2 },
    { belowMicros: micros(50_000), blocks: 3 },
    { belowMicros: null, blocks: 6 },
  ],
  ltc: [
    { belowMicros: micros(5_000), blocks: 3 },
    { belowMicros: micros(50_000), blocks: 6 },
    { belowMicros: null, blocks: 12 },
  ],
}
/** A gap between blocks that happens less than once in ten years. */
const headMaxAgeS: Readonly<Record<string, number>> = { btc: 9_000, ltc: 3_600 }
/** A year: hours of reading for Bitcoin, one hour for Litecoin. */
const historyBlocks: Readonly<Record<UtxoChain['id'], number>> = { btc: 52_560, ltc: 210_240 }
const DEPTH_MAX = 100

/** How many confirmations an order of this amount waits for: the operator's tiers, or the merchant's where deeper. Pure. */
export function depthFor(
  chain: Pick<UtxoChain, 'depths'>,
  amountUsdMicros: bigint,
  own: readonly DepthTier[] = [],
): number {
  const blocksOf = (tiers: readonly DepthTier[]): number | undefined =>
    tiers.find(({ belowMicros }) => belowMicros === null || amountUsdMicros < belowMicros)?.blocks
  return Math.max(blocksOf(chain.depths) ?? DEPTH_MAX, blocksOf(own) ?? 0)
}

/**
 * @param entries the rails file's `chains`.
 * @throws SettingsError that names every fault at once; never includes a password.
 */
export function parseUtxoChains(text: string, environment: Environment): UtxoChain[] {
  const faults: string[] = []
  const root = fieldsOf(JSON.parse(text), '', faults)
  const entries = root.object('chains')
  if (entries === null) return []
  const chains = utxoChainIds
    .filter((id) => entries.has(id))
    .map((id) => parseChain(id as UtxoChain['id'], entries.object(id), environment))
  const own = faults.filter((fault) => utxoChainIds.some((id) => fault.startsWith(`chains.${id}`)))
  if (own.length > 0) throw unusable(own)
  return chains.filter((chain) => chain !== null)
}

function parseChain(id: UtxoChain['id'], fields: Reader, environment: Environment): UtxoChain | null {
  if (fields === null) return null
  const mode = fields.oneOf('mode', ['live', 'test'])
  const network = networkOf(id, mode === 'live' ? 'main' : 'regtest')
  if (network === null) return null
  const node = readNode(fields.object('node', null), environment)
  const hosts = readHosts(fields, mode)
  if (node === null && hosts.length === 0)
    fields.fault('node', 'it takes a node of your own, or "hosts" that blocks are read from')
  const chain: UtxoChain = {
    ...{ id, mode, network, node, hosts, asset: symbolOf(id) },
    depths: readDepths(fields, id, mode),
    prices: readPrices(fields, mode),
    pollMs: fields.integer('pollMs', 20, 600_000, node === null ? 20_000 : 2_000),
    timeoutMs: fields.integer('timeoutMs', 100, 300_000, 30_000),
    headMaxAgeMs: headMaxAge(fields, mode === 'live' ? (headMaxAgeS[id] ?? null) : null),
    maxReorg: fields.integer('maxReorg', 1, 1_000, 100),
    refundCostSat: readRefundCost(fields, network),
    historyBlocks: fields.integer('historyBlocks', 0, 10_000_000, historyBlocks[id]),
    startHeight: fields.has('startHeight') ? BigInt(fields.integer('startHeight', 1, 2 ** 40)) : null,
  }
  for (const source of chain.prices?.sources ?? []) {
    if (source.kind === 'chainlink') fields.fault('prices', 'a Chainlink feed stands on an EVM chain: name two tickers')
  }
  if (mode === 'live' && chain.prices === null) fields.fault('prices', 'it is missing: an amount due needs a price')
  fields.end()
  return Object.freeze(chain)
}

function readNode(fields: Reader, environment: Environment): NodeSettings | null {
  if (fields === null) return null
  const url = fields.text('url')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) fields.fault('url', 'it takes http://host:port')
  else if (new URL(url).username !== '') fields.fault('url', 'name user and password apart from it')
  const name = URL.canParse(url) ? `node ${new URL(url).host}` : 'node'
  if (fields.has('cookieFile')) {
    const login: NodeLogin = { kind: 'cookie', file: fields.text('cookieFile') }
    fields.end()
    return { name, url, login }
  }
  const user = fields.text('user')
  const named = fields.text('passwordEnv')
  const password = environment[named]?.trim() ?? ''
  if (named !== '' && password === '') fields.fault('passwordEnv', 'no such variable is set')
  fields.end()
  return { name, url, login: { kind: 'user', user, password } }
}

function readHosts(fields: Fields, mode: 'live' | 'test'): HostSettings[] {
  if (!fields.has('hosts')) return []
  return fields.entries('hosts').flatMap((entry) => {
    const url = typeof entry === 'string' ? entry.replace(/\/$/, '') : ''
    const isFine = /^https?:\/\//.test(url) && URL.canParse(url) && (mode === 'test' || url.startsWith('https:'))
    if (!isFine) {
      fields.fault('hosts', 'it takes addresses such as https://blocks.example/api')
      return []
    }
    if (new URL(url).username !== '') {
      fields.fault('hosts', 'an address with a user or a password in it: nothing sends them')
      return []
    }
    return [{ name: new URL(url).host, url }]
  })
}

/** Less than any output that nodes relay is never asked for. */
function readRefundCost(fields: Fields, network: Network): bigint {
  const dust = Number(dustOf(network, P2PKH))
  return BigInt(fields.integer('refundCostSat', dust, 10_000_000, Number((network.relay.dust * 2n) / 3n)))
}

/** The largest dust of all scripts is that of the oldest. */
const P2PKH = `76a914${'00'.repeat(20)}88ac`

function readDepths(fields: Fields, id: string, mode: 'live' | 'test'): readonly DepthTier[] {
  if (!fields.has('confirmations')) {
    fields.skip('confirmations')
    return mode === 'test' ? [{ belowMicros: null, blocks: 1 }] : (defaultDepths[id] ?? [])
  }
  const tiers = fields.list('confirmations').map((entry): DepthTier => {
    const tier = {
      belowMicros: entry.has('belowUsd') ? entry.decimal('belowUsd', 6, '') : null,
      blocks: entry.integer('blocks', 1, DEPTH_MAX),
    }
    entry.end()
    return tier
  })
  const isRising = tiers.every((tier, n) => {
    const next = tiers[n + 1]
    if (next === undefined) return tier.belowMicros === null
    return tier.belowMicros !== null && tier.blocks <= next.blocks && tier.belowMicros < (next.belowMicros ?? 1n << 62n)
  })
  if (!isRising) fields.fault('confirmations', 'tiers rise in belowUsd and blocks, and the last one has no belowUsd')
  return tiers
}

function headMaxAge(fields: Fields, fallback: number | null): number | null {
  if (fallback === null && !fields.has('headMaxAgeS')) return null
  return fields.integer('headMaxAgeS', 60, 86_400, fallback ?? undefined) * 1000
}
