// Random valid addresses of each format, made by encoders that share nothing with the validators but the hash functions:
// the checksums here are computed forward, from payload to text.

import { createHash } from 'node:crypto'
import { blake256 } from '@noble/hashes/blake1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base32nopad, base58, base58xmr, base58xrp, base64url, bech32, bech32m } from '@scure/base'

export interface Format {
  readonly chain: string
  readonly name: string
  /** How many random bytes one address takes. */
  readonly bytes: number
  readonly make: (random: Uint8Array) => string
  /** The characters a slip of the pen would put in. */
  readonly alphabet: string
}

const base58Letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bio'
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const hexLetters = '0123456789abcdef'

function bytes(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

function sha256(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest()
}

function check58(payload: Uint8Array, alphabet = base58): string {
  return alphabet.encode(bytes(payload, sha256(sha256(payload)).subarray(0, 4)))
}

function versioned(chain: string, name: string, version: readonly number[]): Format {
  return { chain, name, bytes: 20, alphabet: base58Letters, make: (random) => check58(bytes(version, random)) }
}

function bech(chain: string, name: string, size: number, prefix: string, coder = bech32, lead: number[] = []): Format {
  return {
    ...{ chain, name, bytes: size, alphabet: bech32Letters },
    make: (random) => coder.encode(prefix, [...lead, ...coder.toWords(random)], false),
  }
}

/** The 40-bit code of cashaddr on plain BigInt, straight from its specification. */
function cash(prefix: string, payload: Uint8Array): string {
  const words = bech32.toWords(payload)
  let state = 1n
  for (const word of [
    ...[...prefix].map((letter) => letter.charCodeAt(0) & 31),
    0,
    ...words,
    ...Array<number>(8).fill(0),
  ]) {
    const top = state >> 35n
    state = ((state & 0x07ffffffffn) << 5n) ^ BigInt(word)
    const constants = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n]
    constants.forEach((constant, bit) => {
      if ((top >> BigInt(bit)) & 1n) state ^= constant
    })
  }
  state ^= 1n
  const sum = Array.from({ length: 8 }, (_, at) => Number((state >> BigInt(35 - 5 * at)) & 31n))
  return `${prefix}:${[...words, ...sum].map((word) => bech32Letters[word]).join('')}`
}

function cashaddr(chain: string, name: string, prefix: string, version: number, size: number): Format {
  const make = (random: Uint8Array) => cash(prefix, bytes([version], random))
  return { chain, name, bytes: size, alphabet: bech32Letters, make }
}

/** CRC-16/XMODEM by polynomial division over BigInt. */
function crc16(data: Uint8Array): number {
  let value = BigInt(`0x${Buffer.from(data).toString('hex')}0000`)
  const degree = (number: bigint) => number.toString(2).length - 1
  while (value > 0xffffn) value ^= 0x11021n << BigInt(degree(value) - 16)
  return Number(value)
}

function crc32(data: Uint8Array): Uint8Array {
  const table = Array.from({ length: 256 }, (_, start) => {
    let entry = start
    for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? 0xedb88320 ^ (entry >>> 1) : entry >>> 1
    return entry >>> 0
  })
  let crc = 0xffffffff
  for (const byte of data) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const result = Buffer.alloc(4)
  result.writeUInt32BE(~crc >>> 0)
  return result
}

function strkey(name: string, version: number, size: number): Format {
  const make = (random: Uint8Array) => {
    const body = bytes([version], random)
    const crc = crc16(body)
    return base32nopad.encode(bytes(body, [crc & 255, crc >> 8]))
  }
  return { chain: 'stellar', name, bytes: size, alphabet: base32Letters, make }
}

function tonFriendly(name: string, tag: number, workchain: number): Format {
  const make = (random: Uint8Array) => {
    const body = bytes([tag, workchain & 255], random)
    const crc = crc16(body)
    return base64url.encode(bytes(body, [crc >> 8, crc & 255]))
  }
  return { chain: 'ton', name, bytes: 32, alphabet: `${base58Letters}0OIl-_+/`, make }
}

function ss58(chain: string, network: number): Format {
  const make = (random: Uint8Array) => {
    const body = bytes([network], random)
    const hash = blake2b(bytes(new TextEncoder().encode('SS58PRE'), body), { dkLen: 64 })
    return base58.encode(bytes(body, hash.subarray(0, 2)))
  }
  return { chain, name: `network ${network}`, bytes: 32, alphabet: base58Letters, make }
}

function byron(random: Uint8Array): string {
  const payload = bytes([0x83, 0x58, 28], random, [0xa0, 0x00])
  return base58.encode(bytes([0x82, 0xd8, 0x18, 0x58, payload.length], payload, [0x1a], crc32(payload)))
}

function filecoin(name: string, mark: string, protocol: readonly number[], size: number): Format {
  const make = (random: Uint8Array) => {
    const sum = blake2b(bytes(protocol, random), { dkLen: 4 })
    return `f${mark}${base32nopad.encode(bytes(random, sum)).toLowerCase()}`
  }
  return { chain: 'filecoin', name, bytes: size, alphabet: base32Letters.toLowerCase(), make }
}

function nano(random: Uint8Array): string {
  const spell = (value: bigint, length: number) =>
    Array.from(
      { length },
      (_, at) => '13456789abcdefghijkmnopqrstuwxyz'[Number((value >> BigInt(5 * (length - 1 - at))) & 31n)],
    ).join('')
  const number = (data: Uint8Array) => BigInt(`0x${Buffer.from(data).toString('hex')}`)
  return `nano_${spell(number(random), 52)}${spell(number(blake2b(random, { dkLen: 5 }).reverse()), 8)}`
}

function monero(name: string, network: number, size: number): Format {
  const make = (random: Uint8Array) => {
    const body = bytes([network], random)
    return base58xmr.encode(bytes(body, keccak_256(body).subarray(0, 4)))
  }
  return { chain: 'monero', name, bytes: size, alphabet: base58Letters, make }
}

/** Crockford base32 as a plain number; the random hash never begins with a zero byte here. */
function stacks(name: string, version: number): Format {
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const make = (random: Uint8Array) => {
    const hash = bytes([random[0] || 1], random.subarray(1))
    const sum = sha256(sha256(bytes([version], hash))).subarray(0, 4)
    let value = BigInt(`0x${Buffer.from(bytes(hash, sum)).toString('hex')}`)
    let text = ''
    for (; value > 0n; value >>= 5n) text = letters[Number(value & 31n)] + text
    return `S${letters[version]}${text}`
  }
  return { chain: 'stacks', name, bytes: 20, alphabet: letters, make }
}

function icpAccount(random: Uint8Array): string {
  return Buffer.from(bytes(crc32(random), random)).toString('hex')
}

function icpPrincipal(random: Uint8Array): string {
  const text = base32nopad.encode(bytes(crc32(random), random)).toLowerCase()
  return text.replace(/(.{5})(?=.)/g, '$1-')
}

function algorand(random: Uint8Array): string {
  const hash = createHash('sha512-256').update(random).digest()
  return base32nopad.encode(bytes(random, hash.subarray(-4)))
}

function decred(name: string, version: readonly number[]): Format {
  const make = (random: Uint8Array) => {
    const payload = bytes(version, random)
    return base58.encode(bytes(payload, blake256(blake256(payload)).subarray(0, 4)))
  }
  return { chain: 'dcr', name, bytes: 20, alphabet: base58Letters, make }
}

/** Published rows of Flow's generator matrix: exclusive or of any of them gives a code word. */
const flowRows = [
  0xe467b9dd11fa00dfn,
  0xf233dcee88fe0aben,
  0xf919ee77447b7497n,
  0xfc8cf73ba23a260dn,
  0xfe467b9dd11ee2a1n,
  0xff233dcee888d807n,
]

function flow(random: Uint8Array): string {
  const chosen = ((random[0] ?? 0) % 63) + 1
  const word = flowRows.reduce((sum, row, at) => (chosen & (1 << at) ? sum ^ row : sum), 0n)
  return `0x${word.toString(16).padStart(16, '0')}`
}

const xrp = (payload: Uint8Array) => check58(payload, base58xrp)

/** Every format that protects itself by a checksum. EVM's case checksum and Hedera's are tested apart. */
export const checksummed: readonly Format[] = [
  versioned('btc', 'p2pkh', [0x00]),
  versioned('btc', 'p2sh', [0x05]),
  bech('btc', 'p2wpkh', 20, 'bc', bech32, [0]),
  bech('btc', 'p2wsh', 32, 'bc', bech32, [0]),
  bech('btc', 'p2tr', 32, 'bc', bech32m, [1]),
  versioned('ltc', 'p2pkh', [0x30]),
  versioned('ltc', 'p2sh', [0x32]),
  bech('ltc', 'p2wpkh', 20, 'ltc', bech32, [0]),
  versioned('doge', 'p2pkh', [0x1e]),
  versioned('doge', 'p2sh', [0x16]),
  versioned('dash', 'p2pkh', [0x4c]),
  versioned('dash', 'p2sh', [0x10]),
  versioned('zec', 't1', [0x1c, 0xb8]),
  versioned('zec', 't3', [0x1c, 0xbd]),
  bech('zec', 'tex', 20, 'tex', bech32m),
  cashaddr('bch', 'p2pkh', 'bitcoincash', 0, 20),
  cashaddr('bch', 'p2sh', 'bitcoincash', 8, 20),
  cashaddr('bch', 'p2sh32', 'bitcoincash', 11, 32),
  cashaddr('bch', 'token-aware', 'bitcoincash', 16, 20),
  cashaddr('xec', 'p2pkh', 'ecash', 0, 20),
  versioned('dgb', 'p2pkh', [0x1e]),
  bech('dgb', 'p2wpkh', 20, 'dgb', bech32, [0]),
  versioned('rvn', 'p2pkh', [0x3c]),
  decred('Ds', [0x07, 0x3f]),
  decred('Dc', [0x07, 0x1a]),
  tonFriendly('bounceable', 0x11, 0),
  tonFriendly('non-bounceable', 0x51, 0),
  tonFriendly('masterchain', 0x51, -1),
  versioned('tron', 'account', [0x41]),
  strkey('account', 6 << 3, 32),
  strkey('muxed', 12 << 3, 40),
  { chain: 'xrp', name: 'classic', bytes: 20, alphabet: base58Letters, make: (random) => xrp(bytes([0], random)) },
  {
    ...{ chain: 'xrp', name: 'x-address with tag', bytes: 24, alphabet: base58Letters },
    make: (random) => xrp(bytes([0x05, 0x44], random.subarray(0, 20), [1], random.subarray(20), [0, 0, 0, 0])),
  },
  {
    ...{ chain: 'cardano', name: 'base', bytes: 56, alphabet: bech32Letters },
    make: (random) => bech32.encode('addr', bech32.toWords(bytes([0x01], random)), false),
  },
  {
    ...{ chain: 'cardano', name: 'enterprise', bytes: 28, alphabet: bech32Letters },
    make: (random) => bech32.encode('addr', bech32.toWords(bytes([0x61], random)), false),
  },
  { chain: 'cardano', name: 'byron', bytes: 28, alphabet: base58Letters, make: byron },
  ...['cosmos', 'osmo', 'celestia', 'inj', 'dydx', 'kava', 'sei', 'noble', 'thor'].map((prefix, at) => {
    const ids = ['cosmos', 'osmosis', 'celestia', 'injective', 'dydx', 'kava', 'sei', 'noble', 'thorchain']
    return bech(ids[at] ?? '', 'account', at % 2 ? 32 : 20, prefix)
  }),
  bech('zilliqa', 'account', 20, 'zil'),
  bech('multiversx', 'account', 32, 'erd'),
  ss58('polkadot', 0),
  ss58('kusama', 2),
  { chain: 'algorand', name: 'account', bytes: 32, alphabet: base32Letters, make: algorand },
  versioned('tezos', 'tz1', [0x06, 0xa1, 0x9f]),
  versioned('tezos', 'KT1', [0x02, 0x5a, 0x79]),
  filecoin('secp256k1', '1', [1], 20),
  filecoin('bls', '3', [3], 48),
  filecoin('actor', '2', [2], 20),
  filecoin('delegated', '410f', [4, 10], 20),
  { chain: 'icp', name: 'account id', bytes: 28, alphabet: hexLetters, make: icpAccount },
  { chain: 'icp', name: 'principal', bytes: 29, alphabet: base32Letters.toLowerCase(), make: icpPrincipal },
  cashaddr('kaspa', 'schnorr', 'kaspa', 0, 32),
  cashaddr('kaspa', 'p2sh', 'kaspa', 8, 32),
  monero('standard', 18, 64),
  monero('subaddress', 42, 64),
  monero('integrated', 19, 72),
  { chain: 'nano', name: 'account', bytes: 32, alphabet: '13456789abcdefghijkmnopqrstuwxyz02lv', make: nano },
  stacks('p2pkh', 22),
  stacks('p2sh', 20),
  { chain: 'flow', name: 'account', bytes: 1, alphabet: hexLetters, make: flow },
]
