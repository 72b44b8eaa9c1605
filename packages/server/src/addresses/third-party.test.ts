import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { stopNodes } from '../../../rail-evm/src/test/world.fixture.ts'
import { aMerchant, anApiKey, freshen } from '../../test/factories.ts'
import { testApp } from '../../test/harness.ts'
import { liveShop, OWNER } from '../../test/live-shop.ts'
import { type Allowed, allowedAt, type ThirdPartySwitch, withWish } from './third-party.rules.ts'

after(stopNodes)

const url = '/api/v1/boss/third-party'

test('third parties are off in live mode until a fresh sign-in switches them on, each merchant for himself', async (t) => {
  const { app, deps, clock } = await testApp(t)
  const merchant = await aMerchant(deps)
  const other = await aMerchant(deps)
  const list = async (headers: { authorization: string }, livemode: boolean) =>
    (await app.inject({ url: `${url}?livemode=${livemode}`, headers })).json().data.data
  const put = (body: object, headers = merchant.headers) => app.inject({ method: 'PUT', url, headers, payload: body })
  const on = { chain: 'base', livemode: true, on: true }

  clock.advance(20 * MINUTE_MS)
  assert.equal((await put(on)).statusCode, 403, 'an old sign-in')
  await freshen(deps, merchant)
  assert.deepEqual(await list(merchant.headers, true), [])
  const set = (await put(on)).json().data
  assert.deepEqual([set.chain, set.on, set.takes_unproven], ['base', true, false])
  // What is left out stays as it is; an alias is its chain.
  assert.equal((await put({ ...on, takes_unproven: true })).json().data.takes_unproven, true)
  const off = (await put({ ...on, chain: 'eip155:8453', on: false })).json().data
  assert.deepEqual([off.chain, off.on, off.takes_unproven], ['base', false, true])
  assert.deepEqual(
    (await list(merchant.headers, true)).map((row: { chain: string; on: boolean }) => [row.chain, row.on]),
    [['base', false]],
  )
  assert.deepEqual([await list(other.headers, true), await list(merchant.headers, false)], [[], []])
  assert.equal((await put({ ...on, chain: 'nowhere' })).statusCode, 422)
  assert.equal((await put({ chain: 'base', on: 'yes', livemode: true })).statusCode, 422)
  assert.equal((await app.inject({ url })).statusCode, 401)
  const key = await anApiKey(deps, merchant)
  const seen = await app.inject({ url: '/v1/third-party', headers: key.headers })
  assert.deepEqual([seen.statusCode, seen.json().data], [200, []], 'a test key sees test mode')
  assert.equal((await app.inject({ url: '/v1/third-party' })).statusCode, 401)
})

interface Switch {
  on: boolean
  takes_unproven: boolean
  waiting: { on: boolean; takes_unproven: boolean; effective_at: string } | null
}

test('third party: a thief of a session and a code hands over no live money before the owner had a day', async (t) => {
  const shop = await liveShop(t)
  const { clock } = shop.world
  clock.advance(2 * DAY_MS)
  await shop.confirm(shop.owner)
  // The code, too, was read by the thief: the session is fresh, and the browser is not known.
  const thief = shop.stolen(shop.owner)
  const set = (wish: object, who = thief) =>
    who.call<Switch>('PUT', 'third-party', { chain: 'base', livemode: true, ...wish })
  const counts = async (who = shop.owner) => {
    const page = await who.call<{ data: Switch[] }>('GET', 'third-party?livemode=true')
    return page.data.data.map(({ on, takes_unproven: unproven, waiting }) => [on, unproven, waiting !== null])
  }

  const asked = await set({ on: true })
  assert.equal(asked.status, 200)
  assert.deepEqual([asked.data.on, asked.data.waiting?.on], [false, true])
  assert.equal(asked.data.waiting?.effective_at, new Date(clock.now().getTime() + DAY_MS).toISOString())
  const first = await shop.newestMail(OWNER, /^The third party on Base will change on/)
  // The same again neither restarts the wait nor mails.
  clock.advance(MINUTE_MS)
  assert.deepEqual((await set({ on: true })).data.waiting, asked.data.waiting)
  await set({ on: true, takes_unproven: true })
  assert.deepEqual(await counts(), [[false, false, true]])
  const { data: audit } = (await shop.owner.call<{ data: { action: string; detail: object }[] }>('GET', 'audit')).data
  const lines = audit.filter(({ action }) => action === 'third_party.changed')
  assert.deepEqual(
    lines.map(({ detail }) => ({ ...detail, effective_at: null })),
    [
      { from: 'on', to: 'on_unproven', livemode: 'true', effective_at: null },
      { from: 'off', to: 'on', livemode: 'true', effective_at: null },
    ],
  )

  // The link of the first mail takes the later change back as well, and ends the session that asked.
  const { shown, done } = await shop.click(first)
  assert.match(shown, /Before, and then again: off/)
  assert.match(done, /On Base it is as before: off/)
  assert.equal((await thief.call('GET', 'merchant')).error?.code, 'invalid_token')
  const owner = await shop.signIn()
  clock.advance(DAY_MS + 1)
  assert.deepEqual(await counts(owner), [[false, false, false]])

  // The owner in a known browser waits for nothing; allowing less counts at once from anywhere.
  await shop.newestMail(OWNER, /^The third party on Base was changed$/)
  const known = await shop.signIn(OWNER, shop.owner.cookie)
  assert.equal((await set({ on: true, takes_unproven: true }, known)).data.on, true)
  const elsewhere = shop.stolen(known)
  const less = (await set({ on: true, takes_unproven: false }, elsewhere)).data
  assert.deepEqual([less.on, less.takes_unproven, less.waiting], [true, false, null])
  clock.advance(HOUR_MS)
})

test('third party: nothing that was not asked for a day ago, or trusted, is ever allowed', () => {
  const allowed = fc.record({ isOn: fc.boolean(), takesUnproven: fc.boolean() }, { noNullPrototype: true })
  const step = fc.record({ wish: allowed, atOnce: fc.boolean(), after: fc.integer({ min: 0, max: 30 * HOUR_MS }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let row: ThirdPartySwitch = {
        ...{
          chain: 'base',
          wished: { isOn: false, takesUnproven: false },
          until: null,
          updatedAt: null,
          sessionId: null,
        },
      }
      let now = Date.parse('2026-03-01T00:00:00Z')
      const asked: { wish: Allowed; atOnce: boolean; at: number }[] = []
      for (const { wish, atOnce, after } of steps) {
        now += after
        row = withWish(row, wish, { atOnce, sessionId: 'ses', now: new Date(now) })
        asked.push({ wish, atOnce, at: now })
        if (atOnce) assert.deepEqual(allowedAt(row, new Date(now)), wish)
        for (const at of [now, now + HOUR_MS, now + DAY_MS]) {
          const counts = allowedAt(row, new Date(at))
          for (const field of ['isOn', 'takesUnproven'] as const) {
            // Refused last means refused now.
            if (!wish[field]) assert.equal(counts[field], false)
            // Allowed means that every request since a trusted one, or since a day ago, allowed it.
            const since = asked.filter((each) => each.at > at - DAY_MS)
            const isOld = since.every((each) => each.wish[field])
            const trusted = asked.findLastIndex((each) => each.atOnce)
            const isTrusted = trusted >= 0 && asked.slice(trusted).every((each) => each.wish[field])
            if (counts[field]) assert.ok(isTrusted || isOld)
          }
        }
        // The whole wish counts a day later.
        assert.deepEqual(allowedAt(row, new Date(now + DAY_MS)), wish)
      }
    }),
  )
})
