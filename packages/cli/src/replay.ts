// `florin deliveries replay`: what a receiver missed in a range of time is sent again. An event is judged by its newest
// delivery to that address, so running it twice does not send twice what the first run delivered.
import { PAGE_MAX } from '@florin/protocol'
import { type Call, type Command, serviceFlags } from './command.ts'
import { Failure, UsageFailure } from './failure.ts'
import { type Delivery, type Florin, FlorinError } from './sdk.ts'
import { openClient, readSettings } from './settings.ts'
import { columns, confirm } from './terminal.ts'
import { eventNames, readChoice, readEvent, readMoment } from './words.ts'

/** What can be sent again. A pending one is about to be sent in any case. */
const replayable = ['dead', 'succeeded', 'retrying'] as const

/** Resends under way at once: enough to hide the way to the service, too few to crowd it. */
const AT_ONCE = 4

export const replayCommand: Command = {
  name: 'deliveries replay',
  takes: [],
  about: 'Send again what a receiver missed in a range of time',
  notes: [
    'An event counts once for each address, by its newest delivery: what has arrived since is left alone.',
    'It tells how many there are and asks before it sends.',
  ],
  flags: [
    { name: 'from', value: 'TIME', about: 'required; created then or later: 2026-01-31T10:00:00Z, or 6h, 2d ago' },
    { name: 'to', value: 'TIME', about: 'created before; now where left out' },
    { name: 'status', value: 'STATUS', about: `one of ${replayable.join(', ')}; dead where left out` },
    { name: 'event', value: 'EVENT', about: `one of ${eventNames.join(', ')}; all where left out` },
    { name: 'dry-run', about: 'list what would be sent again, and send nothing' },
    { name: 'yes', about: 'do not ask' },
    ...serviceFlags,
  ],
  examples: ['florin deliveries replay --from 6h', 'florin deliveries replay --from 2026-01-31 --to 2026-02-01 --yes'],
  async run(call) {
    const { terminal, json } = call
    const range = readRange(call)
    const client = openClient(readSettings(call))
    const chosen = await choose(client, range)
    if (chosen.length === 0) {
      terminal.note('Nothing to send again.')
      if (json) terminal.out(JSON.stringify({ resent: 0, failed: 0 }))
      return 0
    }
    if (call.isOn('dry-run')) {
      for (const delivery of json ? chosen : []) terminal.out(JSON.stringify(delivery))
      const rows = chosen.map(({ created_at, id, event, order_no, url }) => [created_at, id, event, order_no, url])
      for (const line of json ? [] : columns(rows)) terminal.out(line)
      terminal.note(`${count(chosen.length)} would be sent again.`)
      return 0
    }
    if (!call.isOn('yes')) await confirm(terminal, `Send ${count(chosen.length)} again?`)
    return resendAll(call, client, chosen)
  },
}

interface Range {
  readonly from: Date
  readonly to: Date
  readonly status: (typeof replayable)[number]
  readonly event: Delivery['event'] | undefined
}

function readRange(call: Call): Range {
  const now = new Date()
  const text = call.text('from')
  if (text === undefined) throw new UsageFailure('--from is missing: florin deliveries replay --from 6h')
  const from = readMoment('--from', text, now)
  const to = readMoment('--to', call.text('to') ?? now.toISOString(), now)
  if (from >= to) throw new UsageFailure('--from must lie before --to.')
  const event = call.text('event')
  return {
    from,
    to,
    status: readChoice('--status', call.text('status') ?? 'dead', replayable),
    event: event === undefined ? undefined : readEvent(event),
  }
}

/** Oldest first, as they should have arrived. */
async function choose(client: Florin, range: Range): Promise<Delivery[]> {
  const seen = new Set<string>()
  const chosen: Delivery[] = []
  // Newest first, and past the end of the range: a resend of today settles a failure of last week.
  for await (const delivery of client.deliveries.list({ event: range.event, limit: PAGE_MAX })) {
    const createdAt = new Date(delivery.created_at)
    if (createdAt < range.from) break
    const address = JSON.stringify([delivery.event_id, delivery.url])
    const isNewest = !seen.has(address)
    seen.add(address)
    if (isNewest && delivery.status === range.status && createdAt < range.to) chosen.push(delivery)
  }
  return chosen.reverse()
}

const count = (n: number): string => (n === 1 ? '1 delivery' : `${n} deliveries`)

async function resendAll(call: Call, client: Florin, chosen: readonly Delivery[]): Promise<number> {
  const { terminal, json } = call
  let done = 0
  let resent = 0
  let fatal: unknown = null
  const waiting = [...chosen]
  const width = String(chosen.length).length
  const resendOne = async (delivery: Delivery) => {
    const outcome = await resend(client, delivery)
    done++
    if (outcome.error === null) resent++
    if (json) terminal.out(JSON.stringify({ id: delivery.id, resent_as: outcome.id, error: outcome.error }))
    else {
      const progress = `${String(done).padStart(width)}/${chosen.length}`
      const what = outcome.error === null ? `→ ${outcome.id}` : terminal.paint.red(outcome.error)
      terminal.out(`${progress}  ${delivery.event.padEnd(16)}  ${delivery.order_no}  ${what}`)
    }
  }
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && fatal === null; next = waiting.shift()) {
      try {
        await resendOne(next)
      } catch (error) {
        fatal = error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (fatal !== null) {
    terminal.note(`Stopped after ${done} of ${chosen.length}. The same command goes on with the rest.`)
    throw fatal
  }
  const failed = done - resent
  if (json) terminal.out(JSON.stringify({ resent, failed }))
  else terminal.note(`${count(resent)} on the way again${failed === 0 ? '' : `, ${failed} not`}.`)
  if (failed > 0) throw new Failure(`${count(failed)} could not be sent again.`)
  return 0
}

/** A refusal that concerns this delivery alone is an outcome; any other ends the run. */
async function resend(client: Florin, delivery: Delivery): Promise<{ id: string | null; error: string | null }> {
  try {
    return { id: (await client.deliveries.resend(delivery.id)).id, error: null }
  } catch (error) {
    const concernsItAlone =
      error instanceof FlorinError && (error.status === 409 || error.status === 410 || error.status === 404)
    if (!concernsItAlone) throw error
    return { id: null, error: error.message }
  }
}
