// The words for how an attempt to deliver ended. Pure; a code that is new to this console is shown as it is.

const sentences: Readonly<Record<string, string>> = {
  timeout_dns: 'The name of your receiver could not be looked up in time.',
  timeout_connect: 'Your receiver did not accept a connection in time.',
  timeout_tls: 'The TLS handshake did not end in time.',
  timeout_headers:
    'Your receiver took the request but did not answer within 10 seconds. Answer first, work afterwards.',
  dns_not_found: 'The name of your receiver does not exist.',
  dns_failed: 'The name of your receiver could not be looked up.',
  connect_refused: 'Nothing listens at this address and port.',
  connect_unreachable: 'Your receiver cannot be reached.',
  connect_reset: 'Your receiver closed the connection without an answer.',
  tls_cert: 'The certificate of your receiver is not valid for this name and time.',
  tls_handshake: 'The TLS handshake failed.',
  redirect_refused: 'Your receiver answered with a redirect, which is not followed. Use the final URL.',
  url_forbidden_address:
    'The receiver is at an address that webhooks are not sent to: not a public one, or one of this service itself.',
  protocol_error: 'The answer was not well-formed HTTP.',
  body_expired: 'The body of this event is past its retention.',
  interrupted: 'The sender was stopped in the middle of this attempt; it is made again.',
  internal: 'The service itself failed at this delivery. Tell its operator.',
}

/** A sentence for a code of an attempt. `http_500` and its like say what a receiver that answers so should look at. */
export function attemptErrorText(code: string | null): string {
  if (code === null) return 'Delivered.'
  const status = /^http_(\d{3})$/.exec(code)?.[1]
  if (status === undefined) return sentences[code] ?? code
  return `Your receiver answered ${status}${hintFor(Number(status))}.`
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return ': it wants a credential, or its signature check refused the request'
  if (status === 400 || status === 422) return ': it refused the request, perhaps in its signature check'
  if (status === 404) return ': there is nothing at this path'
  if (status === 405) return ': this path does not take POST'
  if (status === 413) return ': it takes only smaller bodies'
  if (status === 429) return ': it is being asked too often'
  return status >= 500 ? ': its own log says more' : ''
}

const LATE_AFTER_MS = 60_000

/** Whether an attempt that was due at this moment, and is not made, is late. */
export const isLate = (nextAttemptAt: string, now: number): boolean => now - Date.parse(nextAttemptAt) > LATE_AFTER_MS
