// The catalogue of the usual mistakes with webhook signatures and the search through it.
// Pure: the HMAC is handed in, so that Node and the browser search in the same order and say the same.

import {
  ageFault,
  blank,
  bodyBytes,
  type ParsedSignature,
  parseSignatureHeader,
  refuse,
  type SignatureInput,
  type SignatureRefusal,
  type SignatureVerdict,
  secretFault,
  signedBytes,
} from './signature-header.ts'
import { bodyRespellings } from './signature-respellings.ts'

export type Hmac = (key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>

/** One guess: if the HMAC of `message` under `key` stands in the header, then `verdict` is what happened. */
interface Guess {
  readonly key: Uint8Array<ArrayBuffer>
  readonly message: Uint8Array<ArrayBuffer>
  readonly verdict: SignatureRefusal
}

/** Above this size only the plain check is made: no body of ours is larger than 64 KiB. */
const SEARCHED_MAX_BYTES = 1024 * 1024

export async function explain(input: SignatureInput, hmac: Hmac): Promise<SignatureVerdict> {
  const body = bodyBytes(input.body)
  if ('ok' in body) return body
  const wrongSecret = secretFault(input.secrets)
  // Only a secret with white space is worth a search: without the space it may still be the right one.
  if (wrongSecret && wrongSecret.reason !== 'secret_whitespace') return wrongSecret
  const parsed = parseSignatureHeader(input.header)
  if (!parsed.ok) return parsed

  const fits = async (key: Uint8Array<ArrayBuffer>, message: Uint8Array<ArrayBuffer>) =>
    parsed.v1.includes(hex(await hmac(key, message)))

  if (!wrongSecret) {
    for (const [secretIndex, secret] of input.secrets.entries()) {
      if (!(await fits(utf8(secret), signedBytes(parsed.t, body)))) continue
      const fault = ageFault(parsed.timestamp, input.now, input.toleranceSeconds)
      return fault ?? { ok: true, timestamp: parsed.timestamp, secretIndex }
    }
  }
  if (body.length <= SEARCHED_MAX_BYTES) {
    for (const guess of guesses(parsed, body, input.secrets)) {
      if (await fits(guess.key, guess.message)) return guess.verdict
    }
  }
  return wrongSecret ?? refuse('mismatch', [refuse('mismatch').message, ...hints(body, input.secrets)].join(' '))
}

/** The guesses, likeliest first. A generator, so that nothing is computed past the one that fits. */
function* guesses(parsed: ParsedSignature, body: Uint8Array, secrets: readonly string[]): Generator<Guess> {
  const plain = signedBytes(parsed.t, body)
  const trimmed = secrets.map((secret) => secret.replace(new RegExp(blank, 'g'), ''))

  for (const [index, secret] of trimmed.entries()) {
    if (secret === secrets[index]) continue
    const message =
      'The signature fits once the white space in the webhook secret is removed. Remove it where the secret is stored.'
    yield { key: utf8(secret), message: plain, verdict: refuse('secret_whitespace', message) }
  }

  for (const secret of trimmed) {
    const key = utf8(secret)
    for (const { variant, bytes, sentence } of bodyRespellings(body)) {
      const message = `${sentence} Pass the bytes as they arrived, unchanged.`
      yield { key, message: signedBytes(parsed.t, bytes), verdict: refuse('body_reserialized', message, variant) }
    }
  }

  for (const secret of trimmed) {
    const key = utf8(secret)
    const homeMade = (what: string) =>
      refuse(
        'mismatch',
        `This signature was not made by Florin: ${what} What is signed is "<t>.<raw body>", keyed with the whole secret as text.`,
      )
    yield { key, message: signedBytes('', body, ''), verdict: homeMade('it signs the body alone, without the time.') }
    yield {
      key,
      message: signedBytes(parsed.t, body, ''),
      verdict: homeMade('the dot between time and body is missing.'),
    }
    yield { key, message: signedBytes(parsed.t, body, ','), verdict: homeMade('time and body are joined by a comma.') }
    const bare = secret.replace(/^whsec_/, '')
    if (bare === secret) continue
    yield { key: utf8(bare), message: plain, verdict: homeMade('its key is the secret without "whsec_".') }
    const decoded = fromBase64(bare)
    if (decoded) yield { key: decoded, message: plain, verdict: homeMade('its key is the secret decoded from base64.') }
  }
}

/** What can be said of a mismatch that no guess explains. */
function hints(body: Uint8Array, secrets: readonly string[]): string[] {
  const text = new TextDecoder().decode(body)
  const said: string[] = []
  if (body.length === 0)
    said.push('The body given is empty: a parser probably consumed the request before it was read.')
  if (text.includes('\ufffd'))
    said.push('The body given holds replacement characters: it was read as text in the wrong encoding.')
  if (text.trim() !== '' && text.includes('{')) said.push(...aboutJson(text))
  const short = secrets.find((secret) => secret.startsWith('whsec_') && secret.length !== SECRET_LENGTH)
  if (short)
    said.push(`The secret has ${short.length} characters where ${SECRET_LENGTH} belong: was it cut off when copied?`)
  return said
}

/** contract.md 2: "whsec_" and 32 characters. Used for a hint only; a secret of another length is still tried. */
const SECRET_LENGTH = 'whsec_'.length + 32

function aboutJson(text: string): string[] {
  try {
    const keys = Object.keys(JSON.parse(text))
    const sorted = keys.length > 2 && keys.join() === [...keys].sort().join()
    return sorted ? ['The keys of the body stand in alphabetical order: it was decoded and encoded again.'] : []
  } catch {
    return ['The body given is not complete JSON: was it cut off?']
  }
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
