// Promises of deploy/postgres/roles.sql: the owner's role migrates an empty database, an API process works as a role that changes
// no schema and empties no table, and whoever only reads sees nothing that signs in, signs or opens a page. The owner's role restores
// a backup; where a superuser did, the file run again gives the tables to the owner.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { migrate } from '@florin/platform/db/migrate'
import { makePartitions } from '@florin/platform/db/partitions'
import { openPool, type Sql, withoutLimits } from '@florin/platform/db/pool'
import { DAY_MS } from '@florin/protocol'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { backUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import { openDeps } from '../../src/deps.ts'
import { packageMigrations } from '../../src/migrations.ts'
import { partitionedTables } from '../../src/partitions.ts'
import { testCluster } from '../cluster.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../factories.ts'
import { testApp, testConfig } from '../harness.ts'

const PASSWORD = 'of-the-test'
const names = ['florin_owner', 'florin_app', 'florin_read']

/** A database of its own with the roles under names of their own, since roles are of the whole cluster. */
async function place(t: TestContext) {
  const cluster = await testCluster()
  const suffix = `_${randomBytes(4).toString('hex')}`
  const database = `roles${suffix}`
  const root = openPool({ url: cluster, max: 1, applicationName: 'roles', limits: withoutLimits })
  await root.unsafe(`create database ${database}`)
  const urlOf = (user: string | null): string => {
    const url = new URL(cluster)
    url.pathname = `/${database}`
    if (user !== null) [url.username, url.password] = [user, PASSWORD]
    return url.href
  }
  const admin = openPool({ url: urlOf(null), max: 1, applicationName: 'roles', limits: withoutLimits })
  const text = await readFile(join(import.meta.dirname, '../../../../deploy/postgres/roles.sql'), 'utf8')
  const own = names.reduce((sql, name) => sql.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}${suffix}`), text)
  t.after(async () => {
    await admin.end({ timeout: 1 })
    await root.unsafe(`drop database ${database} with (force)`)
    for (const name of names) await root.unsafe(`drop role if exists ${name}${suffix}`)
    await root.end({ timeout: 1 })
  })
  return {
    async grant(): Promise<void> {
      await admin.unsafe(own)
      for (const name of names) await admin.unsafe(`alter role ${name}${suffix} password '${PASSWORD}'`)
    },
    url: (name: string | null): string => urlOf(name === null ? null : `${name}${suffix}`),
    async as<T>(name: string, run: (sql: Sql) => Promise<T>): Promise<T> {
      const sql = openPool({ url: urlOf(`${name}${suffix}`), max: 2, applicationName: 'roles', limits: withoutLimits })
      try {
        return await run(sql)
      } finally {
        await sql.end({ timeout: 1 })
      }
    },
  }
}

const FORBIDDEN = /permission denied|must be owner/

test('the owner migrates, an API process works without changing a schema, a reader sees no secret', async (t) => {
  const at = await place(t)
  await at.grant()
  const open = (databaseUrl: string, mode: 'api' | 'all') =>
    openDeps({ config: testConfig({ mode }), log: pino({ level: 'silent' }), databaseUrl })
  await assert.rejects(open(at.url('florin_app'), 'api'), /lacks \d+ of this release's migrations.*Run MODE=migrate/)
  await at.as('florin_owner', async (sql) => {
    await migrate(sql, packageMigrations)
    await makePartitions(sql, partitionedTables, new Date())
  })
  await at.grant()

  const opened = await open(at.url('florin_app'), 'api')
  const app = await buildApp(opened.deps)
  try {
    const merchant = await aMerchant(opened.deps)
    const key = await anApiKey(opened.deps, merchant)
    await aReceivingAddress(opened.deps, merchant)
    const payload = { amount_usd: 5, pay_chain: 'base' }
    const made = await app.inject({ method: 'POST', url: '/v1/orders', headers: key.headers, payload })
    assert.equal(made.statusCode, 201, made.body)
    const url = `/v1/test/orders/${made.json().order_no}/simulate`
    const paid = await app.inject({ method: 'POST', url, headers: key.headers, payload: { action: 'pay' } })
    assert.equal(paid.statusCode, 200, paid.body)
    assert.equal((await app.inject('/readyz')).statusCode, 200)
  } finally {
    await app.close()
    await opened.close()
  }
  for (const statement of [
    'create table mine (n int)',
    'drop table orders',
    'truncate orders cascade',
    'alter table orders add column mine int',
    'create index mine on orders (updated_at)',
  ])
    await at.as('florin_app', (sql) => assert.rejects(sql.unsafe(statement), FORBIDDEN, statement))

  await at.as('florin_read', async (sql) => {
    assert.equal((await sql.unsafe('select order_no, status, amount_usd_micros from orders')).length, 1)
    for (const statement of [
      'select checkout_token from orders',
      'select * from sessions',
      'select * from api_key_hashes',
      'select box from webhook_secrets',
      'select body from order_events',
      'select * from recovery_seed',
      'delete from orders',
      "update merchants set email = 'thief@shop.example'",
    ])
      await assert.rejects(sql.unsafe(statement), /permission denied/, statement)
  })
})

test('restore: as the owner’s role, or as a superuser with roles.sql after it → each role works', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-roles-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, 'florin.backup')
  const shop = await testApp(t)
  const merchant = await aMerchant(shop.deps)
  await aReceivingAddress(shop.deps, merchant)
  await backUp(shop.databaseUrl, path)

  const own = await place(t)
  await own.grant()
  await assert.rejects(
    restore(own.url('florin_app'), path, { replaces: true }),
    /PostgreSQL refuses it to the role of this URL: permission denied.*florin_owner/,
  )
  await restore(own.url('florin_owner'), path, { replaces: true })
  await worksWithRoles(own)
  assert.equal((await backUp(own.url('florin_app'), join(dir, 'again'))).totals.orders, '0')

  const foreign = await place(t)
  await foreign.grant()
  await restore(foreign.url(null), path, { replaces: true })
  await assert.rejects(
    foreign.as('florin_owner', (sql) => migrate(sql, packageMigrations)),
    /refuses it to the role.*run that file again as a superuser/,
  )
  await foreign.grant()
  await worksWithRoles(foreign)
})

async function worksWithRoles(at: Awaited<ReturnType<typeof place>>): Promise<void> {
  await at.as('florin_owner', async (sql) => {
    assert.deepEqual(await migrate(sql, packageMigrations), [])
    await makePartitions(sql, partitionedTables, new Date(Date.now() + 40 * DAY_MS))
    const others = await sql`
      select relname from pg_class where relnamespace = 'florin'::regnamespace and relowner <> current_user::regrole`
    assert.deepEqual(others, [])
    const functions = await sql`
      select proname from pg_proc where pronamespace = 'florin'::regnamespace and proowner <> current_user::regrole`
    assert.deepEqual(functions, [])
  })
  await at.as('florin_app', async (sql) => {
    assert.equal((await sql`update merchants set name = 'Shop' returning id`).length, 1)
    await sql`select nextval('deliveries_no_seq')`
  })
}
