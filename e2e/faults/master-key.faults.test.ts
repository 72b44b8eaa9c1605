// The master key is changed while orders are made and webhooks go out, and the program is killed ten times meanwhile:
// every webhook verifies before, during and after, and in the end the former key is needed by nothing.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { verify } from '@florin/protocol/signature'
import { openPool } from '../../packages/platform/src/db/pool.ts'
import { makeSecrets } from '../../packages/platform/src/secrets.ts'
import { sealWebhookSecret } from '../../packages/server/src/keys/secret.ts'
import { masterKeyOf } from '../../packages/server/test/deploy/master-keys.ts'
import { ownDatabase } from '../../packages/server/test/harness.ts'
import { startFlorin, until } from '../florin.ts'
import { call, type Merchant, signUp, startInbox } from '../merchant.ts'
import { startReceiver } from '../receiver.ts'

const program = join(import.meta.dirname, '../../packages/server/src/rekey.ts')
const KILLS = 10
const SECRETS = 4_000
const [former, current] = [masterKeyOf('former'), masterKeyOf('current')]

/** Other merchants' keys, many enough that sealing them anew is cut off in the middle. */
async function fill(databaseUrl: string, shop: Merchant): Promise<void> {
  const sql = openPool({ url: databaseUrl, max: 1, applicationName: 'fill' })
  const ids = Array.from({ length: SECRETS }, (_, n) => `filled_${String(n).padStart(6, '0')}`)
  const secrets = makeSecrets(former)
  const boxes = ids.map((id) => sealWebhookSecret(secrets, id, `whsec_${id}`).box)
  await sql`
    insert into api_keys (id, merchant_id, livemode, name, prefix, last4, scopes, fee_bps, created_at)
    select filled.id, k.merchant_id, false, 'filled', 'florin_test_fill', 'fill', k.scopes, 0, now()
    from unnest(${ids}::text[]) filled (id), api_keys k where k.last4 = ${shop.apiKey.slice(-4)}`
  const hex = boxes.map((box) => Buffer.from(box).toString('hex'))
  await sql`
    insert into webhook_secrets (id, api_key_id, key_id, box, created_at)
    select id, id, ${secrets.keyId}, decode(box, 'hex'), now()
    from unnest(${ids}::text[], ${hex}::text[]) filled (id, box)`
  await sql.end({ timeout: 5 })
}

test(`a change of the master key under load survives ${KILLS} kills`, async (t) => {
  const inbox = await startInbox()
  const receiver = await startReceiver()
  const databaseUrl = await ownDatabase(t)
  const environment: Record<string, string> = {
    SMTP_URL: inbox.smtpUrl,
    DATABASE_URL: databaseUrl,
    MASTER_KEY: former,
    WEBHOOK_RETRY_WAITS: '1,1,1,2',
  }
  const florin = await startFlorin(environment)
  t.after(async () => {
    await florin.close()
    await receiver.close()
    await inbox.close()
  })
  const shop = await signUp(florin.url, inbox, 'rekey@shop.example')
  await fill(databaseUrl, shop)

  const settled = new Set<string>()
  /** One order from beginning to end; what a kill cuts off is given up. */
  const sell = async (): Promise<void> => {
    const body = { amount_usd: 5, pay_chain: 'base', webhook_url: `${receiver.url}/` }
    const made = await call<{ order_no: string }>(`${florin.url}/v1/orders`, 'POST', { headers: shop.key, body })
    for (const action of ['pay', 'settle']) {
      const path = `${florin.url}/v1/test/orders/${made.body.order_no}/simulate`
      const { status } = await call(path, 'POST', { headers: shop.key, body: { action } })
      if (status === 200 && action === 'settle') settled.add(made.body.order_no)
    }
  }
  await sell()

  Object.assign(environment, { MASTER_KEY: current, MASTER_KEY_OLD: former })
  await florin.stop()
  for (let kill = 0; kill < KILLS; kill++) {
    await florin.start()
    const selling = new AbortController()
    const load = (async () => {
      while (!selling.signal.aborted) await sell().catch(() => undefined)
    })()
    await wait(Math.random() * 400)
    await florin.kill()
    selling.abort()
    await load
  }
  await florin.start()
  await until(() => florin.output().includes('MASTER_KEY_OLD is no longer needed'), 'the end of the change')
  await florin.stop()
  delete environment.MASTER_KEY_OLD
  await florin.start()
  await sell()

  const isTold = (no: string): boolean => receiver.of(no).some(({ event }) => event.event === 'order.success')
  await until(() => [...settled].every(isTold), 'a webhook for every settled order')
  assert.ok(settled.size >= 2)
  for (const { headers, body } of receiver.received) {
    const header = String(headers['x-service-signature'])
    const verdict = verify({ header, body, secrets: [shop.webhookSecret], now: Date.now() / 1000 })
    assert.ok(verdict.ok, JSON.stringify(verdict))
  }
  const errors = florin
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  assert.deepEqual(errors, [])
  t.diagnostic(JSON.stringify({ settled: settled.size, requests: receiver.received.length }))
})

test('npm run rekey makes a new key of its own and every secret goes on signing', async (t) => {
  const inbox = await startInbox()
  const receiver = await startReceiver()
  const florin = await startFlorin({ SMTP_URL: inbox.smtpUrl })
  t.after(async () => {
    await florin.close()
    await receiver.close()
    await inbox.close()
  })
  const shop = await signUp(florin.url, inbox, 'rekey@shop.example')
  const file = join(florin.dataDir, 'master.key')
  const before = readFileSync(file, 'utf8')
  await florin.stop()
  // As a run leaves it that was killed before its end.
  writeFileSync(`${file}.new`, `${current}\n`, { mode: 0o600 })
  await assert.rejects(florin.start(), /npm run rekey/)
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: florin.dataDir }
  const run = spawnSync(process.execPath, [program], { env, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr)
  assert.match(run.stdout, /1 webhook secrets are sealed with the new key/)
  assert.notEqual(readFileSync(file, 'utf8'), before)
  assert.equal(readFileSync(file, 'utf8').trim(), current)
  assert.ok(!`${run.stdout}${run.stderr}`.includes(current), 'a key is never printed')
  await florin.start()
  const body = { amount_usd: 5, pay_chain: 'base', webhook_url: `${receiver.url}/` }
  const made = await call<{ order_no: string }>(`${florin.url}/v1/orders`, 'POST', { headers: shop.key, body })
  const simulate = `${florin.url}/v1/test/orders/${made.body.order_no}/simulate`
  await call(simulate, 'POST', { headers: shop.key, body: { action: 'pay' } })
  await until(() => receiver.received.length > 0)
  for (const { headers, body } of receiver.received) {
    const header = String(headers['x-service-signature'])
    assert.ok(verify({ header, body, secrets: [shop.webhookSecret], now: Date.now() / 1000 }).ok)
  }
})
