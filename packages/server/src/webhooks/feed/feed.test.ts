import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Tag } from '@florin/platform/db/sql'
import { newId } from '@florin/platform/ids'
import { DAY_MS, SECOND_MS, type WebhookEvent } from '@florin/protocol'
import { anEvent, eventually, givePositions } from '../../../test/deliveries.ts'
import { aMerchant, anApiKey, type TestApiKey } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'

const url = 'https://shop.example/hook'

interface FeedPage {
  data: WebhookEvent[]
  has_more: boolean
  next_cursor: string | null
}

async function page(
  at: TestApp,
  key: TestApiKey,
  query: Record<string, string> = {},
): Promise<FeedPage & { status: number }> {
  const answer = await at.app.inject({ url: '/v1/events', headers: key.headers, query })
  return { ...answer.json<FeedPage>(), status: answer.statusCode }
}

/** Every event behind `after` that has its position, page by page. */
async function readOn(at: TestApp, key: TestApiKey, after: string | null = null) {
  await givePositions(at.deps)
  const ids: string[] = []
  for (let cursor = after; ; ) {
    const { data, has_more, next_cursor } = await page(at, key, {
      limit: '3',
      ...(cursor === null ? {} : { after: cursor }),
    })
    ids.push(...data.map((event) => event.id))
    cursor = next_cursor
    if (!has_more) return { ids, cursor }
  }
}

test('events come in the order of their commits, and none ever appears behind a cursor', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const before: string[] = []
  for (let i = 0; i < 7; i++) before.push((await anEvent(at.deps, key, url)).eventId)
  const first = await readOn(at, key, null)
  assert.deepEqual(new Set(first.ids), new Set(before))
  assert.deepEqual((await readOn(at, key, first.cursor)).ids, [], 'the cursor is also given at the end')

  // A transaction that began and wrote earlier and commits later holds nothing back, and comes behind what was shown.
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<string>()
  const slow = at.deps.sql.begin(async (tx) => {
    begun.resolve(await writeEvent(tx, at, key))
    await gate.promise
  })
  const slowId = await begun.promise
  const quick = await anEvent(at.deps, key, url)
  assert.deepEqual((await page(at, key, { after: quick.eventId })).data, [], 'nothing is behind what has no position')
  const between = await readOn(at, key, first.cursor)
  assert.deepEqual(between.ids, [quick.eventId])
  gate.resolve()
  await slow
  assert.deepEqual((await readOn(at, key, between.cursor)).ids, [slowId])
  assert.deepEqual((await readOn(at, key, quick.eventId)).ids, [slowId], 'the id of an event is a place too')
})

test('a key sees the events of its merchant and mode, of the last 30 days, as the bytes that are sent', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  const sibling = await anApiKey(at.deps, merchant)
  const live = await anApiKey(at.deps, merchant, { mode: 'live' })
  const other = await anApiKey(at.deps, await aMerchant(at.deps))
  const event = await anEvent(at.deps, key, url)
  await readOn(at, sibling, null)
  assert.deepEqual((await page(at, sibling)).data, [JSON.parse(event.body)])
  assert.deepEqual((await page(at, live)).data, [])
  assert.deepEqual((await page(at, other)).data, [])
  assert.equal((await page(at, other, { after: event.eventId })).status, 400)
  const made = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const nobodys = ['0', 'z'].map((letter) => `evt_${letter.repeat(26)}`)
  const nonsense = [
    'bm9uc2Vuc2U',
    'evt_01',
    made('1e400', ''),
    made('at', '-1', event.eventId),
    made('at', 1, nobodys[0]),
  ]
  for (const after of [...nonsense, ...nobodys, made('12', nobodys[1])]) {
    assert.equal((await page(at, key, { after })).status, 400, after)
  }
  at.clock.advance(30 * DAY_MS + 1)
  assert.deepEqual((await page(at, key)).data, [])
})

async function writeEvent(tx: Tag, at: TestApp, key: TestApiKey): Promise<string> {
  const id = newId('evt', at.clock.now())
  await tx`
    insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version, body, created_at)
    values (${id}, 'ord_x', ${key.merchantId}, ${key.id}, false, 'order.success', 'success', 'paid', 1,
            ${Buffer.from(JSON.stringify({ id, event: 'order.success', created_at: at.clock.now().toISOString(), order: {} }))}, ${at.clock.now()})`
  return id
}

interface Follower {
  status: number
  /** Resolves once there are `n` events, with their frames; time passes meanwhile. */
  events(n: number): Promise<string[]>
  /** Comments so far. */
  comments(): number
  ended: Promise<void>
  request: ClientRequest
}

const listening = new WeakMap<TestApp, Promise<unknown>>()

async function follow(t: TestContext, at: TestApp, headers: Record<string, string>): Promise<Follower> {
  listening.set(at, listening.get(at) ?? at.app.listen({ port: 0, host: '127.0.0.1' }))
  await listening.get(at)
  const { port } = at.app.server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', path: '/v1/events/stream', headers, agent: false })
  request.on('error', () => undefined)
  t.after(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  let text = ''
  response.on('data', (chunk: string) => {
    text += chunk
  })
  const frames = (): string[] => text.split('\n\n').slice(0, -1)
  const events = (): string[] => frames().filter((frame) => frame.startsWith('id:'))
  // The first comment tells that the stream is open.
  if (response.statusCode === 200)
    await eventually(
      async () => at.deps.sql`select 1`,
      () => frames().length > 0,
    )
  return {
    status: response.statusCode ?? 0,
    request,
    ended: new Promise<void>((resolve) => response.on('close', resolve)),
    comments: () => frames().length - events().length,
    events: (n) =>
      eventually(
        async () => {
          at.clock.advance(100)
          await at.deps.sql`select 1`
          return events()
        },
        (seen) => seen.length >= n,
      ),
  }
}

const dataOf = (frame: string): WebhookEvent => JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null')
const idOf = (frame: string): string => /^id: (.*)$/m.exec(frame)?.[1] ?? ''

test('the stream brings events as they happen, and goes on where a reader left off', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  await anEvent(at.deps, key, url)
  await readOn(at, key, null)
  const stream = await follow(t, at, key.headers)
  assert.equal(stream.status, 200)
  const events = [await anEvent(at.deps, key, url)]
  at.clock.advance(5)
  events.push(await anEvent(at.deps, key, url, 'order.failed'))
  await givePositions(at.deps)
  const told = await stream.events(2)
  const ids = events.map((event) => event.eventId)
  assert.deepEqual(
    told.map((frame) => dataOf(frame).id),
    ids,
    'what is past is not told again',
  )
  assert.match(told[1] ?? '', /^event: order\.failed$/m)
  assert.equal(/^data: (.*)$/m.exec(told[0] ?? '')?.[1], events[0]?.body)

  stream.request.destroy()
  await anEvent(at.deps, key, url)
  await givePositions(at.deps)
  const again = await follow(t, at, { ...key.headers, 'last-event-id': idOf(told[0] ?? '') })
  assert.equal((await again.events(2)).length, 2)
  const byEventId = await follow(t, at, { ...key.headers, 'last-event-id': ids[1] ?? '' })
  assert.equal((await byEventId.events(1)).length, 1)
  const before = byEventId.comments()
  at.clock.advance(15 * SECOND_MS)
  await eventually(
    async () => at.deps.sql`select 1`,
    () => byEventId.comments() > before,
  )
})

test('a cursor that is none is refused by the name of what it came in, a parameter or a header', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const another = await anApiKey(at.deps, await aMerchant(at.deps))
  const { eventId: notMine } = await anEvent(at.deps, another, url)
  await givePositions(at.deps)
  const forged = Buffer.from('["at","1","ord_1"]').toString('base64url')
  for (const cursor of ['x', forged, notMine, newId('evt', at.clock.now())]) {
    const page = await at.app.inject({ url: '/v1/events', headers: key.headers, query: { after: cursor } })
    const headers = { ...key.headers, 'last-event-id': cursor }
    const stream = await at.app.inject({ url: '/v1/events/stream', headers })
    for (const [answer, param] of [
      [page, 'after'],
      [stream, 'Last-Event-ID'],
    ] as const) {
      const { error } = answer.json()
      assert.deepEqual([answer.statusCode, error.code, error.param], [400, 'malformed_cursor', param], cursor)
      assert.doesNotMatch(error.message, param === 'after' ? /Last-Event-ID/ : /\bafter\b/)
    }
  }
})

test('a stream ends when the service stops', async (t) => {
  const at = await testApp(t)
  const stream = await follow(t, at, (await anApiKey(at.deps, await aMerchant(at.deps))).headers)
  await at.app.close()
  await stream.ended
})

test('a key has at most ten streams, and its merchant twenty', async (t) => {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const open = async (): Promise<number[]> => {
    const key = await anApiKey(at.deps, merchant)
    const streams = await Promise.all(Array.from({ length: 11 }, () => follow(t, at, key.headers)))
    return streams.map((stream) => stream.status).sort()
  }
  assert.deepEqual(await open(), [...Array(10).fill(200), 429])
  assert.deepEqual(await open(), [...Array(10).fill(200), 429])
  assert.deepEqual(await open(), Array(11).fill(429))
})

test('feed: a database was set back → a cursor of the time that was taken back says so', async (t) => {
  const at = await testApp(t)
  const key = await anApiKey(at.deps, await aMerchant(at.deps))
  const ids: string[] = []
  for (let n = 0; n < 3; n++) ids.push((await anEvent(at.deps, key, url)).eventId)
  const { cursor } = await readOn(at, key)

  // Set back to before the third event: its position is given once more, to another.
  await at.deps.sql`delete from order_events where id = ${ids[2] ?? ''}`
  await at.deps.sql`update event_sequence set last_position = 2`
  const setBack = async (): Promise<void> => {
    const answer = await at.app.inject({ url: '/v1/events', headers: key.headers, query: { after: cursor ?? '' } })
    assert.equal(answer.statusCode, 410)
    assert.match(answer.body, /cursor_ahead.*drop those whose id you have/)
    assert.equal(answer.json().error.param, 'after')
    const headers = { ...key.headers, 'last-event-id': cursor ?? '' }
    const stream = await at.app.inject({ url: '/v1/events/stream', headers })
    assert.deepEqual([stream.statusCode, stream.json().error.param], [410, 'Last-Event-ID'])
  }
  await setBack()
  const other = await anEvent(at.deps, key, url)
  await givePositions(at.deps)
  await setBack()
  assert.deepEqual((await readOn(at, key)).ids, [...ids.slice(0, 2), other.eventId])

  // One of before the backup goes on working, also when its event is no more.
  const before = await page(at, key, { limit: '2' })
  assert.deepEqual((await readOn(at, key, before.next_cursor)).ids, [other.eventId])
  at.clock.advance(30 * DAY_MS + 1)
  await at.deps.sql`delete from order_events`
  assert.deepEqual((await readOn(at, key, before.next_cursor)).ids, [])
})
