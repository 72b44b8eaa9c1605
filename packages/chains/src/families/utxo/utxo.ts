// Bitcoin and the chains that kept its formats: base58check with version bytes of their own, and segwit bech32/bech32m.
// A script hash under the old shared version 5 is rewritten to the chain's own spelling, so one address has one form.

import {
  base58Alphabet,
  type Checksum,
  decodeBase58,
  doubleSha256,
  encodeChecked,
  openChecked,
} from '../../encoding/base58.ts'
import { bytesOfWords, decodeBech32, encodeBech32, explainBech32 } from '../../encoding/bech32.ts'
import { allZero, bigEndian, startsWith } from '../../encoding/bytes.ts'
import { onSecp256k1 } from '../../encoding/curves.ts'
import { type AddressRules, accept, type Finding, refuse, warning } from '../../verdict.ts'

export type Version = readonly number[]

interface UtxoNetwork {
  readonly pubkeyHash: readonly Version[]
  readonly scriptHash: Version
  /** The version this chain once shared with Bitcoin's `3…`: read, warned about, rewritten. */
  readonly oldScriptHash?: Version
  /** The prefix of segwit addresses; left out where the chain has none. */
  readonly segwit?: string
  readonly testVersions: readonly Version[]
  readonly testSegwit?: readonly string[]
  readonly checksum?: Checksum
}

/** Known burn addresses besides the all-zero hash. */
const burned = new Set([
  '1BitcoinEaterAddressDontSendf59kuE',
  '1CounterpartyXXXXXXXXXXXXXXXUWLpVr',
  'DDogepartyxxxxxxxxxxxxxxxxxxw1dfzr',
])
const nobody = refuse('not_payable', 'it is a burn address that nobody can spend from')

/** One of a network's versions at the front of a 20-byte hash. */
export function hasVersion(payload: Uint8Array, version: Version): boolean {
  return payload.length === version.length + 20 && startsWith(payload, version)
}

function checkBase58(text: string, network: UtxoNetwork): Finding {
  if (!base58Alphabet.test(text))
    return refuse('bad_charset', 'it has a character that base58 does not have (0, O, I, l or a sign)')
  const bytes = decodeBase58(text)
  if (bytes?.length !== network.scriptHash.length + 24)
    return refuse('bad_length', 'its length is that of no address of this chain')
  const payload = openChecked(bytes, network.checksum)
  if (!payload) return refuse('bad_checksum', 'its checksum does not match, so at least one character is wrong')
  const hash = payload.subarray(-20)
  const scripts = [network.scriptHash, ...(network.oldScriptHash ? [network.oldScriptHash] : [])]
  const isKey = network.pubkeyHash.some((version) => hasVersion(payload, version))
  if (!isKey && !scripts.some((version) => hasVersion(payload, version)))
    return network.testVersions.some((version) => hasVersion(payload, version))
      ? refuse('wrong_network', 'it is an address of a test network')
      : refuse('wrong_network', 'its checksum is right but its first characters belong to another network')
  if (allZero(hash) || burned.has(text)) return nobody
  if (isKey) return accept('p2pkh', text)
  if (hasVersion(payload, network.scriptHash)) return accept('p2sh', text)
  return accept('p2sh', encodeChecked(new Uint8Array([...network.scriptHash, ...hash])), warning('also_bitcoin'))
}

function checkSegwit(text: string, network: UtxoNetwork): Finding {
  const read = decodeBech32(text)
  if (!read) return explainBech32(text)
  if (network.testSegwit?.includes(read.prefix)) return refuse('wrong_network', 'it is an address of a test network')
  if (read.prefix !== network.segwit) return refuse('wrong_network', `it must begin with ${network.segwit}1`)
  const version = read.words[0]
  const program = bytesOfWords(read.words.slice(1))
  if (version === undefined || !program || version > 16 || program.length < 2 || program.length > 40)
    return refuse('bad_length', 'it holds no possible witness program')
  if (read.variant !== (version === 0 ? 'bech32' : 'bech32m'))
    return refuse(
      'bad_checksum',
      `witness version ${version} needs the ${version === 0 ? 'bech32' : 'bech32m'} checksum`,
    )
  if (version === 0 && program.length !== 20 && program.length !== 32)
    return refuse('bad_length', 'a version 0 witness program has 20 or 32 bytes')
  if (version > 1 || (version === 1 && program.length !== 32))
    return refuse('not_payable', 'what is sent to this kind of output can be taken by anyone')
  if (allZero(program)) return nobody
  const canonical = text.toLowerCase()
  if (version === 0) return accept(program.length === 20 ? 'p2wpkh' : 'p2wsh', canonical)
  return onSecp256k1(bigEndian(program)) ? accept('p2tr', canonical) : accept('p2tr', canonical, warning('off_curve'))
}

function check(text: string, network: UtxoNetwork): Finding {
  const lower = text.toLowerCase()
  if (/^sp1q/.test(lower))
    return refuse('unsupported_form', 'it is a silent payment address, which this service cannot pay')
  if (lower.startsWith('ltcmweb1'))
    return refuse('unsupported_form', 'it is an MWEB address, which most senders cannot pay')
  const prefixes = network.segwit ? [network.segwit, ...(network.testSegwit ?? [])] : []
  if (prefixes.some((prefix) => lower.startsWith(`${prefix}1`))) return checkSegwit(text, network)
  return checkBase58(text, network)
}

export function utxo(network: UtxoNetwork): AddressRules {
  const segwit = network.segwit
    ? `|(?:${network.segwit}|${network.segwit.toUpperCase()})1[02-9ac-hj-np-zA-Z]{10,90}`
    : ''
  return {
    lookalike: new RegExp(`^(?:[1-9A-HJ-NP-Za-km-z]{25,36}${segwit})$`),
    checksummed: true,
    check: (text) => check(text, network),
    testAddress: (seed) => {
      const hash = seed.subarray(0, 20)
      const prefix = network.testSegwit?.[0]
      if (prefix) return encodeSegwit(prefix, hash)
      const version = network.testVersions[0] ?? []
      return encodeChecked(new Uint8Array([...version, ...hash]), 'bitcoin', network.checksum ?? doubleSha256)
    },
  }
}

/** A version 0 witness program as an address. */
function encodeSegwit(prefix: string, program: Uint8Array): string {
  return encodeBech32(prefix, program, 'bech32', [0])
}
