// From a public key to the address and script that pay it, for each way of locking, chain and network; and which way of
// locking a given address has. Pure.

import { checkAddress, encodeCashaddr } from '@florin/chains'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bech32, bech32m, createBase58check } from '@scure/base'
import { type AccountChain, chainBytes, type Network, type ScriptType } from './networks.ts'

const base58check = createBase58check(sha256)
const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))
const Point = secp256k1.ProjectivePoint

/** The key of a taproot output without a script tree (BIP-86). */
function taprootKey(publicKey: Uint8Array): Uint8Array {
  const { taggedHash, lift_x, pointToBytes } = schnorr.utils
  const internal = publicKey.subarray(1)
  const even = lift_x(BigInt(`0x${toHex(internal)}`))
  const tweak = BigInt(`0x${toHex(taggedHash('TapTweak', internal))}`)
  return pointToBytes(even.add(Point.BASE.multiply(tweak)))
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Of a nested segwit output. */
export const redeemScriptOf = (publicKey: Uint8Array): Uint8Array => new Uint8Array([0x00, 0x14, ...hash160(publicKey)])

/** What the output is locked with: the script in hexadecimal, and the hash or key that the address spells. */
function lock(script: ScriptType, publicKey: Uint8Array): { scriptPubKey: string; payload: Uint8Array } {
  switch (script) {
    case 'pkh': {
      const payload = hash160(publicKey)
      return { payload, scriptPubKey: `76a914${toHex(payload)}88ac` }
    }
    case 'wpkh': {
      const payload = hash160(publicKey)
      return { payload, scriptPubKey: `0014${toHex(payload)}` }
    }
    case 'sh-wpkh': {
      const payload = hash160(redeemScriptOf(publicKey))
      return { payload, scriptPubKey: `a914${toHex(payload)}87` }
    }
    case 'tr': {
      const payload = taprootKey(publicKey)
      return { payload, scriptPubKey: `5120${toHex(payload)}` }
    }
  }
}

/** @throws RangeError where the chain has no such outputs. */
export function payTo(
  a: { chain: AccountChain; network: Network; script: ScriptType },
  publicKey: Uint8Array,
): { address: string; scriptPubKey: string } {
  const { scripts, cashaddr, networks } = chainBytes[a.chain]
  if (!scripts.includes(a.script)) throw new RangeError(`There is no ${a.script} on ${a.chain}.`)
  const { keyHash, scriptHash, prefix } = networks[a.network]
  const { scriptPubKey, payload } = lock(a.script, publicKey)
  const based = (version: number): string => base58check.encode(new Uint8Array([version, ...payload]))
  switch (a.script) {
    case 'pkh':
      if (cashaddr) return { scriptPubKey, address: encodeCashaddr(prefix ?? '', new Uint8Array([0, ...payload])) }
      return { scriptPubKey, address: based(keyHash) }
    case 'sh-wpkh':
      return { scriptPubKey, address: based(scriptHash) }
    case 'wpkh':
      return { scriptPubKey, address: bech32.encode(prefix ?? '', [0, ...bech32.toWords(payload)]) }
    case 'tr':
      return { scriptPubKey, address: bech32m.encode(prefix ?? '', [1, ...bech32m.toWords(payload)]) }
  }
}

export interface GivenAddress {
  readonly canonical: string
  readonly script: ScriptType
  /** The very same text may be an address of another chain. */
  readonly isShared: boolean
}

const kinds: Readonly<Record<string, ScriptType>> = { p2pkh: 'pkh', p2sh: 'sh-wpkh', p2wpkh: 'wpkh', p2tr: 'tr' }

/** Reads an address of a wallet with one key; null where it is none of this chain and network. */
export function readAddress(text: string, a: { chain: AccountChain; network: Network }): GivenAddress | null {
  if (a.network !== 'main') return readTestAddress(text, a)
  const verdict = checkAddress(a.chain, text)
  if (!verdict.valid) return null
  const script = kinds[verdict.kind]
  if (script === undefined) return null
  return {
    canonical: verdict.canonical,
    script,
    isShared: verdict.warnings.some(({ code }) => code === 'also_bitcoin'),
  }
}

/** What pays this address is locked with, in hexadecimal; null where it is no address of a wallet with one key on Bitcoin or Litecoin. */
export function scriptOfAddress(chain: AccountChain, text: string): string | null {
  const given = readAddress(text, { chain, network: 'main' })
  if (given === null || chainBytes[chain].cashaddr) return null
  const { canonical, script } = given
  if (script === 'pkh') return `76a914${toHex(base58check.decode(canonical).subarray(1))}88ac`
  if (script === 'sh-wpkh') return `a914${toHex(base58check.decode(canonical).subarray(1))}87`
  const code = script === 'wpkh' ? bech32 : bech32m
  const { words } = code.decode(canonical as `${string}1${string}`)
  return `${script === 'wpkh' ? '0014' : '5120'}${toHex(code.fromWords(words.slice(1)))}`
}

/** Test networks share their base58 addresses, so nothing is proven by one; there is no money to lose. */
function readTestAddress(text: string, a: { chain: AccountChain; network: Network }): GivenAddress | null {
  if (text.length > 100) return null
  const { networks, cashaddr } = chainBytes[a.chain]
  const { keyHash, scriptHash, prefix } = networks[a.network]
  const lower = text.toLowerCase()
  if (cashaddr) return lower.startsWith(`${prefix}:q`) ? { canonical: lower, script: 'pkh', isShared: false } : null
  if (prefix !== null && lower.startsWith(`${prefix}1q`)) return { canonical: lower, script: 'wpkh', isShared: false }
  if (prefix !== null && lower.startsWith(`${prefix}1p`)) return { canonical: lower, script: 'tr', isShared: false }
  try {
    const payload = base58check.decode(text)
    if (payload.length !== 21) return null
    if (payload[0] === keyHash) return { canonical: text, script: 'pkh', isShared: true }
    return payload[0] === scriptHash ? { canonical: text, script: 'sh-wpkh', isShared: true } : null
  } catch {
    return null
  }
}
