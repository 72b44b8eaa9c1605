// Promises: two API processes and two workers run behind nginx and pgbouncer over Debian's PostgreSQL 15, at the highest rate that the
// machine holds. Each kind of process is killed every two minutes, and the table of orders is locked for 30 seconds. Nothing is lost or
// doubled, and memory does not grow. The shipped alerts fire for what lasts, and for nothing else. FLORIN_FLEET_MINUTES sets the length;
// from ten minutes on, a worker and then the database also stay away for longer than their alerts wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openPool, withoutLimits } from '../../packages/platform/src/db/pool.ts'
import { debianCluster } from '../../packages/server/test/events/debian-cluster.ts'
import { lockTable } from '../../packages/server/test/outages/load.ts'
import { startPooler } from '../../packages/server/test/outages/pooler.ts'
import { sized } from '../../scripts/sizes.ts'
import { checkBooks } from './books.ts'
import { startFleet, thisRelease } from './fleet.ts'
import { watchMemory } from './memory.ts'
import { startNginx } from './nginx.ts'
import { type Alert, record } from './recording.ts'

const MINUTES = Number(process.env.FLORIN_FLEET_MINUTES ?? sized({ short: 2, full: 3, soak: 20 }))
const KILL_EVERY_S = 24
/** As the units of deploy/systemd say. */
const RESTART_S = 2
const LOCKED_S = 30
/** FlorinDown waits for two minutes, FlorinDatabaseTrouble for one. */
const WORKER_AWAY_S = 170
const DATABASE_AWAY_S = 100
/** The pooler keeps so many sessions for at most 98 connections of Florin. */
const POOL_SIZE = 24
const PASSWORD = 'of-the-test'
/** As in kills.faults.test.ts. */
const MB_PER_MINUTE = 1

/** Calls that waited for a lock or a start count for as long as the windows of these tickets. */
const allowed = ['FlorinSlow', 'FlorinPoolExhausted']

test(`production: ${MINUTES} minutes of kills, a locked table and outages → nothing lost, the right alerts`, async (t) => {
  const durable = ['fsync=on', 'full_page_writes=on', 'max_connections=100', 'shared_buffers=256MB']
  const cluster = await debianCluster(t, durable)
  const admin = openPool({ url: cluster.url, max: 1, applicationName: 'fleet', limits: withoutLimits })
  await admin.unsafe('create database florin')
  await admin.unsafe(`alter role postgres password '${PASSWORD}'`)
  await admin.end({ timeout: 1 })
  const direct = Object.assign(new URL(cluster.url), { pathname: '/florin', password: PASSWORD }).href
  const pooler = await startPooler(direct, POOL_SIZE)
  const nginx = await startNginx()
  const sql = openPool({ url: direct, max: 3, applicationName: 'fleet', limits: withoutLimits })
  const settings = { MIGRATE_DATABASE_URL: direct, TRUST_PROXY: '127.0.0.1', BASE_URL: nginx.url }
  const fleet = await startFleet({
    ...{ databaseUrl: pooler.through(direct), place: thisRelease, balancer: nginx, settings },
  })
  const { shoppers, members } = fleet
  await fleet.start('api', thisRelease)
  await fleet.start('worker', thisRelease)
  const recording = await record(() => members.map(({ name, florin }) => ({ name, url: florin.url })))
  const memory = watchMemory(() => members.map(({ name, florin }) => ({ what: name, pid: florin.pid })))
  t.after(async () => {
    await Promise.all([memory.stop(), recording.stop()])
    await fleet.close()
    await pooler.stop()
    await sql.end({ timeout: 1 })
  })

  const member = (name: string) => {
    const found = members.find((one) => one.name === name)
    assert.ok(found, name)
    return found.florin
  }
  const outages: Outage[] = []
  const during = async (alert: string, instances: readonly string[], work: () => Promise<void>): Promise<void> => {
    const from = recording.seconds()
    await work()
    outages.push({ alert, instances, from, until: recording.seconds() })
  }
  // As systemd does, beside everything else: a start that ends because the database is away is made again.
  const restarts = new Map<string, Promise<void>>()
  const killed = async (name: string, awayS = 0): Promise<void> => {
    await restarts.get(name)
    await member(name).kill()
    restarts.set(
      name,
      during('FlorinDown', [name], () => restart(name, awayS)),
    )
  }
  const everyoneIsUp = (): Promise<unknown> => Promise.all(restarts.values())
  const restart = async (name: string, awayS: number): Promise<void> => {
    await wait((awayS + RESTART_S) * 1000)
    for (;;) {
      const isUp = await member(name)
        .start()
        .then(
          () => true,
          () => false,
        )
      if (isUp || t.signal.aborted) return
      t.diagnostic(`${name} did not start: ${member(name).output().trimEnd().split('\n').at(-1)}`)
      await member(name).kill()
      await wait(RESTART_S * 1000)
    }
  }
  const killDatabase = (awayS = 0): Promise<void> => {
    const all = members.map(({ name }) => name)
    return during('FlorinDatabaseTrouble', all, async () => {
      await cluster.kill()
      await wait(awayS * 1000)
      await cluster.start()
    })
  }
  // The first process of each role lives to the end, for its memory.
  const kills: [string, () => Promise<void>][] = [
    ['api-2', () => killed('api-2')],
    ['worker-2', () => killed('worker-2')],
    ['nginx', nginx.restart],
    ['pgbouncer', pooler.restart],
    ['postgresql', () => killDatabase()],
  ]
  const locked = async (): Promise<void> => {
    const lock = await lockTable(sql, 'orders')
    await wait(LOCKED_S * 1000)
    await lock.release()
  }
  const lasting: [share: number, string, () => Promise<void>][] = [
    [0.3, 'the table of orders is locked', locked],
    ...(MINUTES >= 10
      ? ([
          [0.5, 'worker-2 is away', () => killed('worker-2', WORKER_AWAY_S)],
          [0.75, 'the database is away', () => everyoneIsUp().then(() => killDatabase(DATABASE_AWAY_S))],
        ] as typeof lasting)
      : []),
  ]

  const began = performance.now()
  const spentS = (): number => (performance.now() - began) / 1000
  for (let turn = 0; spentS() < MINUTES * 60; ) {
    const startS = spentS()
    const isDue = (lasting[0]?.[0] ?? Number.POSITIVE_INFINITY) * MINUTES * 60 <= startS
    const next = isDue ? lasting.shift()?.slice(1) : kills[turn++ % kills.length]
    const [what, act] = next as [string, () => Promise<void>]
    const finished = shoppers.counts.finished
    await act()
    await wait(Math.max(0, KILL_EVERY_S - (spentS() - startS)) * 1000)
    const rate = (shoppers.counts.finished - finished) / (spentS() - startS)
    t.diagnostic(
      `${Math.round(recording.seconds())} s: ${what}, ${rate.toFixed(1)} orders/s, ${JSON.stringify(shoppers.counts)}`,
    )
    assert.deepEqual(shoppers.faults.slice(0, 3), [])
  }
  const rate = shoppers.counts.finished / spentS()
  await everyoneIsUp()
  await shoppers.stop()
  assert.deepEqual(shoppers.faults.slice(0, 3), [])
  await Promise.all([memory.stop(), recording.stop()])
  const growth = memory.growth({ atLeastMs: 60_000, afterMs: 60_000 })
  for (const line of growth) t.diagnostic(`memory: ${JSON.stringify(line)}`)
  const alerts = await recording.alerts()
  for (const alert of alerts) t.diagnostic(`alert: ${JSON.stringify(alert)}`)
  for (const outage of outages) t.diagnostic(`outage: ${JSON.stringify(outage)}`)

  const books = await checkBooks({ ...fleet, sql })
  t.diagnostic(JSON.stringify({ rate, ...books, ...shoppers.counts, slowestMs: shoppers.slowestMs }))

  for (const { what, minutes, mbPerMinute } of growth)
    if (minutes >= 5) assert.ok(mbPerMinute < MB_PER_MINUTE, `${what} grows by ${mbPerMinute} MB a minute`)

  const { missing, wrong } = judgeAlerts(alerts, outages)
  assert.deepEqual(missing, [], 'an alert for each outage that lasted')
  assert.deepEqual(wrong, [], 'no alert without its outage')
})

/** A part that was away, and its alert. */
interface Outage {
  alert: string
  instances: readonly string[]
  from: number
  until: number
}

/** The `for` of each alert. A fault is recorded and judged within the second time. */
const waitsS: Readonly<Record<string, number>> = { FlorinDown: 120, FlorinDatabaseTrouble: 60 }
const RECORDED_S = 30

function judgeAlerts(alerts: readonly Alert[], outages: readonly Outage[]): { missing: string[]; wrong: string[] } {
  const lengthOf = ({ from, until }: Outage): number => until - from
  const isFor = (alert: Alert, outage: Outage): boolean =>
    outage.alert === alert.name &&
    outage.instances.includes(alert.instance) &&
    alert.from >= outage.from &&
    alert.from <= outage.until + RECORDED_S
  const missing = outages
    .filter((outage) => lengthOf(outage) > (waitsS[outage.alert] ?? 0) + RECORDED_S)
    .flatMap((outage) =>
      outage.instances
        .filter((instance) => !alerts.some((alert) => isFor(alert, outage) && alert.instance === instance))
        .map((instance) => `${outage.alert} ${instance} from ${Math.round(outage.from)} s`),
    )
  const wrong = alerts
    .filter(({ name }) => !allowed.includes(name))
    .filter(
      (alert) => !outages.some((one) => isFor(alert, one) && lengthOf(one) > (waitsS[one.alert] ?? 0) - RECORDED_S),
    )
    .map(({ name, instance, from }) => `${name} ${instance} at ${from} s`)
  return { missing, wrong }
}
