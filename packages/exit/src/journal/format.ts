// A file of the journal: a head, then records of length, ciphertext and tag (AES-256-GCM). The nonce is the record's number
// and the head is authenticated with each, so a record can be neither moved, nor swapped, nor taken out of the middle.
// What a crash leaves is a torn end, which reading drops.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Proof } from '@florin/protocol'
import { fileKeyOf, seedIdOf } from './seed.ts'

/** All that binds a leg. */
export interface JournalEntry {
  /** What the ref of the route was derived from. */
  leg_ref: string
  livemode: boolean
  /** The catalogue's name. */
  chain: string
  asset: string
  decimals: number
  proof: Proof
  /** When the address was made. */
  at: string
}

/** Anything else that is given out once, such as an address of a wallet. Only the part of the service that wrote it reads it. */
export interface GivenEntry {
  /** Names the form of `what`. */
  given: string
  what: Record<string, unknown>
  at: string
}

export type JournalRecord = JournalEntry | GivenEntry

const MAGIC = 'FLORINJ1'
const ID_BYTES = 16
const HEAD_BYTES = MAGIC.length + 8 + ID_BYTES
const LENGTH_BYTES = 4
const TAG_BYTES = 16
/** Far above any entry: what claims to be longer is torn. */
const RECORD_MAX = 65_536

export interface FileSeal {
  head: Buffer
  /** The bytes of record `n`, which must never be sealed twice with different text. */
  seal(n: number, record: JournalRecord): Buffer
}

export function sealFile(seed: Uint8Array, fileId: Uint8Array): FileSeal {
  const head = Buffer.concat([Buffer.from(MAGIC), Buffer.from(seedIdOf(seed), 'hex'), fileId])
  const key = fileKeyOf(seed, fileId)
  return {
    head,
    seal(n, record) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(n), { authTagLength: TAG_BYTES }).setAAD(head)
      const body = Buffer.concat([cipher.update(JSON.stringify(record), 'utf8'), cipher.final()])
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt32BE(body.length + TAG_BYTES)
      return Buffer.concat([length, body, cipher.getAuthTag()])
    },
  }
}

export interface JournalFile {
  /** Which seed opens it; null: this is no file of a journal. */
  seedId: string | null
  entries: JournalEntry[]
  given: GivenEntry[]
  /** Records that are whole and do not open: the disk or somebody changed them. */
  damaged: number
  /** Bytes at the end that are no whole record: what a crash or a full disk cut off. */
  torn: number
}

/** Reads as much as can be read. Under another seed than the file's, nothing. */
export function openFile(seed: Uint8Array, bytes: Buffer): JournalFile {
  const file: JournalFile = { seedId: null, entries: [], given: [], damaged: 0, torn: 0 }
  if (bytes.length < HEAD_BYTES) return { ...file, torn: bytes.length }
  const head = bytes.subarray(0, HEAD_BYTES)
  if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) return file
  file.seedId = head.toString('hex', MAGIC.length, MAGIC.length + 8)
  if (file.seedId !== seedIdOf(seed)) return file
  const key = fileKeyOf(seed, head.subarray(HEAD_BYTES - ID_BYTES))
  let at = HEAD_BYTES
  for (let n = 0; at < bytes.length; n++) {
    const from = at + LENGTH_BYTES
    const length = from > bytes.length ? 0 : bytes.readUInt32BE(at)
    if (length <= TAG_BYTES || length > RECORD_MAX || from + length > bytes.length) break
    const entry = openRecord(key, head, n, bytes.subarray(from, from + length))
    if (entry === null) file.damaged += 1
    else if ('given' in entry) file.given.push(entry)
    else file.entries.push(entry)
    at = from + length
  }
  return { ...file, torn: bytes.length - at }
}

function openRecord(key: Uint8Array, head: Buffer, n: number, record: Buffer): JournalRecord | null {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(n), { authTagLength: TAG_BYTES })
    .setAAD(head)
    .setAuthTag(record.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]).toString('utf8')
    return JSON.parse(text) as JournalRecord
  } catch {
    return null
  }
}

function nonceOf(n: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(n), 4)
  return nonce
}
