// The form of X-Service-Signature and the closed set of reasons for refusing one (contract.md 6).
// Pure: no HMAC and no clock, so that Node and the browser share every judgement that needs neither.
import { SIGNATURE_TOLERANCE_S } from './limits.ts'

/** The header that carries `t=<unix seconds>,v1=<hex>`, one `v1` for each live secret. */
export const SIGNATURE_HEADER = 'X-Service-Signature'

/** Why a signature is refused. */
export const signatureReasons = [
  'missing_header',
  'malformed_header',
  'no_v1',
  'stale',
  'future',
  'body_parsed',
  'secret_whitespace',
  'secret_wrong_kind',
  'mismatch',
  'body_reserialized',
] as const
export type SignatureReason = (typeof signatureReasons)[number]

/** Used where nothing more exact is known. */
const sentences: Readonly<Record<SignatureReason, string>> = {
  missing_header: `The request has no ${SIGNATURE_HEADER} header. Look whether a proxy drops it, or whether this request came from Florin at all.`,
  malformed_header: `The ${SIGNATURE_HEADER} header is not of the form "t=<unix seconds>,v1=<64 hex digits>".`,
  no_v1: `The ${SIGNATURE_HEADER} header holds no v1 signature, the only kind that this version can check.`,
  stale: 'The signature is genuine but too old. Look whether the clock of this machine runs ahead.',
  future: 'The signature is genuine but made in the future. Look whether the clock of this machine runs behind.',
  body_parsed:
    'The body is not the raw request body. Pass the bytes as they arrived, before any JSON parser reads them.',
  secret_whitespace: 'The webhook secret has white space in it. Remove it where the secret is stored.',
  secret_wrong_kind:
    'This is not a webhook secret. Use the value beginning with "whsec_" that was shown with the API key.',
  mismatch:
    'No signature in the header fits this body and secret. Check that the secret belongs to the API key that created the order, and that the body is the raw bytes of the request.',
  body_reserialized: 'The signature fits another spelling of this body. Pass the bytes as they arrived, unchanged.',
}

export interface SignatureRefusal {
  readonly ok: false
  readonly reason: SignatureReason
  /** One or two sentences for the person who has to mend it. Never holds a secret. */
  readonly message: string
  /** With `body_reserialized`: how the body given differs from the body signed. */
  readonly variant: BodyVariant | null
}

export const bodyVariants = [
  'newline_added',
  'newline_removed',
  'space_added',
  'bom_added',
  'bom_removed',
  'crlf_added',
  'crlf_removed',
  'json_reformatted',
  'json_string',
  'buffer_json',
  'latin1',
] as const
export type BodyVariant = (typeof bodyVariants)[number]

export interface SignatureAccepted {
  readonly ok: true
  /** `t`, unix seconds. */
  readonly timestamp: number
  /** Which of the secrets fits: its place in the list. */
  readonly secretIndex: number
}

export type SignatureVerdict = SignatureAccepted | SignatureRefusal

export function refuse(reason: SignatureReason, message?: string, variant?: BodyVariant): SignatureRefusal {
  return { ok: false, reason, message: message ?? sentences[reason], variant: variant ?? null }
}

/** What a check is given. Everything is judged at run time too, because most faults are made by untyped callers. */
export interface SignatureInput {
  /** The value of X-Service-Signature as it arrived. */
  readonly header: string | readonly string[] | null | undefined
  /** The raw body. A string is taken as UTF-8. */
  readonly body: Uint8Array | ArrayBuffer | string
  /** The webhook secrets that are live, one or, while one is being replaced, two. */
  readonly secrets: readonly string[]
  /** The present time, unix seconds. */
  readonly now: number
  /** How far `t` may lie from `now` in either direction, in seconds; 300 where left out. */
  readonly toleranceSeconds?: number | undefined
}

export interface ParsedSignature {
  readonly ok: true
  /** `t` as it is written, because those very characters are signed. */
  readonly t: string
  readonly timestamp: number
  /** The well-formed v1 digests in the order of the header, as lower-case hex. */
  readonly v1: readonly string[]
}

/** Longer than any genuine header (two signatures need 151 characters), short enough to be read at no cost. */
const HEADER_MAX = 4_096

/** Reads the header. Schemes it does not know and items it cannot read are passed over, so a later one can be added. */
export function parseSignatureHeader(header: SignatureInput['header']): ParsedSignature | SignatureRefusal {
  const isList = Array.isArray(header) && header.every((one) => typeof one === 'string')
  const value: unknown = isList ? header.join(',') : header
  if (typeof value !== 'string' || value.trim() === '') return refuse('missing_header')
  if (value.length > HEADER_MAX) return refuse('malformed_header', `The ${SIGNATURE_HEADER} header is far too long.`)
  const named = /^x-service-signature\s*:/i.test(value)
  if (named) return refuse('malformed_header', 'Give the value of the header only, without its name and colon.')

  const items = value.split(',').map((item) => item.trim())
  const valuesOf = (name: string) =>
    items.filter((item) => item.startsWith(`${name}=`)).map((item) => item.slice(name.length + 1))
  const [t, ...more] = valuesOf('t')
  const digests = valuesOf('v1')
  if (t === undefined) return refuse('malformed_header', `The ${SIGNATURE_HEADER} header has no "t=<unix seconds>".`)
  if (more.length > 0) return refuse('malformed_header', `The ${SIGNATURE_HEADER} header has more than one t.`)
  if (!/^\d{1,15}$/.test(t))
    return refuse('malformed_header', 'The t of the signature header is not a time in unix seconds.')
  if (digests.length === 0) return refuse('no_v1')

  const v1 = digests.filter((digest) => /^[0-9a-f]{64}$/i.test(digest)).map((digest) => digest.toLowerCase())
  if (v1.length === 0) return refuse('malformed_header', aboutDigest(digests[0] ?? ''))
  return { ok: true, t, timestamp: Number(t), v1 }
}

function aboutDigest(digest: string): string {
  if (/^[0-9a-f]*$/i.test(digest))
    return `The v1 has ${digest.length} hex digits where 64 belong: was the header cut off?`
  if (/^[\w+/-]{43}=?$/.test(digest)) return 'The v1 looks like base64; it is written in 64 hex digits.'
  return 'The v1 is not written in 64 hex digits.'
}

/** The body as bytes, or why it cannot be the raw body. */
export function bodyBytes(body: unknown): Uint8Array | SignatureRefusal {
  const bytes = asBytes(body)
  if (bytes === null) return refuse('body_parsed', body == null ? noBody : undefined)
  const isObjectAsText = bytes.length === objectAsText.length && new TextDecoder().decode(bytes) === objectAsText
  return isObjectAsText ? refuse('body_parsed') : bytes
}

function asBytes(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Not instanceof: a Buffer made in another realm, as some test runners do, fails it.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer)
  return null
}

const noBody = 'No body was passed. Read the raw body before a JSON parser consumes it.'
/** What a parsed body becomes when it is concatenated to text. */
const objectAsText = '[object Object]'

/** What is wrong with the secrets as such, or null. Needs no signature, so the answer is the same for every request. */
export function secretFault(secrets: readonly unknown[]): SignatureRefusal | null {
  if (secrets.length === 0) return refuse('secret_wrong_kind', noSecret)
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret === '') return refuse('secret_wrong_kind', noSecret)
    const kind = wrongKind(secret.trim())
    if (kind !== null) return refuse('secret_wrong_kind', `${kind} ${sentences.secret_wrong_kind}`)
    if (blank.test(secret)) return refuse('secret_whitespace')
  }
  return null
}

const noSecret = 'No webhook secret was given. Is the setting that should hold it empty or missing?'

/** White space, and the invisible characters that are copied along from web pages and documents. */
export const blank: RegExp = /[\s\u200b-\u200d\u2060\ufeff]/

function wrongKind(secret: string): string | null {
  if (/^florin_(live|test)_/.test(secret)) return 'This is an API key.'
  if (/^eyJ[\w-]+\./.test(secret)) return 'This is a console token.'
  if (/^(["'`]).*\1$/.test(secret)) return 'The secret stands in quotation marks.'
  if (/^<.*>$/.test(secret)) return 'This is the stand-in that the documentation prints.'
  if (/[*•…]/.test(secret)) return 'This is the masked form of a secret.'
  return null
}

/** Refuses a genuine signature whose time is too far off. Asked last: only a genuine time tells anything. */
export function ageFault(
  timestamp: number,
  now: number,
  tolerance: number = SIGNATURE_TOLERANCE_S,
): SignatureRefusal | null {
  if (!(tolerance >= 0)) throw new RangeError('toleranceSeconds takes a number of seconds, 0 or more.')
  const age = Math.floor(now) - timestamp
  if (age > tolerance) {
    return refuse(
      'stale',
      `The signature is genuine but ${age} s old; at most ${tolerance} s are accepted. Look whether the clock of this machine runs ahead, and whether the request was stored and replayed.`,
    )
  }
  if (-age > tolerance) {
    const unit = timestamp > 100_000_000_000 ? ' t seems to be in milliseconds; it is in seconds.' : ''
    return refuse(
      'future',
      `The signature is genuine but made ${-age} s in the future; at most ${tolerance} s are accepted. Look whether the clock of this machine runs behind.${unit}`,
    )
  }
  return null
}

/** The bytes that are signed: `<t>.<raw body>`. */
export function signedBytes(t: string, body: Uint8Array, joint = '.'): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(t + joint)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}
