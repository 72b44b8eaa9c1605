// Promises of what operations.md says of pgBackRest: with deploy/postgres/pgbackrest.conf a PostgreSQL that Florin works on is backed
// up while it works, and restored to the moment before a mishap; every order of then is there, none of later, and Florin goes on.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPool, withoutLimits } from '@florin/platform/db/pool'
import { startFlorin, until } from '../../../../e2e/florin.ts'
import { call, type Merchant, signUp, startInbox } from '../../../../e2e/merchant.ts'
import { startReceiver } from '../../../../e2e/receiver.ts'
import { recordForeignDrill } from '../../src/backup/drill.ts'
import { newestBackup } from '../../src/backup/newest.ts'
import { needsDebian } from '../debian.ts'
import { debianCluster } from '../events/debian-cluster.ts'
import { MASTER_KEY } from './master-keys.ts'

const root = join(import.meta.dirname, '../../../..')

test('a database is restored to the moment before a mishap, and Florin goes on from there', async (t) => {
  await needsDebian('pgbackrest', 'postgresql-15')
  const cluster = await debianCluster(t, ['archive_mode=on', 'fsync=on', 'full_page_writes=on'])
  const config = join(cluster.folder, 'pgbackrest.conf')
  const text = await readFile(join(root, 'deploy/postgres/pgbackrest.conf'), 'utf8')
  const places = `repo1-path=${cluster.folder}/repository\nlog-path=${cluster.folder}\nlock-path=${cluster.folder}\nspool-path=${cluster.folder}`
  const own = text
    .replace('repo1-path=/var/lib/pgbackrest', places)
    .replace('pg1-path=/var/lib/postgresql/15/main', `pg1-path=${cluster.data}\npg1-socket-path=${cluster.folder}`)
    .replace('pg1-port=5432', `pg1-port=${cluster.port}\npg1-user=postgres`)
  await writeFile(config, own, { mode: 0o644 })
  const pgbackrest = (...args: string[]) => cluster.run('pgbackrest', `--config=${config}`, '--stanza=florin', ...args)

  const admin = openPool({ url: cluster.url, max: 1, applicationName: 'backups', limits: withoutLimits })
  await admin.unsafe(
    `alter system set archive_command = 'pgbackrest --config=${config} --stanza=florin archive-push %p'`,
  )
  await admin`select pg_reload_conf()`
  await admin.unsafe('create database florin')
  const databaseUrl = cluster.url.replace(/\/postgres$/, '/florin')
  const inbox = await startInbox()
  const receiver = await startReceiver()
  const settings = { DATABASE_URL: databaseUrl, MASTER_KEY, SMTP_URL: inbox.smtpUrl }
  const before = await startFlorin(settings)
  t.after(() => Promise.all([inbox.close(), receiver.close(), before.close()]))
  const shop = await signUp(before.url, inbox, 'backups@shop.example')

  await pgbackrest('stanza-create')
  await pgbackrest('check')
  const early = await orders(before.url, shop, receiver.url, 5)
  await pgbackrest('backup', '--type=full')
  // A drill is recorded in its repository, which goes on working.
  const stanza = join(cluster.folder, 'repository/backup/florin')
  const label = (await readdir(stanza)).find((name) => /^\d{8}-\d{6}F$/.test(name)) ?? ''
  assert.equal(await newestBackup(cluster.folder, 'ins_any'), null)
  await recordForeignDrill(join(stanza, label), { orders: '5', installation: null })
  assert.notEqual(await newestBackup(cluster.folder, 'ins_any'), null)
  await pgbackrest('backup', '--type=diff')
  await pgbackrest('check')
  await pgbackrest('expire')
  assert.notEqual(await newestBackup(cluster.folder, 'ins_any'), null)
  const late = await orders(before.url, shop, receiver.url, 5)
  const [now] = await admin<{ at: string }[]>`select clock_timestamp()::text as at`
  assert.ok(now)
  await wait(1_100)
  const lost = await orders(before.url, shop, receiver.url, 5)
  const florin = openPool({ url: databaseUrl, max: 1, applicationName: 'mishap', limits: withoutLimits })
  await florin.unsafe('truncate orders cascade')
  await florin.end({ timeout: 1 })
  await admin`select pg_switch_wal()`
  await before.stop()
  await admin.end({ timeout: 1 })

  await cluster.stop()
  const began = performance.now()
  await pgbackrest('--delta', '--type=time', `--target=${now.at}`, '--target-action=promote', 'restore')
  await cluster.start()
  const restored = openPool({ url: databaseUrl, max: 1, applicationName: 'backups', limits: withoutLimits })
  await until(async () => {
    const [state] = await restored<{ is: boolean }[]>`select pg_is_in_recovery() as is`
    return state?.is === false
  }, 'the end of the recovery')
  t.diagnostic(`restored in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const rows = await restored<{ no: string }[]>`select order_no as no from orders order by order_no`
  assert.deepEqual(
    rows.map(({ no }) => no),
    [...early, ...late].sort(),
  )
  assert.ok(lost.every((no) => !rows.some((row) => row.no === no)))
  await restored.end({ timeout: 1 })

  const after = await startFlorin(settings)
  t.after(() => after.close())
  const [next] = await orders(after.url, shop, receiver.url, 1)
  await until(() => receiver.received.some((one) => one.event.order.order_no === next), 'a webhook after it')
})

/** Orders that are paid, each with its webhook on the way. */
async function orders(url: string, shop: Merchant, webhookUrl: string, n: number): Promise<string[]> {
  const made: string[] = []
  for (let i = 0; i < n; i++) {
    const body = { amount_usd: 5, pay_chain: 'base', webhook_url: `${webhookUrl}/` }
    const order = await call<{ order_no: string }>(`${url}/v1/orders`, 'POST', { headers: shop.key, body })
    assert.equal(order.status, 201, order.text)
    const act = { headers: shop.key, body: { action: 'pay' } }
    const paid = await call(`${url}/v1/test/orders/${order.body.order_no}/simulate`, 'POST', act)
    assert.equal(paid.status, 200, paid.text)
    made.push(order.body.order_no)
  }
  return made
}
