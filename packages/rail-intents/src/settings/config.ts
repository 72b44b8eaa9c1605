// Parses "intents" of the rails file: whether and how NEAR Intents' 1Click is used. Reports every fault at once.
import { chains } from '@florin/chains'
import { SettingsError } from '@florin/platform/errors'
import { type Fields, fieldsOf } from '@florin/rail-kit/settings/reader'

/** Where a payout is looked up beside the provider's word. */
export interface ProofNode {
  chain: string
  /** `evm`: JSON-RPC; `esplora`: a block host; `solana`: JSON-RPC. */
  kind: 'evm' | 'esplora' | 'solana'
  url: string
}

export interface IntentsSettings {
  mode: 'live' | 'test'
  /** Without a slash at its end. */
  url: string
  /** The partner's list of swaps: one answer reports what changed of all orders. */
  feed: { url: string; key: string }
  /** Sent as X-API-Key and as Bearer; null: the provider charges more. */
  apiKey: string | null
  /** What quotes are signed with: `ed25519:…`. */
  signer: string
  /** Inside NEAR Intents: gets the operator's fee; null: none is taken on this rail. */
  feeAccount: string | null
  /** How far the price may move between quote and payment, in the payer's amount. */
  slippageBps: number
  /** Quotes on which the provider takes more than this for itself are refused. */
  providerFeeMaxBps: number
  referral: string
  /** In all, of all processes. */
  requestsPerS: number
  timeoutMs: number
  /** How long a quote is offered to payers: an hour, and four where one of the chains is slow. */
  windowMs: { usual: number; slow: number }
  nodes: readonly ProofNode[]
}

const LIVE_URL = 'https://1click.chaindefuser.com'
/** As the vendor's own SDK pins it. */
const LIVE_SIGNER = 'ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc'
const FEED_URL = 'https://explorer.near-intents.org'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param text the rails file. @returns null where it says nothing of it.
 * @throws SettingsError that names every fault at once; never includes a key.
 */
export function parseIntents(text: string, environment: Environment): IntentsSettings | null {
  const faults: string[] = []
  const fields = fieldsOf(JSON.parse(text), '', faults).object('intents', null)
  if (fields === null) return null
  const settings = readSettings(fields, environment)
  if (faults.length > 0) throw new SettingsError('The rails file is', faults, 'docs/rails.md#near-intents')
  return Object.freeze(settings)
}

function readSettings(fields: Fields, environment: Environment): IntentsSettings {
  const mode = fields.oneOf('mode', ['live', 'test'])
  const url = readUrl(fields, 'url', mode, mode === 'live' ? LIVE_URL : null)
  const feedKey = readKey(fields, 'feedKeyEnv', environment)
  if (!fields.has('feedKeyEnv'))
    fields.fault(
      'feedKeyEnv',
      'it names the variable that holds the key of the partner’s list of swaps; without the list deposits are found late. Ask NEAR Intents for a partner’s key, set the variable, and put its name here',
    )
  const feedUrl = readUrl(fields, 'feedUrl', mode, FEED_URL)
  const signer = fields.has('signer') ? fields.text('signer') : LIVE_SIGNER
  if (!/^ed25519:[1-9A-HJ-NP-Za-km-z]{40,46}$/.test(signer))
    fields.fault('signer', 'it takes a public key such as ed25519:reYaWhv…')
  const feeAccount = fields.has('feeAccount') ? fields.text('feeAccount') : null
  if (feeAccount !== null && !/^[a-z0-9._-]{2,64}$/.test(feeAccount))
    fields.fault('feeAccount', 'it takes the name of an account inside NEAR Intents, in lower case')
  const referral = fields.has('referral') ? fields.text('referral') : 'florin'
  if (!/^[a-z0-9._-]{2,40}$/.test(referral)) fields.fault('referral', 'it takes a word in lower case')
  const windowS = fields.integer('windowS', 300, 86_400, 3_600)
  const settings: IntentsSettings = {
    ...{ mode, url, signer, feeAccount, referral },
    feed: { url: feedUrl, key: feedKey ?? '' },
    apiKey: readKey(fields, 'apiKeyEnv', environment),
    slippageBps: fields.integer('slippageBps', 1, 1_000, 100),
    providerFeeMaxBps: fields.integer('providerFeeMaxBps', 0, 1_000, 50),
    requestsPerS: fields.integer('requestsPerS', 1, 50, 5),
    timeoutMs: fields.integer('timeoutMs', 100, 120_000, 30_000),
    windowMs: { usual: windowS * 1000, slow: 4 * windowS * 1000 },
    nodes: readNodes(fields, mode),
  }
  fields.end()
  return settings
}

function readUrl(fields: Fields, name: string, mode: 'live' | 'test', fallback: string | null): string {
  if (!fields.has(name) && fallback !== null) {
    fields.skip(name)
    return fallback
  }
  const url = fields.text(name).replace(/\/$/, '')
  const isFine = URL.canParse(url) && (url.startsWith('https://') || (mode === 'test' && url.startsWith('http://')))
  if (url !== '' && !isFine) fields.fault(name, 'it takes an address such as https://1click.chaindefuser.com')
  return url
}

/** Keys stand in the environment only. */
function readKey(fields: Fields, name: string, environment: Environment): string | null {
  if (!fields.has(name)) {
    fields.skip(name)
    return null
  }
  const key = environment[fields.text(name)]?.trim() ?? ''
  // It becomes a header: never echoed, and nothing that a header cannot hold.
  if (!/^[!-~]{8,4096}$/.test(key)) fields.fault(name, 'no such variable is set, or it holds no key')
  return key
}

const kinds: Readonly<Record<string, ProofNode['kind']>> = {
  evm: 'evm',
  solana: 'solana',
  btc: 'esplora',
  ltc: 'esplora',
}

function readNodes(fields: Fields, mode: 'live' | 'test'): ProofNode[] {
  const nodes = fields.object('nodes', {})
  if (nodes === null) return []
  return Object.keys(nodes.value).flatMap((id): ProofNode[] => {
    const url = readUrl(nodes, id, mode, null)
    const family = chains.find((chain) => chain.id === id)?.family
    const kind = kinds[id] ?? (family === undefined ? undefined : kinds[family])
    if (kind !== undefined) return [{ chain: id, kind, url }]
    nodes.fault(id, 'payouts are looked up on EVM chains, Solana, Bitcoin and Litecoin only')
    return []
  })
}
