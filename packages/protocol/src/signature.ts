// Signing and checking webhooks with node:crypto: X-Service-Signature is
// "t=<unix seconds>,v1=<hex HMAC-SHA256 of '<t>.<raw body>'>" (contract.md 6). Digests are compared in constant time.
import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { WEBHOOK_SECRETS_LIVE_MAX } from './limits.ts'
import {
  ageFault,
  bodyBytes,
  parseSignatureHeader,
  refuse,
  type SignatureInput,
  type SignatureVerdict,
  secretFault,
} from './signature-header.ts'
import { explain } from './signature-mistakes.ts'

export {
  type BodyVariant,
  bodyVariants,
  type ParsedSignature,
  parseSignatureHeader,
  SIGNATURE_HEADER,
  type SignatureAccepted,
  type SignatureInput,
  type SignatureReason,
  type SignatureRefusal,
  type SignatureVerdict,
  signatureReasons,
} from './signature-header.ts'

/**
 * Makes the value of X-Service-Signature (contract.md 6).
 *
 * @param input.secrets the live webhook secrets, newest first: one `v1` each, at most two (contract.md 2)
 * @param input.body the exact bytes that will be sent
 * @param input.timestamp unix seconds, of this attempt and not of the event
 * @throws RangeError when there is no secret, too many, or the timestamp is not whole seconds: faults of the caller
 * @example sign({ secrets: ['whsec_…'], body, timestamp: 1760000000 }) // 't=1760000000,v1=5257a8…'
 */
export function sign(input: { secrets: readonly string[]; body: Uint8Array; timestamp: number }): string {
  const { secrets, body, timestamp } = input
  if (secrets.length === 0 || secrets.length > WEBHOOK_SECRETS_LIVE_MAX || secrets.includes('')) {
    throw new RangeError(`A signature takes 1 to ${WEBHOOK_SECRETS_LIVE_MAX} secrets that are not empty.`)
  }
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new RangeError('timestamp takes whole unix seconds.')
  const t = String(timestamp)
  return `t=${t}${secrets.map((secret) => `,v1=${hmac(secret, t, body).digest('hex')}`).join('')}`
}

/**
 * Checks a signature: returns which secret fits, or why none does. It computes one HMAC a secret and no more, whatever
 * is thrown at it; `explainSignature` is the one that searches for the mistake.
 *
 * @throws RangeError when `toleranceSeconds` is not a number of seconds
 * @example
 * const verdict = verify({ header, body, secrets: [secret], now: Date.now() / 1000 })
 * if (!verdict.ok) console.error(verdict.reason, verdict.message)
 */
export function verify(input: SignatureInput): SignatureVerdict {
  const body = bodyBytes(input.body)
  if ('ok' in body) return body
  const wrongSecret = secretFault(input.secrets)
  if (wrongSecret) return wrongSecret
  const parsed = parseSignatureHeader(input.header)
  if (!parsed.ok) return parsed

  const given = parsed.v1.map((hex) => Buffer.from(hex, 'hex'))
  let secretIndex = -1
  // Every secret meets every digest: leaving early would tell by its time which one fits.
  input.secrets.forEach((secret, index) => {
    const wanted = hmac(secret, parsed.t, body).digest()
    for (const each of given) if (timingSafeEqual(each, wanted) && secretIndex === -1) secretIndex = index
  })
  if (secretIndex === -1) return refuse('mismatch')
  return (
    ageFault(parsed.timestamp, input.now, input.toleranceSeconds) ?? {
      ok: true,
      timestamp: parsed.timestamp,
      secretIndex,
    }
  )
}

/**
 * Says why a signature fails, for the command line and for tests: goes through the usual mistakes (the body decoded and
 * encoded again, a newline or byte order mark too many, a secret with white space or another secret, a home-made signature
 * of another text) and names the one that fits. It costs up to some fifty HMACs, so it is not for the path of requests.
 *
 * @example
 * const verdict = await explainSignature({ header, body, secrets: [secret], now: Date.now() / 1000 })
 * // { ok: false, reason: 'body_reserialized', variant: 'newline_added', message: 'The body given ends with …' }
 */
export function explainSignature(input: SignatureInput): Promise<SignatureVerdict> {
  return explain(input, (key, message) => createHmac('sha256', key).update(message).digest())
}

function hmac(secret: string, t: string, body: Uint8Array): Hmac {
  return createHmac('sha256', secret).update(`${t}.`).update(body)
}
