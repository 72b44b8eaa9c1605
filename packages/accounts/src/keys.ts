// Extended public keys (BIP-32) in every notation that wallets use: read, judged by their version first, and written
// again as xpub. Pure.

import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check, hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { type KeyVersion, type Network, privateVersions, publicVersions } from './networks.ts'
import { Refused } from './refusal.ts'

const base58check = createBase58check(sha256)
const HARDENED = 0x80000000

export const isHardened = (step: number): boolean => step >= HARDENED

const xpub = '0488b21e'
const tpub = '043587cf'

export interface ExtendedKey {
  readonly version: KeyVersion
  readonly depth: number
  readonly parentFingerprint: string
  /** 2³¹ and above: a hardened child. */
  readonly childNumber: number
  readonly key: HDKey
}

const badKey = (what: string): Refused => new Refused('bad_key', `This is not a valid extended public key: ${what}.`)

/** @throws Refused. Nothing of a private key is kept. */
export function readExtendedKey(text: string): ExtendedKey {
  if (!/^[1-9A-HJ-NP-Za-km-z]{100,120}$/.test(text)) throw badKey('it has about 111 letters and digits of base58')
  let payload: Uint8Array
  try {
    payload = base58check.decode(text)
  } catch {
    throw new Refused('bad_checksum', 'The checksum of the key does not match: at least one character is wrong.')
  }
  const version = hex.encode(payload.subarray(0, 4))
  const asPrivate = privateVersions[version]
  if (asPrivate !== undefined || (payload.length === 78 && payload[45] === 0)) throw privateKey(asPrivate)
  if (payload.length !== 78) throw badKey('its length is not that of one')
  const known = publicVersions[version]
  if (known === undefined) throw badKey('its first characters belong to no wallet that is known here')
  if (known.isMultisig) {
    throw new Refused(
      'multisig',
      `${known.name} is one key of a wallet in which several sign together. Only wallets with one key are taken.`,
    )
  }
  return { version: known, ...readPayload(payload) }
}

export function privateKey(name?: string): Refused {
  const what = name === undefined ? 'a private key' : `a private key (${name})`
  return new Refused(
    'private_key',
    `This holds ${what}: whoever has it can spend. It was not stored. Give the extended public key, and move the money if it was shown to others.`,
  )
}

function readPayload(payload: Uint8Array): Omit<ExtendedKey, 'version'> {
  const view = new DataView(payload.buffer, payload.byteOffset)
  const depth = view.getUint8(4)
  const parentFingerprint = hex.encode(payload.subarray(5, 9))
  const childNumber = view.getUint32(9)
  if (depth === 0 && parentFingerprint !== '00000000')
    throw badKey('it says to be the top of a wallet and names a parent')
  if (depth === 0 && childNumber !== 0) throw badKey('it says to be the top of a wallet and a child as well')
  try {
    return { depth, parentFingerprint, childNumber, key: HDKey.fromExtendedKey(withVersion(payload, xpub)) }
  } catch {
    throw badKey('its public key is no point of the curve')
  }
}

const withVersion = (payload: Uint8Array, version: string): string =>
  base58check.encode(new Uint8Array([...hex.decode(version), ...payload.subarray(4)]))

/** One notation for one key: xpub, on test networks tpub. */
export function writeExtendedKey({ key }: ExtendedKey, network: Network): string {
  const plain = key.publicExtendedKey
  return network === 'main' ? plain : withVersion(base58.decode(plain).subarray(0, 78), tpub)
}

/** The top of the wallet, as far as this key alone shows it: its own, or its parent's one step below. */
export function topFingerprint(extended: ExtendedKey): string | null {
  if (extended.depth === 0) return extended.key.fingerprint.toString(16).padStart(8, '0')
  return extended.depth === 1 ? extended.parentFingerprint : null
}

/**
 * A key given alone has to be the account's own: below it `0/i` are the addresses that the wallet shows.
 * Electrum's own seeds have theirs at depth 0 or 1.
 */
export function checkLevel({ depth, childNumber }: ExtendedKey): void {
  const isTop = depth === 0
  const isOwn = isHardened(childNumber)
  if (isTop || (isOwn && (depth === 1 || depth === 3))) return
  const below = depth > 3 || !isOwn
  throw new Refused(
    'wrong_level',
    below
      ? 'This key stands below the account: addresses derived from it would not be seen by the wallet. Give the key of the account (depth 3, such as m/84h/0h/0h), or a descriptor that says the path.'
      : 'This key stands above the account. Give the key of the account (depth 3, such as m/84h/0h/0h), or a descriptor that says the path.',
  )
}
