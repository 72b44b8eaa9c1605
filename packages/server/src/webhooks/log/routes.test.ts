import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJobs } from '@florin/platform/worker/loop'
import { type Delivery, eventKinds, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { verify } from '@florin/protocol/signature'
import { anEvent } from '../../../test/deliveries.ts'
import { aMerchant, anApiKey } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import { explained } from '../../../test/plans.ts'
import * as r from '../../../test/receiver.ts'
import { webhookJobs } from '../jobs.ts'
import { stepReplay } from './replay.ts'
import { listDeliveries } from './store.ts'

const url = 'https://shop.example/hook'
type Query = Record<string, string>

async function ask(at: TestApp, headers: object, path: string, query: Query = {}) {
  const answer = await at.app.inject({ url: path, headers: { ...headers }, query })
  return { status: answer.statusCode, body: answer.json() }
}
const post = async (at: TestApp, headers: object, path: string, payload: object = {}) => {
  const answer = await at.app.inject({ method: 'POST', url: path, headers: { ...headers }, payload })
  return { status: answer.statusCode, body: answer.json() }
}

/** As if an attempt had ended like this. */
async function setStatus(at: TestApp, id: string, status: string, queue: 'gone' | 'scheduled' | 'leased' | 'ready') {
  await at.deps.sql`update deliveries set status = ${status}, attempt_count = 1 where id = ${id}`
  if (queue === 'gone') await at.deps.sql`delete from delivery_queue where delivery_id = ${id}`
  const state = { gone: 0, ready: 1, scheduled: 2, leased: 3 }[queue]
  const runAt = new Date(at.clock.now().getTime() + HOUR_MS)
  await at.deps.sql`update delivery_queue set state = ${state}, run_at = ${runAt} where delivery_id = ${id}`
}

test('deliveries are read with their attempts, by their owner only', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const other = await anApiKey(at.deps, await aMerchant(at.deps))
  const live = await anApiKey(at.deps, merchant, { mode: 'live' })
  const receiver = await r.receiver(t, {}, r.status(500, 'out of \0 order'))
  const event = await anEvent(at.deps, key, receiver.url)
  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  await receiver.received(1)
  await jobs.stop()

  const { status, body } = await ask(at, key.headers, `/v1/deliveries/${event.deliveryId}`)
  assert.equal(status, 200)
  const now = at.clock.now()
  assert.deepEqual({ ...body, attempts: [] }, {
    id: event.deliveryId,
    event_id: event.eventId,
    event: 'order.success',
    order_no: event.orderNo,
    livemode: false,
    url: receiver.url,
    endpoint_id: null,
    status: 'retrying',
    attempt_count: 1,
    next_attempt_at: new Date(now.getTime() + MINUTE_MS).toISOString(),
    attempts: [],
    created_at: now.toISOString(),
    resent_from: null,
  } satisfies Delivery)
  const [attempt] = body.attempts
  assert.deepEqual(
    { ...attempt, latency_ms: 0 },
    {
      ...{ n: 1, at: now.toISOString(), http_status: 500, latency_ms: 0, error: 'http_500' },
      response_excerpt: 'out of \ufffd order',
    },
  )
  assert.deepEqual((await ask(at, key.headers, '/v1/deliveries')).body.data, [body])
  const console_ = await ask(at, merchant.headers, `/api/v1/boss/deliveries/${event.deliveryId}`)
  assert.deepEqual(console_.body, { code: 0, data: body })

  for (const headers of [other.headers, live.headers]) {
    const refused = await ask(at, headers, `/v1/deliveries/${event.deliveryId}`)
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'delivery_not_found'])
    assert.deepEqual((await ask(at, headers, '/v1/deliveries')).body.data, [])
  }
  assert.equal((await ask(at, key.headers, '/v1/deliveries/dlv_nonsense')).status, 404)
  const narrow = await anApiKey(at.deps, merchant, { scopes: ['orders:read'] })
  assert.equal((await ask(at, narrow.headers, '/v1/deliveries')).body.error.code, 'scope_missing')
})

test('an attempt is shown however long after its delivery it was made', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const event = await anEvent(at.deps, key, url)
  await setStatus(at, event.deliveryId, 'succeeded', 'gone')
  await at.deps.sql`update deliveries set next_attempt_at = null where id = ${event.deliveryId}`
  const startedAt = new Date(at.clock.now().getTime() + 50 * HOUR_MS)
  await at.deps.sql`
    insert into delivery_attempts (delivery_id, started_at, n, http_status) values (${event.deliveryId}, ${startedAt}, 1, 200)`
  const { body } = await ask(at, key.headers, '/v1/deliveries')
  assert.deepEqual(
    body.data[0].attempts.map((attempt: { at: string }) => attempt.at),
    [startedAt.toISOString()],
  )
})

test('the list pages newest first through every combination of filters', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const made: { id: string; orderNo: string; event: string; status: string }[] = []
  for (let i = 0; i < 18; i++) {
    const event = eventKinds[i % 3] ?? 'order.success'
    const status = ['pending', 'succeeded', 'dead'][i % 2 === 0 ? 0 : 1 + (i % 4 === 1 ? 0 : 1)] ?? ''
    const { deliveryId, orderNo } = await anEvent(at.deps, key, url, event)
    if (status !== 'pending') await setStatus(at, deliveryId, status, 'gone')
    made.unshift({ id: deliveryId, orderNo, event, status })
    at.clock.advance(3)
  }
  const listed = async (query: Query, path = '/v1/deliveries', headers: object = key.headers): Promise<string[]> => {
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await ask(at, headers, path, { ...query, limit: '4', ...(cursor === '' ? {} : { cursor }) })
      const { data, has_more, next_cursor } = page.body.data?.data ? page.body.data : page.body
      assert.equal(has_more, next_cursor !== null)
      ids.push(...data.map((row: Delivery) => row.id))
      cursor = next_cursor
    }
    return ids
  }
  const expected = (keep: (row: (typeof made)[0]) => boolean) => made.filter(keep).map((row) => row.id)
  assert.deepEqual(
    await listed({}),
    expected(() => true),
  )
  assert.deepEqual(
    await listed({ status: 'dead' }),
    expected((row) => row.status === 'dead'),
  )
  assert.deepEqual(
    await listed({ event: 'order.failed' }),
    expected((row) => row.event === 'order.failed'),
  )
  const both = { status: 'succeeded', event: 'order.success' }
  assert.deepEqual(
    await listed(both),
    expected((row) => row.status === both.status && row.event === both.event),
  )
  const [first] = made
  assert.deepEqual(await listed({ order_no: first?.orderNo ?? '' }), [first?.id])
  assert.deepEqual(await listed({ order_no: first?.orderNo ?? '', status: 'retrying' }), [])
  const boss = '/api/v1/boss/deliveries'
  assert.deepEqual(
    await listed({ livemode: 'false' }, boss, merchant.headers),
    expected(() => true),
  )
  assert.deepEqual(await listed({ livemode: 'true' }, boss, merchant.headers), [])
  for (const query of [
    { status: 'gone' },
    { event: 'x' },
    { limit: '0' },
    { cursor: 'eyJ4Ijox' },
    { color: 'red' },
  ] as Query[]) {
    const refused = await ask(at, key.headers, '/v1/deliveries', query)
    assert.ok([400, 422].includes(refused.status), JSON.stringify(query))
  }
})

test('a page costs a few index walks, however rare what is asked for is', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const { eventId } = await anEvent(at.deps, key, url, 'order.refunded')
  const now = at.clock.now()
  await at.deps.sql`
    insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url, status, created_at)
    select 'dlv_x' || lpad(g::text, 25, '0'), ${eventId}, ${now}, 'order.success', 'o' || g, ${key.merchantNo}, ${key.id}, false,
           ${url}, 'succeeded', ${now} from generate_series(1, 20000) g`
  await at.deps.sql`analyze deliveries`
  const { sql, taken } = await explained(t, at.databaseUrl)
  const owner = { merchantNo: key.merchantNo, livemode: false }
  const rows = await listDeliveries(sql, { ...owner, status: null, event: 'order.refunded', below: null, limit: 21 })
  assert.equal(rows.length, 1)
  const [plan] = taken()
  assert.doesNotMatch(plan?.text ?? '', /Seq Scan/)
  assert.ok((plan?.buffers ?? 1e9) < 100, `${plan?.buffers} pages for one row among 20,000`)
})

test('resend: finished ones anew, waiting ones now, one in flight not at all', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const { deliveryId: id, eventId } = await anEvent(at.deps, key, url)
  const again = () => post(at, key.headers, `/v1/deliveries/${id}/resend`)

  const pending = await again()
  assert.deepEqual([pending.status, pending.body.id, pending.body.status], [200, id, 'pending'])

  await setStatus(at, id, 'retrying', 'scheduled')
  const hurried = await again()
  assert.deepEqual([hurried.status, hurried.body.id], [200, id])
  assert.equal(hurried.body.next_attempt_at, at.clock.now().toISOString())
  assert.deepEqual(
    [...(await at.deps.sql`select state, class, attempt from delivery_queue`)],
    [{ state: 1, class: 0, attempt: 0 }],
  )

  await setStatus(at, id, 'retrying', 'leased')
  const refused = await again()
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'delivery_in_flight'])

  await setStatus(at, id, 'dead', 'gone')
  const fresh = await again()
  assert.equal(fresh.status, 200)
  assert.notEqual(fresh.body.id, id)
  assert.deepEqual(
    [fresh.body.resent_from, fresh.body.event_id, fresh.body.status, fresh.body.attempt_count],
    [id, eventId, 'pending', 0],
  )
  assert.equal((await ask(at, key.headers, `/v1/deliveries/${id}`)).body.status, 'dead', 'the old one stays as it is')

  const other = await anApiKey(at.deps, await aMerchant(at.deps))
  assert.equal((await post(at, other.headers, `/v1/deliveries/${id}/resend`)).status, 404)
  const byConsole = await post(at, merchant.headers, `/api/v1/boss/deliveries/${id}/resend`)
  assert.equal(byConsole.body.data.resent_from, id)

  await at.deps.sql`update order_events set body = null where id = ${eventId}`
  const expired = await again()
  assert.deepEqual([expired.status, expired.body.error.code], [410, 'delivery_body_expired'])
})

test('a replay sends what died in a range of time again, each once, in steps that survive a restart', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const stranger = await aMerchant(at.deps)
  const receiver = await r.receiver(t)
  const from = new Date(at.clock.now().getTime() + 1_000)
  const made: string[] = []
  for (let i = 0; i < 8; i++) {
    const { deliveryId } = await anEvent(at.deps, key, receiver.url, eventKinds[i % 5] ?? 'order.success')
    await setStatus(at, deliveryId, i === 5 ? 'succeeded' : 'dead', 'gone')
    made.push(deliveryId)
    at.clock.advance(500)
  }
  const to = new Date(from.getTime() + 2_000)
  const expired = made[4] ?? ''
  await at.deps
    .sql`update order_events set body = null where id = (select event_id from deliveries where id = ${expired})`
  const range = { from: from.toISOString(), to: to.toISOString(), status: 'dead' }
  const asked = await post(at, merchant.headers, '/api/v1/boss/deliveries/replay', range)
  assert.equal(asked.status, 200)
  const { id, ...progress } = asked.body.data
  assert.deepEqual(progress, {
    ...{ state: 'running', livemode: null, ...range, total: 3, resent: 0, skipped: 0 },
    ...{ created_at: at.clock.now().toISOString(), finished_at: null },
  })
  const look = async (headers: object = merchant.headers) => ask(at, headers, `/api/v1/boss/replays/${id}`)
  assert.equal((await look(stranger.headers)).body.error.code, 'replay_not_found')

  const jobs = startJobs(webhookJobs(at.deps), at.deps)
  await receiver.received(2)
  await jobs.stop()
  const done = (await look()).body.data
  assert.deepEqual([done.state, done.resent, done.skipped], ['done', 2, 1])
  const resent = await at.deps.sql<{ from: string }[]>`
    select resent_from as "from" from deliveries where resent_from is not null order by id`
  assert.deepEqual(new Set(resent.map((row) => row.from)), new Set([made[2], made[3]]))
  assert.equal(receiver.requests.length, 2)

  // What was sent again is no original, however often the range is asked for.
  at.clock.advance(1_000)
  const all = { from: range.from, to: at.clock.now().toISOString() }
  const start = (status: string) => post(at, merchant.headers, '/api/v1/boss/deliveries/replay', { ...all, status })
  const again = async (status: string): Promise<number> => {
    const { total } = (await start(status)).body.data
    while ((await stepReplay(at.deps)) > 0);
    return total
  }
  assert.deepEqual([await again('succeeded'), await again('succeeded'), await again('dead')], [1, 1, 5])
  at.clock.advance(1_000)
  await at.deps.sql`update deliveries set status = 'dead' where resent_from is not null`
  all.to = at.clock.now().toISOString()
  assert.deepEqual([await again('dead'), await again('dead')], [5, 5])
  // One at a time for a merchant, also of many that are asked for at once.
  const answers = await Promise.all(Array.from({ length: 8 }, () => start('dead')))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  assert.match(answers.find(({ status }) => status === 409)?.body.message, /Another range is being sent again/)
  while ((await stepReplay(at.deps)) > 0);
  assert.equal((await start('dead')).status, 200)

  for (const bad of [
    { from: to.toISOString(), to: from.toISOString() },
    { from: 'yesterday', to: 'today' },
    { to: range.to },
  ]) {
    assert.equal((await post(at, merchant.headers, '/api/v1/boss/deliveries/replay', bad)).status, 422)
  }
})

test('a test event is signed, marked, sent at once, and its answer is shown', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const receiver = await r.receiver(t, {}, r.status(204), r.status(500, 'boom'), r.redirect('http://127.0.0.1:1/'))
  const path = `/api/v1/boss/appkeys/${key.id}/test-event`
  const tryOut = (event = 'order.refunded', to = receiver.url) => post(at, merchant.headers, path, { url: to, event })

  const good = (await tryOut()).body.data
  assert.deepEqual([good.ok, good.http_status, good.error, good.message], [true, 204, null, 'The receiver took it.'])
  const [request] = receiver.requests
  assert.ok(request)
  const body = JSON.parse(request.body.toString())
  assert.deepEqual(
    [body.event, body.order.status, body.order.metadata],
    ['order.refunded', 'refunded', { sample: 'true' }],
  )
  const now = at.clock.now().getTime() / 1000
  const header = request.headers['x-service-signature']
  assert.ok(verify({ header, body: request.body, secrets: [key.webhookSecret], now }).ok)
  assert.equal(good.sent.body, request.body.toString())
  assert.equal(good.sent.headers['X-Service-Signature'], header)

  const bad = (await tryOut()).body.data
  assert.deepEqual([bad.ok, bad.error, bad.response_excerpt], [false, 'http_500', 'boom'])
  assert.match(bad.message, /answered with status 500/)
  assert.equal((await tryOut()).body.data.error, 'redirect_refused')
  assert.equal((await at.deps.sql`select 1 from deliveries`).length, 0, 'it is no delivery')

  const wrongUrl = await tryOut('order.success', 'http://169.254.169.254/')
  assert.deepEqual(
    [wrongUrl.status, wrongUrl.body.error.code, wrongUrl.body.error.param],
    [422, 'invalid_webhook_url', 'url'],
  )
  assert.equal((await tryOut('order.created')).status, 422)
  const stranger = await aMerchant(at.deps)
  const refused = await post(at, stranger.headers, path, { url: receiver.url, event: 'order.success' })
  assert.equal(refused.body.error.code, 'api_key_not_found')

  // The first three are under way until the other two have been refused, however slow the machine is.
  const both = Promise.withResolvers<void>()
  const slow = await r.receiver(t, {}, (...asked) => void both.promise.then(() => r.ok(...asked)))
  let refusals = 0
  const many = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const answer = await tryOut('order.success', slow.url)
      if (answer.status === 429 && ++refusals === 2) both.resolve()
      return answer
    }),
  )
  assert.deepEqual(many.map((answer) => answer.status).sort(), [200, 200, 200, 429, 429])
})
