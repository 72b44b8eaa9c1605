import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { type ConsoleUser, type TestConsole, testConsole } from '../../test/console.ts'
import { readCsv } from '../../test/csv.ts'
import { copies } from '../../test/scale/order-copies.ts'
import { listening } from '../../test/streams.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'
import { EXPORT_PAGE, exportOrders } from './export.ts'

const url = (query: string): string => `/api/v1/boss/orders/export?format=csv&livemode=false${query}`

/** The export as one object a row. */
async function exported(at: TestConsole, query = '', who: ConsoleUser = at): Promise<Record<string, string>[]> {
  const reply = await at.app.inject({ url: url(query), headers: who.merchant.headers })
  assert.equal(reply.statusCode, 200, reply.payload)
  assert.equal(reply.headers['content-type'], 'text/csv; charset=utf-8')
  const [header = [], ...rows] = readCsv(reply.rawPayload.toString('utf8'))
  return rows.map((cells) => Object.fromEntries(cells.map((cell, n) => [header[n] ?? n, cell])))
}

test('an order is one row, in whole units, with its payments and settlement', async (t) => {
  const at = await testConsole(t)
  const order = await at.order({
    amount_usd: 12.5,
    external_id: 'A-1',
    title: 'Hat, blue',
    metadata: { size: '7 "' },
    payer_email: 'ann@buyer.example',
  })
  await simulate(at.deps, order, 'pay', null)
  const done = await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'settle', null)
  at.clock.advance(1000)
  const open = await at.order({ pay_chain: undefined })
  const rows = await exported(at)
  assert.deepEqual(rows[1], {
    order_no: order.orderNo,
    created_at: order.createdAt.toISOString(),
    status: 'success',
    status_detail: 'paid',
    external_id: 'A-1',
    title: 'Hat, blue',
    amount_usd: '12.5',
    fee_bps: '0',
    pay_chain: 'base',
    pay_asset: 'USDC',
    pay_due: '12.5',
    pay_received: '12.5',
    pay_refunded: '0',
    settle_chain: 'base',
    settle_asset: 'USDC',
    settled: '12.5',
    merchant_refunded: '0',
    settle_address: order.settleAddress,
    settle_tx_hash: done.settleTxHash ?? '',
    settled_at: done.settledAt?.toISOString() ?? '',
    expires_at: order.expiresAt.toISOString(),
    metadata: '{"size":"7 \\""}',
    amount: '12.50',
    currency: 'USD',
    fx_rate: '',
    fx_observed_at: '',
    fx_ecb_rate: '',
    fee_owed: '',
    payment_link_id: '',
    invoice_id: '',
    quantity: '',
    payer_email: 'ann@buyer.example',
    payer_name: '',
    payer_note: '',
    other_received: '',
    other_refunded: '',
  })
  const { order_no, pay_chain, pay_due, settled, metadata } = rows[0] ?? {}
  assert.deepEqual([order_no, pay_chain, pay_due, settled, metadata], [open.orderNo, '', '', '', ''])
})

test('money in another coin, or on another leg, stands beside the row’s own', async (t) => {
  const at = await testConsole(t)
  const order = await at.order({ amount_usd: 12.5 })
  await simulate(at.deps, order, 'pay', null)
  const [payment] = (await getOrder(at.deps.sql, order.orderNo)).payments
  const also = async (key: string, more: object) =>
    at.deps.sql`
      insert into payments select (jsonb_populate_record(p, ${JSON.stringify({ key, id: key, ...more })}::text::jsonb)).*
      from payments p where p.id = ${payment?.id ?? ''}`
  const btc = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8, output_index: 1 }
  await also('pmt_a', { ...btc, amount: 20_000_000 })
  await also('pmt_b', { ...btc, amount: 1_000, output_index: 2 })
  await also('pmt_c', { ...btc, amount: 7, output_index: 3, status: 'orphaned' })
  await also('pmt_d', { chain: 'polygon', amount: 3_000_000, output_index: 4 })
  const row = async () => (await exported(at))[0]
  const told = await row()
  assert.deepEqual(
    [told?.pay_received, told?.other_received, told?.other_refunded],
    ['12.5', '0.20001 BTC on btc; 3 USDC on polygon', '0 BTC on btc; 0 USDC on polygon'],
  )
  // The same coin on a leg that pays no more.
  await at.deps.sql`
    insert into pay_legs select (jsonb_populate_record(l, '{"id": "leg_other", "ref": "other", "address": "0x1", "n": 2}')).*
    from pay_legs l where l.order_no = ${order.orderNo}`
  await at.deps.sql`update orders set pay_leg_id = 'leg_other' where order_no = ${order.orderNo}`
  assert.match((await row())?.other_received ?? '', /^12\.5 USDC on base; /)
})

test('what a stranger typed opens as text in a spreadsheet', async (t) => {
  const at = await testConsole(t)
  await at.order({ external_id: '=HYPERLINK("https://evil.example")', title: '@SUM(A1:A9)' })
  await at.order({ external_id: '-2+3', title: '+1 shirt' })
  await at.deps.sql`
    update orders set payer_note = '=1+1', quantity = 3, payment_link_id = null, payer_name = '-5' where title = '+1 shirt'`
  const [row] = (await exported(at)).filter((one) => one.title === "'+1 shirt")
  assert.deepEqual([row?.payer_note, row?.payer_name, row?.quantity], ["'=1+1", "'-5", '3'])
  const cells = (await exported(at)).flatMap((row) => [row.external_id, row.title])
  assert.deepEqual(cells.sort(), ["'+1 shirt", '-2+3', `'=HYPERLINK("https://evil.example")`, "'@SUM(A1:A9)"].sort())
})

test('the filters of the list hold here, and another merchant gets its own orders', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  const old = await at.order({ title: 'Old hat' })
  at.clock.advance(2 * DAY_MS)
  const fresh = await at.order({ external_id: 'B-2' })
  const numbers = async (query: string): Promise<(string | undefined)[]> =>
    (await exported(at, query)).map((row) => row.order_no)
  assert.deepEqual(await numbers(''), [fresh.orderNo, old.orderNo])
  assert.deepEqual(await numbers('&external_id=B-2'), [fresh.orderNo])
  assert.deepEqual(await numbers('&q=hat'), [old.orderNo])
  assert.deepEqual(await numbers(`&created_from=${at.clock.now().toISOString()}`), [fresh.orderNo])
  assert.deepEqual(await numbers('&status=success&status=failed'), [])
  assert.deepEqual(await exported(at, '', stranger), [])
  const live = await at.app.inject({
    url: url('').replace('livemode=false', 'livemode=true'),
    headers: at.merchant.headers,
  })
  assert.equal(readCsv(live.payload).length, 1)
  const day = at.clock.now().toISOString().slice(0, 10)
  assert.equal(live.headers['content-disposition'], `attachment; filename="florin-orders-live-${day}.csv"`)
})

test('bad questions are refused before anything is sent', async (t) => {
  const at = await testConsole(t)
  for (const [query, code, param] of [
    ['', 'missing_field', 'format'],
    ['format=xlsx&livemode=true', 'validation_failed', 'format'],
    ['format=csv', 'missing_field', 'livemode'],
    ['format=csv&livemode=true&limit=5', 'unknown_field', 'limit'],
    ['format=csv&livemode=true&created_to=x', 'validation_failed', 'created_to'],
    ['format=csv&livemode=true&after=x', 'validation_failed', 'after'],
  ]) {
    const { error } = await at.get(`orders/export?${query}`)
    assert.deepEqual([error?.code, error?.param], [code, param], query)
  }
  assert.equal((await at.app.inject(url(''))).statusCode, 401)
  const head = await at.app.inject({ method: 'HEAD', url: url(''), headers: at.merchant.headers })
  assert.notEqual(head.statusCode, 200)
})

test('many orders come page after page: nothing is skipped, nothing comes twice, and no more is read than is taken', async (t) => {
  const at = await testConsole(t)
  const order = await at.order()
  const count = 2 * EXPORT_PAGE + 5
  await copies(at, order.orderNo, count)
  const rows = await exported(at)
  assert.equal(rows.length, count + 1)
  const numbers = rows.map((row) => row.order_no ?? '')
  assert.deepEqual(numbers, [...new Set(numbers)].sort().reverse())
  // One that broke off goes on behind its last whole row, and what both brought is the same file.
  const whole = (await at.app.inject({ url: url(''), headers: at.merchant.headers })).payload
  const lines = whole.split(/(?<=\r\n)/)
  const rest = await at.app.inject({ url: url(`&after=${numbers[EXPORT_PAGE + 3]}`), headers: at.merchant.headers })
  assert.equal(lines.slice(0, EXPORT_PAGE + 5).join('') + rest.payload, whole)

  const pages = exportOrders(at.deps.sql, {
    ...{ merchantId: at.merchant.id, merchantNo: at.merchant.no, livemode: false, search: null, metadata: null },
    ...{
      statuses: null,
      externalId: null,
      settleChain: null,
      currency: null,
      amountUsd: null,
      paymentLinkId: null,
      invoiceId: null,
    },
    ...{ createdFrom: null, createdTo: null },
  })
  await pages.next()
  const first = await pages.next()
  assert.equal(String(first.value).split('\r\n').length, EXPORT_PAGE + 1)
  await at.deps.sql`delete from orders where order_no like 'ord_0000%'`
  assert.equal((await pages.next()).value, '', 'the second page was not read ahead')
})

test('a merchant has two exports at a time; one that is broken off makes room', async (t) => {
  const at = await testConsole(t)
  // Large enough that a client that does not read stalls the export.
  const order = await at.order({
    metadata: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, 'x'.repeat(500)])),
  })
  await copies(at, order.orderNo, 4 * EXPORT_PAGE)
  const base = await listening(at.app)
  const aborts: AbortController[] = []
  const start = (): Promise<Response> => {
    const abort = new AbortController()
    aborts.push(abort)
    return fetch(`${base}${url('')}`, { headers: at.merchant.headers, signal: abort.signal })
  }
  // Both references are kept: an answer that is garbage collected is closed by the client.
  const open = [await start(), await start()]
  assert.deepEqual(
    open.map((answer) => answer.status),
    [200, 200],
  )
  const third = await start()
  assert.equal(third.status, 429)
  assert.equal(((await third.json()) as { error: { code: string } }).error.code, 'rate_limited')
  aborts[0]?.abort()
  for (;;) {
    const answer = await start()
    if (answer.status === 200) break
    await answer.text()
  }
  assert.equal(open[1]?.bodyUsed, false)
  for (const abort of aborts) abort.abort()
})
