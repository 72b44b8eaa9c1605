// Promises of the archive: what is moved is in a verified file first, byte for byte; killed anywhere it goes on and nothing
// is lost or doubled; readers, statistics and books see what they saw; late money is noticed; a payer can be erased.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { DAY_MS, MINUTE_MS, type Order, type StatsSummary } from '@florin/protocol'
import { sized, slowTest, quickTest as test } from '../../../../../scripts/sizes.ts'
import { type TestConsole, testConsole } from '../../../test/console.ts'
import { MASTER_KEY } from '../../../test/deploy/master-keys.ts'
import { copiesOf } from '../../../test/scale/crowd.ts'
import { makeTokens } from '../../login/token.ts'
import { partitionedTables } from '../../partitions.ts'
import { recordAudit } from '../../platform/db/audit.ts'
import { makePartitions } from '../../platform/db/partitions.ts'
import type { Sql } from '../../platform/db/pool.ts'
import { withTx } from '../../platform/db/tx.ts'
import { metrics } from '../../platform/metrics.ts'
import { pack, unpack } from '../../platform/packed/packed.ts'
import { reportFacts } from '../../rails/report.store.ts'
import { listForExport } from '../../reports/export.store.ts'
import { isPayAddress } from '../create/create.store.ts'
import { expireDue } from '../expire.ts'
import { factRounds } from '../inbox/inbox.ts'
import { unpackState } from '../packed.ts'
import { reconcileDue, reconcileJob } from '../reconcile/reconcile.ts'
import { simulate } from '../simulate.ts'
import { getOrder } from '../store.ts'
import { type ArchiveDeps, archiveOrders } from './archive.ts'
import { listOrdersOf } from './erase.store.ts'
import { eraseOldInvoices, erasePayers } from './erase.ts'
import { verifyFile } from './file.ts'
import { archiveSome } from './job.ts'
import { restoreFile, restoreOrder } from './restore.ts'
import { findArchived, findFileByName } from './store.ts'
import { copiedTables, emptiedTables, keptTables, movedTables, orderColumns } from './tables.ts'

/** Of each kind of closed order: 2,000 orders in full. */
const COPIES = sized({ short: 80, full: 660 })
const EMAIL = 'Ada.Payer@mail.example'
const noTexts = { withTexts: false }
const idle = new AbortController().signal

async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-archive-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

type Shop = TestConsole & {
  dir: string
  before: Date
  made: Record<'paid' | 'refunded' | 'expired' | 'failed' | 'pending', string>
}

/** Half a year ago, of each kind some: `copies` of each closed one beside it. */
async function anOldShop(t: TestContext, copies: number): Promise<Shop> {
  const dir = await aFolder(t)
  const at = await testConsole(t, { archiveDir: dir })
  const { deps } = at
  const order = async (steps: Parameters<typeof simulate>[2][], body = {}): Promise<string> => {
    const { orderNo } = await at.order(body)
    for (const step of steps) await simulate(deps, await getOrder(deps.sql, orderNo), step, null)
    return orderNo
  }
  const paid = await order(['pay', 'settle'], {
    webhook_url: 'https://shop.example/hook',
    title: 'Tea',
    metadata: { cart: '7' },
  })
  await deps.sql`
    update orders set payer_email = ${EMAIL}, payer_name = 'Ada', payer_note = 'blue door' where order_no = ${paid}`
  for (const { id, text } of await bodiesOf(deps.sql, paid)) {
    const body = pack(Buffer.from(text.replace('"payer_email":null', `"payer_email":"${EMAIL}"`)))
    await deps.sql`update order_events set body = ${body} where id = ${id}`
  }
  const made = {
    ...{ paid, refunded: await order(['pay', 'refund']), expired: await order([]) },
    ...{ failed: await order(['pay', 'fail']), pending: '' },
  }
  at.clock.advance(2 * DAY_MS)
  while ((await expireDue(deps)) > 0);
  await deps.sql`delete from delivery_queue`
  await deps.sql`update deliveries set status = 'succeeded'`
  // Nothing but its state keeps the failed one.
  await deps.sql`update attention set resolved_at = ${at.clock.now()}`
  await deps.sql`update order_mails set done_at = ${at.clock.now()}`
  for (const orderNo of [made.paid, made.refunded, made.expired]) await copiesOf(deps.sql, orderNo, copies)
  at.clock.advance(200 * DAY_MS)
  await makePartitions(deps.sql, partitionedTables, at.clock.now())
  made.pending = await order(['pay'])
  await signInAgain(at)
  const before = new Date(at.clock.now().getTime() - 100 * DAY_MS)
  return { ...at, dir, before, made }
}

/** Frozen bodies as they are sent. @param orderNo null: of all. */
async function bodiesOf(sql: Sql, orderNo: string | null): Promise<{ id: string; text: string }[]> {
  const rows = await sql<{ id: string; body: Uint8Array }[]>`
    select id, body from order_events where body is not null and (${orderNo}::text is null or order_no = ${orderNo})`
  return rows.map(({ id, body }) => ({ id, text: Buffer.from(unpack(body)).toString('utf8') }))
}

/** Its session ended long ago. */
async function signInAgain({ deps, clock, merchant }: TestConsole): Promise<void> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + DAY_MS)
  await deps.sql`update sessions set last_seen_at = ${now}, expires_at = ${expiresAt}`
  const claims = { merchantId: merchant.id, sessionId: merchant.sessionId }
  merchant.headers.authorization = `Bearer ${await makeTokens(deps.secrets).sign(claims, now, expiresAt)}`
}

const compareAll = async (at: Shop): Promise<void> => {
  while ((await reconcileDue(at.deps)) > 0);
}

/** Every row of these tables, as PostgreSQL writes it. */
async function printOf(at: Shop, tables: readonly string[]): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const table of tables) {
    const [row] = await at.deps.sql<{ print: string }[]>`
      select count(*) || ' ' || coalesce(md5(string_agg(line, ',' order by line)), '') as print
      from (select (to_jsonb(t) - 'packed')::text as line from ${at.deps.sql(table)} t) lines`
    prints[table] = row?.print ?? ''
  }
  return prints
}
const touched = [...movedTables, ...emptiedTables].map(({ name }) => name)
const left = [
  'orders',
  'order_events',
  'deliveries',
  ...Object.keys(keptTables).filter((name) => /^sandbox_|^merchant_/.test(name)),
]

async function figures(at: Shop): Promise<unknown> {
  const around = (days: number): string => new Date(at.before.getTime() + days * DAY_MS).toISOString()
  const range = `livemode=false&from=${around(-200)}&to=${around(99)}`
  const summary = await at.get(`stats/summary?${range}`)
  const series = await at.get(`stats/series?metric=settled&bucket=week&${range}`)
  assert.equal(summary.status, 200)
  const differences = await at.deps.sql`select * from book_differences where resolved_at is null`
  const exported = await listForExport(at.deps.sql, at.merchant.id, Object.values(at.made))
  const rows = exported.map(({ payerEmail: _email, payerName: _name, payerNote: _note, ...row }) => row)
  return [summary.data, series.data ?? series.error, differences, rows]
}

const orderText = async (at: Shop, orderNo: string): Promise<string> => {
  const reply = await at.app.inject({ url: `/v1/orders/${orderNo}`, headers: at.key.headers })
  assert.equal(reply.statusCode, 200)
  const { archived_at: _at, ...rest } = reply.json<Order>()
  return JSON.stringify(rest)
}

/** A database that is gone at the n-th statement, or just before the n-th commit. */
function dyingAt(deps: ArchiveDeps, n: number): ArchiveDeps & { wasKilled: () => boolean } {
  let left = n
  const step = (): void => {
    if (--left <= 0) throw new Error('killed')
  }
  const sql = new Proxy(deps.sql, {
    apply(target, self, args: unknown[]) {
      if (typeof args[0] !== 'string') step()
      return Reflect.apply(target as never, self, args) as unknown
    },
    get(target, name) {
      if (name !== 'begin') return Reflect.get(target, name) as unknown
      return async (work: (tx: never) => Promise<unknown>) =>
        target.begin(async (tx) => {
          const result = await work(tx as never)
          step()
          return result
        })
    },
  })
  return { ...deps, sql, wasKilled: () => left <= 0 }
}

test('every table with a reference to an order has a rule', async (t) => {
  const at = await testConsole(t)
  const rows = await at.deps.sql<{ name: string }[]>`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables i using (table_schema, table_name)
    where c.table_schema = 'public' and i.table_type = 'BASE TABLE' and c.column_name = any(${[...orderColumns]}::text[])
      and not exists (select from pg_inherits where inhrelid = format('%I', c.table_name)::regclass)`
  const known = [...touched, ...copiedTables.map(({ name }) => name), ...Object.keys(keptTables)]
  assert.deepEqual(rows.map((row) => row.name).sort(), [...new Set(known)].sort())
})

test('in the folder of another Florin nothing is written or removed', async (t) => {
  const dir = await aFolder(t)
  const [one, other] = [await testConsole(t), await testConsole(t)]
  const before = new Date(0)
  const erasing = { dir, orders: [], withInvoices: false, withTexts: false }
  await archiveOrders(one.deps, { dir, before })
  // A manifest whose file another run would have removed.
  await writeFile(join(dir, 'orders-1.ndjson.gz.manifest.json'), '{}')
  const was = (await readdir(dir)).sort()
  await assert.rejects(
    archiveOrders(other.deps, { dir, before }),
    /is the archive of ins_\w+, .*ARCHIVE_DIR of its own/,
  )
  await assert.rejects(erasePayers(other.deps, erasing), /is the archive of ins_/)
  assert.deepEqual((await readdir(dir)).sort(), was)
  // A copy takes no folder of a release that wrote no name there.
  await rm(join(dir, 'installation'))
  await other.deps.sql`update installation set asleep_since = now()`
  await assert.rejects(erasePayers(other.deps, erasing), /is the archive of another Florin/)
  await erasePayers(one.deps, erasing)
  assert.deepEqual(await readdir(dir), ['installation'])
})

test('killed at any statement it goes on; all is as before for readers, and back byte for byte', async (t) => {
  const at = await anOldShop(t, COPIES)
  const { deps, dir, before, made } = at
  assert.equal((await archiveOrders(deps, { dir, before })).orders, 0, 'what is still compared stays')
  await compareAll(at)
  await deps.sql`
    insert into packing_waits values (${new Date(at.clock.now().getTime() + 1)})`
  await assert.rejects(archiveOrders(deps, { dir, before }), /cannot read archived orders/)
  await deps.sql`delete from packing_waits`
  const was = await printOf(at, touched)
  const stays = await printOf(at, left)
  const said = await figures(at)
  const read = await orderText(at, made.paid)
  const hot = await getOrder(deps.sql, made.paid)

  let moved = 0
  for (let n = 1; ; n += 3) {
    const dying = dyingAt(deps, n)
    const done = await archiveOrders(dying, { dir, before, ordersAFile: Math.ceil(COPIES * 0.75) }).catch(
      (error: Error) => {
        if (!dying.wasKilled()) throw error
        return null
      },
    )
    const [row] = await deps.sql<{ n: number }[]>`select count(*)::int as n from archived_orders`
    assert.ok((row?.n ?? 0) >= moved, 'what was moved stays moved')
    moved = row?.n ?? 0
    at.clock.advance(3 * MINUTE_MS)
    if (done !== null) break
  }
  assert.equal(moved, 3 * (COPIES + 1), 'all that is closed for good; what failed and what is pending stays')
  assert.deepEqual(await printOf(at, left), stays)
  const [legs] = await deps.sql<{ n: number }[]>`select count(*)::int as n from pay_legs`
  assert.equal(legs?.n, 2)
  assert.deepEqual(await figures(at), said)
  await reconcileJob(deps).run(idle)
  assert.deepEqual(await figures(at), said)

  // A reader sees the order as it last stood, since when it is archived, and finds it by what it was found by.
  assert.equal(await orderText(at, made.paid), read)
  const list = await at.get<{ data: Order[] }>(`orders?livemode=false&q=${hot.legs[0]?.address}&limit=100`)
  assert.equal(list.status, 200)
  assert.ok(list.data.data.length > 0, 'by its address')
  for (const one of list.data.data) assert.deepEqual([one.archived_at !== undefined, one.payments.length], [true, 1])
  assert.equal(await isPayAddress(deps.sql, hot.legs[0]?.address.toUpperCase() ?? ''), true)
  // As the release before archived it.
  const [{ packed } = { packed: new Uint8Array() }] = await deps.sql<{ packed: Uint8Array }[]>`
    select packed from archived_orders where order_no = ${made.refunded}`
  const refunded = await orderText(at, made.refunded)
  const place = (await getOrder(deps.sql, made.refunded)).legs[0]?.address ?? ''
  await deps.sql`
    update archived_orders set packed = null, places = null, state = ${JSON.stringify(unpackState(packed))}::text::json
    where order_no = ${made.refunded}`
  await deps.sql`insert into archived_places values (lower(${place}), ${made.refunded})`
  assert.deepEqual([await orderText(at, made.refunded), await figures(at)], [refunded, said])
  assert.equal(await isPayAddress(deps.sql, place), true)

  const url = `/v1/orders/${made.paid}/cancel`
  const refused = await at.app.inject({ method: 'POST', url, headers: at.key.headers, payload: {} })
  assert.match(refused.body, /order_archived/)
  // A run that was killed before it said so leaves a whole file that no order stands in.
  const files = (await Promise.all((await readdir(dir)).map((name) => findFileByName(deps.sql, name)))).flat()
  let written = 0
  for (const { name } of files) written += (await verifyFile(join(dir, name))).orders
  assert.equal(written, moved)

  // One of them, then all.
  assert.equal(await restoreOrder(deps, dir, made.paid), true)
  assert.deepEqual(await getOrder(deps.sql, made.paid), hot)
  const [again] = (await at.get<{ data: Order[] }>(`orders?livemode=false&q=${made.paid}`)).data.data
  assert.deepEqual([again?.archived_at, again?.payments.length], [undefined, 1], 'in lists too')
  const [row] = await deps.sql<{ packed: Uint8Array | null }[]>`select packed from orders where order_no = ${made.paid}`
  assert.ok((row?.packed?.length ?? 0) > 0, 'and there it is read from its row alone')
  assert.equal(await restoreOrder(deps, dir, made.paid), false)
  for (const file of files) await restoreFile(deps, dir, file)
  assert.deepEqual(await printOf(at, touched), was)
  assert.deepEqual(await printOf(at, ['archived_orders', 'archived_places']), {
    archived_orders: '0 ',
    archived_places: '0 ',
  })
})

slowTest(
  'late money puts an archived order back; while its file is away the money waits and people are told',
  async (t) => {
    const at = await anOldShop(t, 1)
    const { deps, dir, before, made } = at
    await compareAll(at)
    await archiveOrders(deps, { dir, before })
    const file = await findArchived(deps.sql, made.expired)
    assert.ok(file !== null)
    const away = join(await aFolder(t), file.name)
    await rename(join(dir, file.name), away)

    await simulate(deps, await getOrder(deps.sql, made.expired), 'pay_late', null)
    const items = await deps.sql<{ kind: string; evidence: { file: string }; resolved: Date | null }[]>`
    select kind, evidence, resolved_at as resolved from attention where order_no = ${made.expired}`
    assert.deepEqual(
      items.map(({ kind, evidence }) => [kind, evidence.file]),
      [['archived_order_changed', file.name]],
    )
    assert.ok((await getOrder(deps.sql, made.expired)).archivedAt !== undefined)

    // One byte is another: it is not taken for what was written.
    const bytes = await readFile(away)
    const forged = Buffer.from(bytes)
    forged.writeUInt8((forged.at(-20) ?? 0) ^ 1, forged.length - 20)
    await writeFile(join(dir, file.name), forged)
    await assert.rejects(verifyFile(join(dir, file.name)), /cannot be read|not what its manifest says/)
    await assert.rejects(restoreOrder(deps, dir, made.expired), /is not the file that was written/)

    await writeFile(join(dir, file.name), bytes)
    at.clock.advance(MINUTE_MS)
    await factRounds(deps)()
    const back = await getOrder(deps.sql, made.expired)
    assert.equal(back.archivedAt, undefined)
    assert.deepEqual(
      back.payments.map((row) => row.use),
      ['late'],
    )
    const [item] = await deps.sql<{ resolved: Date | null }[]>`
    select resolved_at as resolved from attention where order_no = ${made.expired} and kind = 'archived_order_changed'`
    assert.ok(item?.resolved)
    assert.equal((await deps.sql`select 1 from rail_facts`).length, 0)

    // The operator's own command does the same.
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: at.databaseUrl,
    }
    const command = (...args: string[]) =>
      spawnSync(process.execPath, [join(import.meta.dirname, 'command.ts'), ...args], {
        env: { ...env, MASTER_KEY, ARCHIVE_DIR: dir },
        encoding: 'utf8',
      })
    const done = command('restore', '--order', made.refunded)
    assert.equal(done.stdout.trim(), `${made.refunded} is back, from ${file.name}, for 30 days at least.`, done.stderr)
    // The command lives half a year before this shop.
    await deps.sql`update orders set kept_until = kept_until + interval '400 days' where order_no = ${made.refunded}`
    // Who wanted it is not done within the hour. What a killed run left is in nobody's way.
    await writeFile(
      join(dir, 'orders-20260101-x.ndjson.gz.manifest.json'),
      await readFile(join(dir, `${file.name}.manifest.json`)),
    )
    await archiveOrders(deps, { dir, before })
    assert.equal(await findArchived(deps.sql, made.refunded), null)
    assert.ok(!(await readdir(dir)).some((name) => name.startsWith('orders-20260101-x')))
    assert.equal(command('verify').status, 0)
    await rename(join(dir, file.name), `${away}.2`)
    const lacking = command('verify')
    assert.deepEqual([lacking.status, lacking.stderr.includes(file.name)], [1, true], 'a file that is gone is told')
    await rename(`${away}.2`, join(dir, file.name))
    assert.match(command('verify', '--order', made.refunded).stderr, /^Say one of:/)
    assert.match(command('--bogus').stderr, /^Unknown option '--bogus'.*Say one of:\n/s)
  },
)

slowTest(
  'a settlement that left the chain is told in statistics: its order stays, and an archived one is put back',
  async (t) => {
    const at = await anOldShop(t, 1)
    const { deps, dir, before, made } = at
    const leftOf = async (): Promise<number> => {
      const from = new Date(at.before.getTime() - 200 * DAY_MS).toISOString()
      const { data } = await at.get<StatsSummary>(`stats/summary?livemode=false&from=${from}`)
      return data.left_chain_orders
    }
    await compareAll(at)
    // The operator gave it up: nothing of it is open any more.
    await deps.sql`
    update settlements set left_at = ${at.clock.now()}, status = 'failed' where order_no = ${made.paid}`
    assert.equal(await leftOf(), 1)
    await archiveOrders(deps, { dir, before })
    assert.deepEqual([await findArchived(deps.sql, made.paid), await leftOf()], [null, 1])

    const { orderNo, orderRef, rail, legs, settlements } = await getOrder(deps.sql, `${made.paid.slice(0, -5)}00001`)
    assert.ok((await findArchived(deps.sql, orderNo)) !== null)
    const [[leg], [settlement]] = [legs, settlements]
    const fact = { kind: 'settlement_left' as const, legRef: leg?.ref ?? '', txHash: settlement?.txHash ?? '' }
    await withTx(deps.sql, (tx) => reportFacts(tx, { rail, orderRef, facts: [fact], now: at.clock.now() }))
    await factRounds(deps)()
    const back = await getOrder(deps.sql, orderNo)
    assert.deepEqual([back.archivedAt, back.status, back.detail], [undefined, 'success', 'settlement_left_the_chain'])
    assert.equal(await leftOf(), 2)
  },
)

test('an erased payer is in no row and no file; nothing else changes', async (t) => {
  const at = await anOldShop(t, 20)
  const { deps, dir, before, made } = at
  await compareAll(at)
  await archiveOrders(deps, { dir, before, ordersAFile: 30 })
  // It was put back once, so its line stands in a file that no longer counts for it.
  await restoreOrder(deps, dir, made.paid)
  const said = await figures(at)
  const others = await orderText(at, made.refunded)
  const numbers = await listOrdersOf(deps.sql, EMAIL.toLowerCase(), noTexts)
  assert.equal(numbers.length, 21)
  for (let n = 1; ; n += 7) {
    const dying = dyingAt(deps, n)
    const left = await listOrdersOf(deps.sql, EMAIL, noTexts)
    const done = await erasePayers(dying, { dir, orders: left, withInvoices: false, ...noTexts }).catch(
      (error: Error) => {
        if (!dying.wasKilled()) throw error
        return null
      },
    )
    at.clock.advance(3 * MINUTE_MS)
    if (done !== null) break
  }
  assert.deepEqual(await listOrdersOf(deps.sql, EMAIL, noTexts), [])
  await archiveOrders(deps, { dir, before })
  for (const name of await readdir(dir)) {
    if (!name.endsWith('.gz')) continue
    await verifyFile(join(dir, name))
    const text = gunzipSync(await readFile(join(dir, name))).toString('utf8')
    assert.ok(!/ada\.payer|blue door/i.test(text), name)
    // Frozen bodies stand there as hexadecimal digits.
    for (const [hex] of text.matchAll(/(?<=\\x)[0-9a-f]+/g))
      assert.doesNotMatch(Buffer.from(hex, 'hex').toString(), /ada\.payer/i)
  }
  for (const { text } of await bodiesOf(deps.sql, null)) assert.doesNotMatch(text, /ada\.payer/i)
  assert.deepEqual(await figures(at), said)
  assert.equal(await orderText(at, made.refunded), others)
  const { payer_email, payments } = JSON.parse(await orderText(at, made.paid)) as Order
  assert.deepEqual([payer_email, payments.length], [null, 1])
})

slowTest(
  'what the shop wrote of a payer is erased when asked for: in rows, bodies, files, and in what searches read',
  async (t) => {
    const at = await anOldShop(t, 3)
    const { deps, dir, before, made } = at
    const { sql } = deps
    await compareAll(at)
    // The shop wrote the payer into what searches read.
    await sql`
    update orders set title = 'Tea for Adalbertina', external_id = 'adalbertina-1', metadata = ${JSON.stringify({ mail: EMAIL })}::text::json
    where order_no = ${made.refunded}`
    await archiveOrders(deps, { dir, before })
    const found = async (query: string): Promise<string[]> => {
      const list = await at.get<{ data: Order[] }>(`orders?livemode=false&limit=100&${query}`)
      return list.data.data.map((order) => order.order_no)
    }
    const mail = `metadata[mail]=${encodeURIComponent(EMAIL)}`
    for (const query of ['q=adalbertina', mail]) assert.deepEqual(await found(query), [made.refunded])
    const words = await printOf(at, ['order_lookup'])
    assert.ok(!(await listOrdersOf(sql, EMAIL, noTexts)).includes(made.refunded))
    const orders = await listOrdersOf(sql, EMAIL, { withTexts: true })
    assert.ok(orders.includes(made.refunded))

    const audit = { merchantId: at.merchant.id, actor: 'merchant', subject: made.refunded }
    for (const detail of [{ reason: 'Adalbertina wants it', by: 'x' }, { by: 'y' }])
      await withTx(sql, (tx) => recordAudit(tx, { ...audit, action: 'order.refund_asked', detail }, at.clock.now()))
    await sql`update orders set success_url = 'https://shop.example/thanks?for=adalbertina' where order_no = ${made.refunded}`
    await erasePayers(deps, { dir, orders: [made.refunded], withInvoices: false, withTexts: true })
    const kept = await sql<
      { detail: object }[]
    >`select detail from audit_log where action = 'order.refund_asked' order by id`
    assert.deepEqual(
      kept.map((row) => row.detail),
      [{ by: 'x' }, { by: 'y' }],
    )
    for (const change of [
      'delete from audit_log',
      `update audit_log set detail = '{}'`,
      `update audit_log set actor = ''`,
    ])
      await assert.rejects(sql.unsafe(change), /append-only/)
    await archiveOrders(deps, { dir, before })
    for (const query of ['q=adalbertina', mail]) assert.deepEqual(await found(query), [])
    const [row] = await sql<
      { n: number }[]
    >`select count(*)::int as n from order_lookup where order_no = ${made.refunded}`
    assert.equal(row?.n, 0)
    const now = await printOf(at, ['order_lookup'])
    assert.equal(
      Number.parseInt(words.order_lookup ?? '', 10) - Number.parseInt(now.order_lookup ?? '', 10),
      5,
      'others keep theirs',
    )
    const { title, external_id, metadata, payments } = JSON.parse(await orderText(at, made.refunded)) as Order
    assert.deepEqual([title, external_id, metadata, payments.length], [null, null, {}, 1])
    for (const name of (await readdir(dir)).filter((one) => one.endsWith('.gz'))) {
      assert.doesNotMatch(gunzipSync(await readFile(join(dir, name))).toString('utf8'), /adalbertina/i)
    }
    for (const { text } of await bodiesOf(sql, made.refunded)) assert.doesNotMatch(text, /"title":"|"external_id":"/)

    // An invoice that nobody began to pay has no order to be found by.
    await sql`
    insert into invoices (id, merchant_id, livemode, token, number, currency, exponent, lines, subtotal_minor, tax_minor, total_minor,
      due_date, payer_email, payer_name, created_at)
    select 'inv_' || n, ${at.merchant.id}, false, 't' || n, 'R-' || n, 'USD', 2, '[]', 1, 0, 1, '2026-01-01', email, 'Ada', now()
    from (values (1, ${EMAIL}), (2, 'bob@mail.example')) as i (n, email)`
    assert.equal(await eraseOldInvoices(deps, { email: EMAIL.toLowerCase() }), 1)
    const invoices = await sql`select payer_email, payer_name from invoices order by id`
    assert.deepEqual(
      invoices.map((one) => Object.values(one)),
      [
        [null, null],
        ['bob@mail.example', 'Ada'],
      ],
    )
  },
)

test('where it is switched on a worker archives a file at a time, and ends between two steps when it is stopped', async (t) => {
  const at = await anOldShop(t, 10)
  await compareAll(at)
  const config = { ...at.deps.config, archive: true, archiveAfterMs: 100 * DAY_MS }
  const once = async (isOn = true): Promise<number> =>
    archiveSome({ ...at.deps, config: { ...config, archive: isOn } }, { signal: idle, share: 1 })
  const stopped = AbortSignal.abort()
  assert.equal(await archiveSome({ ...at.deps, config }, { signal: stopped }), 0)
  assert.deepEqual([await once(false), (await readdir(at.dir)).filter((name) => name.endsWith('.gz')).length], [0, 0])
  const gauge = async (): Promise<number> =>
    Number(/^florin_archive_behind_seconds (\S+)$/m.exec(await metrics.metrics())?.[1])
  assert.deepEqual([await once(), (await gauge()) > DAY_MS / 1000], [33, true])
  assert.deepEqual([await once(), await gauge()], [0, 0])
  await at.deps.sql`insert into packing_waits values (${new Date(at.clock.now().getTime() + 1)})`
  assert.equal(await once(), 0, 'and says nothing')
})
