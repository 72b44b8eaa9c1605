// The master key and everything derived from it: sealing at rest, keyed hashes, token keys. Secrets enter as text or
// bytes and are returned only to the code that must use them; nothing here logs.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const NONCE_BYTES = 12
/** Passed to the cipher explicitly: by default it accepts shorter tags, which can be guessed. */
const TAG_BYTES = 16

export interface Sealed {
  /** Which master key sealed it: the first 8 hex characters of a hash of that key. */
  keyId: string
  /** nonce (12) ‖ ciphertext ‖ tag (16). */
  box: Uint8Array
}

export interface Secrets {
  readonly keyId: string
  /** Whether a box sealed with this key can be opened here. */
  knows(keyId: string): boolean
  /** AES-256-GCM; `context` must be the same when opening, so a box cannot be moved to another row. */
  seal(plain: string, context: string): Sealed
  /** @throws Error when the key is unknown or the box was tampered with. */
  open(sealed: Sealed, context: string): string
  /** A keyed hash for values with little entropy, such as emailed codes. */
  keyedHash(purpose: string, value: string): Uint8Array
  /** 32 bytes for one named purpose. */
  derive(purpose: string): Uint8Array
}

/** @param masterKey 64 hex characters. @param oldKey a former master key that old boxes may still need. */
export function makeSecrets(masterKey: string, oldKey: string | null = null): Secrets {
  const current = keyOf(masterKey)
  const known = [current, ...(oldKey === null ? [] : [keyOf(oldKey)])]
  const derive = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', current.bytes, 'florin', purpose, 32))
  return {
    keyId: current.id,
    knows: (keyId) => known.some((key) => key.id === keyId),
    derive,
    keyedHash: (purpose, value) => createHmac('sha256', derive(purpose)).update(value).digest(),
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.sealKey, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(context),
      )
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return { keyId: current.id, box: Buffer.concat([nonce, body, cipher.getAuthTag()]) }
    },
    open(sealed, context) {
      const key = known.find((candidate) => candidate.id === sealed.keyId)
      if (key === undefined) throw new Error(`sealed with master key ${sealed.keyId}, which is not known here`)
      const box = Buffer.from(sealed.box)
      if (box.length < NONCE_BYTES + TAG_BYTES) throw new Error('a sealed value is too short to be one')
      const decipher = createDecipheriv('aes-256-gcm', key.sealKey, box.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context)).setAuthTag(box.subarray(-TAG_BYTES))
      return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}

function keyOf(hex: string) {
  const bytes = Buffer.from(hex, 'hex')
  return {
    bytes,
    id: createHash('sha256').update('florin master key id').update(bytes).digest('hex').slice(0, 8),
    sealKey: new Uint8Array(hkdfSync('sha256', bytes, 'florin', 'seal', 32)),
  }
}

export function newMasterKey(): string {
  return randomBytes(32).toString('hex')
}

export function sha256(value: string | Uint8Array): Uint8Array {
  return hash('sha256', value, 'buffer')
}

/** Constant-time comparison, whatever the lengths. */
export function equalSecret(a: string | Uint8Array, b: string | Uint8Array): boolean {
  return timingSafeEqual(sha256(a), sha256(b))
}
