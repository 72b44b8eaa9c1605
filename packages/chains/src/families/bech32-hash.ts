// Chains whose address is bech32 of a plain account hash or key: the Cosmos zones, Zilliqa, MultiversX.

import { decodeBech32, encodeBech32, readBech32 } from '../encoding/bech32.ts'
import { allZero } from '../encoding/bytes.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../verdict.ts'

interface Bech32Account {
  readonly prefix: string
  readonly sizes: readonly number[]
  /** Capitals are legal bech32, but these chains' own tools show and take small letters only. */
  readonly lowerOnly?: boolean
  readonly testPrefix?: string
  /** MultiversX marks contracts by eight zero bytes in front. */
  readonly contractZeros?: number
}

function check(text: string, account: Bech32Account): Finding {
  const { prefix } = account
  if (account.lowerOnly && /[A-Z]/.test(text)) return refuse('bad_charset', 'it must be in small letters')
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return refuse('unsupported_form', `it must begin with ${prefix}1`)
  const other = decodeBech32(text)
  if (other && new RegExp(`^${prefix}(?:valoper|valcons|pub|valoperpub|valconspub)$`).test(other.prefix))
    return refuse('wrong_kind', `it names a validator or a public key; give the address that begins with ${prefix}1`)
  if (other && other.prefix === account.testPrefix) return refuse('wrong_network', 'it is an address of a test network')
  const lengths = account.sizes.map((size) => prefix.length + 7 + Math.ceil((size * 8) / 5))
  if (!other && text.toLowerCase().startsWith(`${prefix}1`) && !lengths.includes(text.length))
    return refuse('bad_length', `it has ${text.length} characters where ${lengths.join(' or ')} are needed`)
  const read = readBech32(text, prefix, 'bech32')
  if (!read.ok) return read
  if (!account.sizes.includes(read.bytes.length))
    return refuse('bad_length', `it holds ${read.bytes.length} bytes where ${account.sizes.join(' or ')} are needed`)
  if (allZero(read.bytes)) return refuse('not_payable', 'it is the zero address, which nobody can spend from')
  const zeros = account.contractZeros
  if (zeros && allZero(read.bytes.subarray(0, zeros)))
    return accept('contract', text.toLowerCase(), warning('contract'))
  return accept(account.sizes.indexOf(read.bytes.length) === 0 ? 'account' : 'module-or-contract', text.toLowerCase())
}

export function bech32Account(account: Bech32Account): AddressRules {
  const { prefix, testPrefix } = account
  return {
    lookalike: new RegExp(`^(?:${prefix}|${prefix.toUpperCase()})1[02-9ac-hj-np-zA-Z]{30,70}$`),
    checksummed: true,
    check: (text) => check(text, account),
    ...(testPrefix ? { testAddress: (seed) => encodeBech32(testPrefix, seed.subarray(0, account.sizes[0])) } : {}),
  }
}

/** A Cosmos zone: 20 bytes for a key, 32 for a module or contract (ADR-028). */
export function cosmosZone(prefix: string): AddressRules {
  return bech32Account({ prefix, sizes: [20, 32], lowerOnly: true })
}
