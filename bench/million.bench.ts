// A million closed orders of many merchants, filled by COPY, go to the archive: how long that takes, what stays on disk, one put
// back, one payer erased. Statistics, sums and every other order's row have to be what they were. BENCH_ORDERS says how many.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@florin/protocol'
import { archiveOrders } from '../packages/server/src/orders/archive/archive.ts'
import { erasePayers } from '../packages/server/src/orders/archive/erase.ts'
import { verifyFile } from '../packages/server/src/orders/archive/file.ts'
import { restoreOrder } from '../packages/server/src/orders/archive/restore.ts'
import { getOrder } from '../packages/server/src/orders/store.ts'
import { listSummedDays, repairDay } from '../packages/server/src/reports/stats/sums/store.ts'
import { aMerchant, anApiKey } from '../packages/server/test/factories.ts'
import { fillOrders } from '../packages/server/test/scale/many-orders.ts'
import { orSmoke, verdict } from './smoke.ts'
import { benchDatabase } from './webhooks/database.ts'

const ORDERS = Number(process.env.BENCH_ORDERS ?? orSmoke(1_000_000, 400))
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const database = await benchDatabase()
const { deps } = database
const { sql, clock } = deps
const dir = await mkdtemp(join(tmpdir(), 'florin-bench-archive-'))
const seconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const began = performance.now()
  const result = await work()
  return [result, (performance.now() - began) / 1000]
}

/** Every order's row and sum, as one figure. @param but an order that is left out. */
async function printOf(but: string): Promise<unknown> {
  const [row] = await sql`
    select (select md5(string_agg(md5(o::text), '' order by order_no)) from orders o where order_no <> ${but}) as orders,
      (select md5(string_agg(s::text, '' order by s::text)) from order_sums s) as sums,
      (select count(*)::int from order_lookup) as lookup, (select count(*)::int from deliveries) as deliveries`
  return row
}

/** Bytes an order of these tables and their indexes, without what deletes left behind. */
async function bytesOf(): Promise<number> {
  const tables = ['orders', 'pay_legs', 'payments', 'settlements', 'archived_orders', 'deliveries', 'order_lookup']
  for (const name of ['pay_legs', 'payments', 'settlements', 'archived_orders']) await sql.unsafe(`vacuum full ${name}`)
  const [row] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(name::regclass))::float8 as bytes from unnest(${tables}::text[]) name`
  return (row?.bytes ?? 0) / ORDERS
}

try {
  const large = await aMerchant(deps)
  const key = await anApiKey(deps, large, { mode: 'live' })
  const many = {
    orders: ORDERS,
    large,
    apiKeyId: key.id,
    now: clock.now(),
    others: orSmoke(2_000, 10),
    isSmall: ORDERS < 10_000,
  }
  const [, filled] = await seconds(() => fillOrders(database.url, many))
  const hot = await bytesOf()
  const before = new Date(clock.now().getTime() + DAY_MS)
  const was = await printOf('')
  let files = 0
  const [done, took] = await seconds(() =>
    archiveOrders(deps, {
      ...{ dir, before },
      say: () => void (++files % 10 === 0 && say(`  ${files} files`)),
    }),
  )
  const cold = await bytesOf()
  let bytes = 0
  for (const name of await readdir(dir)) bytes += (await stat(join(dir, name))).size
  const isSame = JSON.stringify(await printOf('')) === JSON.stringify(was)
  const [, verified] = await seconds(async () => {
    for (const { file } of done.files) await verifyFile(join(dir, file))
  })

  const one = done.files[Math.floor(done.files.length / 2)]?.first ?? ''
  const [isBack, restored] = await seconds(() => restoreOrder(deps, dir, one))
  const hasAll = (await getOrder(sql, one)).legs.length === 1
  await sql`update orders set payer_email = 'ada@mail.example' where order_no = ${one}`
  const others = await printOf(one)
  const [erased, erasing] = await seconds(() =>
    erasePayers(deps, { dir, orders: [one], withInvoices: false, withTexts: true }),
  )
  const isLeft =
    JSON.stringify({ ...Object(await printOf(one)), lookup: 0 }) === JSON.stringify({ ...Object(others), lookup: 0 })
  let repaired = 0
  for (const day of await listSummedDays(sql, null, 100_000)) repaired += await repairDay(sql, day)

  say(`${ORDERS.toLocaleString('en')} orders of 2,001 merchants, filled in ${filled.toFixed(0)} s`)
  say(
    `${done.orders} archived in ${took.toFixed(0)} s (${(done.orders / took).toFixed(0)} a second), ${done.files.length} files of ${(bytes / done.orders).toFixed(0)} bytes an order, verified in ${verified.toFixed(0)} s`,
  )
  say(
    `orders, legs, payments, settlements, deliveries, look-up: ${hot.toFixed(0)} bytes an order before, ${cold.toFixed(0)} after`,
  )
  say(
    `one put back in ${restored.toFixed(2)} s, one erased in ${erasing.toFixed(1)} s (${erased.files} files written anew)`,
  )
  say(
    `rows, look-up, deliveries and sums as before: ${isSame}, after the erasure: ${isLeft}; sums that had to be put right: ${repaired}`,
  )
  process.exitCode = verdict([
    done.orders > ORDERS * 0.9,
    isSame,
    isBack,
    hasAll,
    erased.orders === 1,
    isLeft,
    repaired === 0,
  ])
} finally {
  await rm(dir, { recursive: true, force: true })
  await database.drop()
}
