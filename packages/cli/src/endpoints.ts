// `florin endpoints …`: one call of the service each.
import { type WebhookEndpoint, webhookKinds } from '@florin/protocol'
import { type Call, type Command, serviceFlags } from './command.ts'
import { openClient, readSettings } from './settings.ts'
import { columns, confirm } from './terminal.ts'
import { readChoice, readWhole } from './words.ts'

const clientOf = (call: Call) => openClient(readSettings(call)).webhookEndpoints
const first = ({ args }: Call): string => args[0] ?? ''

const kindsFlag = { name: 'event', value: 'EVENT', many: true, about: `one of ${webhookKinds.join(', ')}` }

const eventsOf = (call: Call) => {
  const events = call.texts('event').map((text) => readChoice('--event', text, webhookKinds))
  return events.length === 0 ? undefined : events
}

/** @param secret shown now and never again. */
function show(call: Call, endpoint: WebhookEndpoint, secret?: string): number {
  if (call.json) {
    call.terminal.out(JSON.stringify(endpoint, null, 2))
    return 0
  }
  const { health } = endpoint
  const rows: [string, string | null][] = [
    ['  url', endpoint.url],
    ['  mode', endpoint.mode],
    ['  status', endpoint.disabled_by === null ? endpoint.status : `${endpoint.status} by ${endpoint.disabled_by}`],
    ['  events', endpoint.events.join(', ')],
    ['  description', endpoint.description],
    ['  last success', health.last_success_at],
    ['  failing since', health.failing_since],
    ['  waiting', `${health.retrying} retrying, ${health.dead} dead`],
    ['  secret', secret ?? null],
  ]
  const told = rows.filter((row): row is [string, string] => row[1] !== null)
  for (const line of columns([[endpoint.id, ''], ...told])) call.terminal.out(line)
  return 0
}

export const listEndpointsCommand: Command = {
  name: 'endpoints list',
  takes: [],
  about: 'List webhook endpoints with their health, newest first',
  flags: [
    { name: 'limit', value: 'N', about: '1 to 100; 20 where left out' },
    { name: 'cursor', value: 'CURSOR', about: 'the next page, as the page before printed it' },
    ...serviceFlags,
  ],
  examples: ['florin endpoints list'],
  async run(call) {
    const limit = readWhole('--limit', call.text('limit'), 1, 100)
    const page = await clientOf(call)
      .list({ limit, cursor: call.text('cursor') })
      .page()
    if (call.json) call.terminal.out(JSON.stringify(page, null, 2))
    else {
      const rows = page.data.map((one) => [one.id, one.status, one.health.failing_since ?? 'well', one.url])
      for (const line of columns(rows)) call.terminal.out(line)
      if (page.data.length === 0) call.terminal.note('There is no webhook endpoint.')
      if (page.next_cursor !== null) call.terminal.note(`More: --cursor ${page.next_cursor}`)
    }
    return 0
  },
}

export const createEndpointCommand: Command = {
  name: 'endpoints create',
  takes: ['URL'],
  about: 'Register a webhook endpoint; its secret is shown now and never again',
  flags: [
    kindsFlag,
    { name: 'description', value: 'TEXT', about: 'for yourself' },
    { name: 'idempotency-key', value: 'KEY', about: 'the same key makes the same endpoint, however often it is run' },
    ...serviceFlags,
  ],
  examples: ['florin endpoints create https://shop.example/webhooks/florin --event order.success'],
  async run(call) {
    const params = { url: first(call), events: eventsOf(call), description: call.text('description') }
    const made = await clientOf(call).create(params, { idempotencyKey: call.text('idempotency-key') })
    return show(call, made, made.secret)
  },
}

export const getEndpointCommand: Command = {
  name: 'endpoints get',
  takes: ['ID'],
  about: 'Show a webhook endpoint',
  flags: serviceFlags,
  examples: ['florin endpoints get whe_01k6m3…'],
  run: async (call) => show(call, await clientOf(call).get(first(call))),
}

export const changeEndpointCommand: Command = {
  name: 'endpoints change',
  takes: ['ID'],
  about: 'Change a webhook endpoint: what is left out stays',
  notes: ['Disabled, nothing is sent there: what waited ends as dead and can be sent again once it is enabled.'],
  flags: [
    { name: 'url', value: 'URL', about: 'where it is now; what waits goes there' },
    kindsFlag,
    { name: 'description', value: 'TEXT', about: 'for yourself' },
    { name: 'enable', about: 'send there again' },
    { name: 'disable', about: 'send nothing there' },
    ...serviceFlags,
  ],
  examples: ['florin endpoints change whe_01k6m3… --disable'],
  async run(call) {
    const enabled = call.isOn('enable') ? true : call.isOn('disable') ? false : undefined
    const [url, events, description] = [call.text('url'), eventsOf(call), call.text('description')]
    return show(call, await clientOf(call).update(first(call), { url, events, description, enabled }))
  },
}

export const rotateEndpointCommand: Command = {
  name: 'endpoints rotate',
  takes: ['ID'],
  about: 'Replace the secret of a webhook endpoint; it is shown now and never again',
  flags: [
    { name: 'overlap', value: 'SECONDS', about: 'the old secret signs beside it for so long; 0 where left out' },
    ...serviceFlags,
  ],
  examples: ['florin endpoints rotate whe_01k6m3… --overlap 3600'],
  async run(call) {
    const overlap = readWhole('--overlap', call.text('overlap'), 0, 604_800)
    const made = await clientOf(call).rotateSecret(first(call), { overlap_seconds: overlap })
    return show(call, made, made.secret)
  },
}

export const testEndpointCommand: Command = {
  name: 'endpoints test',
  takes: ['ID'],
  about: 'Send a marked sample to a webhook endpoint and see what came back',
  flags: [{ name: 'event', value: 'EVENT', about: 'which; order.success where left out' }, ...serviceFlags],
  examples: ['florin endpoints test whe_01k6m3…'],
  async run(call) {
    const event = call.text('event')
    const sample = await clientOf(call).test(first(call), {
      event: event === undefined ? undefined : readChoice('--event', event, webhookKinds),
    })
    call.terminal.out(call.json ? JSON.stringify(sample, null, 2) : sample.message)
    return sample.ok ? 0 : 1
  },
}

export const deleteEndpointCommand: Command = {
  name: 'endpoints delete',
  takes: ['ID'],
  about: 'Delete a webhook endpoint: nothing more is sent there',
  notes: ['It asks first.'],
  flags: [{ name: 'yes', about: 'do not ask' }, ...serviceFlags],
  examples: ['florin endpoints delete whe_01k6m3… --yes'],
  async run(call) {
    const id = first(call)
    if (!call.isOn('yes')) await confirm(call.terminal, `Delete the endpoint ${id}?`)
    return show(call, await clientOf(call).delete(id))
  },
}
