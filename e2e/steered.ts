// A database whose time a test moves, for the whole program: its processes take their time from the database, and adopt a
// jump when they start, else within a minute.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openPool, withoutLimits } from '../packages/platform/src/db/pool.ts'
import { testCluster } from '../packages/server/test/cluster.ts'

export interface SteeredDatabase {
  url: string
  /** The time of whoever starts now. */
  now(): Date
  advance(ms: number): Promise<void>
}

export async function steeredDatabase(t: TestContext): Promise<SteeredDatabase> {
  const cluster = await testCluster()
  const name = `steered_${randomBytes(6).toString('hex')}`
  const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  const admin = openPool({ url: cluster, max: 1, applicationName: 'steered', limits: withoutLimits })
  await admin.unsafe(`create database ${name}`)
  const sql = openPool({ url, max: 1, applicationName: 'steered', limits: withoutLimits })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  })
  // Before PostgreSQL's own in the search path: whoever asks for the time by its plain name gets this one.
  await sql.unsafe(`
    create schema steering;
    create table steering.ahead (ms bigint not null);
    insert into steering.ahead values (0);
    create function steering.clock_timestamp() returns timestamptz language sql volatile as
      $$ select pg_catalog.clock_timestamp() + ms * interval '1 millisecond' from steering.ahead $$;
    alter database ${name} set search_path = florin, steering, pg_catalog`)
  let ahead = 0
  return {
    url,
    now: () => new Date(Date.now() + ahead),
    async advance(ms) {
      ahead += ms
      await sql`update steering.ahead set ms = ${ahead}`
    },
  }
}
