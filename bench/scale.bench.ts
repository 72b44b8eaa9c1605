// What lists, searches, statistics and exports cost with two million orders, a quarter of them one merchant's, beside reading one
// order by its number. `--orders` says how many. Each line: time of the whole request, and the pages that its statements
// looked at, the largest of the values asked for, by default a page of twenty; beside it those for a hundred, which are no goal. `--times` is
// how often each is asked, and after each an order by its number, which is what its time is compared with; `--times 0` counts pages alone.
// A route that misses is measured once more, since anything else that the machine runs for a moment may be in five answers of five
// hundred. It has missed where both did.
//
// Filling takes minutes. `--database postgres://…/bench_scale` fills a database of that name in a PostgreSQL of your own (as superuser),
// leaves it there, and finds it again: `node bench/scale.bench.ts --database URL` measures it at once. `--debian` starts Debian's
// PostgreSQL 15, the oldest that is promised, and ends it again; its pages count, its times do not, since it writes nothing to the disk
// at once. `--only WORDS` asks for the routes whose name has them, and leaves out the export.
//
// What is timed is an API process of its own, started with the options of the image and the connections of the service, and asked
// over HTTP by another. In the benchmark's own process the 99th percentile was that of collecting what filling and judging had left.
import { parseArgs } from 'node:util'
import type { App } from '../packages/platform/src/http/server.ts'
import { buildApp } from '../packages/server/src/app.ts'
import { debianCluster } from '../packages/server/test/events/debian-cluster.ts'
import { explained } from '../packages/server/test/plans.ts'
import { everyRoute, sampleOf } from '../packages/server/test/scale/routes.ts'
import type { Request } from './scale/asker.ts'
import { EXPORT_GOAL_MB, exportOf } from './scale/export.ts'
import { filled } from './scale/filled.ts'
import { ApiProcess } from './scale/process.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string' },
    times: { type: 'string' },
    database: { type: 'string' },
    debian: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const ORDERS = Number(options.orders ?? orSmoke(2_000_000, 2_000))
const TIMES = Number(options.times ?? orSmoke(500, 1))
// A connection prepares a statement at its first use and settles for a plan at its sixth, statistics use four connections at a time, and
// V8 compiles what is used often: of the first hundreds of answers some take ten times as long as all later ones.
const WARM_UP = orSmoke(200, 1)
const PAGES_GOAL = 200
const DAY_MS = 86_400_000

const stops: (() => Promise<void>)[] = []
const debian = options.debian ? await debianCluster({ after: (end) => void stops.push(end) }) : null
const own = debian === null ? options.database : Object.assign(new URL(debian.url), { pathname: '/bench_scale' }).href
const database = await benchDatabase(own)
const { deps } = database
const { sql } = deps
const ends: (() => unknown)[] = []
const say = (text: string): void => void process.stdout.write(`${text}\n`)

interface Times {
  p50: number
  p99: number
}

interface Line extends Times {
  name: string
  /** One order by its number, read after each of these: whatever the machine does falls on both. */
  byKey: Times
  pages: number
  /** Of a list, when a hundred are asked for. */
  ofHundred: number | null
  isMeasuredAgain: boolean
}

const isFine = (line: Line): boolean => line.p99 <= 10 * line.byKey.p50 && line.pages <= PAGES_GOAL

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

type AskedFor = (n: number) => Request

/** @param askedFor the n-th request. */
async function measured(
  a: { api: ApiProcess; seen: App; taken: () => { buffers: number }[]; byKey: AskedFor },
  name: string,
  askedFor: AskedFor,
): Promise<Line> {
  let pages = 0
  // Once a minute a session or key says that it is used: that is before those that count.
  await a.seen.inject(askedFor(0))
  for (let n = 0; n < orSmoke(3, 1); n++) {
    a.taken()
    await a.seen.inject(askedFor(n))
    const all = a.taken().reduce((sum, plan) => sum + plan.buffers, 0)
    pages = Math.max(pages, all)
  }
  const ms =
    TIMES === 0
      ? []
      : await a.api.timed(times(WARM_UP, askedFor)).then(() => a.api.timed(times(TIMES, askedFor, a.byKey)))
  const ofEach = (which: number): Times => timesOf(ms.filter((_, n) => n % 2 === which))
  return { name, ...ofEach(0), byKey: ofEach(1), pages, ofHundred: null, isMeasuredAgain: false }
}

/** The first of each, the second of each, and so on. */
const times = (count: number, ...each: AskedFor[]): Request[] =>
  Array.from({ length: count }, (_, n) => each.map((askedFor) => askedFor(n))).flat()

function timesOf(ms: number[]): Times {
  ms.sort((x, y) => x - y)
  return { p50: at(ms, 0.5), p99: at(ms, 0.99) }
}

async function exported(headers: Record<string, string>, now: Date): Promise<boolean> {
  const sent = await exportOf(database.url, {
    headers,
    warmUp: `&created_from=${new Date(now.getTime() - DAY_MS).toISOString()}`,
    told: (rows) => say(`  ${rows.toLocaleString('en')} rows exported`),
  })
  const more = sent.mostMb - sent.idleMb
  say(
    `export of ${sent.rows.toLocaleString('en')} rows: ${sent.seconds.toFixed(0)} s, ${sent.idleMb.toFixed(0)} MB before and at most ${more.toFixed(0)} MB more  ${more <= EXPORT_GOAL_MB ? '' : 'MISSED'}`,
  )
  return more <= EXPORT_GOAL_MB
}

try {
  const { merchant, key, now, orders, said } = await filled(database, ORDERS)
  const [server] = await sql<{ version: string }[]>`select current_setting('server_version') as version`
  say(`PostgreSQL ${server?.version}: ${said}`)
  for (const row of await sql<{ name: string; kind: string; each: number }[]>`
    select c.relname as name, c.relkind::text as kind, round(pg_relation_size(c.oid) / ${orders}::float8)::int as each from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) = any(array['orders', 'pay_legs', 'payments', 'settlements', 'order_lookup', 'order_sums', 'deliveries']::regclass[])
    order by coalesce(i.indrelid, c.oid), c.relkind desc, 3 desc`)
    say(`${row.kind === 'r' ? '' : '  '}${row.name.padEnd(44)} ${String(row.each).padStart(6)} bytes an order`)

  const one = await explained({ after: (end) => void ends.push(end as () => unknown) }, database.url)
  const api = await ApiProcess.start(database.url)
  ends.push(() => api.end())
  const seen = await buildApp({ ...deps, sql: one.sql, lists: one.sql })
  ends.push(() => seen.close())
  const numbers = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where merchant_id = ${merchant.id} and status = 'success' order by random() limit 500`
  const sample = await sampleOf(sql, merchant.id)
  const byKey: AskedFor = (n) => ({
    url: `/api/v1/boss/orders/${numbers[n % numbers.length]?.orderNo}`,
    headers: merchant.headers,
  })
  const parts = { api, seen, taken: one.taken, byKey }
  const lines = [await measured(parts, 'an order by its number', byKey)]
  for (const { name, url, by } of everyRoute(sample, now)) {
    if (options.only !== undefined && !name.includes(options.only)) continue
    const headers = by === 'key' ? { ...key.headers } : merchant.headers
    let line = await measured(parts, name, () => ({ url, headers }))
    if (!isFine(line)) {
      lines.push({ ...line, isMeasuredAgain: true })
      line = await measured(parts, name, () => ({ url, headers }))
    }
    if (!/stats|limit=/.test(url)) {
      const hundred = { url: `${url}${url.includes('?') ? '&' : '?'}limit=100`, headers }
      await seen.inject(hundred)
      one.taken()
      const reply = await seen.inject(hundred)
      if (reply.statusCode === 200) line.ofHundred = one.taken().reduce((sum, plan) => sum + plan.buffers, 0)
      one.taken()
    }
    lines.push(line)
  }
  say(`${''.padEnd(44)} ms:  p50    p99   by key:  p50    p99      pages     of 100`)
  const ms = (value: number): string => value.toFixed(1).padStart(7)
  for (const line of lines)
    say(
      `${line.name.padEnd(44)} ${ms(line.p50)}${ms(line.p99)}        ${ms(line.byKey.p50)}${ms(line.byKey.p99)} ${String(line.pages).padStart(10)} ${String(line.ofHundred ?? '').padStart(10)}  ${isFine(line) ? '' : line.isMeasuredAgain ? 'measured again' : 'MISSED'}`,
    )
  const isExportFine = options.only === undefined ? await exported(merchant.headers, now) : true
  process.exitCode = verdict([...lines.filter((line) => !line.isMeasuredAgain).map(isFine), isExportFine])
} finally {
  for (const end of ends.reverse()) await end()
  await database.drop()
  for (const stop of stops) await stop()
}
