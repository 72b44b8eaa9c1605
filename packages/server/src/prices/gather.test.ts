// The job that asks, over HTTP with sources that misbehave as real ones did: what it keeps, what it stops, whom it tells.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { metrics } from '@florin/platform/metrics'
import { CURRENCIES_AS_OF, currencies, DAY_MS, MINUTE_MS } from '@florin/protocol'
import { aMerchant } from '../../test/factories.ts'
import { falseClock, testDeps } from '../../test/harness.ts'
import { listAttention } from '../attention/store.ts'
import type { Deps } from '../deps.ts'
import { listChecks, listSources } from './gather.store.ts'
import { gatherJob } from './gather.ts'
import { rateOf } from './rate.ts'
import type { Adapter } from './sources/adapter.ts'
import { coinbaseJson, ecbCsv, krakenJson, type Table, truth } from './sources/answers.fixture.ts'
import { ask, openAgent } from './sources/ask.ts'
import { ecb } from './sources/banks.ts'
import { coinbase, kraken } from './sources/markets.ts'
import { saveSettings } from './store.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const text =
  (type: string, body: string): Answer =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(body)
const json = (body: string): Answer => text('application/json; charset=utf-8', body)

interface Sources {
  url: string
  /** What each path answers; a path without one is 404. */
  paths: Map<string, Answer>
  asked: string[]
}

async function sourcesOver(t: TestContext): Promise<Sources> {
  const paths = new Map<string, Answer>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const answer = paths.get(request.url ?? '')
    if (answer === undefined) response.writeHead(404).end()
    else answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, asked }
}

const at = ({ url }: Sources, adapter: Adapter): Adapter => ({
  ...adapter,
  urls: adapter.urls.map((_, n) => `${url}/${adapter.id}${n}`),
})

/** All say what is true of the table. */
function tell({ paths }: Sources, table: Table, day: string): void {
  const [pairs, tickers] = krakenJson(table)
  paths.set('/ecb0', text('application/vnd.sdmx.data+csv; version=1.0.0', ecbCsv(table, day)))
  paths.set('/coinbase0', json(coinbaseJson(table)))
  paths.set('/kraken0', json(pairs)).set('/kraken1', json(tickers))
}

async function aScene(t: TestContext) {
  const sources = await sourcesOver(t)
  const { deps: made } = await testDeps(t)
  const clock = falseClock(Date.parse('2026-11-20T16:00:00.000Z'))
  const deps: Deps = { ...made, clock }
  tell(sources, truth, '2026-11-20')
  const job = gatherJob(
    deps,
    [ecb, coinbase, kraken].map((adapter) => at(sources, adapter)),
  )
  t.after(() => job.end?.())
  const merchant = await aMerchant(deps)
  return {
    ...{ sources, deps, clock, merchant },
    round: (ms = 0) => {
      clock.advance(ms)
      return job.run(new AbortController().signal)
    },
    async rate(currency: string) {
      const answer = await rateOf(deps, { currency, merchantId: merchant.id, now: clock.now() })
      return answer.kind === 'quote' ? String(Number(Number(answer.fx.reference_rate).toPrecision(5))) : answer.kind
    },
    async open() {
      const who = { merchantId: null, askedBy: 'x', livemode: true, open: true, before: null, limit: 10 }
      return listAttention(deps.sql, who)
    },
  }
}

test('the median of sources that agree is sold at, by every process, until its bound; one currency’s fault is its own', async (t) => {
  const { sources, deps, clock, round, rate } = await aScene(t)
  assert.equal(await rate('EUR'), 'no_rate')
  assert.equal(await round(), 3)
  assert.deepEqual([await rate('EUR'), await rate('JPY'), await rate('CZK')], ['0.8712', '155.2', '21.104'])
  assert.equal(await round(), 0, 'nobody is asked before their time')

  // A second process asks nobody while the first holds the lease.
  const other = gatherJob(deps, [at(sources, coinbase)])
  t.after(() => other.end?.())
  sources.paths.set('/coinbase0', json(coinbaseJson({ ...truth, GBP: 1.3151 })))
  await round(3 * MINUTE_MS)
  const before = sources.asked.length
  clock.advance(MINUTE_MS / 2)
  const rates = async () => (await metrics.getSingleMetric('florin_fx_rate_age_seconds')?.get())?.values.length
  assert.notEqual(await rates(), 0)
  assert.equal(await other.run(new AbortController().signal), 0)
  assert.equal(sources.asked.length, before)
  assert.equal(await rates(), 0, 'the one that asks nobody reports no rates')

  // One currency lies at one venue: the other two voices still agree on it. At two, each in its own way: it stops at
  // once, and alone.
  assert.notEqual(await rate('GBP'), 'no_rate')
  const [, tickers] = krakenJson({ ...truth, GBP: 1.9 })
  sources.paths.set('/kraken1', json(tickers))
  await round(2 * MINUTE_MS)
  assert.deepEqual([await rate('GBP'), await rate('EUR')], ['no_rate', '0.8712'])

  // All die: what was agreed on is sold until its bound, and not a minute longer.
  sources.paths.clear()
  await round(3 * MINUTE_MS)
  clock.advance(6 * MINUTE_MS)
  assert.equal(await rate('EUR'), '0.8712')
  clock.advance(2 * MINUTE_MS)
  assert.equal(await rate('EUR'), 'no_rate')
  const states = await listSources(deps.sql, ['ecb', 'coinbase', 'kraken'])
  assert.deepEqual(
    states.map(({ id, fault }) => [id, fault]),
    [
      ['coinbase', 'it answered 404'],
      ['ecb', null],
      ['kraken', 'it answered 404'],
    ],
  )
})

test('a lasting silence is an item for operators, and ends when the sources answer', async (t) => {
  const { sources, deps, clock, merchant, round, rate, open } = await aScene(t)
  const settings = { displayCurrency: 'USD', spreadBps: 0 }
  await saveSettings(deps.sql, merchant.id, { ...settings, defaultCurrency: 'EUR' }, clock.now())
  await round()
  assert.deepEqual(await open(), [])

  sources.paths.clear()
  await round(10 * MINUTE_MS)
  assert.deepEqual(await open(), [])
  await round(5 * MINUTE_MS)
  await round(31 * MINUTE_MS)
  assert.deepEqual(
    (await open()).map(({ kind, evidence }) => [kind, evidence.currency]),
    [['fx_no_rate', 'EUR']],
  )
  tell(sources, { ...truth, EUR: 0.95 }, '2026-11-20')
  await round(6 * MINUTE_MS)
  assert.deepEqual([await rate('EUR'), await open()], ['0.95', []])

  // An override of the operator counts at once, whatever the sources report.
  Object.assign(deps, { config: { ...deps.config, fxOverrides: new Map([['EUR', { kind: 'rate', rate: '0.9' }]]) } })
  await round(MINUTE_MS)
  assert.equal(await rate('EUR'), '0.9')

  // A table of currencies that nobody compared for more than a year.
  const compared = Date.parse(CURRENCIES_AS_OF)
  await round(compared + 400 * DAY_MS - clock.now().getTime())
  assert.ok((await open()).every(({ kind }) => kind !== 'fx_table_old'))
  await round(DAY_MS)
  const old = (await open()).find(({ kind }) => kind === 'fx_table_old')
  assert.deepEqual(old?.evidence.compared_on, CURRENCIES_AS_OF)
})

test('an install with fixed rates sells in many currencies, and names them as the source', async (t) => {
  const { deps } = await testDeps(t)
  const job = gatherJob(deps)
  t.after(() => job.end?.())
  await job.run(new AbortController().signal)
  for (const currency of ['EUR', 'PLN', 'AED', 'XOF', 'VND', 'KWD']) {
    const answer = await rateOf(deps, { currency, merchantId: 'mer_none', now: deps.clock.now() })
    assert.ok(answer.kind === 'quote', currency)
    assert.deepEqual(
      answer.fx.sources.map((one) => one.id),
      ['fixed'],
    )
  }
  const checks = await listChecks(deps.sql)
  assert.ok(checks.length > 60 && checks.every(({ quote }) => currencies.has(quote)))
})

test('an answer is bounded in time and size, never redirected, and its fault is said in words', async (t) => {
  const sources = await sourcesOver(t)
  const agent = openAgent()
  t.after(() => agent.destroy())
  const stop = new AbortController().signal
  const now = () => new Date('2026-11-20T16:00:00.000Z')
  const adapter = at(sources, coinbase)
  const faultOf = async (answer: Answer, timeoutMs = 60_000): Promise<unknown> => {
    sources.paths.set('/coinbase0', answer)
    const { answers, fault, retryAfterMs } = await ask(adapter, { agent, now, stop, timeoutMs })
    assert.equal(answers.length === 0, fault !== null)
    return retryAfterMs === 0 ? fault : [fault, retryAfterMs]
  }
  const status =
    (code: number, headers: Record<string, string> = {}): Answer =>
    (_request, response) =>
      void response.writeHead(code, headers).end()
  assert.equal(await faultOf(json(coinbaseJson(truth))), null)
  assert.equal(await faultOf(text('text/html', '<html>Request Rejected</html>')), 'it answered text/html')
  assert.equal(await faultOf(json('')), 'it is not JSON')
  for (const code of [403, 451, 500, 503]) assert.equal(await faultOf(status(code)), `it answered ${code}`)
  assert.deepEqual(await faultOf(status(429, { 'retry-after': '1200' })), ['it answered 429', 1_200_000])
  assert.deepEqual(await faultOf(status(429, { 'retry-after': '999999' })), ['it answered 429', 3_600_000])
  assert.equal(await faultOf(status(301, { location: `${sources.url}/elsewhere` })), 'it answered 301')
  assert.equal(sources.asked.includes('/elsewhere'), false)
  assert.equal(await faultOf(() => undefined, 300), 'it did not answer in time')
  assert.equal(await faultOf(json(`{"a":"${'x'.repeat(2_100_000)}"}`)), 'its answer is too long')
  assert.match(String(await faultOf((request) => request.socket.destroy())), /cannot be reached/)
  assert.equal(await faultOf(text('application/json', '\xff\xfe'.repeat(3))), 'it is not JSON')
})
