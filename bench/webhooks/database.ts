// Databases for the webhook benchmarks: migrated, with shops and any number of deliveries waiting, made in bulk.

import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { databaseClock } from '../../packages/platform/src/clock.ts'
import { migrate } from '../../packages/platform/src/db/migrate.ts'
import { makePartitions } from '../../packages/platform/src/db/partitions.ts'
import { defaultLimits, openPool, type Sql, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { withTx } from '../../packages/platform/src/db/tx.ts'
import { makeSecrets } from '../../packages/platform/src/secrets.ts'
import { railsOf } from '../../packages/rail-kit/src/sandbox/rail.ts'
import { noHistory } from '../../packages/server/src/addresses/accounts/rules.ts'
import type { Deps } from '../../packages/server/src/deps.ts'
import { orderEffects } from '../../packages/server/src/effects.ts'
import { packageMigrations } from '../../packages/server/src/migrations.ts'
import { noTips } from '../../packages/server/src/orders/view.ts'
import { partitionedTables } from '../../packages/server/src/partitions.ts'
import { makeWakes } from '../../packages/server/src/wakes.ts'
import { placeNext } from '../../packages/server/src/webhooks/feed/sequencer.store.ts'
import { laneOf } from '../../packages/server/src/webhooks/rules.ts'
import { MASTER_KEY } from '../../packages/server/test/deploy/master-keys.ts'
import { aMerchant, anApiKey, type TestApiKey } from '../../packages/server/test/factories.ts'
import { mailbox, testConfig } from '../../packages/server/test/harness.ts'
import { body } from './body.ts'

export interface BenchDatabase {
  deps: Deps
  url: string
  /** Closes it; unless it was asked for by its URL, it is gone then. */
  drop(): Promise<void>
}

/** @param kept the URL of one that is made where there is none, and stays. Without it: one of its own, until `drop`. */
export async function benchDatabase(kept?: string): Promise<BenchDatabase> {
  const cluster =
    kept === undefined ? process.env.FLORIN_TEST_PG : Object.assign(new URL(kept), { pathname: '/postgres' }).href
  if (!cluster) throw new Error('run through `npm run bench`, which starts a PostgreSQL')
  const name = kept === undefined ? `bench_${randomBytes(4).toString('hex')}` : new URL(kept).pathname.slice(1)
  if (!/^\w+$/.test(name)) throw new Error(`no database can be named ${name}`)
  // A database of millions takes longer to remove than a statement of the service may.
  const admin = openPool({ url: cluster, max: 1, applicationName: 'bench admin', limits: withoutLimits })
  const [found] = await admin`select from pg_database where datname = ${name}`
  if (found === undefined) await admin.unsafe(`create database ${name}`)
  const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
  // The same limits as in production, but for time: filling millions of rows is one statement.
  const limits = { ...defaultLimits, statementMs: 10 * 60_000 }
  const sql = openPool({ url, max: 12, applicationName: 'bench', limits })
  await migrate(sql, packageMigrations)
  const clock = await databaseClock(sql)
  await makePartitions(sql, partitionedTables, clock.now())
  const config = testConfig({ webhookAllowPrivate: true })
  const deps: Deps = {
    ...{ config, sql, clock, log: pino({ level: 'warn' }), secrets: makeSecrets(MASTER_KEY), mailer: mailbox() },
    logoOf: async () => null,
    lists: sql,
    databaseTrouble: async () => null,
    rails: railsOf(sql),
    railJobs: [],
    tips: noTips,
    accountNetworks: {},
    accountHistory: noHistory,
    wake: makeWakes(),
    effects: orderEffects,
  }
  return {
    deps,
    url,
    async drop() {
      await sql.end({ timeout: 5 })
      if (kept === undefined) await admin.unsafe(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

export async function shops(deps: Deps, count: number): Promise<TestApiKey[]> {
  const made: TestApiKey[] = []
  for (let i = 0; i < count; i++) made.push(await anApiKey(deps, await aMerchant(deps)))
  return made
}

/** Connections to one receiver of the senders that Florin is compared with. */
export const CONNECTIONS = 64

/**
 * `each` deliveries for every shop, all due now: event, delivery and queue row, as orders/advance would have written
 * them one by one.
 */
export async function fill(
  sql: Sql,
  shop: TestApiKey,
  each: number,
  urls: readonly string[],
  runAt: Date,
): Promise<void> {
  const lanes = urls.map((url) => String(laneOf(shop.merchantNo, url)))
  await sql`
    with numbers as (
      select g, '7' || lpad(${shop.merchantNo} || '0' || g::text, 25, '0') as tail, 1 + g % ${urls.length}::int as target
      from generate_series(1, ${each}::int) g
    ), events as (
      insert into order_events (id, order_no, merchant_id, api_key_id, livemode, event, status, status_detail, version,
                                body, created_at)
      select 'evt_' || tail, 'ord_' || tail, ${shop.merchantId}, ${shop.id}, false, 'order.success', 'success', 'paid', 3,
             ${Buffer.from(body)}, ${runAt}
      from numbers
    ), made as (
      insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url,
                              created_at)
      select 'dlv_' || tail, 'evt_' || tail, ${runAt}, 'order.success', 'ord_' || tail, ${shop.merchantNo}, ${shop.id},
             false, (${urls as string[]}::text[])[target], ${runAt}
      from numbers order by g returning no, id, url
    )
    insert into delivery_queue (delivery_no, delivery_id, class, tenant, lane, state, run_at)
    select no, id, 0, ${shop.merchantNo}, (${lanes}::bigint[])[array_position(${urls as string[]}::text[], url)], 1, ${runAt}
    from made`
}

/** Gives all events their positions: that is an event's cost, milliseconds after its commit, and no delivery waits for it. */
export async function placeAll(sql: Sql): Promise<void> {
  while ((await withTx(sql, (tx) => placeNext(tx, 5_000))) > 0);
}

export const succeeded = async (sql: Sql): Promise<number> =>
  (await sql<{ n: number }[]>`select count(*)::int as n from deliveries where status = 'succeeded'`)[0]?.n ?? 0

/** All that is needed to send a delivery: what a queue would hold of it. */
export interface WaitingDelivery {
  id: string
  url: string
  event: string
  apiKeyId: string
  body: string
}

/** All deliveries in a mixed order, as they would come from many shops. */
export async function* waitingDeliveries(sql: Sql): AsyncGenerator<WaitingDelivery[]> {
  for (let after = ''; ; ) {
    const rows = await sql<(WaitingDelivery & { mixed: string })[]>`
      select d.id, d.url, d.event, d.api_key_id as "apiKeyId", ${body}::text as body, md5(d.id) as mixed from deliveries d
      where md5(d.id) > ${after} order by md5(d.id) limit 2000`
    after = rows.at(-1)?.mixed ?? ''
    if (rows.length === 0) return
    yield rows
  }
}
