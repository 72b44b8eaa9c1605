// The restore drill. Promises: a copy that is made while orders come is one moment of the database; restored into an empty
// one, orders, feed, nonces and secrets are as they were and work goes on; a file that was cut or changed is refused
// before anything of it is used, and nothing that merchants use is ever overwritten.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readInstallation, refuseAsleep } from '@florin/platform/db/installation'
import { makePartitions } from '@florin/platform/db/partitions'
import { openPool, type Sql } from '@florin/platform/db/pool'
import { DAY_MS } from '@florin/protocol'
import { pino } from 'pino'
import { slowTest, quickTest as test } from '../../../../scripts/sizes.ts'
import { givePositions } from '../../test/deliveries.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../../test/factories.ts'
import { ownDatabase, testApp, testConfig } from '../../test/harness.ts'
import { settleDue } from '../../test/orders.ts'
import { openDeps } from '../deps.ts'
import { openWebhookSecrets } from '../keys/store.ts'
import { partitionedTables } from '../partitions.ts'
import { backUp, type Progress, putToSleep, verify, wakeUp } from './backup.ts'
import { connected } from './connect.ts'
import { restore } from './restore.ts'

const PAGE = '/v1/events?limit=50'

test('saved while orders come and restored: orders, feed, nonces and secrets are as they were, and work goes on', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-backup-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'florin.backup')
  const at = await testApp(t)
  const merchant = await aMerchant(at.deps)
  const key = await anApiKey(at.deps, merchant)
  await aReceivingAddress(at.deps, merchant)
  const make = async (app = at.app): Promise<string> => {
    const payload = { amount_usd: 5, pay_chain: 'base', metadata: { text: 'tab\t, \\. and ü\n' } }
    const made = await app.inject({ method: 'POST', url: '/v1/orders', headers: key.headers, payload })
    assert.equal(made.statusCode, 201, made.body)
    return made.json().order_no
  }
  const first = await make()
  for (const action of ['pay', 'confirm', 'settle']) {
    const url = `/v1/test/orders/${first}/simulate`
    assert.equal(
      (await at.app.inject({ method: 'POST', url, headers: key.headers, payload: { action } })).statusCode,
      200,
    )
  }
  while ((await settleDue(at.deps)) > 0);
  await givePositions(at.deps)
  await aNonce(at.deps.sql)
  await anOldAttempt(at.deps.sql, at.clock.now())
  const feed = (await at.app.inject({ url: PAGE, headers: key.headers })).json()
  assert.ok(feed.data.length >= 2)
  const before = await readOrder(at.app, first, key.headers)

  let isDone = false
  const during: string[] = []
  const writing = (async () => {
    while (!isDone) during.push(await make())
  })()
  const steps: Progress[] = []
  const saved = await backUp(at.databaseUrl, path, (step) => steps.push(step))
  isDone = true
  await writing
  assert.ok(during.length > 0)
  const after = await make()
  assert.equal((await stat(path)).mode & 0o077, 0, 'it is its owner’s alone')
  assert.ok((await verify(path)).tables > 50)
  assert.ok(!gunzipSync(await readFile(path)).includes(key.webhookSecret), 'secrets stay sealed in it')

  const target = await ownDatabase(t)
  assert.deepEqual(await restore(target, path, { replaces: false }, (step) => steps.push(step)), saved)
  for (const what of ['saving', 'reading through', 'restoring']) {
    const said = steps.filter((step) => step.what === what)
    assert.ok(said.length >= saved.tables, 'it is told on the way')
    assert.deepEqual(said.at(-1), { what, tables: saved.tables, bytes: saved.bytes })
  }
  const restored = await testApp(t, {}, target)
  restored.clock.advance(at.clock.now().getTime() - restored.clock.now().getTime())
  const copy = await readInstallation(restored.deps.sql, restored.clock.now())
  assert.throws(() => refuseAsleep(copy), /activate/, 'no worker starts on it')
  assert.deepEqual(await readOrder(restored.app, first, key.headers), before)
  assert.equal((await restored.app.inject({ url: `/v1/orders/${after}`, headers: key.headers })).statusCode, 404)
  const [counts] = await restored.deps.sql<{ orders: number; made: number }[]>`
    select (select count(*)::int from orders) as orders,
      (select count(*)::int from order_events where version = 1) as made`
  assert.equal(counts?.orders, counts?.made, 'no order without its event, nor the other way round')
  assert.deepEqual((await restored.app.inject({ url: PAGE, headers: key.headers })).json(), feed)
  assert.equal((await restored.deps.sql`select 1 from delivery_attempts where delivery_id = 'dlv_of_old'`).length, 1)
  assert.deepEqual(await nonces(restored.deps.sql), await nonces(at.deps.sql))
  const secrets = await openWebhookSecrets(restored.deps, [key.id])
  assert.deepEqual(secrets.get(key.id), [key.webhookSecret])
  // It counts on where it was, and nothing collides.
  const next = await make(restored.app)
  assert.equal((await readOrder(restored.app, next, key.headers)).status, 'pending')
  await givePositions(restored.deps)

  await assert.rejects(restore(target, path, { replaces: true }), /in use: merchants would be lost/)
})

test('a file that was cut, changed or made by a newer release is refused, and the database stays as it is', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-backup-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const url = await ownDatabase(t)
  const good = join(dir, 'good')
  await backUp(url, good)
  const bytes = gunzipSync(await readFile(good))
  const bad = join(dir, 'bad')
  const refused = async (content: Buffer, why: RegExp): Promise<void> => {
    await writeFile(bad, content)
    await assert.rejects(restore(url, bad, { replaces: true }), why)
  }
  await refused((await readFile(good)).subarray(0, -40), /no whole backup/)
  await refused(gzipSync(bytes.subarray(0, -60)), /it ends in the middle/)
  await refused(Buffer.from('select 1'), /no whole backup/)
  const changed = Buffer.from(bytes)
  const place = changed.indexOf('migrations') + 300
  changed.writeUInt8((changed.readUInt8(place) + 1) % 256, place)
  await refused(gzipSync(changed), /no whole backup|not as it was saved|another backup/)
  await assert.rejects(restore(url, join(dir, 'nothing'), { replaces: true }), /no whole backup/)
})

slowTest('a restored copy sends and settles nothing until it is said to replace what was saved', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-backup-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'florin.backup')
  const start = async (
    databaseUrl: string,
    mode: 'all' | 'worker' | 'api',
    railsConfig: string | null = null,
  ): Promise<string | null> => {
    const config = testConfig({ mode, railsConfig, dataDir: dir, journalDir: join(dir, 'journal') })
    const opened = await openDeps({ config, log: pino({ level: 'silent' }), databaseUrl })
    await opened.close()
    return opened.checks()[0]?.summary ?? null
  }
  const one = await ownDatabase(t)
  assert.equal(await start(one, 'all'), null)
  await backUp(one, path)
  const copy = await ownDatabase(t)
  await restore(copy, path, { replaces: false })
  for (const mode of ['all', 'worker'] as const)
    await assert.rejects(start(copy, mode), /is a copy of another Florin's .*npm run backup -- activate/)
  // It shows no pay address, whatever rails its environment names.
  assert.match((await start(copy, 'api', join(dir, 'no-rails.json'))) ?? '', /copy for practice/)
  await assert.rejects(start(one, 'api', join(dir, 'no-rails.json')), /no-rails\.json/)
  // A backup of the copy is one of the same Florin, and a copy again.
  await backUp(copy, join(dir, 'again'))
  const second = await ownDatabase(t)
  await restore(second, join(dir, 'again'), { replaces: false })
  assert.equal(await wakeUp(copy), true)
  assert.equal(await wakeUp(copy), false)
  assert.equal(await start(copy, 'worker'), null)
  await assert.rejects(start(second, 'worker'), /is a copy/)
  const ids = await Promise.all([one, copy, second].map(installationOf))
  assert.equal(ids[1], ids[0], 'it is the one now')
  assert.notEqual(ids[2], ids[0])

  const instead = await ownDatabase(t)
  await restore(instead, join(dir, 'again'), { replaces: true })
  assert.equal(await start(instead, 'all'), null)
  assert.equal(await installationOf(instead), ids[0])
  // Copied by other means, it is said.
  await putToSleep(instead)
  await assert.rejects(start(instead, 'all'), /is a copy/)
})

test('a role whose sessions have limits: backups and restores have none', async (t) => {
  const url = await ownDatabase(t)
  const sql = openPool({ url, max: 1, applicationName: 'test' })
  const name = new URL(url).pathname.slice(1)
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  for (const limit of limits) await sql.unsafe(`alter role current_user in database ${name} set ${limit} = '7s'`)
  t.after(async () => {
    await sql.unsafe(`alter role current_user in database ${name} reset all`)
    await sql.end({ timeout: 1 })
  })
  const shown = limits.map((limit) => `current_setting('${limit}')`).join(', ')
  const read = { text: `select ${shown}`, rowMode: 'array' } as const
  assert.deepEqual(await connected(url, async (client) => (await client.query(read)).rows), [['0', '0', '0']])
})

test('backup: saved before the first start → of the installation that the start then is', async (t) => {
  const url = await ownDatabase(t)
  const dir = await mkdtemp(join(tmpdir(), 'florin-backup-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const sql = openPool({ url, max: 1, applicationName: 'test' })
  await sql`delete from installation`.finally(() => sql.end())
  const { installation } = await backUp(url, join(dir, 'first'))
  assert.equal(installation, await installationOf(url))
})

async function installationOf(url: string): Promise<string> {
  const sql = openPool({ url, max: 1, applicationName: 'test' })
  return (await readInstallation(sql, new Date()).finally(() => sql.end())).id
}

async function readOrder(app: Awaited<ReturnType<typeof testApp>>['app'], no: string, headers: Record<string, string>) {
  const found = await app.inject({ url: `/v1/orders/${no}`, headers })
  assert.equal(found.statusCode, 200, found.body)
  return found.json()
}

/** Of days that a new database has no partition for. */
async function anOldAttempt(sql: Sql, now: Date): Promise<void> {
  const then = new Date(now.getTime() - 40 * DAY_MS)
  await makePartitions(sql, partitionedTables, then)
  await sql`insert into delivery_attempts (delivery_id, started_at, n) values ('dlv_of_old', ${then}, 1)`
}

/** A transaction of a relay that waits for a block. */
const aNonce = (sql: Sql) => sql`
  insert into relay_outbox (chain, signer, nonce, state, purpose, item_ids, to_address, data, gas, sent_height, sent_at, created_at)
  values ('base', '0xabc', 41, 'open', 'settle', array['set_1'], '0xdef', '0x', 21000, 7, now(), now())`
const nonces = (sql: Sql) => sql`select * from relay_outbox order by chain, signer, nonce limit 10`
