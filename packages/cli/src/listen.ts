// `florin listen`: the service's events, signed anew and posted to a receiver on this machine, so that no tunnel is needed.
// An event is behind the cursor only when the receiver has answered, so stopping in the middle loses none.

import { webhookHeaders } from '@florin/protocol'
import { asCalled } from './called.ts'
import { type Call, type Command, serviceFlags } from './command.ts'
import { takeSecret } from './local-secret.ts'
import { type Answer, type Connections, closeConnections, inShort, isAccepted, openConnections, post } from './post.ts'
import type { FlorinEvent } from './sdk.ts'
import { checkedSecret, isLiveKey, openClient, readSettings, type Settings } from './settings.ts'
import { oneLine, type Terminal } from './terminal.ts'
import { freshId, signatureOf, unixNow } from './webhook.ts'
import { eventNames, readEvents, readReceiver } from './words.ts'

/** contract.md 6: what the service waits for a receiver. */
const TIMEOUT_MS = 10_000

export const listenCommand: Command = {
  name: 'listen',
  takes: [],
  about: 'Follow events live and forward them to a receiver on this machine, without a tunnel',
  notes: [
    'Each event of the key is posted with the headers of a real webhook, signed with a secret of this machine.',
    'Give that secret to the receiver: FLORIN_WEBHOOK_SECRET=$(florin listen --print-secret)',
    'What the receiver refuses is not sent again; the service itself tries up to five times.',
  ],
  flags: [
    { name: 'forward-to', value: 'URL', about: 'the receiver; without it events are only shown' },
    { name: 'events', value: 'A,B', about: `only these of ${eventNames.join(', ')}` },
    { name: 'from', value: 'CURSOR', about: 'go on where an earlier run stopped; it prints the cursor when it ends' },
    { name: 'secret', value: 'WHSEC', about: 'sign with this one instead of the secret of this machine' },
    { name: 'print-secret', about: 'print the secret of this machine and end' },
    ...serviceFlags,
  ],
  examples: [
    'florin listen --forward-to http://localhost:4000/webhooks/florin',
    'florin listen --forward-to localhost:4000/webhooks/florin --events success,refunded',
    'FLORIN_WEBHOOK_SECRET=$(florin listen --print-secret) npm start',
  ],
  async run(call) {
    const { terminal, environment } = call
    const given = call.text('secret')
    if (call.isOn('print-secret')) {
      const secret = takeSecret(environment)
      terminal.out(call.json ? JSON.stringify({ secret }) : secret)
      return 0
    }
    const forwardTo = call.text('forward-to')
    const target = forwardTo === undefined ? null : readReceiver('--forward-to', forwardTo)
    const wanted = readEvents(call.text('events'))
    const settings = readSettings(call)
    const secret = given === undefined ? takeSecret(environment) : checkedSecret(given, '--secret')
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    const connections = await openConnections()
    const client = openClient(settings, watchedFetch(terminal, stopping.signal))
    greet(call, settings, target, secret, given !== undefined)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    const stream = client.events.stream({ after: call.text('from'), signal: stopping.signal })
    const report = new Report(call, given === undefined)
    try {
      for await (const event of stream) {
        if (wanted !== null && !wanted.has(event.event)) continue
        const answer =
          target === null ? null : await forward({ connections, target, secret, event, signal: stopping.signal })
        // Thrown out of the loop, so that the cursor stays before this event.
        if (answer?.kind === 'stopped') break
        report.event(event, answer)
      }
    } finally {
      closeConnections(connections)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, stop)
      report.end(stream.cursor, stopping.signal.aborted)
    }
    return 0
  },
}

interface Forwarding {
  connections: Connections
  target: URL
  secret: string
  event: FlorinEvent
  signal: AbortSignal
}

function forward({ connections, target, secret, event, signal }: Forwarding): Promise<Answer> {
  const body = Buffer.from(JSON.stringify(event))
  const signature = signatureOf(body, [secret], unixNow())
  const headers = webhookHeaders({ event: event.event, deliveryId: freshId('dlv'), attempt: 1, signature })
  return post(connections, { url: target, headers, body, timeoutMs: TIMEOUT_MS, signal })
}

const tellSecret = ({ environment }: Call): string =>
  asCalled('FLORIN_WEBHOOK_SECRET=$(florin listen --print-secret)', environment)

function greet(call: Call, settings: Settings, target: URL | null, secret: string, isGiven: boolean): void {
  const { terminal } = call
  const { bold, dim, yellow } = terminal.notePaint
  const mode = isLiveKey(settings) ? 'live' : 'test'
  const whither = target === null ? '' : `, forwarding to ${bold(target.href)}`
  terminal.note(`Following the ${mode} events of ${settings.baseUrl}${whither}`)
  if (target === null) return
  const expected = settings.webhookSecret
  if (expected !== undefined && expected !== secret) {
    const mend = isGiven
      ? 'give the receiver the one that --secret names'
      : `${tellSecret(call)}, or pass --secret "$FLORIN_WEBHOOK_SECRET" here`
    terminal.note(
      yellow(
        `FLORIN_WEBHOOK_SECRET is not the secret that these webhooks are signed with, so a receiver that holds it refuses them. Mend it: ${mend}.`,
      ),
    )
  } else if (!isGiven && expected === undefined) {
    terminal.note(dim(`The receiver needs the secret of this machine: ${tellSecret(call)}`))
  }
}

/** Tells when the connection to the service is gone and when it is back. */
function watchedFetch(terminal: Terminal, signal: AbortSignal): typeof globalThis.fetch {
  const { dim } = terminal.notePaint
  let connections = 0
  let isAway = false
  return async (...request) => {
    if (connections > 0 && !isAway) {
      isAway = true
      terminal.note(dim('The connection to Florin is gone; connecting again …'))
    }
    const response = await globalThis.fetch(...request)
    if (response.ok && !signal.aborted) {
      connections++
      isAway = false
      // Without a place to go on from, the stream begins with what happens next.
      const hasPlace = /[?&]after=/.test(String(request[0]))
      const again = hasPlace ? 'Connected again.' : 'Connected again. What happened meanwhile is not shown.'
      terminal.note(dim(connections === 1 ? 'Connected. Ctrl-C ends it.' : again))
    }
    return response
  }
}

class Report {
  readonly #call: Call
  readonly #isOwnSecret: boolean
  #forwarded = 0
  #refused = 0
  #hasHinted = false

  constructor(call: Call, isOwnSecret: boolean) {
    this.#call = call
    this.#isOwnSecret = isOwnSecret
  }

  event(event: FlorinEvent, answer: Answer | null): void {
    const { terminal, json } = this.#call
    const { order_no } = event.order
    const isGood = answer === null || isAccepted(answer)
    this.#forwarded++
    if (!isGood) this.#refused++
    if (json) {
      const outcome =
        answer === null ? {} : { http_status: null, latency_ms: answer.latencyMs, error: null, ...told(answer) }
      terminal.out(
        JSON.stringify({ at: new Date().toISOString(), id: event.id, event: event.event, order_no, ...outcome }),
      )
      return
    }
    const { green, red, dim } = terminal.paint
    const columns = [dim(new Date().toTimeString().slice(0, 8)), event.event.padEnd(16), order_no.padEnd(30)]
    if (answer !== null) {
      const verdict = inShort(answer).padEnd(12)
      columns.push(isGood ? green(verdict) : red(verdict), `${answer.latencyMs} ms`.padStart(8))
    }
    terminal.out(columns.join('  ').trimEnd())
    if (!isGood && answer !== null) this.#explain(answer)
  }

  #explain(answer: Answer): void {
    const { note, notePaint } = this.#call.terminal
    if (answer.kind === 'broken') note(notePaint.dim(`          ${oneLine(answer.message, 120)}`))
    if (answer.kind === 'timeout')
      note(notePaint.dim('          No answer within 10 s. Florin gives up then too: answer first, work later.'))
    if (answer.kind !== 'answered') return
    const where = answer.location === null ? '' : ` to ${oneLine(answer.location, 200)}, and redirects are not followed`
    const text = oneLine(answer.text, 120)
    if (where !== '' || text !== '') note(notePaint.dim(`          ${where === '' ? text : `A redirect${where}.`}`))
    if (this.#hasHinted || !/^40[013]$/.test(String(answer.status))) return
    this.#hasHinted = true
    const secret = this.#isOwnSecret ? tellSecret(this.#call) : 'the secret that --secret names'
    note(notePaint.yellow(`          If it refused the signature, start it with ${secret}.`))
  }

  end(cursor: string | null, wasAsked: boolean): void {
    const { terminal, json } = this.#call
    // What ended before it began has nothing to sum up.
    if (!wasAsked && this.#forwarded === 0) return
    if (json) {
      terminal.out(JSON.stringify({ events: this.#forwarded, refused: this.#refused, cursor }))
      return
    }
    const events = this.#forwarded === 1 ? '1 event' : `${this.#forwarded} events`
    const refused = this.#refused === 0 ? '' : `, ${this.#refused} not accepted`
    terminal.note(`${events}${refused}.${cursor === null ? '' : ` To go on from here: --from ${cursor}`}`)
  }
}

function told(answer: Answer): { http_status?: number; error?: string } {
  if (answer.kind === 'answered') return { http_status: answer.status }
  return { error: inShort(answer) }
}
