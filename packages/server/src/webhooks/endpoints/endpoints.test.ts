// Webhook endpoints of an account, over HTTP and with real deliveries to real receivers.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { startJobs } from '@florin/platform/worker/loop'
import { type Delivery, eventKinds, type Order, updateKinds, type WebhookEndpoint } from '@florin/protocol'
import { verify } from '@florin/protocol/signature'
import { slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import { eventually, givePositions } from '../../../test/deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress, type TestMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import * as r from '../../../test/receiver.ts'
import { createOrder } from '../../orders/create/create.ts'
import { parseInput } from '../../orders/create/input.ts'
import { webhookJobs } from '../jobs.ts'
import { judgeFailing, tellDeaths } from './deaths.ts'

type Headers = Record<string, string>
const BOSS = '/api/v1/boss/webhook_endpoints'
const V1 = '/v1/webhook_endpoints'

async function call(at: TestApp, headers: object, method: string, url: string, payload?: object) {
  const reply = await at.app.inject({
    ...{ method: method as 'GET', url, headers: headers as Headers },
    ...(payload === undefined ? {} : { payload }),
  })
  const body = reply.json()
  return { status: reply.statusCode, body, data: body.data ?? body, code: body.error?.code as string | undefined }
}

async function aShop(t: TestContext) {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  await aReceivingAddress(at.deps, merchant)
  const key = await anApiKey(at.deps, merchant)
  return { at, merchant, key }
}

async function anEndpoint(at: TestApp, merchant: TestMerchant, url: string, more: object = {}) {
  const made = await call(at, merchant.headers, 'POST', BOSS, { url, mode: 'test', ...more })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return made.data as WebhookEndpoint & { secret: string }
}

async function anOrder(at: TestApp, key: { headers: Headers }, more: object = {}): Promise<Order> {
  const made = await call(at, key.headers, 'POST', '/v1/orders', { amount_usd: 10, pay_chain: 'base', ...more })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body
}

const simulate = async (at: TestApp, key: { headers: Headers }, orderNo: string, action: string) => {
  const moved = await call(at, key.headers, 'POST', `/v1/test/orders/${orderNo}/simulate`, { action })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
}

const sent = (at: TestApp): Promise<{ event: string; url: string; endpoint: string | null }[]> => at.deps.sql`
  select event, url, endpoint_id as endpoint from deliveries order by no`

test('an endpoint is sent the events of every order of its mode, signed with its own secret, beside the URL of an order', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const [account, own] = [await r.receiver(t), await r.receiver(t)]
  const endpoint = await anEndpoint(at, merchant, account.url, { description: 'Books' })
  await anEndpoint(at, merchant, 'https://live.example/hook', { mode: 'live' })
  await anEndpoint(at, await aMerchant(at.deps), 'https://stranger.example/hook')
  const order = await anOrder(at, key, { webhook_url: own.url })
  // One that no key made: a sale in the console, a payment link.
  const { json } = await createOrder(
    at.deps,
    { id: null, merchantId: merchant.id, merchantNo: merchant.no, livemode: false, feeBps: 0 },
    parseInput({ amount_usd: 5, pay_chain: 'base' }),
    null,
  )
  const { order_no: keyless } = JSON.parse(json) as Order
  await simulate(at, key, order.order_no, 'pay')
  await simulate(at, key, keyless, 'expire')
  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  await Promise.all([account.received(2), own.received(1)])
  const made = await sent(at)
  assert.deepEqual(
    made.map((row) => row.url).sort(),
    [account.url, account.url, own.url].sort(),
    'nobody of the other mode and no other account',
  )
  await jobs.stop()
  const now = at.clock.now().getTime() / 1000
  const told = account.requests.map(({ headers, body }) => {
    const header = headers['x-service-signature']
    assert.ok(verify({ header, body, secrets: [endpoint.secret], now }).ok, 'the endpoint has a secret of its own')
    assert.ok(!verify({ header, body, secrets: [key.webhookSecret], now }).ok)
    return JSON.parse(String(body)) as { id: string; event: string; order: Order }
  })
  assert.deepEqual(
    told.map((one) => `${one.event} ${one.order.order_no}`).sort(),
    [`order.expired ${keyless}`, `order.processing ${order.order_no}`].sort(),
  )
  const [direct] = own.requests
  assert.ok(
    verify({
      header: direct?.headers['x-service-signature'],
      body: direct?.body ?? '',
      secrets: [key.webhookSecret],
      now,
    }).ok,
  )
  assert.deepEqual(
    JSON.parse(String(direct?.body)),
    told.find((one) => one.order.order_no === order.order_no),
  )

  const listed = await call(at, key.headers, 'GET', `/v1/deliveries?endpoint_id=${endpoint.id}`)
  assert.deepEqual(
    listed.body.data.map((row: Delivery) => [row.endpoint_id, row.status]),
    [
      [endpoint.id, 'succeeded'],
      [endpoint.id, 'succeeded'],
    ],
  )
  const { data: seen } = await call(at, key.headers, 'GET', `${V1}/${endpoint.id}`)
  assert.deepEqual(
    { ...seen, created_at: '', updated_at: '' },
    {
      ...{ id: endpoint.id, mode: 'test', url: account.url, description: 'Books', events: [...eventKinds] },
      ...{ status: 'enabled', disabled_by: null, disabled_at: null, created_at: '', updated_at: '' },
      health: {
        ...{ last_success_at: at.clock.now().toISOString(), last_failure_at: null, failing_since: null },
        ...{ retrying: 0, dead: 0, late: 0 },
      },
    },
  )
  const again = await call(at, key.headers, 'POST', `/v1/deliveries/${listed.body.data[0].id}/resend`, {})
  assert.equal(again.body.endpoint_id, endpoint.id, 'sent again it is still signed by the endpoint')
})

test('updates reach only who chose them, with the order as it then is, and stand neither in feed nor timeline', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const quiet = await anOrder(at, key)
  await simulate(at, key, quiet.order_no, 'pay')
  const rows = await at.deps.sql`select 1 from order_events where event = any(${[...updateKinds]}::text[])`
  assert.equal(rows.length, 0, 'nobody chose them, so nothing is written')
  const all = await anEndpoint(at, merchant, 'https://all.example/hook', { events: [...updateKinds, 'order.refunded'] })
  const one = await anEndpoint(at, merchant, 'https://one.example/hook', { events: ['order.updated.partially_paid'] })
  assert.deepEqual(all.events, ['order.refunded', ...updateKinds])
  const order = await anOrder(at, key, { webhook_url: 'https://own.example/hook' })
  await simulate(at, key, order.order_no, 'underpay')
  await simulate(at, key, order.order_no, 'refund')
  const told = (await sent(at)).map(({ event, url }) => `${new URL(url).hostname} ${event}`)
  assert.deepEqual(told.sort(), [
    'all.example order.refunded',
    'all.example order.updated.partially_paid',
    'all.example order.updated.payment_seen',
    'all.example order.updated.refund_sent',
    'one.example order.updated.partially_paid',
    'own.example order.refunded',
  ])
  const [body] = await at.deps.sql<{ body: Uint8Array }[]>`
    select body from order_events where event = 'order.updated.partially_paid'`
  const { order: then } = JSON.parse(Buffer.from(body?.body ?? Buffer.from('{}')).toString()) as {
    order: Order
  }
  assert.deepEqual([then.status, then.status_detail, then.payments.length], ['pending', 'partially_paid', 1])
  await givePositions(at.deps)
  const { data: feed } = await call(at, key.headers, 'GET', '/v1/events')
  assert.deepEqual(
    feed.map((each: { event: string }) => each.event),
    ['order.processing', 'order.refunded'],
  )
  const { data: timeline } = await call(at, key.headers, 'GET', `/v1/orders/${order.order_no}/events`)
  assert.ok(timeline.every((row: { event: string | null }) => row.event === null || row.event === 'order.refunded'))
  await call(at, merchant.headers, 'PATCH', `${BOSS}/${one.id}`, { events: ['order.success'] })
  await simulate(at, key, (await anOrder(at, key)).order_no, 'underpay')
  assert.ok((await sent(at)).slice(6).every((row) => row.endpoint !== one.id))
})

test('disabled or deleted, nothing is sent any more, what waited included, until it is enabled again', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const receiver = await r.receiver(t, {}, r.status(500), r.status(204))
  const endpoint = await anEndpoint(at, merchant, receiver.url)
  await simulate(at, key, (await anOrder(at, key)).order_no, 'pay')
  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  t.after(() => jobs.stop())
  await receiver.received(1)
  const states = () => at.deps.sql<{ status: string }[]>`select status from deliveries order by no`
  await eventually(states, ([row]) => row?.status === 'retrying')
  const off = await call(at, merchant.headers, 'PATCH', `${BOSS}/${endpoint.id}`, { enabled: false })
  assert.deepEqual([off.data.status, off.data.disabled_by], ['disabled', 'merchant'])
  await simulate(at, key, (await anOrder(at, key)).order_no, 'pay')
  assert.equal((await states()).length, 1, 'no delivery is made for it')
  at.clock.advance(60_000)
  await eventually(states, ([row]) => row?.status === 'dead')
  assert.equal(receiver.requests.length, 1)
  const { data } = await call(at, key.headers, 'GET', '/v1/deliveries')
  assert.equal(data[0].attempts.at(-1).error, 'endpoint_disabled')
  const refused = await call(at, key.headers, 'POST', `/v1/deliveries/${data[0].id}/resend`, {})
  assert.deepEqual([refused.status, refused.code], [409, 'endpoint_disabled'])
  const tested = await call(at, key.headers, 'POST', `${V1}/${endpoint.id}/test`, {})
  assert.deepEqual([tested.status, tested.code, receiver.requests.length], [409, 'endpoint_disabled', 1])
  const on = await call(at, merchant.headers, 'PATCH', `${BOSS}/${endpoint.id}`, { enabled: true })
  assert.equal(on.data.status, 'enabled')
  await call(at, key.headers, 'POST', `/v1/deliveries/${data[0].id}/resend`, {})
  await receiver.received(2)
  const gone = await call(at, merchant.headers, 'DELETE', `${BOSS}/${endpoint.id}`)
  assert.equal(gone.status, 200)
  assert.equal((await call(at, merchant.headers, 'GET', `${BOSS}/${endpoint.id}`)).code, 'endpoint_not_found')
  await simulate(at, key, (await anOrder(at, key)).order_no, 'pay')
  assert.equal((await states()).length, 2)
})

test('given another URL, what waits and what is sent again goes there, and says so', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const [old, moved] = [await r.receiver(t, {}, r.status(500)), await r.receiver(t)]
  const endpoint = await anEndpoint(at, merchant, old.url)
  await simulate(at, key, (await anOrder(at, key)).order_no, 'pay')
  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  t.after(() => jobs.stop())
  const states = () =>
    at.deps.sql<{ status: string; url: string; attempts: number }[]>`
      select status, url, attempt_count as attempts from deliveries order by no`
  await eventually(states, ([row]) => row?.status === 'retrying')
  await call(at, merchant.headers, 'PATCH', `${BOSS}/${endpoint.id}`, { url: moved.url })
  at.clock.advance(60_000)
  await eventually(states, ([row]) => row?.attempts === 2)
  const [second] = await states()
  assert.deepEqual([second?.status, second?.url], ['succeeded', moved.url], 'a delivery says where it went')
  // One that ended at the old URL.
  await at.deps.sql`update deliveries set url = ${old.url}`
  const { data } = await call(at, key.headers, 'GET', '/v1/deliveries')
  await call(at, key.headers, 'POST', `/v1/deliveries/${data[0].id}/resend`, {})
  await moved.received(2)
  assert.equal(old.requests.length, 1)
})

test('the secret is shown once, rotates with an overlap, and a sample shows what comes back', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const receiver = await r.receiver(t)
  const endpoint = await anEndpoint(at, merchant, receiver.url)
  assert.match(endpoint.secret, /^whsec_[0-9A-Za-z]{32}$/)
  for (const url of [BOSS, `${BOSS}/${endpoint.id}`]) {
    const { body } = await call(at, merchant.headers, 'GET', url)
    assert.ok(!JSON.stringify(body).includes('whsec_'), 'no list shows it again')
  }
  const path = `${V1}/${endpoint.id}/secret/rotate`
  const rotated = await call(at, key.headers, 'POST', path, { overlap_seconds: 3600 })
  assert.notEqual(rotated.data.secret, endpoint.secret)
  assert.equal((await call(at, key.headers, 'POST', path, { overlap_seconds: 60 })).code, 'secret_overlap_running')
  const sample = await call(at, key.headers, 'POST', `${V1}/${endpoint.id}/test`, {
    event: 'order.updated.refund_sent',
  })
  assert.deepEqual([sample.data.ok, sample.data.http_status], [true, 200])
  const header = receiver.requests[0]?.headers['x-service-signature'] ?? ''
  const body = receiver.requests[0]?.body ?? Buffer.from('')
  const now = at.clock.now().getTime() / 1000
  assert.equal(header.match(/v1=/g)?.length, 2)
  for (const secret of [endpoint.secret, rotated.data.secret])
    assert.ok(verify({ header, body, secrets: [secret], now }).ok)
  at.clock.advance(3_601_000)
  await call(at, key.headers, 'POST', `${V1}/${endpoint.id}/test`, {})
  const later = receiver.requests[1]
  const verdict = (secret: string) =>
    verify({
      ...{ header: later?.headers['x-service-signature'], body: later?.body ?? '', secrets: [secret] },
      now: at.clock.now().getTime() / 1000,
    }).ok
  assert.deepEqual([verdict(endpoint.secret), verdict(rotated.data.secret)], [false, true])
  const old = await call(at, merchant.headers, 'POST', `${BOSS}/${endpoint.id}/secret/rotate`, {})
  assert.equal(old.code, 'confirmation_required', 'a console session has to be fresh for it')
  const before = receiver.requests.length
  const tries = []
  for (let n = 0; n < 12; n++) tries.push(await call(at, key.headers, 'POST', `${V1}/${endpoint.id}/test`, {}))
  assert.deepEqual([tries[8]?.status, tries[11]?.status, tries[11]?.code], [200, 429, 'rate_limited'])
  assert.ok(receiver.requests.length - before <= 10, 'ten test events a minute')
})

test('bad input says what is right, the other mode and other merchants have nothing here, and there are 16 places', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const make = (payload: object, headers: object = key.headers) => call(at, headers, 'POST', V1, payload)
  const url = 'https://shop.example/hook'
  const bad: [payload: object, code: string][] = [
    [{}, 'missing_field'],
    [{ url: 'http://169.254.169.254/latest' }, 'invalid_webhook_url'],
    [{ url: 'http://metadata.google.internal/' }, 'invalid_webhook_url'],
    [{ url, events: [] }, 'validation_failed'],
    [{ url, events: ['order.paid'] }, 'validation_failed'],
    [{ url, events: ['order.success', 'order.success'] }, 'validation_failed'],
    [{ url, description: 'two\nlines' }, 'validation_failed'],
    [{ url, description: '\u202Eevil' }, 'validation_failed'],
    [{ url, mode: 'live' }, 'validation_failed'],
    [{ url, secret: 'mine' }, 'unknown_field'],
  ]
  for (const [payload, code] of bad) {
    const refused = await make(payload)
    assert.deepEqual([refused.status, refused.code], [422, code], JSON.stringify(payload))
  }
  const live = await anApiKey(at.deps, merchant, { mode: 'live' })
  assert.equal((await make({ url: 'http://shop.example/hook' }, live.headers)).code, 'invalid_webhook_url')
  const blind = await anApiKey(at.deps, merchant, { scopes: ['webhooks:write', 'webhooks:read'] })
  assert.equal(
    (await make({ url }, blind.headers)).code,
    'scope_missing',
    'who may not read orders has them sent nowhere',
  )
  const endpoint = await anEndpoint(at, merchant, url)
  for (const end of ['/secret/rotate', '/test']) {
    const refused = await call(at, blind.headers, 'POST', `${V1}/${endpoint.id}${end}`, {})
    assert.deepEqual([refused.status, refused.code], [403, 'scope_missing'], end)
  }
  const stranger = await anApiKey(at.deps, await aMerchant(at.deps))
  for (const headers of [live.headers, stranger.headers]) {
    for (const [method, end, payload] of [
      ['GET', '', undefined],
      ['PATCH', '', { enabled: false }],
      ['DELETE', '', undefined],
      ['POST', '/test', {}],
      ['POST', '/secret/rotate', {}],
    ] as const) {
      const refused = await call(at, headers, method, `${V1}/${endpoint.id}${end}`, payload)
      assert.deepEqual([refused.status, refused.code], [404, 'endpoint_not_found'], `${method} ${end}`)
    }
    assert.deepEqual((await call(at, headers, 'GET', V1)).body.data, [])
  }
  const made = await Promise.all(Array.from({ length: 20 }, (_, n) => make({ url: `${url}/${n}` })))
  assert.equal(made.filter((one) => one.status === 200).length, 15)
  assert.deepEqual(
    [...new Set(made.filter((one) => one.status !== 200).map((one) => one.code))],
    ['too_many_endpoints'],
  )
  const page = await call(at, key.headers, 'GET', `${V1}?limit=10`)
  const rest = await call(at, key.headers, 'GET', `${V1}?limit=10&cursor=${page.body.next_cursor}`)
  assert.equal(new Set([...page.body.data, ...rest.body.data].map((one: WebhookEndpoint) => one.id)).size, 16)
})

slowTest(
  'what dies is told once for each receiver, ends by itself, and five days without a success disable an endpoint',
  async (t) => {
    const { at, merchant, key } = await aShop(t)
    const receiver = await r.receiver(t, {}, r.status(500))
    const endpoint = await anEndpoint(at, merchant, receiver.url)
    await at.deps.sql`delete from mail_outbox`
    const jobs = startJobs(webhookJobs({ ...at.deps, config: { ...at.deps.config, webhookRetryWaitsMs: [] } }), at.deps)
    const die = async (n: number) => {
      for (let i = 0; i < n; i++) {
        await simulate(at, key, (await anOrder(at, key, { webhook_url: receiver.url })).order_no, 'pay')
      }
      const pending = () => at.deps.sql`select 1 from deliveries where status <> 'dead'`
      await eventually(pending, (rows) => rows.length === 0)
    }
    await die(6)
    await jobs.stop()
    while ((await tellDeaths(at.deps)) > 0);
    const mails = async () => {
      at.mailbox.mails.length = 0
      while ((await sendDueMail(at.deps)) > 0);
      return at.mailbox.mails.map((mail) => `${mail.subject} ${mail.off === undefined ? '' : 'off'}`.trim()).sort()
    }
    const host = `127[.]0[.]0[.]1:${receiver.port}`
    assert.deepEqual(await mails(), [
      `[test] A webhook was given up: ${host} off`,
      `[test] A webhook was given up: ${host} off`,
    ])
    const items = async () =>
      (await call(at, merchant.headers, 'GET', '/api/v1/boss/attention?livemode=false&status=open')).data.data
    assert.deepEqual((await items()).map((one: { reason: string }) => one.reason).sort(), [
      'webhook_dead',
      'webhook_endpoint_failing',
    ])
    const seen = async () => (await call(at, key.headers, 'GET', `${V1}/${endpoint.id}`)).data as WebhookEndpoint
    assert.equal((await seen()).health.dead, 6)
    assert.ok((await seen()).health.failing_since !== null)
    assert.equal(await tellDeaths(at.deps), 0)

    const again = startJobs(
      webhookJobs({ ...at.deps, config: { ...at.deps.config, webhookRetryWaitsMs: [] } }),
      at.deps,
    )
    at.clock.advance(3 * 24 * 3_600_000)
    await die(6)
    await again.stop()
    while ((await tellDeaths(at.deps)) > 0);
    await judgeFailing(at.deps)
    assert.equal((await seen()).status, 'enabled', 'three days are not five')
    assert.deepEqual(await mails(), [], 'the same receivers are told of once')
    at.clock.advance(2.1 * 24 * 3_600_000)
    await judgeFailing(at.deps)
    const off = await seen()
    assert.deepEqual([off.status, off.disabled_by], ['disabled', 'failures'])
    assert.ok((await mails()).includes(`[test] A webhook endpoint was disabled: ${host} off`))

    receiver.answer(r.status(200))
    await call(at, merchant.headers, 'PATCH', `${BOSS}/${endpoint.id}`, { enabled: true })
    assert.equal((await seen()).health.failing_since, null)
    await at.deps.sql`update webhook_endpoints set failing_since = ${at.clock.now()}`
    const better = startJobs(webhookJobs(at.deps), at.deps)
    await simulate(at, key, (await anOrder(at, key)).order_no, 'pay')
    await eventually(seen, (one) => one.health.last_success_at !== null)
    await better.stop()
    await judgeFailing(at.deps)
    assert.equal((await seen()).health.failing_since, null)
    assert.ok(
      (await items()).every((one: { reason: string }) => one.reason !== 'webhook_endpoint_failing'),
      'it ends by itself',
    )
  },
)

test('one Idempotency-Key makes one endpoint, and tells the secret of its making alone, and only to whoever has the key', async (t) => {
  const { at, merchant, key } = await aShop(t)
  const full = await anApiKey(at.deps, merchant, { scopes: ['webhooks:write', 'orders:read'] })
  const make = (headers: object, url = 'https://shop.example/hook') =>
    call(at, { ...headers, 'idempotency-key': 'install-1' }, 'POST', V1, { url })
  const made = await Promise.all([make(full.headers), make(full.headers)])
  const [first] = made
  assert.deepEqual([...new Set(made.map(({ data }) => `${data.id} ${data.secret}`))].length, 1)
  assert.match(first?.data.secret, /^whsec_/)
  const again = await at.app.inject({
    ...{ method: 'POST', url: V1, headers: { ...full.headers, 'idempotency-key': 'install-1' } },
    payload: { url: 'https://shop.example/hook' },
  })
  assert.deepEqual([again.json().secret, again.headers['idempotent-replayed']], [first?.data.secret, 'true'])
  assert.equal((await make(full.headers, 'https://shop.example/other')).code, 'idempotency_key_reused')
  assert.notEqual((await make(key.headers)).data.id, first?.data.id, 'keys of another API key are others')
  const path = `${V1}/${first?.data.id}`
  const rotated = await call(at, key.headers, 'POST', `${path}/secret/rotate`, { overlap_seconds: 3600 })
  const shown = (await make(full.headers)).data.secret
  assert.notEqual(shown, rotated.data.secret, 'a secret of later is shown to whoever made it alone')
  assert.equal(shown, first?.data.secret)
  assert.equal((await call(at, key.headers, 'DELETE', path)).status, 200)
  const late = await make(full.headers)
  assert.deepEqual([late.status, late.code], [409, 'idempotency_key_reused'], 'a late retry brings nothing back')
  assert.match(late.body.error.message, /^This Idempotency-Key made the endpoint whe_\w+, which was deleted since\./)
  at.clock.advance(24 * 3_600_000 + 1)
  assert.notEqual((await make(full.headers)).data.id, first?.data.id, 'kept for a day')
})
