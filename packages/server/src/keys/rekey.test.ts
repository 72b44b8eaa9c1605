// Promises of a change of the master key: every secret is sealed anew, killed anywhere it goes on, a key that is still
// needed cannot be left out, and one secret that cannot be read holds up nobody else's webhooks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkMasterKey } from '@florin/platform/db/master-key'
import { reseal, resealJob } from '@florin/platform/db/reseal'
import { OperatorError } from '@florin/platform/errors'
import { makeSecrets } from '@florin/platform/secrets'
import { startJobs } from '@florin/platform/worker/loop'
import { verify } from '@florin/protocol/signature'
import { anEvent, aShop, deliveryStates, eventually } from '../../test/deliveries.ts'
import { MASTER_KEY } from '../../test/deploy/master-keys.ts'
import { type TestDeps, testDeps } from '../../test/harness.ts'
import { receiver as startReceiver } from '../../test/receiver.ts'
import { sealedTables } from '../sealed.ts'
import { deliveryWorker } from '../webhooks/queue/deliver.ts'
import { tuning } from '../webhooks/queue/tuning.ts'
import { abandonWebhookSecrets, openWebhookSecrets, sealedWebhookSecrets } from './store.ts'

const former = MASTER_KEY
const next = '6f'.repeat(32)
const idle = new AbortController().signal

const check = (at: TestDeps, ...keys: [string, string?]) =>
  checkMasterKey(at.deps.sql, makeSecrets(...keys), { rows: sealedTables, now: at.clock.now() })

test('the former key is needed until every live secret is sealed anew, and not after', async (t) => {
  const at = await testDeps(t)
  await check(at, former)
  const shops = await Promise.all(Array.from({ length: 7 }, () => aShop(at.deps)))
  await assert.rejects(check(at, next), OperatorError, 'another key alone does not start')
  await check(at, next, former)
  await assert.rejects(check(at, former), OperatorError, 'nor does the former one again')
  await assert.rejects(check(at, next), (error: Error) => /7 webhook secrets.*MASTER_KEY_OLD/.test(error.message))

  const job = resealJob({ ...at.deps, secrets: makeSecrets(next, former) }, sealedTables)
  assert.equal(await job.run(idle), 0)
  await check(at, next)
  const opened = await openWebhookSecrets(
    { ...at.deps, secrets: makeSecrets(next) },
    shops.map((shop) => shop.id),
  )
  for (const shop of shops) assert.deepEqual(opened.get(shop.id), [shop.webhookSecret])
  assert.deepEqual(job.checks(), [])
})

test('cut off between any two rows it goes on where it was, beside a process with the former key alone', async (t) => {
  const at = await testDeps(t)
  const shops = await Promise.all(Array.from({ length: 5 }, () => aShop(at.deps)))
  const both = { ...at.deps, secrets: makeSecrets(next, former) }
  for (let moved = 1; moved <= shops.length; moved++) {
    const one = { ...sealedWebhookSecrets, list: cutAfter(1) }
    await assert.rejects(
      reseal(both, one, () => {
        throw new Error('killed')
      }),
      /killed/,
    )
    const left = await at.deps.sql`select 1 from webhook_secrets where key_id <> ${both.secrets.keyId}`
    assert.equal(left.length, shops.length - moved)
  }
  const late = await aShop(at.deps)
  assert.deepEqual(await reseal(both, sealedWebhookSecrets, () => undefined), { moved: 1, unreadable: 0 })
  const opened = await openWebhookSecrets({ ...at.deps, secrets: makeSecrets(next) }, [late.id])
  assert.deepEqual(opened.get(late.id), [late.webhookSecret])
})

/** Pages of one row, so that a run can be cut off after each. */
const cutAfter =
  (limit: number): typeof sealedWebhookSecrets.list =>
  (sql, a) =>
    sealedWebhookSecrets.list(sql, { ...a, limit })

test('a secret that cannot be read fails its own webhooks, attempt by attempt, and no others', async (t) => {
  const at = await testDeps(t)
  const receiver = await startReceiver(t)
  const [broken, sound] = [await aShop(at.deps), await aShop(at.deps)]
  await at.deps
    .sql`update webhook_secrets set box = set_byte(box, 20, get_byte(box, 20) # 1) where api_key_id = ${broken.id}`
  const jobs = startJobs([deliveryWorker(at.deps, tuning)], at.deps)
  try {
    const lost = await anEvent(at.deps, broken, receiver.url)
    const event = await anEvent(at.deps, sound, receiver.url)
    at.deps.wake.deliveries.fire()
    const [request] = await receiver.received(1)
    assert.equal(request?.body.toString(), event.body)
    const header = String(request?.headers['x-service-signature'])
    const now = at.clock.now().getTime() / 1000
    assert.ok(verify({ header, body: request?.body ?? '', secrets: [sound.webhookSecret], now }).ok)
    await eventually(
      () => deliveryStates(at.deps.sql),
      (rows) => rows.every((row) => row.status !== 'pending'),
    )
    const log = await at.deps.sql<{ error: string }[]>`
      select error from delivery_attempts where delivery_id = ${lost.deliveryId}`
    assert.deepEqual(
      log.map((row) => row.error),
      ['secret_unreadable'],
      'one failed attempt, and the next one when it is due',
    )
  } finally {
    await jobs.stop()
  }
  const job = resealJob({ ...at.deps, secrets: makeSecrets(next, former) }, sealedTables)
  await job.run(idle)
  assert.match(job.checks()[0]?.summary ?? '', /^1 sealed values cannot be opened/)
})

test('what a lost key sealed is given up by name, and the rest starts again', async (t) => {
  const at = await testDeps(t)
  await check(at, former)
  const shop = await aShop(at.deps)
  const lost = makeSecrets('7a'.repeat(32))
  await at.deps.sql`update webhook_secrets set key_id = ${lost.keyId} where api_key_id = ${shop.id}`
  await assert.rejects(check(at, former), (error: Error) => error.message.includes(`--abandon ${lost.keyId}`))
  const now = at.clock.now()
  assert.deepEqual(await abandonWebhookSecrets(at.deps.sql, { keyId: lost.keyId, now }), [shop.id])
  await check(at, former)
})
