// Promises: a list reads what it shows and little more, whichever filter is asked for and however rare its value; page by page
// it is exactly the orders that fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { firstIdAt } from '@florin/platform/ids'
import { DAY_MS, HOUR_MS, orderStatuses } from '@florin/protocol'
import { sized } from '../../../../../scripts/sizes.ts'
import { type TestConsole, testConsole } from '../../../test/console.ts'
import { explained } from '../../../test/plans.ts'
import { everyFilter } from '../../../test/scale/filters.ts'
import { fillOrders, skew } from '../../../test/scale/many-orders.ts'
import { sampleOf } from '../../../test/scale/routes.ts'
import { buildApp } from '../../app.ts'
import type { OrderFilter } from '../filter.ts'
import { EARLY_KEY } from './early.ts'
import { findNumbers } from './list.ts'

const ORDERS = 8_000
/** Of a page of twenty, wherever its orders lie; docs/operations.md has the bound of a larger shop. */
const PAGES_MAX = 400
const exactly = (dollars: number) => ({
  fromMicros: BigInt(dollars) * 1_000_000n,
  toMicros: BigInt(dollars) * 1_000_000n,
})

interface Row {
  no: string
  status: string
  chain: string
  currency: string
  micros: bigint
  metadata: Record<string, string>
  title: string
  externalId: string
  createdAt: Date
}

const words = (row: Row): string[] => `${row.title} ${row.externalId}`.toLowerCase().split(/[^a-z0-9]+/)

/** The same filter said a second time, row by row. */
function fits(row: Row, f: OrderFilter): boolean {
  const searched = f.search?.toLowerCase().split(' ') ?? []
  return (
    (f.statuses === null || f.statuses.includes(row.status)) &&
    (f.settleChain === null || f.settleChain === row.chain) &&
    (f.currency === null || f.currency === row.currency) &&
    (f.amountUsd === null || (row.micros >= f.amountUsd.fromMicros && row.micros <= f.amountUsd.toMicros)) &&
    (f.externalId === null || f.externalId === row.externalId) &&
    (f.createdFrom === null || row.createdAt >= f.createdFrom) &&
    (f.createdTo === null || row.createdAt < f.createdTo) &&
    Object.entries(f.metadata ?? {}).every(([key, value]) => row.metadata[key] === value) &&
    searched.slice(0, -1).every((word) => words(row).includes(word)) &&
    searched.slice(-1).every((word) => words(row).some((own) => own.startsWith(word)))
  )
}

async function walk(at: TestConsole, f: OrderFilter, a: { isOldestFirst: boolean; lookedAt: number }) {
  const numbers: string[] = []
  let after: string | null = null
  let pages = 0
  do {
    const page = { after, isOldestFirst: a.isOldestFirst, limit: 37 }
    const found: Awaited<ReturnType<typeof findNumbers>> = await findNumbers(at.deps.sql, f, page, a)
    assert.ok(found.numbers.length <= page.limit)
    const isEnd = found.next === null || found.numbers.length === page.limit
    assert.ok(found.searchedUntil === null ? isEnd : found.next !== null)
    numbers.push(...found.numbers)
    after = found.next
    assert.ok(++pages < 500, 'the walk ends')
  } while (after !== null)
  return numbers
}

test('lists of a shop with thousands of orders', async (t) => {
  const at = await testConsole(t)
  const { sql } = at.deps
  const { id, no } = at.merchant
  const now = at.clock.now()
  await fillOrders(at.databaseUrl, {
    orders: ORDERS,
    large: at.merchant,
    apiKeyId: at.key.id,
    now,
    others: 50,
    isSmall: true,
  })
  // Numbers that were taken over hours later.
  const early = await sql<{ no: string }[]>`
    update orders set created_at = created_at + interval '20 hours' where order_no in (
      select order_no from orders where merchant_id = ${id} order by order_no offset 400 limit 3) returning order_no as no`
  await sql`
    insert into order_lookup (merchant_no, livemode, key, order_no)
    select ${no}, true, ${EARLY_KEY}, unnest(${early.map((row) => row.no)}::text[])`
  const rows = await sql<Row[]>`
    select order_no as no, status, settle_chain as chain, currency, amount_usd_micros as micros, metadata, title, external_id as "externalId", created_at as "createdAt"
    from orders where merchant_id = ${id} order by order_no`
  assert.equal(rows.length, ORDERS / 4)
  const none: OrderFilter = {
    ...{
      merchantId: id,
      merchantNo: no,
      livemode: true,
      statuses: null,
      externalId: null,
      settleChain: null,
      currency: null,
      amountUsd: null,
    },
    ...{ paymentLinkId: null, invoiceId: null, createdFrom: null, createdTo: null, metadata: null, search: null },
  }
  const taken = rows.filter((row) => row.no < firstIdAt('ord', row.createdAt))
  assert.equal(taken.length, 3)
  const moment = new Date((taken[1]?.createdAt.getTime() ?? 0) - HOUR_MS)
  const dates = { createdFrom: moment, createdTo: new Date(moment.getTime() + 3 * DAY_MS) }
  const asked: Partial<OrderFilter>[] = [
    {},
    { statuses: ['failed'] },
    { statuses: ['success', 'expired', 'refunded'] },
    { settleChain: 'ethereum', statuses: ['expired'] },
    { settleChain: skew.commonChain, ...dates },
    { createdFrom: moment },
    { createdTo: moment, statuses: ['success'] },
    dates,
    { metadata: { plan: 'pro' } },
    { metadata: { plan: skew.commonPlan, cart: '804' } },
    { metadata: { plan: 'pro' }, settleChain: 'ethereum', createdFrom: moment },
    { externalId: rows[7]?.externalId ?? '' },
    { externalId: rows[7]?.externalId ?? '', statuses: ['pending'] },
    { currency: 'EUR' },
    { currency: 'CHF', statuses: ['success'] },
    { currency: 'USD', settleChain: 'ethereum' },
    { currency: 'USD', statuses: ['expired'], metadata: { plan: 'pro' } },
    { amountUsd: exactly(13) },
    { amountUsd: exactly(13), currency: 'EUR', statuses: ['success', 'expired'] },
    { amountUsd: { fromMicros: 90_000_000n, toMicros: 1_000_000_000n } },
    { amountUsd: { fromMicros: 2_000_000n, toMicros: 90_000_000n }, settleChain: 'ethereum', ...dates },
    { amountUsd: { fromMicros: 90_000_000n, toMicros: 1n } },
    // Two sources, each of more than a round reads, one three times as dense as the other.
    { amountUsd: { fromMicros: 0n, toMicros: 60_000_000n }, statuses: ['success', 'expired'] },
    { statuses: ['expired'], metadata: { plan: 'pro' }, settleChain: skew.commonChain },
    { search: skew.commonWord },
    { search: skew.commonWord, currency: 'EUR', amountUsd: { fromMicros: 0n, toMicros: 50_000_000n } },
    { search: `${skew.commonWord} gre` },
    { search: `gre ${skew.commonWord}` },
    { search: 'word1', statuses: ['expired'], ...dates },
    { search: 'nothing' },
  ]
  const compare = async (lookedAt: number, some = asked): Promise<void> => {
    for (const each of some)
      for (const isOldestFirst of [false, true]) {
        const f = { ...none, ...each }
        const right = rows.filter((row) => fits(row, f)).map((row) => row.no)
        const found = await walk(at, f, { isOldestFirst, lookedAt })
        assert.deepEqual(isOldestFirst ? found : found.toReversed(), right, inspect({ each, isOldestFirst, lookedAt }))
      }
  }

  await t.test('page by page a list is exactly the orders that fit', async () => {
    const some = asked.filter((_, at) => at % sized({ short: 4, full: 1 }) === 0)
    await compare(5_000, some)
    await compare(70)
    // So few that pages end before they are full.
    await compare(15, some)
    assert.deepEqual(await walk(at, { ...none, livemode: false }, { isOldestFirst: false, lookedAt: 100 }), [])
    const other = { ...none, merchantId: 'mer_00000000000000000000000001', merchantNo: no + 1, search: skew.commonWord }
    const theirs = await walk(at, other, { isOldestFirst: false, lookedAt: 100 })
    assert.ok(theirs.every((number) => rows.every((row) => row.no !== number)))
  })

  await t.test('each filter reads few pages, once its plan no longer depends on its values', async () => {
    await sql`vacuum analyze orders, order_lookup, pay_legs, payments, settlements`
    const sample = await sampleOf(sql, id)
    const plans = await explained(t, at.databaseUrl)
    await plans.sql.unsafe(`set plan_cache_mode = force_generic_plan`)
    plans.taken()
    const app = await buildApp({ ...at.deps, sql: plans.sql, lists: plans.sql })
    t.after(() => app.close())
    const filters = Object.entries(everyFilter(sample))
    assert.ok(orderStatuses.every((status) => filters.some(([name]) => name === `status ${status}`)))
    for (const [name, query] of filters) {
      const url = `/api/v1/boss/orders?livemode=true&${query}`
      const reply = await app.inject({ url, headers: at.merchant.headers })
      assert.equal(reply.statusCode, 200, reply.payload)
      const seen = plans.taken().filter((plan) => /orders|order_lookup/.test(plan.query))
      const all = seen.map((plan) => plan.text).join('\n')
      assert.doesNotMatch(all, /Seq Scan on (orders|order_lookup|pay_legs|payments|settlements)/, `${name}: ${all}`)
      const pages = seen.reduce((sum, plan) => sum + plan.buffers, 0)
      assert.ok(pages <= PAGES_MAX, `${name}: ${pages} pages\n${all}`)
    }
  })

  await t.test(
    'a range of amounts asks for dates; one amount, or a filter that names few orders, does not',
    async () => {
      const ask = async (query: string): Promise<[number, string | undefined]> => {
        const url = `/api/v1/boss/orders?livemode=true&amount_usd_from=10&${query}`
        const reply = await at.app.inject({ url, headers: at.merchant.headers })
        return [reply.statusCode, reply.json<{ error?: { param?: string } }>().error?.param]
      }
      const ago = (days: number): string => new Date(at.clock.now().getTime() - days * DAY_MS).toISOString()
      for (const query of [
        '',
        'status=failed',
        `created_to=${ago(0)}`,
        `created_from=${ago(93)}`,
        `created_from=${ago(200)}&created_to=${ago(100)}`,
      ])
        assert.deepEqual(await ask(query), [422, 'created_from'], query)
      for (const query of [
        `created_from=${ago(92)}`,
        `created_from=${ago(200)}&created_to=${ago(108)}`,
        'amount_usd_to=10',
        `q=${skew.commonWord}`,
        `metadata[plan]=${skew.commonPlan}`,
        'external_id=x',
      ])
        assert.deepEqual(await ask(query), [200, undefined], query)
    },
  )
})
