// The providers of a chain: whom each depends on, and how many must say the same before it is believed.
import type { Fields } from '@florin/rail-kit/settings/reader'
import { getDomain } from 'tldts'

export interface ProviderSettings {
  /** Often contains a key: never shown. */
  url: string
  /** How it is shown: host and port. */
  name: string
  /** Whose word it is. Providers with one voice count as one. */
  voice: string
}

export interface ProviderRules {
  rpc: readonly ProviderSettings[]
  /** How many voices must say the same: two, or one for a test chain or an own node with a single voice. */
  quorum: 1 | 2
}

export function readProviders(fields: Fields, mode: 'live' | 'test'): ProviderRules {
  const entries = fields.entries('rpc')
  const ownNode = fields.boolean('ownNode', false)
  const found = entries.flatMap((entry) => readProvider(entry, mode))
  // Not echoed: a provider's URL often contains a key.
  if (entries.length === 0 || found.length < entries.length)
    fields.fault('rpc', 'it takes a list of at least one http or https address, each as text or as { "url": … }')
  const rpc = found.map((one, n) => {
    const before = found.slice(0, n).filter((other) => other.name === one.name).length
    return before === 0 ? one : { ...one, name: `${one.name} (${before + 1})` }
  })
  const voices = new Set(rpc.map((one) => one.voice))
  if (mode === 'live' && voices.size === 1 && !ownNode) {
    const [voice] = voices
    fields.fault(
      'rpc',
      `real money takes two providers of different operators, and here all is the word of ${voice}: add one of another ` +
        'operator (declare "operator" where the domain misleads), or say "ownNode": true if it is your own node',
    )
  }
  return { rpc, quorum: voices.size > 1 ? 2 : 1 }
}

function readProvider(entry: string | Fields, mode: 'live' | 'test'): ProviderSettings[] {
  const fields = typeof entry === 'string' ? null : entry
  const text = typeof entry === 'string' ? entry : entry.text('url')
  const operator = fields?.has('operator') === true ? fields.text('operator') : null
  const upstream = fields?.has('upstream') === true ? fields.text('upstream') : null
  fields?.end()
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return []
  const { host, hostname } = new URL(text)
  // Providers of a test chain may be several ports of one machine.
  const own = mode === 'test' ? host : (getDomain(hostname) ?? hostname)
  return [{ url: text, name: host, voice: (upstream ?? operator ?? own).toLowerCase() }]
}
