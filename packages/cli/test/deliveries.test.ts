// Promises: deliveries are listed, shown and sent again; a replay sends each event of its range once, leaves alone what has
// arrived since, asks before it sends, and tells what it did.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from '@florin/protocol'
import { aPlace } from './program.ts'
import { aService, type Service } from './service.ts'

const attempts: Delivery['attempts'] = [
  {
    n: 1,
    at: '2026-01-31T10:00:00.000Z',
    http_status: 503,
    latency_ms: 12,
    error: 'http_503',
    response_excerpt: 'busy\n now',
  },
  {
    n: 2,
    at: '2026-01-31T10:01:00.000Z',
    http_status: null,
    latency_ms: 10_000,
    error: 'timeout_headers',
    response_excerpt: null,
  },
]

test('deliveries are listed with what became of them, and shown with every attempt', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const { id } = service.delivery({ status: 'retrying', attempt_count: 2, attempts, order_no: 'ord_1' })
  service.delivery({ order_no: 'ord_2' })
  const args = ['--status', 'retrying', '--event', 'success', '--order', 'ord_1']
  const listed = await place.run(['deliveries', 'list', ...args])
  assert.deepEqual(listed.stdout.split(/ {2,}/).slice(1), [
    id,
    'order.success',
    'ord_1',
    'retrying',
    '2/5',
    'timeout_headers in 10000 ms',
  ])
  assert.deepEqual(Object.fromEntries(service.requests[0]?.query ?? []), {
    status: 'retrying',
    event: 'order.success',
    order_no: 'ord_1',
  })
  const shown = await place.run(['deliveries', 'get', id])
  assert.match(shown.stdout, /^status +retrying$/m)
  assert.match(shown.stdout, /^ {2}1 {2}2026-01-31T10:00:00\.000Z {2}503 +12 ms +busy now$/m)
  assert.match(shown.stdout, /^ {2}2 {2}2026-01-31T10:01:00\.000Z {2}timeout_headers {2}10000 ms$/m)
  assert.deepEqual(JSON.parse((await place.run(['deliveries', 'get', id, '--json'])).stdout).attempts, attempts)
})

test('a delivery is sent again, several at once too', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const [one, two] = [service.delivery({ status: 'dead' }), service.delivery({})]
  const ran = await place.run(['deliveries', 'resend', one.id, two.id])
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(
    service.deliveries.map(({ resent_from }) => resent_from),
    [null, null, one.id, two.id],
  )
  assert.match(ran.stdout, new RegExp(`^${one.id} → ${service.deliveries[2]?.id} `))
})

const day = (n: number) => `2026-01-0${n}T10:00:00.000Z`

/** Six events over as many days: two are still dead, one has arrived since, one is in flight, one outside of the range. */
function anOutage(service: Service): { dead: Delivery[] } {
  const dead = (event_id: string, n: number, fields: Partial<Delivery> = {}) =>
    service.delivery({ event_id, status: 'dead', created_at: day(n), ...fields })
  dead('evt_old', 1)
  const first = dead('evt_1', 2)
  dead('evt_2', 3)
  const second = dead('evt_3', 4)
  service.delivery({ event_id: 'evt_4', created_at: day(4) })
  dead('evt_2', 5, { status: 'succeeded' })
  dead('evt_5', 7)
  // To another address the same event has not arrived.
  const other = dead('evt_2', 4, { url: 'http://localhost:4001/hook', created_at: '2026-01-04T11:00:00.000Z' })
  service.deliveries.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
  return { dead: [first, second, other] }
}

const range = ['--from', '2026-01-02', '--to', '2026-01-07']

test('a replay sends what is still dead, oldest first, and a second one finds nothing', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const { dead } = anOutage(service)
  const plan = await place.run(['deliveries', 'replay', ...range, '--dry-run'])
  assert.equal(plan.stderr, '3 deliveries would be sent again.')
  assert.deepEqual(
    plan.stdout.split('\n').map((line) => line.split(/ +/)[1]),
    dead.map(({ id }) => id),
  )
  assert.ok(service.requests.every(({ method }) => method === 'GET'))

  const ran = await place.run(['deliveries', 'replay', ...range, '--yes'])
  assert.equal(ran.code, 0, ran.stderr)
  assert.match(ran.stdout, /^1\/3 {2}order\.success .*\n2\/3 .*\n3\/3 /)
  assert.equal(ran.stderr, '3 deliveries on the way again.')
  const resent = service.deliveries.filter(({ resent_from }) => resent_from !== null)
  assert.deepEqual(new Set(resent.map(({ resent_from }) => resent_from)), new Set(dead.map(({ id }) => id)))

  const again = await place.run(['deliveries', 'replay', ...range, '--yes'])
  assert.deepEqual([again.code, again.stdout, again.stderr], [0, '', 'Nothing to send again.'])
})

test('a replay does nothing where nobody can be asked', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  anOutage(service)
  const ran = await place.run(['deliveries', 'replay', ...range])
  assert.equal(ran.code, 2)
  assert.equal(ran.stderr, 'florin: Send 3 deliveries again? There is nobody to ask here: add --yes.')
  assert.ok(service.requests.every(({ method }) => method === 'GET'))
})

test('a replay goes through more than a page and tells each that cannot be sent', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  for (let n = 0; n < 230; n++) {
    const event_id = n === 100 ? 'evt_expired' : `evt_${n}`
    service.delivery({ event_id, created_at: day(3), status: 'dead' })
  }
  const ran = await place.run(['deliveries', 'replay', ...range, '--yes', '--json'])
  assert.equal(ran.code, 1)
  const lines = ran.stdout.split('\n').map((line) => JSON.parse(line))
  assert.equal(lines.length, 231)
  assert.deepEqual(lines.at(-1), { resent: 229, failed: 1 })
  assert.match(lines.find(({ error }) => error).error, /past its retention/)
  assert.deepEqual(JSON.parse(ran.stderr), {
    error: { code: 'failed', message: '1 delivery could not be sent again.' },
  })
})
