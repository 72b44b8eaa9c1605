// The first webhook and what it tells: is the address one that webhooks go to, does anything answer there, at the address
// itself and in time, and is a genuine webhook accepted. All further checks stand on that.
import { URL_MAX } from '@florin/protocol'
import { type Answer, isAccepted } from '../post.ts'
import { oneLine } from '../terminal.ts'
import { inWords, seconds } from './answers.ts'
import { type Check, good, mend, type Outcome, verifyCode, warn } from './check.ts'
import { soughtMistake } from './mistakes.ts'
import type { Visit } from './visit.ts'

type Plain = Omit<Check, 'run'>

export const addressCheck: Plain = {
  id: 'address',
  title: 'the address',
  should: 'be https in live mode, without credentials or fragment, on port 80, 443 or 1024 and above',
  why: 'Florin refuses any other webhook_url when the order is created',
}

export function judgeAddress(url: URL): Outcome {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const faults = [
    url.username !== '' || url.password !== '' ? 'it has credentials in it' : null,
    url.hash !== '' ? 'it has a fragment' : null,
    port < 1_024 && port !== 80 && port !== 443 ? `port ${port} is not one that webhooks go to` : null,
    url.href.length > URL_MAX ? `it has more than ${URL_MAX} characters` : null,
  ].filter((fault) => fault !== null)
  if (faults.length > 0) {
    return mend(
      `${faults.join(', and ')}`,
      'Give an address that holds none of that. The signature says who sends; credentials are not needed.',
    )
  }
  if (isLocal(url)) {
    return good('fit for this machine; in live mode use a public https address, and florin listen until then')
  }
  if (url.protocol === 'http:') {
    return warn('http: anyone on the way can read the orders', 'Serve it over https; live mode takes nothing else.')
  }
  return good('https, as it should be')
}

/** Loopback and the usual private names and addresses; the service judges with far more care. */
function isLocal({ hostname }: URL): boolean {
  return (
    /^(localhost|\[::1?\]|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|0\.0\.0\.0)/.test(hostname) ||
    /\.(localhost|local|internal|test)$/.test(hostname)
  )
}

export const connectionCheck: Plain = {
  id: 'connection',
  title: 'the connection',
  should: 'take a connection and answer over HTTP/1.1, with a valid certificate where it is https',
  why: 'without it nothing arrives, and Florin gives up after five attempts in three hours',
}

export function judgeConnection(first: Answer): Outcome {
  if (first.kind !== 'broken') return good('a connection and, where it is https, a valid certificate')
  return mend(inWords(first), connectionMend(first.code))
}

function connectionMend(code: string): string {
  if (code === 'ECONNREFUSED') return 'Start the receiver, and see that it listens on this address and port.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'The name is not known: check its spelling and its DNS entry.'
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    return 'Install a certificate of a public authority for this name, with its whole chain. Florin has no switch to skip this.'
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return 'The port does not speak TLS as it should: is it http after all?'
  if (code.startsWith('HPE_')) return 'What answers there does not speak HTTP: check the port.'
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return 'The receiver closed the connection without an answer: look into its log, it may have crashed.'
  }
  return 'See that this machine can reach the receiver.'
}

export const redirectCheck: Plain = {
  id: 'redirect',
  title: 'no redirect',
  should: 'answer at the address itself',
  why: 'Florin never follows a redirect, because a signed body must not be sent on to somebody else; it counts as a failure',
}

export function judgeRedirect(first: Answer): Outcome {
  if (first.kind !== 'answered') return good('no redirect')
  if (first.status < 300 || first.status >= 400) return good('answers at this address')
  const target = first.location === null ? 'another address' : oneLine(first.location, 200)
  return mend(
    `answered ${first.status}, to ${target}`,
    first.location === null
      ? 'Take the redirect off this path.'
      : `Use the final address as webhook_url (${target}), or take the redirect off this path; a missing slash at the end or http for https are the usual reasons.`,
  )
}

export const genuineCheck: Plain = {
  id: 'genuine',
  title: 'a genuine webhook',
  should: 'answer 2xx',
  why: 'anything else is a failure: Florin tries again, five times in all, and then gives up',
}

/** Judges the first answer; where it is a refusal, searches for the mistake behind it by signing in the ways it may expect. */
export async function judgeGenuine(visit: Visit, first: Answer): Promise<Outcome> {
  if (isAccepted(first)) return good(inWords(first))
  if (first.kind === 'timeout') {
    return mend(
      inWords(first),
      'Note the event and answer; mails, shipping and calls to others come afterwards, from what was noted. If it never answers at all, look whether it waits for a body that something else has already read.',
    )
  }
  if (first.kind !== 'answered') return mend(inWords(first), 'Mend the connection first.')
  const known = statusMend[first.status]
  if (known !== undefined) return mend(inWords(first), known)
  const mistake = await soughtMistake(visit)
  if (mistake !== null) return mend(`${inWords(first)}; ${mistake.did}`, mistake.mend, verifyCode)
  if (first.status >= 500) {
    return mend(
      inWords(first),
      'The receiver fell over: its log says why. Orders of this examination do not exist; if it must know the order, pass --external-id with one that it knows.',
    )
  }
  return mend(
    inWords(first),
    `Most likely it holds another secret than the one this examination signs with (--secret or FLORIN_WEBHOOK_SECRET), or does not see the raw body. If it refuses orders that it does not know, pass --external-id with one that it knows.`,
    verifyCode,
  )
}

/** Statuses that come from what stands before the receiver's own code. */
const statusMend: Readonly<Partial<Record<number, string>>> = {
  404: 'There is no receiver at this path: compare it with the route, prefix and slash at the end included.',
  405: 'The route does not take POST.',
  413: 'Even a small body is too large here: raise the limit to 100 kB.',
  419: 'A guard against cross-site requests stands before it. Take this path out of that guard: the signature does its work.',
  429: 'A limit on requests stands before it. Take this path out of it, or let it pass a few dozen a second.',
  502: 'A proxy answers that the receiver behind it is not there. Start the receiver.',
  503: 'A proxy or the receiver says that it is not ready. Start it, and examine it then.',
}

export const paceCheck: Plain = {
  id: 'pace',
  title: 'the pace',
  should: 'answer within 3 s, and better within a few milliseconds',
  why: 'Florin waits 10 s and then counts a failure; on a busy day, what is slow now is too slow',
}

/** Judges all genuine answers of the examination; `timeoutMs` stands for the 10 s. */
export function judgePace(answers: readonly Answer[], timeoutMs: number): Outcome {
  const latencies = answers.map((answer) => answer.latencyMs).sort((a, b) => a - b)
  const slowest = latencies.at(-1) ?? 0
  const middle = latencies[Math.floor(latencies.length / 2)] ?? 0
  const late = answers.filter((answer) => answer.kind === 'timeout').length
  const how = 'Note the event, answer 200, and do the rest afterwards from what was noted.'
  const code = "await db.insert('events', event); response.writeHead(200).end()   // then work"
  const measured = `${answers.length} genuine webhooks, half within ${middle} ms, the slowest ${slowest} ms`
  if (late > 0) return mend(`${late} of ${answers.length} not answered within ${seconds(timeoutMs)}`, how, code)
  return slowest > timeoutMs * 0.3 ? warn(measured, how, code) : good(measured)
}
