// Promises: an open stream ends within five seconds of the right that opened it, whichever process took that right away,
// and the feed, whose bodies are whole orders, is read with the right to read orders alone.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { App } from '@florin/platform/http/server'
import type { Scope } from '@florin/protocol'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { anEvent, givePositions } from '../../../test/deliveries.ts'
import { aMerchant, anApiKey, type TestMerchant } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import {
  anotherProcess,
  endsInTime,
  listening,
  type OpenStream,
  openStream,
  whileTimePasses,
} from '../../../test/streams.ts'
import { buildApp } from '../../app.ts'

interface Followed extends TestApp {
  merchant: TestMerchant
  /** Another process over the same database, where rights are taken away. */
  elsewhere: App
  open(headers: Record<string, string>): Promise<OpenStream>
  /** A console call at the other process. */
  change(method: 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object): Promise<{ api_key: string }>
  isOpen(stream: OpenStream): Promise<void>
}

async function aFollowedFeed(t: TestContext): Promise<Followed> {
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const elsewhere = await buildApp(anotherProcess(t, at))
  t.after(() => elsewhere.close())
  const base = await listening(at.app)
  const witness = await anApiKey(at.deps, merchant)
  return {
    ...at,
    merchant,
    elsewhere,
    open: (headers) => openStream(t, `${base}/v1/events/stream`, headers),
    async change(method, path, payload = {}) {
      const url = `/api/v1/boss/appkeys/${path}`
      const answer = await elsewhere.inject({ method, url, headers: merchant.headers, payload })
      assert.equal(answer.statusCode, 200, answer.payload)
      return answer.json().data
    },
    async isOpen(stream) {
      await anEvent(at.deps, witness, 'https://shop.example/hook')
      await givePositions(at.deps)
      // Without a position it would be waited for in vain.
      const left = await at.deps.sql`select event_id from event_arrivals`
      assert.deepEqual([...left], [])
      const told = await whileTimePasses(at, stream.next())
      assert.equal(told?.event, 'order.success')
    },
  }
}

test('a stream ends with the key that opened it: rotated, of other scopes, revoked, expired', async (t) => {
  const at = await aFollowedFeed(t)
  const made = (a: { expiresAt?: Date } = {}) => anApiKey(at.deps, at.merchant, a)
  const [rotated, unread, unhooked, revoked, kept] = [
    await made(),
    await made(),
    await made(),
    await made(),
    await made(),
  ]
  const short = await made({ expiresAt: new Date(at.clock.now().getTime() + 2 * SECOND_MS) })
  const gone = [rotated, unread, unhooked, revoked, short]
  const streams = await Promise.all(gone.map((key) => at.open(key.headers)))
  const other = await at.open(kept.headers)
  const { api_key: next } = await at.change('POST', `${rotated.id}/rotate`, { grace_seconds: 0 })
  const successor = await at.open({ 'x-api-key': next })
  await at.change('PATCH', unread.id, { scopes: ['webhooks:read', 'orders:write'] })
  await at.change('PATCH', unhooked.id, { scopes: ['orders:read'] })
  await at.change('DELETE', revoked.id)
  await endsInTime(at, streams)
  for (const key of gone) assert.ok([401, 403].includes((await at.open(key.headers)).status))
  await at.isOpen(other)
  await at.isOpen(successor)
})

test('a stream of a key that was rotated lasts as long as its grace', async (t) => {
  const at = await aFollowedFeed(t)
  const key = await anApiKey(at.deps, at.merchant)
  const stream = await at.open(key.headers)
  await at.change('POST', `${key.id}/rotate`, { grace_seconds: 3_600 })
  for (let passed = 0; passed < MINUTE_MS; passed += 500) {
    at.clock.advance(500)
    await at.deps.sql`select 1`
  }
  // Time passes while it waits for an event, on a busy machine a good deal of it.
  await at.isOpen(stream)
  at.clock.advance(HOUR_MS)
  await endsInTime(at, [stream])
})

test('a stream ends when its merchant is suspended or closed, and keys of such a merchant are refused', async (t) => {
  const at = await aFollowedFeed(t)
  for (const what of ['suspended', 'closed']) {
    const merchant = await aMerchant(at.deps)
    const key = await anApiKey(at.deps, merchant)
    const stream = await at.open(key.headers)
    await at.deps.sql.unsafe(`update merchants set ${what}_at = now() where id = '${merchant.id}'`)
    await endsInTime(at, [stream])
    const answer = await at.elsewhere.inject({ url: '/v1/orders', headers: key.headers })
    assert.deepEqual([answer.statusCode, answer.json().error.code], [403, `merchant_${what}`])
  }
})

test('the feed is read with both scopes, and the refusal names the one that is missing', async (t) => {
  const at = await aFollowedFeed(t)
  const refused: [scopes: Scope[], missing: string][] = [
    [['webhooks:read'], 'orders:read'],
    [['orders:read'], 'webhooks:read'],
    [['webhooks:write', 'refunds:write'], 'webhooks:read'],
  ]
  for (const [scopes, missing] of refused) {
    const { headers } = await anApiKey(at.deps, at.merchant, { scopes })
    for (const url of ['/v1/events', '/v1/events/stream']) {
      const answer = await at.app.inject({ url, headers })
      assert.deepEqual([answer.statusCode, answer.json().error.code], [403, 'scope_missing'], url)
      assert.ok(answer.json().error.message.includes(`"${missing}"`), answer.payload)
    }
  }
  const { headers } = await anApiKey(at.deps, at.merchant, { scopes: ['orders:read', 'webhooks:read'] })
  assert.equal((await at.app.inject({ url: '/v1/events', headers })).statusCode, 200)
  assert.equal((await at.open(headers)).status, 200)
})

test('what webhooks:read alone can see of deliveries has no order in it', async (t) => {
  const at = await aFollowedFeed(t)
  const secretive = await anApiKey(at.deps, at.merchant, { scopes: ['webhooks:read'] })
  const { deliveryId, body } = await anEvent(at.deps, secretive, 'https://shop.example/hook')
  for (const url of ['/v1/deliveries', `/v1/deliveries/${deliveryId}`]) {
    const answer = await at.app.inject({ url, headers: secretive.headers })
    assert.equal(answer.statusCode, 200)
    assert.ok(answer.payload.includes(deliveryId))
    const one = answer.json().data?.[0] ?? answer.json()
    assert.deepEqual(
      Object.keys(one).filter((name) => ['order', 'body', 'payload'].includes(name)),
      [],
    )
    assert.ok(!answer.payload.includes(body))
  }
})

test('asking for the head of a stream opens none', async (t) => {
  const at = await aFollowedFeed(t)
  const key = await anApiKey(at.deps, at.merchant)
  const base = `http://127.0.0.1:${(at.app.server.address() as { port: number }).port}`
  const head = await fetch(`${base}/v1/events/stream`, { method: 'HEAD', headers: key.headers })
  assert.equal(head.status, 405)
})

test('streams of one key: ten are open → the next is 429, and another key of the merchant opens one', async (t) => {
  const at = await aFollowedFeed(t)
  const [greedy, other] = [await anApiKey(at.deps, at.merchant), await anApiKey(at.deps, at.merchant)]
  const open = await Promise.all(Array.from({ length: 25 }, () => at.open(greedy.headers)))
  const statuses = open.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(15).fill(429)])
  assert.equal((await at.open(other.headers)).status, 200)
})
