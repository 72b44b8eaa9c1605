// Parses the forwarder chains of the rails file and reports every fault at once. The result is frozen and complete;
// verify.ts checks whether the chain matches it.
import { readFileSync } from 'node:fs'
import { type Chain, chains as catalogue } from '@florin/chains'
import { SettingsError } from '@florin/platform/errors'
import { isGuessableKey } from '@florin/platform/guessable'
import { type PriceSettings, readPrices } from '@florin/rail-kit/settings/prices'
import { type Fields, fieldsOf, type Reader } from '@florin/rail-kit/settings/reader'
import type { Address, Hex } from 'viem'
import { type CostSettings, readCosts } from './costs.ts'
import { chainDefaults, type FinalityRule, stableAssets } from './defaults.ts'
import { readFinality, readLarge } from './finality.ts'
import { type PegSettings, readPegs } from './pegs.ts'
import { type ProviderSettings, readProviders } from './providers.ts'

export interface ForwarderToken {
  asset: string
  /** Lower case. */
  contract: Address
  decimals: number
  /** Transfers answer nothing, like USDT on Ethereum. */
  noReturn: boolean
}

export interface RelayerSettings {
  privateKey: Hex
  maxFeeGwei: string
  minTipGwei: string
  batchMax: number
  batchWaitMs: number
  bumpAfterBlocks: number
  /** A transaction that no block took by then is an alarm. */
  alarmAfterBlocks: number
}

export interface ForwarderChain extends CostSettings {
  /** The catalogue's id. */
  id: string
  mode: 'live' | 'test'
  chainId: number
  rpc: readonly ProviderSettings[]
  /** How many providers with voices of their own must say the same. */
  quorum: 1 | 2
  rpcTimeoutMs: number
  /** While the newest block is older, nothing expires and nothing is refunded; null: not checked. */
  headMaxAgeMs: number | null
  /** Contracts, lower case. */
  factory: Address
  impl: Address
  collector: Address
  tokens: readonly ForwarderToken[]
  /** Seen where they arrive, and returned; never offered. */
  otherTokens: readonly ForwarderToken[]
  /** By asset: where the price of a stable coin is read. A coin that is not in it is taken at one dollar. */
  pegs: ReadonlyMap<string, PegSettings>
  unpegged: ReadonlySet<string>
  /** Whether the native coin can be paid with. */
  native: boolean
  nativeAsset: string
  /** In blocks, including the transaction's own: to be shown, to be settled. */
  confirmations: { seen: number; settle: number }
  /** When a settlement is final and its order a success. */
  finality: FinalityRule
  /** Rules for orders from an amount on; null: none. */
  large: { fromMicros: bigint; settle: number; finality: FinalityRule } | null
  /** Most blocks asked for in one call. */
  logRange: number
  /**
   * Up to this many watched addresses, nodes are asked for their transfers alone; above, for all transfers of the
   * tokens.
   */
  topicsMax: number
  /** Blocks kept to follow a reorg back. */
  reorgWindow: number
  /** A deeper reorg stops the chain for human review. */
  maxReorg: number
  pollMs: number
  /** How long another process waits to take over the work of one that died; a slow round has to end within it. */
  leaseMs: number
  /** Where to begin on a chain that was never read; null: at its newest block. */
  startHeight: bigint | null
  prices: PriceSettings | null
  /** The key that settles; null: this install only watches. */
  relayer: RelayerSettings | null
  /** The key that refunds; null: refunds wait for a person. */
  refunderKey: Hex | null
}

const unusable = (faults: readonly string[]): SettingsError =>
  new SettingsError('The rails file is', faults, 'docs/rails.md#configure')

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param path of the file, or its JSON itself: a devnet's settings are made anew at every start.
 * @throws SettingsError also when the file cannot be read.
 */
export function readRailsFile(path: string, environment: Environment): ForwarderChain[] {
  return parseRailsConfig(textOfRailsFile(path), environment)
}

/** @throws SettingsError when it cannot be read. */
export function textOfRailsFile(path: string): string {
  if (path.startsWith('{')) return path
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unusable([`${path}: ${error instanceof Error ? error.message : 'cannot be read'}`])
  }
}

/**
 * @param environment holds the keys that the file names by `privateKeyEnv`.
 * @throws SettingsError that names every fault at once; never includes a key.
 */
export function parseRailsConfig(text: string, environment: Environment): ForwarderChain[] {
  const faults: string[] = []
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw unusable(['it is not JSON'])
  }
  const root = fieldsOf(json, '', faults)
  const entries = root.object('chains')
  // Another rail's.
  root.skip('intents')
  root.end()
  const ids = Object.keys(entries?.value ?? {}).filter((id) => !others.includes(id))
  const parsed = ids.map((id) => parseChain(id, entries?.object(id), environment, faults))
  if (faults.length > 0) throw unusable(faults)
  return parsed.filter((chain) => chain !== null)
}

/** What other rails read of the same file. */
const others: readonly string[] = ['btc', 'ltc']

function parseChain(
  id: string,
  fields: Fields | null | undefined,
  environment: Environment,
  faults: string[],
): ForwarderChain | null {
  const known = catalogue.find((chain) => chain.id === id)
  if (known === undefined || known.family !== 'evm') {
    faults.push(`chains.${id}: there is no EVM chain of this id`)
    return null
  }
  if (fields === null || fields === undefined) return null
  const defaults = chainDefaults[id]
  const mode = fields.oneOf('mode', ['live', 'test'])
  const chainId = fields.integer('chainId', 1, 2 ** 48, mode === 'live' ? defaults?.chainId : undefined)
  if (mode === 'live' && chainId !== Number(known.caip2?.replace('eip155:', ''))) {
    faults.push(`${fields.at}.chainId: a live ${id} has the number ${known.caip2?.replace('eip155:', '')}`)
  }
  const depths = fields.object('confirmations', {})
  const depth = (name: 'seen' | 'settle', fallback: number): number =>
    depths?.integer(name, 1, 10_000, defaults?.confirmations[name] ?? fallback) ?? fallback
  const confirmations = { seen: depth('seen', 1), settle: depth('settle', 2) }
  depths?.end()
  const maxReorg = fields.integer('maxReorg', 1, 100_000, defaults?.maxReorg ?? 128)
  const tokens = parseTokens(fields, known, mode, faults)
  const chain: ForwarderChain = {
    ...{ id, mode, chainId, confirmations, maxReorg },
    large: readLarge(fields, defaults, confirmations.settle),
    finality: readFinality(fields, defaults?.finality ?? { tag: null, depth: 12 }),
    ...readProviders(fields, mode),
    headMaxAgeMs: headMaxAge(fields, mode === 'live' ? (defaults?.headMaxAgeS ?? 300) : null),
    rpcTimeoutMs: fields.integer('rpcTimeoutMs', 100, 60_000, 10_000),
    factory: fields.address('factory'),
    impl: fields.address('impl'),
    collector: fields.address('collector'),
    tokens,
    otherTokens: parseOthers(fields, known, mode, tokens),
    ...readPegs(
      fields,
      mode,
      tokens.map((token) => token.asset),
    ),
    native: fields.boolean('native', true),
    nativeAsset: known.native.asset,
    logRange: fields.integer('logRange', 1, 100_000, defaults?.logRange ?? 500),
    topicsMax: fields.integer('topicsMax', 0, 5_000, 1_000),
    reorgWindow: fields.integer('reorgWindow', 2, 200_000, defaults?.reorgWindow ?? 512),
    pollMs: fields.integer('pollMs', 20, 60_000, defaults?.pollMs ?? 2_000),
    leaseMs: fields.integer('leaseMs', 1_000, 600_000, 60_000),
    startHeight: fields.has('startHeight') ? BigInt(fields.integer('startHeight', 0, Number.MAX_SAFE_INTEGER)) : null,
    ...readCosts(fields, id, mode),
    prices: readPrices(fields, mode),
    relayer: parseRelayer(fields, defaults?.maxFeeGwei ?? '100', environment),
    refunderKey: fields.has('refunder') ? parseKey(fields.object('refunder'), environment, true) : null,
  }
  if (confirmations.settle < confirmations.seen) faults.push(`${fields.at}.confirmations: settle is below seen`)
  if (chain.reorgWindow <= maxReorg) faults.push(`${fields.at}.reorgWindow: it must be above maxReorg (${maxReorg})`)
  fields.end()
  return Object.freeze(chain)
}

/** Test chains often make a block only when somebody sends something. */
function headMaxAge(fields: Fields, fallback: number | null): number | null {
  if (fallback === null && !fields.has('headMaxAgeS')) return null
  return fields.integer('headMaxAgeS', 10, 86_400, fallback ?? undefined) * 1000
}

function parseTokens(fields: Fields, known: Chain, mode: string, faults: string[]): ForwarderToken[] {
  if (!fields.has('tokens') && mode === 'live') {
    fields.skip('tokens')
    return known.assets.flatMap(({ asset, contract, decimals }) =>
      contract === null || !stableAssets.has(asset)
        ? []
        : [{ asset, contract: contract.toLowerCase() as Address, decimals, noReturn: false }],
    )
  }
  return fields.list('tokens').map((entry) => {
    const token: ForwarderToken = {
      asset: entry.text('asset'),
      contract: entry.address('contract'),
      decimals: entry.integer('decimals', 0, 36),
      noReturn: entry.boolean('noReturn', false),
    }
    entry.end()
    const listed = known.assets.find((asset) => asset.asset === token.asset && asset.contract !== null)
    if (listed === undefined || !stableAssets.has(token.asset)) {
      faults.push(`${entry.at}.asset: ${known.name} has no stable coin ${token.asset} in the catalogue`)
    } else if (mode === 'live' && listed.contract?.toLowerCase() !== token.contract) {
      faults.push(`${entry.at}.contract: ${token.asset} on a live ${known.name} is ${listed.contract}`)
    } else if (listed.decimals !== token.decimals) {
      faults.push(`${entry.at}.decimals: ${token.asset} on ${known.name} has ${listed.decimals}`)
    }
    return token
  })
}

/** Left out on a live chain: what the catalogue lists there beside the tokens that are taken. */
function parseOthers(fields: Fields, known: Chain, mode: string, taken: readonly ForwarderToken[]): ForwarderToken[] {
  const plain = { noReturn: false }
  if (fields.has('otherTokens')) {
    return fields.list('otherTokens').map((entry) => {
      const token = { asset: entry.text('asset'), contract: entry.address('contract'), ...plain }
      const decimals = entry.integer('decimals', 0, 36)
      entry.end()
      return { ...token, decimals }
    })
  }
  if (mode !== 'live') return []
  return known.assets.flatMap(({ asset, contract, decimals }) => {
    const address = contract?.toLowerCase() as Address | undefined
    const isTaken = address === undefined || taken.some((token) => token.contract === address)
    return isTaken ? [] : [{ asset, contract: address, decimals, ...plain }]
  })
}

function parseRelayer(fields: Fields, maxFeeGwei: string, environment: Environment): RelayerSettings | null {
  const relayer = fields.object('relayer', null)
  if (relayer === null) return null
  const settings: RelayerSettings = {
    privateKey: parseKey(relayer, environment, false) ?? '0x',
    maxFeeGwei: relayer.decimalText('maxFeeGwei', maxFeeGwei),
    minTipGwei: relayer.decimalText('minTipGwei', '0.001'),
    batchMax: relayer.integer('batchMax', 1, 50, 50),
    batchWaitMs: relayer.integer('batchWaitMs', 0, 600_000, 3_000),
    bumpAfterBlocks: relayer.integer('bumpAfterBlocks', 1, 1_000, 10),
    alarmAfterBlocks: relayer.integer('alarmAfterBlocks', 1, 100_000, 60),
  }
  relayer.end()
  return settings
}

/** A key stands in the file itself only for a devnet; otherwise the file names the variable that holds it. */
function parseKey(fields: Reader, environment: Environment, isLast: boolean): Hex | null {
  if (fields === null) return null
  const named = fields.has('privateKeyEnv') ? fields.text('privateKeyEnv') : null
  const key = named === null ? fields.text('privateKey') : (environment[named]?.trim() ?? '')
  if (!/^0x[0-9a-f]{64}$/i.test(key)) {
    // Never echoed.
    fields.fault(named === null ? 'privateKey' : 'privateKeyEnv', 'it must lead to 0x and 64 hexadecimal characters')
  } else if (isGuessableKey(key.slice(2))) {
    fields.fault(named === null ? 'privateKey' : 'privateKeyEnv', 'it follows a pattern, so anybody can guess the key')
  }
  if (isLast) fields.end()
  return key as Hex
}
