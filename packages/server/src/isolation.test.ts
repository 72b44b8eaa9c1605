// Two merchants on one installation: whatever one of them asks for, by whatever door, there is nothing of the other's in
// the answer, and nothing of the other's has changed.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE_MS, type Order } from '@florin/protocol'
import { givePositions } from '../test/deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../test/factories.ts'
import { testApp } from '../test/harness.ts'
import { stepReplay } from './webhooks/log/replay.ts'

const ADDRESSES = ['0x52908400098527886E0F7030069857D2E4169EE7', '0x8617E340B3D01FA5F11F306F4090FD50E238070D'] as const

async function twoMerchants(t: TestContext) {
  const at = await testApp(t)
  const { app, deps } = at
  const merchantWith = async (name: string, address: string) => {
    const merchant = await aMerchant(deps, `${name}@${name}.example`)
    const key = await anApiKey(deps, merchant, { name: `key of ${name}` })
    const live = await anApiKey(deps, merchant, { name: `live key of ${name}`, mode: 'live' })
    await aReceivingAddress(deps, merchant, 'base', address)
    const call = async (headers: Record<string, string>, method: string, url: string, payload?: object) => {
      const reply = await app.inject({ method: method as 'GET', url, headers, ...(payload ? { payload } : {}) })
      return { status: reply.statusCode, text: reply.payload, json: <T>() => reply.json() as T }
    }
    const boss = (method: string, url: string, payload?: object) =>
      call(merchant.headers, method, `/api/v1/boss/${url}`, payload)
    const v1 = (method: string, url: string, payload?: object) => call(key.headers, method, `/v1/${url}`, payload)
    const byLive = (method: string, url: string, payload?: object) => call(live.headers, method, `/v1/${url}`, payload)
    // Paid twice over, with nowhere to send the rest: a person has to decide.
    const made = await v1('POST', 'orders', {
      ...{ amount_usd: 50, pay_chain: 'base', external_id: `of ${name}` },
      webhook_url: `https://${name}.example/hook`,
    })
    const { order_no: orderNo } = made.json<Order>()
    await v1('POST', `test/orders/${orderNo}/simulate`, { action: 'overpay' })
    await v1('POST', `test/orders/${orderNo}/simulate`, { action: 'settle' })
    return { merchant, key, live, boss, v1, byLive, orderNo }
  }
  const ours = await merchantWith('ours', ADDRESSES[0])
  const theirs = await merchantWith('theirs', ADDRESSES[1])
  await deps.sql`update deliveries set status = 'succeeded'`
  await givePositions(deps)
  at.clock.advance(MINUTE_MS)
  return { ...at, ours, theirs }
}

interface Ids {
  data: { data: { id: string }[] } | { id: string }[]
}

test('lists, sums, search and export have nothing of another merchant in them', async (t) => {
  const { ours, theirs, clock, deps } = await twoMerchants(t)
  const range = `from=${new Date(clock.now().getTime() - 60 * MINUTE_MS).toISOString()}&to=${clock.now().toISOString()}`
  const asked: [door: 'boss' | 'v1', url: string][] = [
    ...['orders', 'deliveries', 'events', `deliveries?order_no=${ours.orderNo}`].map((url): ['v1', string] => [
      'v1',
      url,
    ]),
    ...[
      ...['orders?livemode=false', 'orders?livemode=false&q=of', 'orders/export?format=csv&livemode=false'],
      ...['appkeys', 'addresses', 'addresses/history', 'deliveries', `deliveries?order_no=${ours.orderNo}`],
      ...['attention?livemode=false', 'audit', 'sessions', 'merchant'],
    ].map((url): ['boss', string] => ['boss', url]),
  ]
  const marks = (who: typeof ours, n: 0 | 1): string[] => [
    ...[who.orderNo, who.merchant.id, who.merchant.email, who.merchant.sessionId, who.key.id, who.live.id],
    ...[`//${n === 0 ? 'ours' : 'theirs'}.example`, `of ${n === 0 ? 'ours' : 'theirs'}`, ADDRESSES[n]],
  ]
  for (const [door, url] of asked) {
    const [own, other] = [await ours[door]('GET', url), await theirs[door]('GET', url)]
    assert.deepEqual([own.status, other.status], [200, 200], `${url}: ${own.text} ${other.text}`)
    const ofOurs = marks(ours, 0).filter((mark) => own.text.includes(mark))
    assert.ok(ofOurs.length > 0, `${url} shows a merchant something of its own`)
    assert.deepEqual(
      marks(theirs, 1).filter((mark) => own.text.includes(mark)),
      [],
      url,
    )
    assert.deepEqual(
      marks(ours, 0).filter((mark) => other.text.includes(mark)),
      [],
      url,
    )
  }
  // Counted, both merchants would be twice as many.
  const summary = (await ours.boss('GET', `stats/summary?livemode=false&${range}`)).text
  assert.equal((await theirs.boss('GET', `stats/summary?livemode=false&${range}`)).text, summary)
  assert.match(summary, /"orders_total":1,.*"succeeded":2,.*"attention_open":1\b/)
  // One of theirs is under way again: that is counted for them alone.
  await deps.sql`
    update deliveries set status = 'retrying'
    where id in (select max(id) from deliveries where order_no = ${theirs.orderNo} and status = 'succeeded')`
  assert.equal((await ours.boss('GET', `stats/summary?livemode=false&${range}`)).text, summary)
  assert.match((await theirs.boss('GET', `stats/summary?livemode=false&${range}`)).text, /"retrying":1\b/)
})

test('what belongs to another merchant, or to the other mode, is not there, and cannot be changed', async (t) => {
  const { ours, theirs, deps } = await twoMerchants(t)
  const firstOf = async (url: string): Promise<string> => {
    const { data } = (await ours.boss('GET', url)).json<Ids>()
    return ('data' in data ? data.data : data)[0]?.id ?? ''
  }
  const [delivery, item] = [await firstOf('deliveries'), await firstOf('attention?livemode=false')]
  assert.ok(delivery !== '' && item !== '')
  const replay = await ours.boss('POST', 'deliveries/replay', {
    ...{ from: new Date(0).toISOString(), to: deps.clock.now().toISOString(), status: 'succeeded' },
  })
  const { data: replaying } = replay.json<{ data: { id: string } }>()
  const { orderNo, key, merchant } = ours
  const stored = async (): Promise<string> => {
    const rows = await Promise.all(
      ['orders', 'api_keys', 'webhook_secrets', 'receiving_addresses', 'attention', 'deliveries', 'sessions'].map(
        (table) => deps.sql.unsafe(`select * from ${table} t order by t::text`),
      ),
    )
    const own = rows.flatMap((some) => some.map((row) => ({ ...row, last_used_at: null, last_seen_at: null })))
    return JSON.stringify(own, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  }
  const before = await stored()
  const console: [method: string, url: string, body?: object][] = [
    ['GET', `orders/${orderNo}`],
    ['GET', `orders/${orderNo}/events`],
    ['POST', `orders/${orderNo}/cancel`, {}],
    ['POST', `orders/${orderNo}/refund`, {}],
    ['POST', `test/orders/${orderNo}/simulate`, { action: 'refund' }],
    ['GET', `appkeys/${key.id}`],
    ['PATCH', `appkeys/${key.id}`, { name: 'stolen' }],
    ['POST', `appkeys/${key.id}/rotate`, {}],
    ['POST', `appkeys/${key.id}/webhook-secret/rotate`, {}],
    ['POST', `appkeys/${key.id}/test-event`, { url: 'https://theirs.example/', event: 'order.success' }],
    ['DELETE', `appkeys/${key.id}`],
    ['GET', `deliveries/${delivery}`],
    ['POST', `deliveries/${delivery}/resend`, {}],
    ['GET', `replays/${replaying.id}`],
    ['POST', `attention/${item}/dismiss`, {}],
    ['DELETE', `sessions/${merchant.sessionId}`],
  ]
  for (const [method, url, body] of console) {
    const { status, text } = await theirs.boss(method, url, body)
    assert.equal(status, 404, `${method} ${url}: ${text}`)
  }
  const payment: typeof console = [
    ['GET', `orders/${orderNo}`],
    ['GET', `orders/${orderNo}/events`],
    ['POST', `orders/${orderNo}/cancel`, {}],
    ['GET', `deliveries/${delivery}`],
    ['POST', `deliveries/${delivery}/resend`, {}],
  ]
  for (const [method, url, body] of payment) {
    for (const [who, call] of [
      ['another merchant', theirs.v1],
      ['the live key', ours.byLive],
    ] as const) {
      const { status, text } = await call(method, url, body)
      assert.equal(status, 404, `${who}: ${method} ${url}: ${text}`)
    }
  }
  for (const url of ['orders', 'deliveries', 'events']) {
    assert.deepEqual((await ours.byLive('GET', url)).json<{ data: unknown[] }>().data, [], `live ${url}`)
  }
  assert.equal(await stored(), before)

  // Theirs is theirs to remove, and ours stays.
  assert.equal((await theirs.boss('DELETE', 'addresses/base')).status, 200)
  assert.match((await ours.boss('GET', 'addresses')).text, new RegExp(ADDRESSES[0]))
  await theirs.boss('DELETE', 'sessions')
  assert.equal((await ours.boss('GET', 'merchant')).status, 200)
})

test('a replay sends the events of its own merchant again, and no others', async (t) => {
  const { ours, theirs, deps } = await twoMerchants(t)
  const count = async ({ orderNo }: typeof ours): Promise<number> =>
    (await deps.sql`select 1 from deliveries where order_no = ${orderNo}`).length
  const [own, other] = [await count(ours), await count(theirs)]
  assert.ok(own > 0 && other > 0)
  const replay = async (who: typeof ours): Promise<number[]> => {
    await who.boss('POST', 'deliveries/replay', {
      ...{ from: new Date(0).toISOString(), to: deps.clock.now().toISOString(), status: 'succeeded' },
    })
    while ((await stepReplay(deps)) > 0);
    return [await count(ours), await count(theirs)]
  }
  // Oldest first, so the younger events tell whether the others were passed over.
  assert.deepEqual(await replay(theirs), [own, 2 * other])
  assert.deepEqual(await replay(ours), [2 * own, 2 * other])
})
