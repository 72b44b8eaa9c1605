// An account of a wallet: the public half from which all its receiving addresses come. Plain data that JSON can carry;
// its canonical text is a descriptor, and its identity does not depend on notation. Pure.

import { sha256 } from '@noble/hashes/sha2.js'
import { hex, utf8 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { payTo, readAddress, redeemScriptOf, toHex } from './address.ts'
import { descriptorChecksum } from './checksum.ts'
import { type KeyExpression, readDescriptor, UNKNOWN_FINGERPRINT, writePath } from './descriptor.ts'
import { type ExtendedKey, isHardened, topFingerprint, writeExtendedKey } from './keys.ts'
import type { AccountChain, Network, ScriptType } from './networks.ts'

export interface Account {
  readonly chain: AccountChain
  readonly network: Network
  readonly script: ScriptType
  /** Canonical text with checksum; `openAccount` reads it. The key is written as xpub, on test networks as tpub. */
  readonly descriptor: string
  /**
   * 64 hexadecimal digits that are equal exactly where all addresses are equal: they come from chain, network, script and
   * the key whose children the addresses are.
   */
  readonly identity: string
  /** Of the wallet's top key, where the text shows it. */
  readonly fingerprint: string | null
  /** From the top to the account's key, such as `m/84h/0h/0h`; null where the text does not say. */
  readonly path: string | null
  /** The key whose children are the addresses, in hexadecimal. */
  readonly receive: { readonly publicKey: string; readonly chainCode: string }
}

export interface AccountAddress {
  readonly index: number
  readonly address: string
  /** In hexadecimal. */
  readonly scriptPubKey: string
  readonly publicKey: string
}

const HARDENED = 0x80000000
const inner = (script: ScriptType, key: string): string =>
  script === 'sh-wpkh' ? `sh(wpkh(${key}))` : `${script}(${key})`

/** What the account's key is derived by: `/0` where the text says no path. */
const receiveBranch = (expression: KeyExpression): readonly number[] => expression.branch ?? [0]

export function makeAccount(
  a: { chain: AccountChain; network: Network; script: ScriptType },
  expression: KeyExpression,
): Account {
  const { origin, extended } = expression
  const branch = receiveBranch(expression)
  const receive = branch.reduce((key, step) => key.deriveChild(step), extended.key)
  const { publicKey, chainCode } = bytesOf(receive)
  const start = origin === null ? '' : `[${origin.fingerprint}${writePath(origin.path)}]`
  const key = `${start}${writeExtendedKey(extended, a.network)}${writePath(branch)}/*`
  const body = inner(a.script, key)
  const known = origin?.fingerprint === UNKNOWN_FINGERPRINT ? null : origin?.fingerprint
  const identity = toHex(
    sha256(utf8.decode([a.chain, a.network, a.script, toHex(publicKey), toHex(chainCode)].join(':'))),
  )
  return {
    ...a,
    descriptor: `${body}#${descriptorChecksum(body)}`,
    identity,
    fingerprint: known ?? topFingerprint(extended),
    path: origin === null ? null : `m${writePath(origin.path)}`,
    receive: { publicKey: toHex(publicKey), chainCode: toHex(chainCode) },
  }
}

/**
 * The account of a canonical descriptor, as `parseAccount` gave it once.
 * @throws Refused where it is no such text: that is a fault in the caller.
 */
export function openAccount(descriptor: string, a: { chain: AccountChain; network: Network }): Account {
  const { script, expression } = readDescriptor(descriptor)
  return makeAccount({ ...a, script }, expression)
}

/** The chain that the wallet's own change goes to; null: the path does not say which that is. */
export function changeOf(account: Account): Account | null {
  const { expression } = readDescriptor(account.descriptor)
  const branch = receiveBranch(expression)
  return branch.at(-1) === 0 ? makeAccount(account, { ...expression, branch: [...branch.slice(0, -1), 1] }) : null
}

/** The key that the text names, and those from it down to the one whose children are the addresses. */
export function keysOf(account: Account): { extended: ExtendedKey; path: readonly HDKey[] } {
  const { expression } = readDescriptor(account.descriptor)
  const { extended } = expression
  const path = [extended.key]
  for (const step of receiveBranch(expression)) path.push((path.at(-1) ?? extended.key).deriveChild(step))
  return { extended, path }
}

/**
 * Marks to search for accounts that may be of the same wallet: they share one where the key of one is the other's, above it, below it
 * or beside it. A key only names its parent, so `overlapOf` decides. No key can be had from them.
 */
export function walletMarks(account: Account): string[] {
  const { extended, path } = keysOf(account)
  const { key, depth, childNumber, parentFingerprint } = extended
  const marks = [key.deriveChild(0), key.deriveChild(1), ...path].map((one) => {
    const { publicKey, chainCode } = bytesOf(one)
    return toHex(sha256(new Uint8Array([...publicKey, ...chainCode]))).slice(0, 32)
  })
  const isSaid = depth > 0 && !isHardened(childNumber) && parentFingerprint !== UNKNOWN_FINGERPRINT
  const parents = [key.fingerprint.toString(16).padStart(8, '0'), ...(isSaid ? [parentFingerprint] : [])]
  return [...new Set([...marks, ...parents.map((print) => `of ${print}`)])].sort()
}

/**
 * From the wallet's top key to the key whose children are the addresses: what a signer needs to know its own. null: the
 * text did not say where the key stands.
 */
export function receiveOrigin(account: Account): { fingerprint: string; path: readonly number[] } | null {
  const { expression } = readDescriptor(account.descriptor)
  const { origin, extended } = expression
  const branch = receiveBranch(expression)
  if (origin !== null)
    return origin.fingerprint === UNKNOWN_FINGERPRINT ? null : { ...origin, path: [...origin.path, ...branch] }
  const top = topFingerprint(extended)
  if (top === null) return null
  return { fingerprint: top, path: [...(extended.depth === 0 ? [] : [extended.childNumber]), ...branch] }
}

/** What a nested segwit output is locked by, in hexadecimal. */
export const redeemScript = (publicKey: string): string => toHex(redeemScriptOf(hex.decode(publicKey)))

/** Consecutive addresses; one costs about a millisecond of one core. @throws RangeError for an index beyond 2³¹ − 1. */
export function deriveAddresses(account: Account, from: number, count: number): AccountAddress[] {
  const { publicKey, chainCode } = account.receive
  const key = new HDKey({ publicKey: hex.decode(publicKey), chainCode: hex.decode(chainCode) })
  return Array.from({ length: count }, (_, n) => {
    const index = from + n
    if (!Number.isSafeInteger(index) || index < 0 || index >= HARDENED)
      throw new RangeError('An index is 0 to 2147483647.')
    const child = bytesOf(key.deriveChild(index)).publicKey
    return { index, ...payTo(account, child), publicKey: toHex(child) }
  })
}

export function deriveAddress(account: Account, index: number): AccountAddress {
  const [derived] = deriveAddresses(account, index, 1)
  if (derived === undefined) throw new RangeError('One index has one address.')
  return derived
}

/** At which of `count` receiving indexes this address stands, in any spelling; null: at none. */
export function findIndex(account: Account, address: string, from: number, count: number): number | null {
  const given = readAddress(address.trim(), account)
  if (given === null || given.script !== account.script) return null
  return deriveAddresses(account, from, count).find((one) => one.address === given.canonical)?.index ?? null
}

/** What a merchant compares with the wallet. */
export const firstAddresses = (account: Account, count = 5): string[] =>
  deriveAddresses(account, 0, count).map(({ address }) => address)

function bytesOf({ publicKey, chainCode }: HDKey): { publicKey: Uint8Array; chainCode: Uint8Array } {
  if (publicKey === null || chainCode === null) throw new RangeError('An extended key has both halves.')
  return { publicKey, chainCode }
}
