// Identifiers: a prefix and 26 characters, sortable by time, unguessable (at least 64 random bits each).
// Also the base-62 texts that secrets are made of.
import { hash, randomBytes, randomFillSync } from 'node:crypto'
import { BASE62, base62, ID_ALPHABET } from '@florin/protocol'

function timeHead(at: Date): string {
  return base32(at.getTime(), 10)
}

/** No id made at `at` or later is smaller: where a time range begins in an index sorted by id. */
export const firstIdAt = (prefix: string, at: Date): string => `${prefix}_${timeHead(at)}${'0'.repeat(16)}`

function base32(value: number, length: number): string {
  let rest = Math.max(0, value)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = ID_ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

// The random part of the newest id, as two numbers of 40 bits; the next one of the same moment is larger by 64 random
// bits.
const HALF = 2 ** 40
let last = { time: 0, high: 0, low: 0 }

// Every request has an id: taken one by one, random bytes were 4 % of the time of a read (npm run bench -- orders).
const stock = Buffer.alloc(10 * 400)
let used = stock.length

function idBytes(): Buffer {
  if (used === stock.length) {
    randomFillSync(stock)
    used = 0
  }
  used += 10
  return stock.subarray(used - 10, used)
}

/**
 * `newId('ord', now)` → `ord_01j9…`: ten characters of time, sixteen of randomness. Ids that one process makes for the
 * same moment sort in the order they were made.
 */
export function newId(prefix: string, now: Date): string {
  const bytes = idBytes()
  const time = now.getTime()
  if (time === last.time) {
    const low = last.low + bytes.readUIntBE(0, 5)
    last = { time, high: last.high + bytes.readUIntBE(5, 3) + (low < HALF ? 0 : 1), low: low % HALF }
  } else {
    // The first bit stays free, so that the ids that follow have room to grow.
    last = { time, high: bytes.readUIntBE(0, 5) % (HALF / 2), low: bytes.readUIntBE(5, 5) }
  }
  return `${prefix}_${timeHead(now)}${base32(last.high, 8)}${base32(last.low, 8)}`
}

const LATEST_MS = Date.UTC(9999, 11, 31)

/** When an id was made, to the millisecond. A forged one may give any time; years of five digits are cut off. */
export function idTime(id: string): Date {
  const head = id.slice(id.indexOf('_') + 1).slice(0, 10)
  let ms = 0
  for (const letter of head) ms = ms * 32 + Math.max(0, ID_ALPHABET.indexOf(letter))
  return new Date(Math.min(ms, LATEST_MS))
}

/** The pattern of ids of this kind, for schemas: anything else cannot exist and is not looked up. */
export const idPattern = (prefix: string): string => `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`

/** `length` characters, each uniform over base 62. */
export const randomBase62 = (length: number): string => base62(length, randomBytes)

/** A checksum of six base-62 characters: tells a mistyped secret from an unknown one without a look-up. */
export function base62Checksum(text: string): string {
  let value = hash('sha256', text, 'buffer').readUInt32BE(0)
  let out = ''
  for (let i = 0; i < 6; i++) {
    out = BASE62.charAt(value % 62) + out
    value = Math.floor(value / 62)
  }
  return out
}

/** `bytes` random bytes. */
export function randomOctets(bytes: number): Uint8Array {
  return new Uint8Array(randomBytes(bytes))
}

/** A whole number from 0 up to `below`, uniform. */
export function randomBelow(below: number): number {
  const limit = Math.floor(2 ** 48 / below) * below
  for (;;) {
    const value = randomBytes(6).readUIntBE(0, 6)
    if (value < limit) return value % below
  }
}
