// The wallet of BIP-84's and BIP-86's twelve words, and its keys in every notation.
import { sha256 } from '@noble/hashes/sha2.js'
import { base58, createBase58check, hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { publicVersions } from '../src/networks.ts'

const base58check = createBase58check(sha256)
export const words = `${'abandon '.repeat(11)}about`
const seed =
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4'
export const top = HDKey.fromMasterSeed(hex.decode(seed))
export const fingerprint = '73c5da0a'

/** @param version four bytes in hexadecimal, public or private. @param said where the key claims to stand, its parent left out. */
export function withVersion(key: string, version: string, said?: { depth: number; child: number }): string {
  const bytes = base58.decode(key).slice(0, 78)
  bytes.set(hex.decode(version))
  if (said !== undefined) {
    bytes.fill(0, 4, 13)
    bytes[4] = said.depth
    new DataView(bytes.buffer).setUint32(9, said.child)
  }
  return base58check.encode(bytes)
}

const versionOf = (name: string): string =>
  Object.entries(publicVersions).find(([, version]) => version.name === name)?.[0] ?? ''

/** @example key("m/84'/0'/0'", 'zpub') */
export const key = (path: string, name = 'xpub'): string =>
  withVersion(top.derive(path).publicExtendedKey, versionOf(name))

/** A base58 address with another first byte, as two chains spell the same script. */
export const withVersionByte = (address: string, byte: number): string =>
  base58check.encode(new Uint8Array([byte, ...base58check.decode(address).subarray(1)]))
