// Promises of erasure: an erased payer is in no row, no frozen body and no answer; a killed run is found again by the same question;
// amounts, statistics and other orders stay as they were.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { DAY_MS, type Order } from '@florin/protocol'
import { type TestConsole, testConsole } from '../../../test/console.ts'
import { MASTER_KEY } from '../../../test/deploy/master-keys.ts'
import { copiesOf } from '../../../test/scale/crowd.ts'
import { listOldPayers, listOrdersOf } from '../../orders/erase.store.ts'
import { listForExport } from '../../orders/export.store.ts'
import { simulate } from '../../orders/simulate.ts'
import { getOrder } from '../../orders/store.ts'
import { eraseOldInvoices, erasePayers } from './erase.ts'

const EMAIL = 'Ada.Payer@mail.example'
const noTexts = { withTexts: false }

type Shop = TestConsole & { paid: string; refunded: string }

/** A paid order of a payer whom each row and body names, with copies, and a refunded one. */
async function aShop(t: TestContext, copies: number): Promise<Shop> {
  const at = await testConsole(t)
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
    const body = Buffer.from(text.replace('"payer_email":null', `"payer_email":"${EMAIL}"`))
    await deps.sql`update order_events set body = ${body} where id = ${id}`
  }
  const refunded = await order(['pay', 'refund'])
  await deps.sql`delete from delivery_queue`
  await deps.sql`update deliveries set status = 'succeeded'`
  await copiesOf(deps.sql, paid, copies)
  return { ...at, paid, refunded }
}

/** Frozen bodies as they are sent. @param orderNo null: of all. */
async function bodiesOf(sql: Sql, orderNo: string | null): Promise<{ id: string; text: string }[]> {
  const rows = await sql<{ id: string; body: Uint8Array }[]>`
    select id, body from order_events where body is not null and (${orderNo}::text is null or order_no = ${orderNo})`
  return rows.map(({ id, body }) => ({ id, text: Buffer.from(body).toString('utf8') }))
}

async function figures(at: Shop): Promise<unknown> {
  const summary = await at.get('stats/summary?livemode=false')
  assert.equal(summary.status, 200)
  const exported = await listForExport(at.deps.sql, at.merchant.id, [at.paid, at.refunded])
  return [summary.data, exported.map(({ payerEmail: _email, payerName: _name, payerNote: _note, ...row }) => row)]
}

const orderText = async (at: Shop, orderNo: string): Promise<string> => {
  const reply = await at.app.inject({ url: `/v1/orders/${orderNo}`, headers: at.key.headers })
  assert.equal(reply.statusCode, 200)
  return reply.body
}

/** A database that is gone just before the n-th commit. */
function dyingAt(sql: Sql, n: number): Sql {
  let left = n
  return new Proxy(sql, {
    get(target, name) {
      if (name !== 'begin') return Reflect.get(target, name) as unknown
      return async (work: (tx: never) => Promise<unknown>) =>
        target.begin(async (tx) => {
          const result = await work(tx as never)
          if (--left <= 0) throw new Error('killed')
          return result
        })
    },
  })
}

test('an erased payer is in no row; nothing else changes', async (t) => {
  const at = await aShop(t, 20)
  const { deps, paid, refunded, clock } = at
  const said = await figures(at)
  const others = await orderText(at, refunded)
  assert.equal((await listOrdersOf(deps.sql, EMAIL.toLowerCase(), noTexts)).length, 21)
  for (let left = 21, n = 1; left > 0; n += 7) {
    const orders = await listOrdersOf(deps.sql, EMAIL, noTexts)
    assert.equal(orders.length, left, 'a killed run goes on where it was')
    const erasing = erasePayers(dyingAt(deps.sql, n), clock, { orders, withInvoices: false, ...noTexts })
    left -= await erasing.catch((error: Error) => {
      assert.equal(error.message, 'killed')
      return n - 1
    })
  }
  assert.deepEqual(await listOrdersOf(deps.sql, EMAIL, noTexts), [])
  for (const { text } of await bodiesOf(deps.sql, null)) assert.doesNotMatch(text, /ada\.payer/i)
  assert.deepEqual(await figures(at), said)
  assert.equal(await orderText(at, refunded), others)
  const { payer_email, payments } = JSON.parse(await orderText(at, paid)) as Order
  assert.deepEqual([payer_email, payments.length], [null, 1])
  const erased = await deps.sql`select from audit_log where action = 'order.payer_erased'`
  assert.equal(erased.length, 21)
})

test('closed orders of before a day are found as long as they name a payer; open ones are not', async (t) => {
  const at = await aShop(t, 2)
  const { sql } = at.deps
  const open = await at.order()
  await sql`update orders set payer_email = ${EMAIL} where order_no = ${open.orderNo}`
  const before = new Date(at.clock.now().getTime() + DAY_MS)
  const found = (after = '') => listOldPayers(sql, { after, before, limit: 2, ...noTexts })
  const first = await found()
  const rest = await found(first.at(-1))
  assert.deepEqual([first.length, rest.length, [...first, ...rest].includes(open.orderNo)], [2, 1, false])
  assert.deepEqual(await listOldPayers(sql, { after: '', before: new Date(0), limit: 2, ...noTexts }), [])

  // The operator's own command does the same.
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'command.ts'), ...args], {
      env: {
        ...{ PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
        ...{ DATABASE_URL: at.databaseUrl, MASTER_KEY },
      },
      encoding: 'utf8',
    })
  const done = command('--email', EMAIL.toLowerCase())
  assert.match(done.stdout, /^Payers of 4 orders were erased\.\n/, done.stderr)
  assert.deepEqual(await listOrdersOf(sql, EMAIL, noTexts), [])
  assert.match(command('--bogus').stderr, /^Unknown option '--bogus'.*npm run erase/s)
  assert.match(command('--email', EMAIL, '--order', at.paid).stderr, /npm run erase/)
})

test('what the shop wrote of a payer is erased when asked for: in rows, bodies, and in what searches read', async (t) => {
  const at = await aShop(t, 3)
  const { deps, refunded, clock } = at
  const { sql } = deps
  // The shop wrote the payer into what searches read.
  await sql`
    update orders set title = 'Tea for Adalbertina', external_id = 'adalbertina-1', metadata = ${JSON.stringify({ mail: EMAIL })}::text::json
    where order_no = ${refunded}`
  await sql`
    insert into order_lookup (merchant_no, livemode, key, order_no)
    select merchant_no, livemode, key, order_no from orders, order_keys(title, external_id, metadata) key
    where order_no = ${refunded} on conflict do nothing`
  const found = async (query: string): Promise<string[]> => {
    const list = await at.get<{ data: Order[] }>(`orders?livemode=false&limit=100&${query}`)
    return list.data.data.map((order) => order.order_no)
  }
  const mail = `metadata[mail]=${encodeURIComponent(EMAIL)}`
  for (const query of ['q=adalbertina', mail]) assert.deepEqual(await found(query), [refunded])
  assert.ok(!(await listOrdersOf(sql, EMAIL, noTexts)).includes(refunded))
  const orders = await listOrdersOf(sql, EMAIL, { withTexts: true })
  assert.ok(orders.includes(refunded))

  const audit = { merchantId: at.merchant.id, actor: 'merchant', subject: refunded }
  for (const detail of [{ reason: 'Adalbertina wants it', by: 'x' }, { by: 'y' }])
    await withTx(sql, (tx) => recordAudit(tx, { ...audit, action: 'order.refund_asked', detail }, clock.now()))
  await sql`update orders set success_url = 'https://shop.example/thanks?for=adalbertina' where order_no = ${refunded}`
  await erasePayers(sql, clock, { orders: [refunded], withInvoices: false, withTexts: true })
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
  for (const query of ['q=adalbertina', mail]) assert.deepEqual(await found(query), [])
  assert.ok((await found('metadata[cart]=7')).includes(at.paid), 'others keep theirs')
  const { title, external_id, metadata, payments } = JSON.parse(await orderText(at, refunded)) as Order
  assert.deepEqual([title, external_id, metadata, payments.length], [null, null, {}, 1])
  for (const { text } of await bodiesOf(sql, refunded)) assert.doesNotMatch(text, /"title":"|"external_id":"/)

  // An invoice that nobody began to pay has no order to be found by.
  await sql`
    insert into invoices (id, merchant_id, livemode, token, number, currency, exponent, lines, subtotal_minor, tax_minor, total_minor,
      due_date, payer_email, payer_name, created_at)
    select 'inv_' || n, ${at.merchant.id}, false, 't' || n, 'R-' || n, 'USD', 2, '[]', 1, 0, 1, '2026-01-01', email, 'Ada', now()
    from (values (1, ${EMAIL}), (2, 'bob@mail.example')) as i (n, email)`
  assert.equal(await eraseOldInvoices(sql, clock, { email: EMAIL.toLowerCase() }), 1)
  const invoices = await sql`select payer_email, payer_name from invoices order by id`
  assert.deepEqual(
    invoices.map((one) => Object.values(one)),
    [
      [null, null],
      ['bob@mail.example', 'Ada'],
    ],
  )
})
