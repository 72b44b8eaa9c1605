import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../../server/test/harness.ts'
import { machineClock } from '../clock.ts'
import { metrics } from '../metrics.ts'
import { makePoller } from '../worker/poller.ts'

test('on a loopback install the metrics are open', async (t) => {
  const { app } = await testApp(t)
  const answer = await app.inject('/metrics')
  assert.equal(answer.statusCode, 200)
  assert.match(answer.body, /^process_cpu_seconds_total/m)
})

test('elsewhere they need the token, and without one there are none', async (t) => {
  const outside = { isLoopbackInstall: false, metricsToken: 'a long token' }
  const { app } = await testApp(t, outside)
  const status = async (authorization?: string) =>
    (await app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })).statusCode
  assert.equal(await status(), 401)
  assert.equal(await status('Bearer another token'), 401)
  assert.equal(await status('Bearer a'), 401)
  assert.equal(await status('Basic a long token'), 401)
  const closed = await testApp(t, { ...outside, metricsToken: null })
  assert.equal((await closed.app.inject('/metrics')).statusCode, 404)
  const open = await testApp(t, { ...outside, metricsToken: 'token' })
  assert.equal((await open.app.inject({ url: '/metrics', headers: { authorization: 'Bearer token' } })).statusCode, 200)
})

test('metrics: a job runs only while a page is open, and the page was closed → no series of the job', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const poller = makePoller({ clock: machineClock, log }, { name: 'watch a page', look: async () => {}, wakes: [] })
  const isMeasured = async (): Promise<boolean> => /"watch a page"/.test(await metrics.metrics())
  const close = poller.hold()
  assert.equal(await isMeasured(), true)
  close()
  // The next visitor comes before the loop of the last one has ended.
  const closeAgain = poller.hold()
  assert.equal(await isMeasured(), true)
  closeAgain()
  await poller.close()
  assert.doesNotMatch(await metrics.metrics(), /florin_job_(interval|last)\w+\{name="watch a page"/)
})
