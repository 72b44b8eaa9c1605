// Promises of late webhooks: what is due for more than a minute and not sent is counted wherever it waits, is judged once,
// and everybody who asks reads that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS, SECOND_MS, type StatsSummary, type WebhookEndpoint } from '@florin/protocol'
import { testConsole } from '../../test/console.ts'
import { anEvent, aShop } from '../../test/deliveries.ts'
import { testDeps } from '../../test/harness.ts'
import { expireDue } from '../orders/expire.ts'
import { judgeLateWebhooks } from '../reports/late-webhooks.ts'
import { standingJob } from '../reports/standing/standing.ts'
import { type LateQueue, readLateQueue } from './late.store.ts'

const url = 'https://shop.example/hook'

test('late: ready, scheduled or held by a dead worker for over a minute → counted; younger ones not', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const [one, two] = [await aShop(deps), await aShop(deps)]
  const read = async () => {
    const { count, since, untouched } = await readLateQueue(sql, clock.now())
    return [count, since === null ? null : clock.now().getTime() - since.getTime(), untouched]
  }
  assert.deepEqual(await read(), [0, null, 0])
  for (const host of ['a', 'b', 'c', 'd', 'e']) await anEvent(deps, one, `https://${host}.example/hook`)
  await anEvent(deps, one, url)
  await anEvent(deps, one, url)
  clock.advance(30 * SECOND_MS)
  await anEvent(deps, two, url)
  assert.deepEqual(await read(), [0, null, 0])

  clock.advance(31 * SECOND_MS)
  assert.deepEqual(await read(), [7, 61 * SECOND_MS, 7])
  clock.advance(30 * SECOND_MS)
  assert.deepEqual(await read(), [8, 91 * SECOND_MS, 8])

  // A request of the first merchant is under way; the other merchant is left alone.
  const held = sql`select delivery_no from delivery_queue where tenant = ${one.merchantNo} limit 1`
  const leaseUntil = new Date(clock.now().getTime() + 10 * SECOND_MS)
  await sql`update delivery_queue set state = 3, lease_until = ${leaseUntil} where delivery_no = (${held})`
  assert.deepEqual(await read(), [7, 91 * SECOND_MS, 1])
  // Its worker died, and no other one takes back what it held.
  clock.advance(10 * SECOND_MS + MINUTE_MS + 1)
  assert.equal((await read())[0], 8)

  await sql`delete from delivery_queue where state <> 1`
  await sql`update delivery_queue set state = 2`
  assert.equal((await read())[0], 7, 'their time has come, and no job makes them ready')
  await sql`update delivery_queue set run_at = ${clock.now()}`
  assert.deepEqual(await read(), [0, null, 0])
})

test('late: the doctor advises another worker only where one helps', () => {
  const now = new Date('2026-11-27T12:00:00Z')
  const since = new Date(now.getTime() - 16 * MINUTE_MS)
  const late: LateQueue = { count: 3, since, untouched: 0, workers: 1, slots: 512, inFlight: 3 }
  const cure = (a: Partial<LateQueue>): string => judgeLateWebhooks({ ...late, ...a }, now).remedy ?? ''
  assert.equal(judgeLateWebhooks({ ...late, count: 0, since: null }, now).status, 'ok')
  const { status, summary } = judgeLateWebhooks(late, now)
  assert.equal(`${status}: ${summary}`, 'fault: 3 are due for more than a minute and not sent, the oldest for 16 min.')
  assert.match(cure({ workers: 0, slots: 0, inFlight: 0 }), /^No worker is running/)
  assert.match(cure({ inFlight: 500 }), /Start one more worker/)
  assert.match(
    cure({ untouched: 2 }),
    /make no request for 2 of them.*restart the workers; another worker does not help/,
  )
  assert.match(cure({}), /answer slowly or not at all.*Another worker does not help/)
})

test('late: /readyz shows it, the overview and the endpoint show it, and 100 % delivered does not hide it', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  const { id } = (await at.post<WebhookEndpoint>('webhook_endpoints', { mode: 'test', url, events: ['order.expired'] }))
    .data
  for (const user of [at, stranger]) await user.order()
  at.clock.advance(60 * MINUTE_MS)
  while ((await expireDue(at.deps)) > 0);
  await anEvent(at.deps, at.key, url)
  const job = standingJob(at.deps)
  const look = async () => {
    await job.run(new AbortController().signal)
    const { data } = await at.get<StatsSummary>('stats/summary?livemode=false')
    const endpoint = (await at.get<WebhookEndpoint>(`webhook_endpoints/${id}`)).data
    return {
      ...{ check: job.checks?.()[0]?.summary, late: data.deliveries_late, since: data.deliveries_late_since },
      ...{ rate: data.webhook_success_rate, endpoint: endpoint.health.late },
    }
  }
  assert.deepEqual(await look(), {
    check: 'None is due for more than a minute.',
    late: 0,
    since: null,
    rate: null,
    endpoint: 0,
  })
  const due = at.clock.now().toISOString()
  at.clock.advance(16 * MINUTE_MS)
  assert.deepEqual(await look(), {
    check: '2 are due for more than a minute and not sent, the oldest for 16 min.',
    ...{ late: 2, since: due, rate: 0, endpoint: 1 },
  })
  const theirs = await stranger.get<StatsSummary>('stats/summary?livemode=false')
  assert.deepEqual([theirs.data.deliveries_late, theirs.data.webhook_success_rate], [0, null])
  assert.equal((await at.get<StatsSummary>('stats/summary?livemode=true')).data.deliveries_late, 0)
})
