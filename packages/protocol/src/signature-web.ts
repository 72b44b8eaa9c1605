// Checking and explaining a signature with WebCrypto in the place of node:crypto: for receivers without Node, and for the console's
// checker. In a browser it needs a secure context (https or localhost), and the secret never leaves the page.
import {
  ageFault,
  bodyBytes,
  parseSignatureHeader,
  refuse,
  type SignatureInput,
  type SignatureVerdict,
  secretFault,
  signedBytes,
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

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

/** `verify` of signature.ts: the same verdicts, at one comparison for each secret and digest. */
export async function verify(input: SignatureInput): Promise<SignatureVerdict> {
  const body = bodyBytes(input.body)
  if ('ok' in body) return body
  const wrongSecret = secretFault(input.secrets)
  if (wrongSecret) return wrongSecret
  const parsed = parseSignatureHeader(input.header)
  if (!parsed.ok) return parsed

  const signed = signedBytes(parsed.t, body)
  let secretIndex = -1
  // Every secret meets every digest, and `subtle.verify` compares in constant time.
  for (const [index, secret] of input.secrets.entries()) {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
    for (const hex of parsed.v1) {
      const digest = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
      if ((await crypto.subtle.verify(algorithm, key, digest, signed)) && secretIndex === -1) secretIndex = index
    }
  }
  if (secretIndex === -1) return refuse('mismatch')
  const { timestamp } = parsed
  return ageFault(timestamp, input.now, input.toleranceSeconds) ?? { ok: true, timestamp, secretIndex }
}

/** `explainSignature` of signature.ts, for the console's checker: the same answers, sentence by sentence. */
export function explainSignature(input: SignatureInput): Promise<SignatureVerdict> {
  return explain(input, async (key, message) => {
    // WebCrypto refuses an empty key; HMAC pads a key with zeros, so one zero byte is the same key.
    const raw = key.length === 0 ? new Uint8Array(1) : key
    const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign(algorithm, imported, message))
  })
}
