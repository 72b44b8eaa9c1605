// Promises: orders are listed, shown, made, canceled and refunded by the calls of contract.md; a live refund asks first; trigger
// drives a test order to each event and never touches a live key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds, orderStatuses } from '@florin/protocol'
import { stepsTo } from '../src/trigger.ts'
import { aPlace } from './program.ts'
import { aService } from './service.ts'

test('orders are listed in columns, filtered, and page by page', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  service.order({ order_no: 'ord_1', status: 'success', status_detail: 'paid', amount_usd: 5, external_id: 'A-1' })
  service.order({ order_no: 'ord_2', status: 'expired', status_detail: 'unpaid', amount_usd: 1234.5 })
  service.order({ order_no: 'ord_3', status: 'success', status_detail: 'overpaid', amount_usd: 7 })
  const listed = await place.run(['orders', 'list', '--status', 'success', '--status', 'expired', '--limit', '2'])
  assert.equal(listed.code, 0, listed.stderr)
  assert.deepEqual(
    listed.stdout.split('\n').map((line) => line.split(/ {2,}/).slice(1)),
    [
      ['ord_3', 'success', 'overpaid', '$7'],
      ['ord_2', 'expired', 'unpaid', '$1234.5'],
    ],
  )
  assert.equal(listed.stderr, 'More: --cursor 2')
  assert.deepEqual(service.requests[0]?.query.getAll('status'), ['success', 'expired'])

  const args = ['--from', '2d', '--to', '2030-01-01', '--external-id', 'A-1', '--settle-chain', 'base', '--cursor', '2']
  const rest = await place.run(['orders', 'list', '--json', ...args])
  assert.deepEqual(
    JSON.parse(rest.stdout).data.map(({ order_no }: { order_no: string }) => order_no),
    ['ord_1'],
  )
  const asked = Object.fromEntries(service.requests[1]?.query ?? [])
  const agoMs = Date.now() - Date.parse(asked.created_from ?? '')
  assert.ok(agoMs >= 172_800_000 && agoMs < 172_800_000 + 600_000)
  assert.deepEqual(
    { ...asked, created_from: '' },
    { created_from: '', created_to: '2030-01-01T00:00:00.000Z', external_id: 'A-1', settle_chain: 'base', cursor: '2' },
  )
})

test('orders are listed by several statuses at once, by metadata, and oldest first', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const filters = ['--status', 'success, failed', '--metadata', 'cart=7', '--metadata', 'note=a=b', '--sort', 'oldest']
  const listed = await place.run(['orders', 'list', ...filters])
  assert.equal(listed.code, 0, listed.stderr)
  assert.deepEqual(
    [...(service.requests[0]?.query ?? [])],
    [
      ['status', 'success'],
      ['status', 'failed'],
      ['metadata[cart]', '7'],
      ['metadata[note]', 'a=b'],
      ['sort', 'oldest'],
    ],
  )
  for (const [args, says] of [
    [['--status', 'success,payed'], /--status takes one of pending, processing, success/],
    [['--status', 'success,'], /--status takes one of/],
    [['--sort', 'up'], /--sort takes one of newest, oldest/],
    [['--metadata', 'cart'], /--metadata takes KEY=VALUE/],
    [Array.from({ length: 6 }, (_, n) => ['--metadata', `k${n}=1`]).flat(), /at most/],
  ] as const) {
    const refused = await place.run(['orders', 'list', ...args])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, says)
  }
  assert.equal(service.requests.length, 1)
})

test('an order is made with all that was said, shown, canceled', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const args = [
    '--amount',
    '49.90',
    '--external-id',
    'A-1',
    '--url',
    'https://shop.example/hook',
    '--settle-chain',
    'base',
  ]
  const more = ['--metadata', 'cart=7', '--metadata', 'note=a=b', '--expires-in', '600', '--title', 'Two tickets']
  const made = await place.run(['orders', 'create', ...args, ...more, '--idempotency-key', 'cart-7', '--json'])
  assert.equal(made.code, 0, made.stderr)
  assert.deepEqual(JSON.parse(service.requests[0]?.body ?? ''), {
    amount_usd: '49.90',
    external_id: 'A-1',
    webhook_url: 'https://shop.example/hook',
    settle_chain: 'base',
    title: 'Two tickets',
    expires_in: 600,
    metadata: { cart: '7', note: 'a=b' },
  })
  await place.run(['orders', 'create', '--amount', '49.90', '--currency', 'EUR'])
  assert.deepEqual(JSON.parse(service.requests[1]?.body ?? ''), { amount: '49.90', currency: 'EUR' })
  const { order_no } = JSON.parse(made.stdout)
  const shown = await place.run(['orders', 'get', order_no])
  assert.match(shown.stdout, /^status +pending, awaiting_payment \(version 1\)$/m)
  assert.match(shown.stdout, /^expected +20 USDC on base$/m)
  const canceled = await place.run(['orders', 'cancel', order_no])
  assert.match(canceled.stdout, /^status +expired, canceled/m)
  const again = await place.run(['orders', 'cancel', order_no])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /Only a pending order.*\(order_not_cancelable, request req_1\)$/)
})

test('a live refund is not made where nobody can be asked, and is with --yes', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  service.order({ order_no: 'ord_live', livemode: true, status: 'failed', refund_address: '0xpayer' })
  const asked = await place.run(['orders', 'refund', 'ord_live'])
  assert.equal(asked.code, 2)
  assert.match(asked.stderr, /Send what is held of ord_live back to 0xpayer\? There is nobody to ask here: add --yes\./)
  assert.deepEqual(
    service.requests.map(({ method }) => method),
    ['GET'],
  )
  const done = await place.run(['orders', 'refund', 'ord_live', '--yes', '--reason', 'sold out'])
  assert.equal(done.code, 0)
  assert.equal(service.requests.at(-1)?.body, '{"reason":"sold out"}')
  service.order({ order_no: 'ord_test', status: 'failed' })
  assert.equal((await place.run(['orders', 'refund', 'ord_test'])).code, 0)
})

for (const [event, steps] of [
  ['processing', ['pay']],
  ['success', ['pay', 'settle']],
  ['failed', ['pay', 'fail']],
  ['refunded', ['pay', 'refund']],
  ['order.expired', ['expire']],
] as const) {
  test(`trigger ${event} makes an order and goes ${steps.join(', ')}`, async (t) => {
    const service = await aService(t)
    const place = await aPlace(t, service.baseUrl)
    const ran = await place.run(['trigger', event, '--amount', '20', '--url', 'localhost:4000/hook', '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    const { order, steps: made, deliveries } = JSON.parse(ran.stdout)
    assert.equal(order.status, event.replace('order.', ''))
    assert.equal(order.webhook_url, 'http://localhost:4000/hook')
    assert.deepEqual(
      made.map(({ action }: { action: string }) => action),
      steps,
    )
    assert.equal(deliveries.length, steps.length)
  })
}

test('trigger tells what happened, to the answer of the receiver', async (t) => {
  const service = await aService(t)
  const ran = await (await aPlace(t, service.baseUrl)).run([
    'trigger',
    'success',
    '--url',
    'http://localhost:4000/hook',
  ])
  const orderNo = service.orders[0]?.order_no
  assert.deepEqual(
    ran.stdout.split('\n').map((line) => line.replace(/ {2}dlv_\w+$/, '')),
    [
      `Created ${orderNo} over $50`,
      'create    pending, awaiting_payment',
      'pay       processing, confirming',
      'settle    success, paid',
      'webhook   order.processing  succeeded, 200 in 7 ms',
      'webhook   order.success     succeeded, 200 in 7 ms',
    ],
  )
})

test('trigger goes on with an order from where it stands, or says that there is no way', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  service.order({ order_no: 'ord_1', status: 'expired' })
  const late = await place.run(['trigger', 'success', '--order', 'ord_1'])
  assert.equal(late.code, 0, late.stderr)
  assert.match(late.stdout, /^pay_late {2}processing, paid_late\nsettle {4}success, paid$/m)
  const no = await place.run(['trigger', 'failed', '--order', 'ord_1'])
  assert.equal(no.code, 1)
  assert.match(no.stderr, /Order ord_1 is success: no step leads from there to order\.failed\./)
})

test('trigger refuses a live key before anything is created', async (t) => {
  const service = await aService(t)
  const place = await aPlace(t, service.baseUrl)
  const ran = await place.run(['trigger', 'success'], { FLORIN_API_KEY: `florin_live_${'k'.repeat(38)}` })
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /FLORIN_API_KEY is a live key; trigger takes a test key/)
  assert.equal(service.requests.length, 0)
})

test('steps lead nowhere from what is final, and each event can be reached from a new order', () => {
  for (const event of eventKinds) {
    assert.ok(stepsTo(event, { status: 'pending' }))
    for (const status of orderStatuses) {
      const steps = stepsTo(event, { status })
      if (status === 'success' || status === 'refunded' || `order.${status}` === event) assert.equal(steps, null)
    }
  }
})
