// `florin deliveries list | get | resend`: what became of webhooks, and sending one again.
import { deliveryStatuses, PAGE_MAX } from '@florin/protocol'
import { type Call, type Command, serviceFlags } from './command.ts'
import { paintStatus } from './order-view.ts'
import type { Delivery } from './sdk.ts'
import { openClient, readSettings } from './settings.ts'
import { columns, oneLine, type Paint } from './terminal.ts'
import { eventNames, readChoice, readEvent, readWhole } from './words.ts'

const clientOf = (call: Call) => openClient(readSettings(call))

/** The newest attempt in a few words: `503 in 12 ms`. */
function newest({ attempts }: Delivery): string {
  const attempt = attempts.at(-1)
  if (attempt === undefined) return ''
  const verdict = attempt.error ?? String(attempt.http_status ?? '')
  return attempt.latency_ms === null ? verdict : `${verdict} in ${attempt.latency_ms} ms`
}

function row(delivery: Delivery): string[] {
  const { created_at, id, event, order_no, status, attempt_count } = delivery
  return [created_at, id, event, order_no, status, `${attempt_count}/5`, newest(delivery)]
}

function lines(delivery: Delivery, paint: Paint): string[] {
  const rows: [string, string | null][] = [
    ['delivery', `${delivery.id}${delivery.livemode ? '' : ' (test)'}`],
    ['status', delivery.status],
    ['event', `${delivery.event} (${delivery.event_id})`],
    ['order', delivery.order_no],
    ['to', delivery.url],
    ['created', delivery.created_at],
    ['next attempt', delivery.next_attempt_at],
    ['resent from', delivery.resent_from],
  ]
  const told = rows.filter((each): each is [string, string] => each[1] !== null)
  const attempts = delivery.attempts.map(({ n, at, http_status, latency_ms, error, response_excerpt }) => [
    `${n}`,
    at,
    http_status === null ? (error ?? '') : String(http_status),
    latency_ms === null ? '' : `${latency_ms} ms`,
    oneLine(response_excerpt ?? '', 80),
  ])
  return [
    ...columns(told, (text, column) => (column === 0 ? paint.dim(text) : paintStatus(text, paint))),
    '',
    attempts.length === 0 ? 'no attempt yet' : 'attempts',
    ...columns(attempts).map((line) => `  ${line}`),
  ]
}

export const listDeliveriesCommand: Command = {
  name: 'deliveries list',
  takes: [],
  about: 'List webhook deliveries, newest first',
  flags: [
    { name: 'order', value: 'ORDER_NO', about: 'only those of this order' },
    { name: 'status', value: 'STATUS', about: `one of ${deliveryStatuses.join(', ')}` },
    { name: 'event', value: 'EVENT', about: `one of ${eventNames.join(', ')}` },
    { name: 'limit', value: 'N', about: '1 to 100; 20 where left out' },
    { name: 'cursor', value: 'CURSOR', about: 'the next page, as the page before printed it' },
    ...serviceFlags,
  ],
  examples: ['florin deliveries list --status dead', 'florin deliveries list --order ord_01k6m3…'],
  async run(call) {
    const { terminal } = call
    const status = call.text('status')
    const event = call.text('event')
    const filters = {
      order_no: call.text('order'),
      status: status === undefined ? undefined : readChoice('--status', status, deliveryStatuses),
      event: event === undefined ? undefined : readEvent(event),
      limit: readWhole('--limit', call.text('limit'), 1, PAGE_MAX),
      cursor: call.text('cursor'),
    }
    const page = await clientOf(call).deliveries.list(filters).page()
    if (call.json) {
      terminal.out(JSON.stringify(page, null, 2))
      return 0
    }
    const paintCell = (text: string, column: number) => (column === 4 ? paintStatus(text, terminal.paint) : text)
    for (const line of columns(page.data.map(row), paintCell)) terminal.out(line)
    if (page.data.length === 0) terminal.note('No delivery matches.')
    if (page.has_more && page.next_cursor !== null) terminal.note(`More: --cursor ${page.next_cursor}`)
    return 0
  },
}

export const getDeliveryCommand: Command = {
  name: 'deliveries get',
  takes: ['ID'],
  about: 'Show a delivery with every attempt',
  flags: serviceFlags,
  examples: ['florin deliveries get dlv_01k6m3…'],
  async run(call) {
    const [id = ''] = call.args
    const delivery = await clientOf(call).deliveries.get(id)
    if (call.json) call.terminal.out(JSON.stringify(delivery, null, 2))
    else for (const line of lines(delivery, call.terminal.paint)) call.terminal.out(line)
    return 0
  },
}

export const resendCommand: Command = {
  name: 'deliveries resend',
  takes: ['ID...'],
  about: 'Send an event again, now',
  notes: [
    'One that is done or dead is sent anew, with five attempts of its own; one that is waiting makes its next attempt now.',
  ],
  flags: serviceFlags,
  examples: ['florin deliveries resend dlv_01k6m3…'],
  async run(call) {
    const client = clientOf(call)
    for (const id of call.args) {
      const delivery = await client.deliveries.resend(id)
      if (call.json) call.terminal.out(JSON.stringify(delivery))
      else call.terminal.out(`${id} → ${delivery.id}  ${delivery.event}  ${delivery.order_no}  ${delivery.status}`)
    }
    return 0
  },
}
