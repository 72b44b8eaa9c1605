import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeServer } from '@florin/platform/http/server'
import { makeSharedLimits } from '@florin/platform/limits/limits'
import { aMerchant, anApiKey } from '../../test/factories.ts'
import { testDeps } from '../../test/harness.ts'
import { useConsoleGuard } from '../login/guard.ts'
import { useKeyGuard } from './guard.ts'

test('calls of one merchant: 8 at work, 64 wait, the rest is 429; another merchant and streams do not wait', async (t) => {
  const { deps, clock } = await testDeps(t)
  const app = await makeServer({
    ...{ log: deps.log, clock, trustProxy: [], rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  useKeyGuard(app, deps, makeSharedLimits(deps))
  let atWork = 0
  let most = 0
  const held = Promise.withResolvers<void>()
  app.get('/v1/held', { config: { scope: null } }, async () => {
    most = Math.max(most, ++atWork)
    await held.promise
    atWork--
    return {}
  })
  app.get('/v1/quick', { config: { scope: null } }, async () => ({}))
  app.get('/v1/open', { config: { scope: null, isStream: true } }, async () => ({}))
  const [one, two] = [await aMerchant(deps), await aMerchant(deps)]
  // Of one merchant's keys together.
  const keys = [await anApiKey(deps, one), await anApiKey(deps, one)]
  const other = await anApiKey(deps, two)
  const answers: { status: number; retryAfter: unknown; code: unknown }[] = []
  const all = Array.from({ length: 100 }, async (_, n) => {
    const reply = await app.inject({ url: '/v1/held', headers: keys[n % 2]?.headers ?? {} })
    const { error } = reply.json()
    answers.push({ status: reply.statusCode, retryAfter: reply.headers['retry-after'], code: error?.code })
  })
  const answered = async (count: number): Promise<void> => {
    for (let turns = 0; answers.length < count && turns < 10_000; turns++) await deps.sql`select 1`
    assert.equal(answers.length, count)
  }
  await answered(28)
  assert.equal((await app.inject({ url: '/v1/quick', headers: other.headers })).statusCode, 200)
  assert.equal((await app.inject({ url: '/v1/open', headers: keys[0]?.headers ?? {} })).statusCode, 200)
  const refused = { status: 429, retryAfter: '1', code: 'rate_limited' }
  assert.deepEqual(answers, Array(28).fill(refused))
  clock.advance(2_000)
  await answered(92)
  assert.deepEqual(answers, Array(92).fill(refused))
  held.resolve()
  await Promise.all(all)
  assert.deepEqual([answers.filter(({ status }) => status === 200).length, most], [8, 8])
  assert.equal((await app.inject({ url: '/v1/quick', headers: keys[0]?.headers ?? {} })).statusCode, 200)
})

test('calls of one key: 150 at once → another key waits for one of them to end, the console for none', async (t) => {
  const { deps, clock } = await testDeps(t)
  const held: (() => void)[] = []
  let isOver = false
  // A server that closes waits for the calls that it holds.
  t.after(() => {
    isOver = true
    for (const end of held) end()
  })
  const app = await makeServer({
    ...{ log: deps.log, clock, trustProxy: [], rateLimits: false, isHttps: false, isLoopbackInstall: true },
  })
  t.after(() => app.close())
  useKeyGuard(app, deps, makeSharedLimits(deps))
  useConsoleGuard(app, deps)
  const begun: string[] = []
  app.get<{ Params: { who: string } }>('/v1/held/:who', { config: { scope: null } }, async ({ params }) => {
    begun.push(params.who)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push(resolve)
    if (!isOver) await promise
    return {}
  })
  app.get('/api/v1/boss/quick', async () => ({}))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const merchant = await aMerchant(deps)
  const [greedy, other, third] = [
    await anApiKey(deps, merchant, { scopes: ['orders:read'] }),
    await anApiKey(deps, merchant),
    await anApiKey(deps, merchant),
  ]
  let refused = 0
  const call = async (who: string, { headers }: { headers: Record<string, string> }): Promise<number> => {
    const { status } = await fetch(`${url}/v1/held/${who}`, { headers })
    if (status === 429) refused++
    return status
  }
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let turns = 0; !isSo() && turns < 10_000; turns++) await deps.sql`select 1`
    assert.ok(isSo())
  }
  const flood = Array.from({ length: 150 }, () => call('greedy', greedy))
  await until(() => refused === 150 - 8 - 64)
  const others = [call('other', other), call('third', third)]
  // Each takes one of the places that the flood had to wait.
  await until(() => refused === 150 - 8 - 64 + 2)
  assert.equal((await fetch(`${url}/api/v1/boss/quick`, { headers: merchant.headers })).status, 200)
  for (const ended of [1, 2, 3]) {
    held.shift()?.()
    await until(() => begun.length === 8 + ended)
  }
  assert.deepEqual(begun.slice(0, 9), Array(9).fill('greedy'))
  assert.deepEqual(begun.slice(9).sort(), ['other', 'third'])
  const ends = setInterval(() => held.shift()?.(), 1)
  assert.deepEqual(await Promise.all(others), [200, 200])
  await Promise.all(flood)
  clearInterval(ends)
  assert.equal(begun.length, 8 + 64)
})
