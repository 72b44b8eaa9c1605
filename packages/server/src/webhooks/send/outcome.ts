// How an attempt ended. Codes are for merchants: stable, and the same for every refused target, so that they cannot be
// used to map a private network. The system's own message goes to `detail`, which only the operator sees.

/** The closed set; beside it there is http_<status> for every answer that is not a 2xx or 3xx. */
export const outcomeCodes = {
  timeout_dns: 'The name of the receiver could not be looked up in time.',
  timeout_connect: 'The receiver did not accept a connection in time.',
  timeout_tls: 'The TLS handshake did not end in time.',
  timeout_headers: 'The receiver took the request and did not answer in time.',
  dns_not_found: 'The name of the receiver does not exist.',
  dns_failed: 'The name of the receiver could not be looked up.',
  connect_refused: 'Nothing listens at this address and port.',
  connect_unreachable: 'The receiver cannot be reached.',
  connect_reset: 'The receiver closed the connection without an answer.',
  tls_cert: 'The certificate of the receiver is not valid for this name and time.',
  tls_handshake: 'The TLS handshake failed.',
  redirect_refused: 'The receiver answered with a redirect. Redirects are not followed: set the final URL.',
  url_forbidden_address:
    'The receiver is at an address that webhooks are not sent to: not a public one, or one of this service itself.',
  protocol_error: 'The answer was not well-formed HTTP/1.1, or its headers were larger than 16 KiB.',
  body_expired: 'The body of this event is past its retention.',
  interrupted: 'The sender was stopped in the middle of this attempt; it is made again.',
  secret_unreadable: 'The webhook secret cannot be read. Make a new one, or tell the operator.',
  endpoint_disabled: 'The endpoint was disabled or deleted before this attempt; nothing was sent.',
  internal: 'Florin itself failed at this delivery. Tell the operator.',
} as const
export type OutcomeCode = keyof typeof outcomeCodes | `http_${number}`

/** How far a connection had come: tells in which phase a timeout or reset happened. */
export type Phase = 'dns' | 'connect' | 'tls' | 'headers'

/** A failed or refused lookup, thrown through the connector. */
export class TargetRefused extends Error {
  readonly outcome: OutcomeCode
  constructor(outcome: OutcomeCode, detail: string) {
    super(detail)
    this.outcome = outcome
  }
}

export function codeOfStatus(status: number): OutcomeCode | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect_refused' : `http_${status}`
}

export function codeOfError(error: unknown, phase: Phase): OutcomeCode {
  if (error instanceof TargetRefused) return error.outcome
  // With several addresses Node reports all failures at once; they are of one kind or the first will do.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOfError(error.errors[0], phase)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'connect_refused'
  if (/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EHOSTDOWN|EACCES|EPERM)$/.test(code))
    return 'connect_unreachable'
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return phase === 'headers' ? 'connect_reset' : 'timeout_connect'
  if (/^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT|UND_ERR_RESPONSE)/.test(code)) return 'protocol_error'
  if (code === 'UND_ERR_SOCKET' && error instanceof Error && /^bad/.test(error.message)) return 'protocol_error'
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_PURPOSE|INVALID_CA/.test(code)) return 'tls_cert'
  if (phase === 'tls' || /^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return 'tls_handshake'
  if (/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_(SOCKET|DESTROYED|CLOSED))$/.test(code)) return 'connect_reset'
  // undici asserts on answers that it did not expect, such as an unsolicited 101.
  return phase === 'headers' ? 'protocol_error' : 'internal'
}

const utf8 = new TextDecoder()

/** A receiver's bytes as text that can be stored and shown: no NUL, no control characters, no broken UTF-8. */
export function printable(bytes: Uint8Array, max: number): string {
  return utf8.decode(bytes.subarray(0, max)).replace(/[^\P{C}\n\t]/gu, '\ufffd')
}
