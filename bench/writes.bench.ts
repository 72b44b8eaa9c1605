// The cost of one order in the database, from its creation to two delivered webhooks: statements by text, transactions, row locks, bytes
// of WAL and on disk, and how many updates were HOT. BENCH_LIST=1 prints every statement.
import type { Sql } from '../packages/platform/src/db/pool.ts'
import { railsOf } from '../packages/rail-kit/src/sandbox/rail.ts'
import { buildApp } from '../packages/server/src/app.ts'
import type { Deps } from '../packages/server/src/deps.ts'
import { foldChanges } from '../packages/server/src/reports/stats/sums/store.ts'
import { makeSequencer } from '../packages/server/src/webhooks/feed/sequencer.ts'
import { deliveryWorker } from '../packages/server/src/webhooks/queue/deliver.ts'
import { tuning } from '../packages/server/src/webhooks/queue/tuning.ts'
import { aMerchant, anApiKey, aReceivingAddress } from '../packages/server/test/factories.ts'
import { through } from '../packages/server/test/kills/through.ts'
import { startReceiver } from '../packages/server/test/receiver.ts'
import { orSmoke } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const ORDERS = orSmoke(Number(process.env.BENCH_ORDERS ?? 200), 3)

const { deps: plain, drop } = await benchDatabase()
const statements = new Map<string, number>()
let [transactions, locks, isCounting] = [0, 0, false]
const counted = through(plain.sql, async ({ text }, run) => {
  const rows = await run()
  if (isCounting) {
    const said = text.replace(/\s+/g, ' ').trim()
    statements.set(said, (statements.get(said) ?? 0) + 1)
    if (/for (no key )?update/.test(said) && said.startsWith('select')) locks += rows.length
  }
  return rows
})
const begin = counted.begin.bind(counted)
const sql: Sql = Object.assign(counted, {
  begin: (...args: Parameters<Sql['begin']>) => {
    if (isCounting) transactions++
    return begin(...args)
  },
}) as Sql
const deps: Deps = { ...plain, sql, lists: sql, rails: railsOf(sql) }
const receiver = await startReceiver()
const app = await buildApp(deps)
const worker = deliveryWorker(deps, tuning)
const sequencer = makeSequencer(deps)
const merchant = await aMerchant(deps)
const key = await anApiKey(deps, merchant)
await aReceivingAddress(deps, merchant)

async function call(method: 'GET' | 'POST', url: string, payload?: object, more: Record<string, string> = {}) {
  const answer = await app.inject({ method, url, headers: { ...key.headers, ...more }, ...(payload && { payload }) })
  if (answer.statusCode >= 300) throw new Error(answer.body)
  return answer.json() as { order_no: string }
}

const signal = new AbortController().signal
async function anOrder(n: number): Promise<void> {
  const asked = {
    amount_usd: 49.9,
    pay_chain: 'base',
    webhook_url: receiver.url,
    title: 'Blue shirt',
    external_id: `order-${n}`,
  }
  const { order_no: no } = await call('POST', '/v1/orders', asked, { 'idempotency-key': `bench ${n}` })
  await call('GET', `/v1/orders/${no}`)
  for (const action of ['pay', 'settle']) await call('POST', `/v1/test/orders/${no}/simulate`, { action })
  const wanted = receiver.requests.length + 2
  while (receiver.requests.length < wanted) await worker.run(signal)
  await sequencer.step()
  await foldChanges(sql, 5_000)
}

const sizeOf = async (): Promise<Map<string, number>> => {
  const rows = await plain.sql<{ name: string; bytes: number }[]>`
    select regexp_replace(relname, '_\\d{8}', '') as name, sum(pg_total_relation_size(oid))::float8 as bytes
    from pg_class where relkind = 'r' and relnamespace = 'florin'::regnamespace group by 1`
  return new Map(rows.map((row) => [row.name, row.bytes]))
}
const walAt = async (): Promise<number> =>
  (await plain.sql<{ at: number }[]>`select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as at`)[0]?.at ?? 0
const isDelivered = async (): Promise<boolean> =>
  ((await plain.sql<{ n: number }[]>`select count(*)::int as n from delivery_queue`)[0]?.n ?? 0) === 0

try {
  for (let n = 0; n < 5; n++) await anOrder(-n - 1)
  await plain.sql`checkpoint`
  const [sizes, wal] = [await sizeOf(), await walAt()]
  await plain.sql`select pg_stat_reset()`
  isCounting = true
  for (let n = 0; n < ORDERS; n++) await anOrder(n)
  // The last results are written a moment after they came.
  while (!(await isDelivered())) await worker.run(signal)
  isCounting = false
  const walBytes = ((await walAt()) - wal) / ORDERS
  const total = [...statements.values()].reduce((sum, n) => sum + n, 0) / ORDERS
  const listed = [...statements].sort((a, b) => b[1] - a[1])
  if (process.env.BENCH_LIST === '1')
    for (const [text, n] of listed) console.log(`${(n / ORDERS).toFixed(2).padStart(7)}  ${text.slice(0, 180)}`)
  console.log(`\nan order of ${ORDERS}, from its creation to two delivered webhooks`)
  console.log(`  statements    ${total.toFixed(1)}`)
  console.log(`  transactions  ${transactions / ORDERS} of several statements`)
  console.log(`  row locks     ${(locks / ORDERS).toFixed(1)} by select … for update`)
  console.log(`  WAL           ${(walBytes / 1_024).toFixed(1)} KB`)
  const after = await sizeOf()
  const grown = [...after].map(([name, bytes]) => ({ name, bytes: (bytes - (sizes.get(name) ?? 0)) / ORDERS }))
  const all = grown.reduce((sum, each) => sum + each.bytes, 0)
  console.log(`  on disk       ${(all / 1_024).toFixed(1)} KB, before any vacuum`)
  const updates = await plain.sql<{ name: string; inserts: number; updates: number; hot: number; deletes: number }[]>`
    select regexp_replace(relname, '_\\d{8}', '') as name, sum(n_tup_ins)::float8 as inserts,
      sum(n_tup_upd)::float8 as updates, sum(n_tup_hot_upd)::float8 as hot, sum(n_tup_del)::float8 as deletes
    from pg_stat_user_tables group by 1 having sum(n_tup_ins + n_tup_upd + n_tup_del) > 0`
  console.log('\n| table | inserts | updates | of them HOT | deletes | bytes |\n|---|---|---|---|---|---|')
  for (const row of updates.toSorted((a, b) => b.updates + b.inserts - a.updates - a.inserts)) {
    const each = (n: number): string => (n / ORDERS).toFixed(2)
    const bytes = grown.find(({ name }) => name === row.name)?.bytes.toFixed(0) ?? ''
    console.log(
      `| ${row.name} | ${each(row.inserts)} | ${each(row.updates)} | ${each(row.hot)} | ${each(row.deletes)} | ${bytes} |`,
    )
  }
} finally {
  await worker.end?.()
  await app.close()
  await receiver.close()
  await drop()
}
