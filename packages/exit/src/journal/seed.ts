// The recovery seed: 32 random bytes that the refs of routes and the journal's keys come from. It moves no money; who has
// it and the journal learns every deposit address, and who to.
import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { BadProof, type Hex } from '../proof.ts'

export const SEED_BYTES = 32
const CHECK_BYTES = 4

/** Names a seed and gives nothing of it away: 16 hexadecimal digits. */
export function seedIdOf(seed: Uint8Array): string {
  return createHash('sha256').update('florin recovery seed id').update(seed).digest('hex').slice(0, 16)
}

/** The `ref` of a leg's route. The chain shows it with every settlement; without the seed it says nothing. */
export function refOf(seed: Uint8Array, legRef: string): Hex {
  const key = derive(seed, '', 'florin route refs')
  return `0x${createHmac('sha256', key).update(legRef).digest('hex')}`
}

/** Each file of the journal has a key of its own, so that its records can count their nonces. */
export const fileKeyOf = (seed: Uint8Array, fileId: Uint8Array): Uint8Array => derive(seed, fileId, 'florin journal')

function derive(seed: Uint8Array, salt: Uint8Array | string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', seed, salt, purpose, 32))
}

const checkOf = (seed: Uint8Array): Buffer =>
  createHash('sha256').update('florin recovery seed check').update(seed).digest().subarray(0, CHECK_BYTES)

/**
 * As people keep it: eight groups of eight digits and a ninth that checks them.
 * @example writeSeed(seed) // 'florin-seed-9f86d081-…-5e3a11c0'
 */
export function writeSeed(seed: Uint8Array): string {
  const hex = Buffer.concat([seed, checkOf(seed)]).toString('hex')
  return `florin-seed-${hex.match(/.{8}/g)?.join('-') ?? ''}`
}

/**
 * Reads what `writeSeed` gave, also typed in by hand: case, spaces and line breaks do not matter; lines that begin with # are
 * left out.
 * @throws BadProof
 */
export function readSeed(text: string): Uint8Array {
  const bare = text
    .replace(/^\s*#.*$/gm, '')
    .replace(/[\s-]+/g, '')
    .toLowerCase()
  const hex = /^florinseed([0-9a-f]+)$/.exec(bare)?.[1]
  if (hex === undefined || hex.length !== 2 * (SEED_BYTES + CHECK_BYTES)) {
    throw new BadProof('This is no recovery seed: florin-seed- and nine groups of eight hexadecimal digits.')
  }
  const bytes = Buffer.from(hex, 'hex')
  const seed = new Uint8Array(bytes.subarray(0, SEED_BYTES))
  if (!checkOf(seed).equals(bytes.subarray(SEED_BYTES))) {
    throw new BadProof('The recovery seed has a mistyped digit: its last group does not fit the others.')
  }
  return seed
}
