// Output descriptors of wallets with one key (BIP-380, 381, 382, 386, 389): `pkh wpkh sh(wpkh) tr` over a key with
// origin, path and `*`. Everything else is refused by its name. Pure.

import { descriptorChecksum } from './checksum.ts'
import { type ExtendedKey, readExtendedKey } from './keys.ts'
import type { ScriptType } from './networks.ts'
import { Refused } from './refusal.ts'

const HARDENED = 0x80000000
/** What wallets write where they do not know it. */
export const UNKNOWN_FINGERPRINT = '00000000'

export interface Origin {
  /** Of the wallet's top key, eight hexadecimal digits. */
  readonly fingerprint: string
  /** From the top to the key; 2³¹ and above are hardened. */
  readonly path: readonly number[]
}

export interface KeyExpression {
  readonly origin: Origin | null
  readonly extended: ExtendedKey
  /** From the key to the level whose children are the addresses; null: the text says no path at all. */
  readonly branch: readonly number[] | null
}

export interface Descriptor {
  readonly script: ScriptType
  readonly expression: KeyExpression
}

const bad = (what: string): Refused => new Refused('bad_descriptor', `This descriptor cannot be read: ${what}.`)
const unsupported = (what: string): Refused =>
  new Refused(
    'unsupported',
    `${what}. Descriptors of these forms are taken: wpkh(…/0/*), sh(wpkh(…/0/*)), pkh(…/0/*), tr(…/0/*).`,
  )

/** @throws Refused */
export function readDescriptor(text: string): Descriptor {
  const body = checked(text)
  const call = /^([a-z_]{1,20})\((.*)\)$/.exec(body)
  if (call === null) throw bad('its brackets do not match')
  const [, name = '', inner = ''] = call
  switch (name) {
    case 'pkh':
    case 'wpkh':
      return { script: name, expression: readKey(plainKey(name, inner)) }
    case 'tr':
      if (inner.includes(',')) throw unsupported('Taproot with a tree of scripts is not taken')
      return { script: 'tr', expression: readKey(plainKey(name, inner)) }
    case 'sh': {
      const nested = /^wpkh\((.*)\)$/.exec(inner)
      if (nested !== null) return { script: 'sh-wpkh', expression: readKey(plainKey('sh(wpkh())', nested[1] ?? '')) }
      throw /^(?:sorted)?multi|^wsh/.test(inner) ? multisig() : unsupported('Of sh() only sh(wpkh()) is taken')
    }
    case 'wsh':
    case 'multi':
    case 'sortedmulti':
      throw multisig()
    case 'pk':
    case 'combo':
    case 'raw':
    case 'addr':
    case 'rawtr':
    case 'musig':
    case 'sp':
      throw unsupported(`${name}() is not taken`)
    default:
      throw unsupported('There is no such descriptor')
  }
}

const multisig = (): Refused =>
  new Refused('multisig', 'This wallet needs several keys to sign. Only wallets with one key are taken.')

/** Checks the checksum where there is one. @returns what stands before it. */
function checked(text: string): string {
  const [body = '', sum, ...more] = text.split('#')
  const expected = descriptorChecksum(body)
  if (expected === null) throw bad('it has a character that no descriptor has')
  if (sum === undefined) return body
  if (more.length > 0 || !/^[02-9ac-hj-np-z]{8}$/.test(sum)) {
    throw new Refused('bad_checksum', 'The checksum of a descriptor is # and eight small letters or digits.')
  }
  if (sum !== expected) {
    throw new Refused('bad_checksum', 'The checksum of the descriptor does not match: at least one character is wrong.')
  }
  return body
}

function plainKey(name: string, inner: string): string {
  if (/[()]/.test(inner)) throw bad(`within ${name} there is a key and nothing else`)
  return inner
}

/** A key with or without its origin before it and its path after it. @throws Refused */
export function readKey(text: string): KeyExpression {
  const parts = /^(?:\[([^[\]]*)\])?([^[\]/]*)((?:\/[^[\]]*)?)$/.exec(text)
  if (parts === null) throw bad('one origin in [ ] may stand before the key')
  const [, origin, key = '', path = ''] = parts
  const readOrigin = origin === undefined ? null : parseOrigin(origin)
  if (/^(?:[0-9a-fA-F]{64}|0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/.test(key)) {
    throw new Refused(
      'single_address',
      'This holds a single key, so it is one address. Give the extended public key of an account.',
    )
  }
  const extended = readExtendedKey(key)
  return { origin: readOrigin, extended, branch: path === '' ? null : parsePath(path) }
}

function parseOrigin(text: string): Origin {
  const [fingerprint = '', ...steps] = text.split('/')
  if (!/^[0-9a-fA-F]{8}$/.test(fingerprint)) throw bad('a fingerprint has eight hexadecimal digits')
  return { fingerprint: fingerprint.toLowerCase(), path: steps.map((step) => readStep(step)) }
}

function readStep(text: string): number {
  const match = /^(\d{1,10})(['h]?)$/.exec(text)
  if (match === null) throw bad("a step of a path is a number, hardened with ' or h")
  const index = Number(match[1])
  if (index >= HARDENED) throw bad('a step of a path is less than 2147483648')
  return match[2] === '' ? index : index + HARDENED
}

function parsePath(text: string): readonly number[] {
  const steps = text.split('/').slice(1)
  const last = steps.pop()
  if (last === '**') steps.push('<0;1>')
  else if (last === "*'" || last === '*h') throw hardened()
  else if (last !== '*') {
    // Read all the same: a wrong path is said to be wrong.
    for (const step of [...steps, last ?? '']) readChoice(step)
    throw new Refused(
      'single_address',
      'This has no /* at its end, so it is one address. For the account write the path of its addresses, usually /0/*.',
    )
  }
  if (steps.filter((step) => /[<>]/.test(step)).length > 1) throw bad('there is at most one < ; > in it')
  const branch = steps.map((step) => readChoice(step))
  if (branch.some((step) => step >= HARDENED)) throw hardened()
  return branch
}

const hardened = (): Refused =>
  new Refused('hardened', 'A hardened step cannot follow an extended public key. Give the key that stands behind it.')

/** A step, or the first of those within `< ; >`: receiving comes first. */
function readChoice(text: string): number {
  if (!/[<>]/.test(text)) return readStep(text)
  const choice = /^<([^<>]*)>$/.exec(text)
  const values = (choice?.[1] ?? '').split(';').map((value) => readStep(value))
  if (choice === null || values.length < 2) throw bad('< ; > holds two or more steps')
  return values[0] ?? 0
}

/** @example writePath([84 + 2 ** 31, 0]) // '/84h/0' */
export const writePath = (path: readonly number[]): string =>
  path.map((step) => (step >= HARDENED ? `/${step - HARDENED}h` : `/${step}`)).join('')
