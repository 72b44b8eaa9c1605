// What a webhook looks like on the wire (contract.md 6): header names, the signature over the very bytes, ids.
import { randomBytes } from 'node:crypto'
import { SIGNATURE_HEADER, sign } from '@florin/protocol/signature'

export interface Webhook {
  readonly event: string
  /** The delivery's id. */
  readonly delivery: string
  /** 1 to 5. */
  readonly attempt: number
  readonly body: Uint8Array
}

// Crockford's alphabet, as the service's ids have it.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A fresh id of the service's form: a prefix and 26 characters. */
export function freshId(prefix: 'evt' | 'dlv' | 'ord'): string {
  return `${prefix}_${Array.from(randomBytes(26), (byte) => alphabet.charAt(byte % 32)).join('')}`
}

/** A webhook secret of the service's form: `whsec_` and 32 letters and digits. */
export function freshSecret(): string {
  const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let text = ''
  while (text.length < 32) {
    // 248 is a multiple of 62: what lies above would make some characters likelier.
    for (const byte of randomBytes(48)) if (byte < 248 && text.length < 32) text += base62.charAt(byte % 62)
  }
  return `whsec_${text}`
}

export const unixNow = (): number => Math.floor(Date.now() / 1_000)

/** The value of X-Service-Signature, made at `timestamp` (unix seconds), one `v1` for each secret. */
export function signatureOf(body: Uint8Array, secrets: readonly string[], timestamp: number): string {
  return sign({ secrets, body, timestamp })
}

/** The headers of a delivery. Without a signature where a receiver is to show that it refuses that. */
export function headersOf(webhook: Webhook, signature: string | null): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Florin-Webhooks/1',
    'Accept-Encoding': 'identity',
    'X-Service-Event': webhook.event,
    ...(signature === null ? {} : { [SIGNATURE_HEADER]: signature }),
    'X-Service-Delivery': webhook.delivery,
    'X-Service-Attempt': String(webhook.attempt),
  }
}
