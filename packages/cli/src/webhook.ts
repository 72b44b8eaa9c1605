// Ids, secrets and signatures of the service's form.
import { randomBytes } from 'node:crypto'
import { base62, ID_ALPHABET } from '@florin/protocol'
import { sign } from '@florin/protocol/signature'

/** A fresh id of the service's form: a prefix and 26 characters. */
export function freshId(prefix: 'evt' | 'dlv' | 'ord'): string {
  return `${prefix}_${Array.from(randomBytes(26), (byte) => ID_ALPHABET.charAt(byte % 32)).join('')}`
}

/** A webhook secret of the service's form: `whsec_` and 32 letters and digits. */
export const freshSecret = (): string => `whsec_${base62(32, randomBytes)}`

export const unixNow = (): number => Math.floor(Date.now() / 1_000)

/** The value of X-Service-Signature, made at `timestamp` (unix seconds), one `v1` for each secret. */
export function signatureOf(body: Uint8Array, secrets: readonly string[], timestamp: number): string {
  return sign({ secrets, body, timestamp })
}
