// Invoices by status: equal to what their orders say, in whatever sequence things happen, and read from an index of what is shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, type Invoice, type InvoiceStatus, invoiceStatuses } from '@florin/protocol'
import fc from 'fast-check'
import { explained, vacuumed } from '../../../test/plans.ts'
import { buildApp } from '../../app.ts'
import { aSeller, type Seller } from '../selling.fixture.ts'

const dayIn = (at: Seller, days: number): string =>
  new Date(at.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10)

/** Every page of a list, two invoices a page. */
async function listed(at: Seller, status: InvoiceStatus): Promise<Invoice[]> {
  const found: Invoice[] = []
  for (let cursor = ''; ; ) {
    const url = `invoices?status=${status}&limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const { body } = await at.v1<{ data: Invoice[]; next_cursor: string | null }>('GET', url)
    found.push(...body.data)
    if (body.next_cursor === null) return found
    cursor = body.next_cursor
  }
}

/** What the rows of all invoices and orders say, without any index or stored state. */
async function saidByOrders(at: Seller, status: InvoiceStatus): Promise<string[]> {
  const { sql } = at.deps
  const invoices = await sql<{ id: string; due: string; voidedAt: Date | null }[]>`
    select id, due_date::text as due, voided_at as "voidedAt" from invoices`
  const orders = await sql<{ id: string; status: string }[]>`select invoice_id as id, status from orders`
  const today = at.clock.now().toISOString().slice(0, 10)
  const statusOf = ({ id, due, voidedAt }: (typeof invoices)[number]): InvoiceStatus => {
    const own = orders.filter((order) => order.id === id).map((order) => order.status)
    if (own.includes('success')) return 'paid'
    if (own.includes('processing') || own.includes('failed')) return 'processing'
    return voidedAt !== null ? 'void' : due < today ? 'overdue' : 'open'
  }
  const byDay = status === 'open' || status === 'overdue'
  return invoices
    .filter((invoice) => statusOf(invoice) === status)
    .sort((x, y) => (byDay ? (`${x.due}${x.id}` < `${y.due}${y.id}` ? -1 : 1) : x.id < y.id ? 1 : -1))
    .map(({ id }) => id)
}

const acts = ['pay', 'underpay', 'pay_late', 'confirm', 'settle', 'fail', 'refund', 'expire'] as const
const step = fc.record({
  of: fc.nat({ max: 4 }),
  act: fc.oneof(
    { weight: 4, arbitrary: fc.constant('start' as const) },
    { weight: 1, arbitrary: fc.constantFrom('void' as const, 'day' as const) },
    { weight: 8, arbitrary: fc.constantFrom(...acts) },
  ),
  order: fc.nat({ max: 2 }),
})

test('invoices: after any acts each status lists what the orders say, page by page', async (t) => {
  const at = await aSeller(t)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await at.deps.sql`truncate invoices, orders cascade`
      const invoices: Invoice[] = []
      for (const days of [0, 1, 2, 2, 9]) {
        const lines = [{ description: 'Work', unit_price: '10' }]
        invoices.push((await at.v1<Invoice>('POST', 'invoices', { due_date: dayIn(at, days), lines })).body)
      }
      for (const { of, act, order } of steps) {
        const invoice = invoices[of]
        assert.ok(invoice !== undefined)
        if (act === 'day') at.clock.advance(DAY_MS)
        else if (act === 'start') await at.submit(invoice.url, {}, `203.0.113.${of}`)
        else if (act === 'void') await at.v1('POST', `invoices/${invoice.id}/void`)
        else {
          const rows = await at.deps.sql<{ no: string }[]>`
            select order_no as no from orders where invoice_id = ${invoice.id} order by order_no`
          const no = rows[order % Math.max(1, rows.length)]?.no
          if (no !== undefined) await at.boss('POST', `test/orders/${no}/simulate`, { action: act })
        }
      }
      for (const status of invoiceStatuses) {
        const found = await listed(at, status)
        assert.deepEqual(
          found.map(({ id }) => id),
          await saidByOrders(at, status),
          status,
        )
        assert.ok(found.every((invoice) => invoice.status === status))
      }
    }),
    { seed: 24, numRuns: 10 },
  )
})

test('invoices: of 3,000 each status reads the pages of what it shows', async (t) => {
  const at = await aSeller(t)
  const { sql } = at.deps
  await at.v1('POST', 'invoices', { due_date: dayIn(at, 3), lines: [{ description: 'Work', unit_price: '10' }] })
  // Whatever is looked for is rare: among the others, and beside a stranger's.
  await sql`
    insert into invoices (id, merchant_id, livemode, token, number, currency, exponent, lines, subtotal_minor, tax_minor, total_minor,
      due_date, created_at, state)
    select 'inv_' || lpad(n::text, 26, '0'), merchant_id, livemode, 'token' || n, 'N-' || n, currency, exponent, lines, subtotal_minor,
      tax_minor, total_minor, case when n % 1000 = 1 then ${dayIn(at, 5)}::text::date else ${dayIn(at, -5)}::text::date end, created_at,
      case when n % 1000 = 1 then 'unpaid' when n < 1500 then 'paid' when n % 1000 = 7 then 'processing' when n % 1000 = 9 then 'void'
        else 'unpaid' end
    from invoices, generate_series(1, 3000) n`
  await vacuumed(sql, ['invoices', 'orders'])
  const plans = await explained(t, at.databaseUrl)
  const app = await buildApp({ ...at.deps, sql: plans.sql, lists: plans.sql })
  t.after(() => app.close())
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await plans.sql.unsafe(`set plan_cache_mode = ${mode}`)
    for (const status of invoiceStatuses) {
      plans.taken()
      const reply = await app.inject({ url: `/v1/invoices?status=${status}&limit=10`, headers: at.key.headers })
      assert.ok(reply.json<{ data: Invoice[] }>().data.length > 0, status)
      const seen = plans.taken().filter(({ query }) => /from invoices/.test(query))
      const text = seen.map((plan) => plan.text).join('\n')
      assert.doesNotMatch(text, /Seq Scan on invoices/, text)
      // Eleven invoices, a look for the orders of each, and the way down the index.
      assert.ok(seen.reduce((sum, { buffers }) => sum + buffers, 0) <= 60, `${status}: ${text}`)
    }
  }
})
