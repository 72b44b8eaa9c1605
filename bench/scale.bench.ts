// What lists, searches, statistics and exports cost with two million orders, a quarter of them one merchant's, beside reading one
// order by its number. BENCH_ORDERS says how many. Each line: time of the whole request, and the pages that its statements
// looked at, the largest of the values asked for.
import { buildApp } from '../packages/server/src/app.ts'
import type { App } from '../packages/server/src/platform/http/server.ts'
import { aMerchant, anApiKey } from '../packages/server/test/factories.ts'
import { explained } from '../packages/server/test/plans.ts'
import { everyFilter, fillOrders } from '../packages/server/test/scale/many-orders.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const ORDERS = Number(process.env.BENCH_ORDERS ?? orSmoke(2_000_000, 2_000))
const TIMES = orSmoke(30, 1)
const BY_KEY = orSmoke(300, 3)
const PAGES_GOAL = 200

const database = await benchDatabase()
const { deps } = database
const { sql, clock } = deps
const ends: (() => unknown)[] = []
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const took = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const began = performance.now()
  const result = await work()
  return [result, performance.now() - began]
}

interface Line {
  name: string
  p50: number
  p99: number
  pages: number
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** @param urlOf a URL of the console for the n-th request. */
async function measured(
  a: { fast: App; seen: App; taken: () => { buffers: number }[]; headers: Record<string, string> },
  name: string,
  urlOf: (n: number) => string,
  times: number,
): Promise<Line> {
  const ms: number[] = []
  let pages = 0
  for (let n = 0; n < times; n++) {
    const [reply, spent] = await took(() => a.fast.inject({ url: urlOf(n), headers: a.headers }))
    if (reply.statusCode !== 200) throw new Error(`${urlOf(n)}: ${reply.statusCode} ${reply.payload}`)
    ms.push(spent)
    if (n >= 3) continue
    a.taken()
    await a.seen.inject({ url: urlOf(n), headers: a.headers })
    pages = Math.max(
      pages,
      a.taken().reduce((sum, plan) => sum + plan.buffers, 0),
    )
  }
  ms.sort((x, y) => x - y)
  return { name, p50: at(ms, 0.5), p99: at(ms, 0.99), pages }
}

try {
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant, { mode: 'live' })
  const many = { orders: ORDERS, large: merchant, apiKeyId: key.id, now: clock.now(), others: orSmoke(2_000, 50) }
  const [, fillMs] = await took(() => fillOrders(database.url, many))
  say(
    `${ORDERS.toLocaleString('en')} orders, ${Math.floor(ORDERS / 4).toLocaleString('en')} of one merchant: filled in ${(fillMs / 1000).toFixed(0)} s`,
  )
  for (const row of await sql<{ name: string; kind: string; each: number }[]>`
    select c.relname as name, c.relkind::text as kind, round(pg_relation_size(c.oid) / ${ORDERS}::float8)::int as each from pg_class c
    left join pg_index i on i.indexrelid = c.oid
    where coalesce(i.indrelid, c.oid) = any(array['orders', 'pay_legs', 'payments', 'settlements', 'order_lookup', 'deliveries']::regclass[])
    order by coalesce(i.indrelid, c.oid), c.relkind desc, 3 desc`)
    say(`${row.kind === 'r' ? '' : '  '}${row.name.padEnd(44)} ${String(row.each).padStart(6)} bytes an order`)

  const one = await explained({ after: (end) => void ends.push(end as () => unknown) }, database.url)
  const fast = await buildApp(deps)
  const seen = await buildApp({ ...deps, sql: one.sql, lists: one.sql })
  ends.push(
    () => fast.close(),
    () => seen.close(),
  )
  const numbers = await sql<{ orderNo: string }[]>`
    select order_no as "orderNo" from orders where merchant_id = ${merchant.id} and status = 'success' order by random() limit 500`
  const [sample] = await sql<
    { order_no: string; external_id: string; address: string; txHash: string; settleTxHash: string; createdAt: Date }[]
  >`
    select o.order_no, o.external_id, l.address, p.tx_hash as "txHash", o.settle_tx_hash as "settleTxHash", o.created_at as "createdAt"
    from orders o join pay_legs l using (order_no) join payments p using (order_no)
    where o.order_no = ${numbers[0]?.orderNo ?? ''}`
  if (sample === undefined) throw new Error('no order to ask for')
  const parts = { fast, seen, taken: one.taken, headers: merchant.headers }
  const orders = '/api/v1/boss/orders'
  const byKey = await measured(
    parts,
    'an order by its number',
    (n) => `${orders}/${numbers[n % numbers.length]?.orderNo}`,
    BY_KEY,
  )
  const lines = [byKey]
  for (const [name, query] of Object.entries(everyFilter(sample)))
    lines.push(await measured(parts, name, () => `${orders}?livemode=true&${query}`, TIMES))
  const range = (days: number): string =>
    `livemode=true&from=${new Date(clock.now().getTime() - days * 86_400_000).toISOString()}`
  lines.push(await measured(parts, 'statistics, 90 days', () => `/api/v1/boss/stats/summary?${range(90)}`, TIMES))
  for (const metric of ['volume', 'settled', 'time_to_pay', 'webhook_success'])
    lines.push(
      await measured(
        parts,
        `series of ${metric}, 90 days`,
        () => `/api/v1/boss/stats/series?${range(90)}&metric=${metric}&bucket=day`,
        TIMES,
      ),
    )
  lines.push(await measured({ ...parts, headers: key.headers as never }, 'feed', () => '/v1/events', TIMES))

  say(`${''.padEnd(44)}     p50 ms     p99 ms      pages`)
  const isFine = ({ p99, pages }: Line): boolean => p99 <= 10 * byKey.p50 && pages <= PAGES_GOAL
  for (const line of lines)
    say(
      `${line.name.padEnd(44)} ${line.p50.toFixed(1).padStart(10)} ${line.p99.toFixed(1).padStart(10)} ${String(line.pages).padStart(10)}  ${isFine(line) ? '' : 'MISSED'}`,
    )
  process.exitCode = verdict(lines.map(isFine))
} finally {
  for (const end of ends) await end()
  await database.drop()
}
