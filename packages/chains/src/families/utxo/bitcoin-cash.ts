// Bitcoin Cash and eCash: cashaddr, with Bitcoin's own base58 forms still in use and rewritten to cashaddr.
// Segwit does not exist here; a version byte says the kind, and only sizes that scripts can use are payable.

import { decodeBase58, openChecked } from '../../encoding/base58.ts'
import { allZero, mixedCase } from '../../encoding/bytes.ts'
import { decodeCashaddr, encodeCashaddr } from '../../encoding/cashaddr.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../../verdict.ts'
import { hasVersion } from './utxo.ts'

interface CashNetwork {
  readonly prefix: string
  readonly testPrefixes: readonly string[]
  /** Allowed version bytes and their hash sizes. Bitcoin Cash also has 32-byte scripts and token-aware kinds. */
  readonly kinds: ReadonlyMap<number, { readonly kind: string; readonly size: number }>
}

const keyHash = { kind: 'p2pkh', size: 20 }
const scriptHash = { kind: 'p2sh', size: 20 }
const scriptHash32 = { kind: 'p2sh32', size: 32 }

function legacy(text: string, network: CashNetwork): Finding | null {
  const bytes = decodeBase58(text)
  if (bytes?.length !== 25) return null
  const payload = openChecked(bytes)
  if (!payload) return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const hash = payload.subarray(1)
  if (allZero(hash) || text === '1BitcoinEaterAddressDontSendf59kuE')
    return refuse('not_payable', 'it is a burn address that nobody can spend from')
  for (const [version, type, kind] of [
    [0x00, 0x00, 'p2pkh'],
    [0x05, 0x08, 'p2sh'],
  ] as const)
    if (hasVersion(payload, [version]))
      return accept(kind, encodeCashaddr(network.prefix, new Uint8Array([type, ...hash])), warning('also_bitcoin'))
  return hasVersion(payload, [0x6f]) || hasVersion(payload, [0xc4])
    ? refuse('wrong_network', 'it is an address of a test network')
    : refuse('wrong_network', 'its checksum is right but its first characters belong to another network')
}

function check(text: string, network: CashNetwork): Finding {
  const old = legacy(text, network)
  if (old) return old
  if (mixedCase(text)) return refuse('bad_charset', 'it mixes upper and lower case')
  const lower = text.toLowerCase()
  const colon = lower.indexOf(':')
  const prefix = colon < 0 ? network.prefix : lower.slice(0, colon)
  const payload = lower.slice(colon + 1)
  const bytes = decodeCashaddr(prefix, payload)
  if (bytes === 'charset')
    return refuse('bad_charset', `it must be ${network.prefix}: and about 42 characters without b, i, o and 1`)
  if (bytes === 'checksum') {
    const ofTest = colon < 0 && network.testPrefixes.some((test) => typeof decodeCashaddr(test, payload) !== 'string')
    return ofTest
      ? refuse('wrong_network', 'it is an address of a test network')
      : refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  }
  if (network.testPrefixes.includes(prefix)) return refuse('wrong_network', 'it is an address of a test network')
  if (prefix !== network.prefix) return refuse('wrong_network', `it must begin with ${network.prefix}:`)
  const kind = network.kinds.get(bytes[0] ?? 0x80)
  if (kind?.size !== bytes.length - 1)
    return refuse('wrong_kind', 'its checksum is right but its kind is none that can be paid')
  if (allZero(bytes.subarray(1))) return refuse('not_payable', 'it is a burn address that nobody can spend from')
  return accept(kind.kind, `${prefix}:${payload}`)
}

function cashaddr(network: CashNetwork): AddressRules {
  const upper = network.prefix.toUpperCase()
  return {
    lookalike: new RegExp(
      `^(?:(?:${network.prefix}:)?[qprz][02-9ac-hj-np-z]{41,64}|(?:${upper}:)?[QPRZ][02-9AC-HJ-NP-Z]{41,64}|[13][1-9A-HJ-NP-Za-km-z]{24,34})$`,
    ),
    checksummed: true,
    scheme: network.prefix,
    check: (text) => check(text, network),
    testAddress: (seed) => encodeCashaddr(network.testPrefixes[0] ?? '', new Uint8Array([0, ...seed.subarray(0, 20)])),
  }
}

export const bitcoinCash = cashaddr({
  prefix: 'bitcoincash',
  testPrefixes: ['bchtest', 'bchreg'],
  // The size code sits in the low three bits (3 is 32 bytes), the type above it; types 2 and 3 also take tokens.
  kinds: new Map([
    [0x00, keyHash],
    [0x08, scriptHash],
    [0x0b, scriptHash32],
    [0x10, keyHash],
    [0x18, scriptHash],
    [0x1b, scriptHash32],
  ]),
})

export const eCash = cashaddr({
  prefix: 'ecash',
  testPrefixes: ['ectest', 'ecregtest'],
  kinds: new Map([
    [0x00, keyHash],
    [0x08, scriptHash],
  ]),
})
