// The same explanation of a signature for browsers, with WebCrypto in the place of node:crypto.
// It needs a secure context (https or localhost), and the secret never leaves the page.
import type { SignatureInput, SignatureVerdict } from './signature-header.ts'
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

/** `explainSignature` of signature.ts, for the console's checker: the same answers, sentence by sentence. */
export function explainSignature(input: SignatureInput): Promise<SignatureVerdict> {
  return explain(input, async (key, message) => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    // WebCrypto refuses an empty key; HMAC pads a key with zeros, so one zero byte is the same key.
    const raw = key.length === 0 ? new Uint8Array(1) : key
    const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign'])
    return new Uint8Array(await crypto.subtle.sign(algorithm, imported, message))
  })
}
