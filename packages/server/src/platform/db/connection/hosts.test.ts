// Promises of a DATABASE_URL with several hosts: connections lead to the one that writes, whichever that is and becomes, and one
// that turns into a standby is left.
import assert from 'node:assert/strict'
import { startEphemeral } from '@florin/embedded-postgres'
import { slowTest, quickTest as test } from '../../../../../../scripts/sizes.ts'
import { ownDatabase } from '../../../../test/harness.ts'
import { aWire } from '../../../../test/outages/wire.ts'
import { isConnectionGone } from '../failures.ts'
import { openPool, type Sql } from '../pool.ts'
import { withTx } from '../tx.ts'
import { hostsOf, urlsOf } from './hosts.ts'

test('a URL for each host is read, and what Florin cannot use is refused without showing it', () => {
  assert.deepEqual(
    urlsOf('postgres://ann:pa%2Css@one:5433,two,[::1]:5434/florin?sslmode=require&target_session_attrs=primary'),
    [
      'postgres://ann:pa%2Css@one:5433/florin?sslmode=require',
      'postgres://ann:pa%2Css@two/florin?sslmode=require',
      'postgres://ann:pa%2Css@[::1]:5434/florin?sslmode=require',
    ],
  )
  assert.deepEqual(urlsOf('postgresql://one'), ['postgresql://one'])
  for (const wrong of ['postgres://', 'postgres://a:secret@one,,two/f', 'postgres://a:secret@one:x,two/f'])
    assert.throws(
      () => urlsOf(wrong),
      (error: Error) => /cannot be read/.test(error.message) && !/secret/.test(error.message),
    )
  assert.throws(() => urlsOf('postgres://one,two/f?target_session_attrs=standby'), /standby; Florin writes/)
})

/** The same URL with other hosts. */
function over(urls: readonly string[]): string {
  const [first = '', ...others] = urls.map((url) => new URL(url))
  const hosts = [first as URL, ...others].map((url) => url.host).join(',')
  return (first as URL).href.replace((first as URL).host, hosts)
}

const inBoth = async (sql: Sql): Promise<void> => {
  await sql`select 1 as n`
  await withTx(sql, (tx) => tx`insert into seen values (1)`)
}

test('the host that is cut off is left for the next one, and the way back is found as well', async (t) => {
  const url = await ownDatabase(t)
  const [one, two] = [await aWire(t, url), await aWire(t, url)]
  const both = over([one.url, two.url])
  const sql = openPool({ url: both, max: 3, applicationName: 'hosts' })
  t.after(() => sql.end({ timeout: 1 }))
  await sql`create table seen (n int)`
  for (const [lost, left] of [
    [one, two],
    [two, one],
    [one, two],
  ] as const) {
    left.mend()
    lost.cut()
    // What was under way on the lost one may fail once.
    await sql`select 1`.catch(() => undefined)
    await inBoth(sql)
    assert.equal(hostsOf(both).current(), new URL(left.url).href)
  }
  two.cut()
  await sql`select 1`.catch(() => undefined)
  await assert.rejects(sql`select 1`, isConnectionGone)
})

slowTest('a server that only reads is passed over, also when it turns so under open connections', async (t) => {
  const log = { info: () => undefined, warn: () => undefined }
  const [one, two] = [await startEphemeral({ log }), await startEphemeral({ log })]
  const open: Sql[] = []
  t.after(async () => {
    for (const pool of open) await pool.end({ timeout: 1 })
    await Promise.all([one.stop(), two.stop()])
  })
  const admins = [one, two].map(({ url }) => openPool({ url, max: 1, applicationName: 'admin' })) as [Sql, Sql]
  open.push(...admins)
  const reads = async (admin: Sql, is: boolean): Promise<void> => {
    await admin.unsafe(`alter system set default_transaction_read_only = ${is ? 'on' : 'off'}`)
    await admin`select pg_reload_conf()`
    const state = () => admin<{ is: string }[]>`select current_setting('default_transaction_read_only') as is`
    while ((await state())[0]?.is !== (is ? 'on' : 'off'));
  }
  // The passwords differ, which a pair that replicates does not.
  const password = new URL(one.url).password
  await admins[1].unsafe(`alter user current_user password '${decodeURIComponent(password)}'`)
  for (const admin of admins) await admin`create table seen (n int)`
  await reads(admins[0], true)
  const sql = openPool({ url: over([one.url, two.url]), max: 3, applicationName: 'hosts' })
  open.push(sql)
  await inBoth(sql)
  const rows = async (admin: Sql) => (await admin`select 1 from seen`).length
  assert.deepEqual([await rows(admins[0]), await rows(admins[1])], [0, 1])
  await reads(admins[0], false)
  await reads(admins[1], true)
  await assert.rejects(sql`insert into seen values (2)`, { code: '25006' })
  await inBoth(sql)
  assert.equal(await rows(admins[0]), 1)
})
