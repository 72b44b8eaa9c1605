// Invoices over HTTP: numbered without gaps, mailed once, paid once, and nobody else's business.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendDueMail } from '@florin/platform/mail/send'
import { type AttentionItem, DAY_MS, HOUR_MS, type Invoice, type Order, PAYER_MAILS } from '@florin/protocol'
import { aMerchant, anApiKey } from '../../../test/factories.ts'
import { expireDue } from '../../orders/expire.ts'
import { ownRefundJob } from '../../orders/own-refunds/watch.ts'
import { sendOrderMails } from '../../orders/tell/order-mails.ts'
import { aRate } from '../../prices/rates.fixture.ts'
import { aSeller, carryRealMoney, type Reply, type Seller } from '../selling.fixture.ts'

const body = {
  lines: [
    { description: 'Consulting <b>', quantity: '7.5', unit_price: '80' },
    { description: 'Travel', unit_price: '19.99' },
  ],
  ...{ tax: { label: 'VAT', percent: '19' }, payer_name: 'Ann & Co', payer_email: 'Ann@Shop.example', note: 'Thanks.' },
}

async function anInvoice(at: Seller, more: object = {}): Promise<Invoice> {
  const due = new Date(at.clock.now().getTime() + 7 * DAY_MS).toISOString().slice(0, 10)
  const made = await at.v1<Invoice>('POST', 'invoices', { due_date: due, ...body, ...more })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return made.body
}
const read = async (at: Seller, { id }: Invoice): Promise<Invoice> =>
  (await at.v1<Invoice>('GET', `invoices/${id}`)).body
const ordersOf = async (at: Seller, { id }: Invoice): Promise<Order[]> =>
  (await at.v1<{ data: Order[] }>('GET', `orders?invoice_id=${id}`)).body.data

test('an invoice is made, read and listed by its merchant, and exists for nobody else', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at)
  assert.deepEqual(
    [invoice.number, invoice.status, invoice.subtotal, invoice.tax_amount, invoice.total, invoice.payer_email],
    ['TEST-000001', 'open', '619.99', '117.80', '737.79', 'Ann@shop.example'],
  )
  assert.deepEqual(await read(at, invoice), invoice)
  const list = async (status: string) =>
    (await at.v1<{ data: Invoice[] }>('GET', `invoices?status=${status}`)).body.data.length
  assert.deepEqual([await list('open'), await list('overdue'), await list('paid')], [1, 0, 0])
  at.clock.advance(8 * DAY_MS)
  assert.equal((await read(at, invoice)).status, 'overdue')
  assert.deepEqual([await list('open'), await list('overdue')], [0, 1])
  const other = await anApiKey(at.deps, await aMerchant(at.deps))
  for (const act of ['', '/send', '/void']) {
    const method = act === '' ? 'GET' : 'POST'
    const { status, body: answer } = await at.v1(method, `invoices/${invoice.id}${act}`, undefined, other.headers)
    assert.deepEqual([status, answer.error?.code], [404, 'invoice_not_found'])
  }
})

test('numbers have no gap, whatever is refused, repeated or made at the same time', async (t) => {
  const at = await aSeller(t)
  const rush = await Promise.all(Array.from({ length: 6 }, () => anInvoice(at)))
  const refused = await at.v1('POST', 'invoices', { ...body, due_date: '2999-01-01', send: true, payer_email: null })
  assert.deepEqual([refused.status, refused.body.error?.param], [422, 'payer_email'])
  const keyed = () =>
    at.v1<Invoice>('POST', 'invoices', { ...body, due_date: '2999-01-01' }, { 'idempotency-key': 'one' })
  assert.equal((await keyed()).body.number, (await keyed()).body.number)
  const own = await anInvoice(at, { number: 'RE 2026/17' })
  assert.equal(own.number, 'RE 2026/17')
  const taken = await at.v1('POST', 'invoices', { ...body, due_date: '2999-01-01', number: 'RE 2026/17' })
  assert.deepEqual([taken.status, taken.body.error?.code], [409, 'invoice_number_taken'])
  const last = await anInvoice(at)
  const numbers = [...rush, (await keyed()).body, last].map(({ number }) => number).sort()
  assert.deepEqual(
    numbers,
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `TEST-00000${n}`),
  )
})

test('an invoice is mailed to its payer with nothing but the facts, not twice within the hour and five times at most', async (t) => {
  const at = await aSeller(t)
  await sendDueMail(at.deps)
  at.mailbox.mails.length = 0
  const invoice = await anInvoice(at, {
    note: 'Buy pills at pills.example',
    seller_details: 'pills.example',
  })
  const send = () => at.v1<Invoice>('POST', `invoices/${invoice.id}/send`)
  // As if it asked for real money.
  carryRealMoney(at)
  await at.deps.sql`update invoices set livemode = true`
  await at.deps.sql`update api_keys set livemode = true`
  const again = await Promise.all([send(), send(), send(), send()])
  assert.deepEqual(again.map(({ status }) => status).sort(), [200, 429, 429, 429])
  for (let n = 0; n < 6; n++) {
    at.clock.advance(HOUR_MS)
    await send()
  }
  await sendDueMail(at.deps)
  assert.equal(at.mailbox.mails.length, 5)
  const [mail] = at.mailbox.mails
  assert.equal(mail?.to, 'Ann@shop.example')
  assert.match(mail?.subject ?? '', /^Invoice TEST-000001 from /)
  assert.match(mail?.text ?? '', /Total: +737\.79 USD\n/)
  assert.ok(mail?.text.includes(invoice.url))
  assert.doesNotMatch(mail?.text ?? '', /pills|Consulting/)
  assert.equal((await read(at, invoice)).sent_count, 5)
})

test('no address or number to call of a merchant is in a mail to a payer, and a test invoice is mailed to the merchant', async (t) => {
  const at = await aSeller(t)
  await sendDueMail(at.deps)
  at.mailbox.mails.length = 0
  const name = 'PayPal: locked, unlock at https://evil.example/login?u=1 or call +1 900 000'
  const named = await at.app.inject({
    ...{ method: 'PATCH', url: '/api/v1/boss/merchant', headers: at.merchant.headers, payload: { name } },
  })
  assert.equal(named.statusCode, 422)
  const number = 'https://evil.example/p?x=1 www.evil.com'
  const refused = await at.v1('POST', 'invoices', { ...body, due_date: '2999-01-01', number })
  assert.deepEqual([refused.status, refused.body.error?.param], [422, 'number'])
  assert.match(refused.body.error?.message ?? '', /no web address/)
  // Rows from before such words were refused.
  await at.deps.sql`update merchants set name = ${name} where id = ${at.merchant.id}`
  const invoice = await anInvoice(at, { payer_email: 'victim@x.example' })
  await at.deps.sql`update invoices set number = ${number}`
  assert.equal((await at.v1('POST', `invoices/${invoice.id}/send`)).status, 200)
  await sendDueMail(at.deps)
  const [mail, ...more] = at.mailbox.mails
  assert.deepEqual([mail?.to, more], [at.merchant.email, []])
  assert.match(mail?.subject ?? '', /^\[test\] Invoice /)
  for (const text of [mail?.subject ?? '', mail?.text ?? '', mail?.html ?? '']) {
    assert.doesNotMatch(text, /evil\.|www\.|\+1 900/)
  }
  assert.match(mail?.off ?? '', /\/mail\/stop\/all\./)
})

test('a number to call in the number of an invoice is in no mail to its payer: not the invoice, not the receipt', async (t) => {
  const at = await aSeller(t)
  await sendDueMail(at.deps)
  at.mailbox.mails.length = 0
  const invoice = await anInvoice(at, { number: 'PAYPAL-FRAUD-1-800-555-0199', send: true })
  const books = await anInvoice(at, { number: 'RE 2026-11-00042', send: true })
  // One shop mails one mailbox three times an hour.
  at.clock.advance(HOUR_MS)
  for (const { id, url } of [invoice, books]) {
    await at.submit(url)
    const [order] = await ordersOf(at, { id } as Invoice)
    await at.v1('POST', `test/orders/${order?.order_no}/simulate`, { action: 'pay' })
    await at.v1('POST', `test/orders/${order?.order_no}/simulate`, { action: 'settle' })
  }
  while ((await sendOrderMails(at.deps)) > 0);
  while ((await sendDueMail(at.deps)) > 0);
  const toPayers = at.mailbox.mails.filter(({ subject }) => /Invoice|Receipt/.test(subject))
  assert.equal(toPayers.length, 4)
  for (const { subject, text, html } of toPayers) {
    assert.doesNotMatch(`${subject}${text}${html}`, /800|555/)
    assert.match(text, /PAYPAL-FRAUD-…0199|RE 2026-11-00042/)
  }
})

test('one mailbox gets so many invoices, however many shops and requests there are; then 429 says so; none once it has refused', async (t) => {
  const at = await aSeller(t)
  const to = 'flood@x.example'
  const due_date = '2999-01-01'
  const made = await Promise.all(Array.from({ length: 8 }, () => anInvoice(at, { payer_email: to })))
  carryRealMoney(at)
  await at.deps.sql`update invoices set livemode = true`
  await at.deps.sql`update api_keys set livemode = true`
  const sends = () => Promise.all(made.map(({ id }) => at.v1('POST', `invoices/${id}/send`)))
  const first = await sends()
  const ok = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length
  assert.equal(ok(first), PAYER_MAILS.ofShopPerHour)
  const full = first.find(({ status }) => status === 429)
  assert.match(full?.body.error?.message ?? '', /Share the link/)
  assert.ok(Number(full?.headers['retry-after']) > 3000)
  at.clock.advance(HOUR_MS)
  assert.equal(ok(await sends()), PAYER_MAILS.invoicesPerDay - PAYER_MAILS.ofShopPerHour)
  const all = await at.v1('POST', 'invoices', { ...body, due_date, payer_email: to, send: true })
  assert.equal(all.status, 429)
  while ((await sendDueMail(at.deps)) > 0);
  const mails = at.mailbox.mails.filter((mail) => mail.to === to)
  assert.equal(mails.length, PAYER_MAILS.invoicesPerDay)
  const off = new URL(mails[0]?.off ?? '').pathname
  assert.equal((await at.app.inject({ method: 'POST', url: off })).statusCode, 200)
  at.clock.advance(DAY_MS)
  const stopped = await at.v1('POST', 'invoices', { ...body, due_date, payer_email: to, send: true })
  assert.deepEqual([stopped.status, stopped.body.error?.param], [422, 'payer_email'])
})

test('everybody who pays is led to one order; a lapsed one gives way to the next; paid is paid', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at)
  const page = await at.open(invoice.url)
  assert.equal(page.status, 200)
  assert.match(page.html, /Consulting &lt;b&gt;[\s\S]*Pay \$737\.79/)
  assert.doesNotMatch(page.html, /ann@|<script/)
  // Connections that are open already: those who press at once are served at once.
  await Promise.all(Array.from({ length: 8 }, () => at.deps.sql`select 1`))
  const starts = await Promise.all(Array.from({ length: 12 }, (_, n) => at.submit(invoice.url, {}, `203.0.113.${n}`)))
  assert.equal(new Set(starts.map(({ location }) => location)).size, 1)
  assert.ok(starts.every(({ status }) => status === 303))
  const [first] = await ordersOf(at, invoice)
  assert.deepEqual(
    [first?.amount, first?.currency, first?.invoice_id, first?.payer_email, first?.external_id, first?.title],
    ['737.79', 'USD', invoice.id, 'Ann@shop.example', 'TEST-000001', 'TEST-000001'],
  )
  at.clock.advance(31 * 60_000)
  await expireDue(at.deps)
  const second = await at.submit(invoice.url)
  assert.notEqual(second.location, starts[0]?.location, 'priced anew')
  const [order] = await ordersOf(at, invoice)
  const act = async (action: string) => at.boss('POST', `test/orders/${order?.order_no}/simulate`, { action })
  await act('pay')
  assert.equal((await read(at, invoice)).status, 'processing')
  assert.equal((await at.v1('POST', `invoices/${invoice.id}/void`)).status, 409)
  await act('confirm')
  await act('settle')
  const paid = await read(at, invoice)
  assert.deepEqual([paid.status, paid.paid_order_no], ['paid', order?.order_no])
  assert.equal((await at.submit(invoice.url)).location, second.location, 'to the receipt, not to another payment')
  assert.equal((await at.v1('POST', `invoices/${invoice.id}/send`)).status, 409)
  assert.match((await at.open(invoice.url)).html, /Paid on/)
})

test('what is void cannot be paid any more, and what was started and got nothing is canceled', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at)
  assert.equal((await at.submit(invoice.url)).status, 303)
  const voided = await at.v1<Invoice>('POST', `invoices/${invoice.id}/void`)
  assert.deepEqual([voided.status, voided.body.status], [200, 'void'])
  assert.deepEqual(
    (await ordersOf(at, invoice)).map(({ status_detail: detail }) => detail),
    ['canceled'],
  )
  assert.equal((await at.v1('POST', `invoices/${invoice.id}/void`)).status, 200)
  const late = await at.submit(invoice.url)
  assert.deepEqual([late.status, /was withdrawn/.test(late.html)], [409, true])
  const other = await anInvoice(at)
  await at.deps.sql`update merchants set suspended_at = ${at.clock.now()} where id = ${at.merchant.id}`
  assert.deepEqual([(await at.open(other.url)).status, (await at.submit(other.url)).status], [404, 404])
})

test('paid twice, an invoice says so: the first order stays the one that paid it, and an item leads to the refund', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at)
  const act = async (order: Order | undefined, ...actions: string[]) => {
    for (const action of actions) {
      const { status, body: answer } = await at.boss('POST', `test/orders/${order?.order_no}/simulate`, { action })
      assert.equal(status, 200, JSON.stringify(answer))
    }
  }
  const start = async (): Promise<Order | undefined> => {
    await at.submit(invoice.url)
    const [order] = await ordersOf(at, invoice)
    await at.app.inject({
      ...{ method: 'POST', url: `/checkout/${order?.checkout_url.split('/').pop()}/pay` },
      payload: { chain: 'base', asset: 'USDC' },
    })
    return order
  }
  const items = async () => (await at.boss<{ data: AttentionItem[] }>('GET', 'attention?livemode=false')).body.data.data
  const early = await start()
  await act(early, 'expire')
  const late = await start()
  assert.notEqual(late?.order_no, early?.order_no)
  await act(late, 'pay', 'confirm', 'settle')
  const once = await read(at, invoice)
  assert.deepEqual([once.paid_order_no, once.paid_order_nos], [late?.order_no, [late?.order_no]])
  assert.deepEqual(await items(), [])
  at.clock.advance(1000)
  await act(early, 'pay_late', 'confirm', 'settle')
  const twice = await read(at, invoice)
  assert.deepEqual(
    [twice.status, twice.paid_order_no, twice.paid_order_nos, twice.paid_at],
    ['paid', late?.order_no, [late?.order_no, early?.order_no], once.paid_at],
  )
  const [item, ...others] = await items()
  assert.deepEqual(
    [
      item?.reason,
      item?.order_no,
      item?.evidence.invoice,
      item?.evidence.paid_before_by,
      item?.evidence.amount,
      others,
    ],
    ['invoice_paid_twice', early?.order_no, invoice.number, late?.order_no, '737790000', []],
  )
  assert.match(item?.summary ?? '', /merchant_refunds/)
  await sendDueMail(at.deps)
  assert.ok(at.mailbox.mails.some(({ subject }) => subject === '[test] An invoice was paid twice'))
  const refunds = `orders/${early?.order_no}/merchant_refunds`
  const asked = await at.boss<{ id: string }>('POST', refunds, { address: `0x${'7'.repeat(40)}` })
  const named = await at.boss('POST', `${refunds}/${asked.body.data?.id}/transaction`, {
    tx_hash: `0x${'a'.repeat(64)}`,
  })
  assert.equal(named.status, 200, JSON.stringify([asked.body, named.body]))
  await ownRefundJob(at.deps).run(AbortSignal.any([]))
  const [after] = await items()
  assert.deepEqual([after?.resolved_by, after?.resolution], ['system', 'it was refunded'])
})

test('a part of the money does not keep an invoice from being taken back', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at)
  await at.submit(invoice.url)
  const [order] = await ordersOf(at, invoice)
  const simulate = (action: string) => at.boss('POST', `test/orders/${order?.order_no}/simulate`, { action })
  assert.equal((await simulate('underpay')).status, 200)
  const voided = await at.v1<Invoice>('POST', `invoices/${invoice.id}/void`)
  assert.deepEqual([voided.status, voided.body.status], [200, 'void'])
  assert.equal((await ordersOf(at, invoice))[0]?.status, 'pending', 'what came in part follows the order')
})

test('what cannot work by itself is refused when it is made or changed, as an order is, and no number is used up', async (t) => {
  const at = await aSeller(t)
  const due = { due_date: '2999-01-01' }
  const cases: readonly (readonly [order: object, terms: object, livemode?: boolean])[] = [
    [{}, {}, true],
    [{ settle_chain: 'eth' }, { settle_chain: 'eth' }],
    [{ settle_asset: 'DOGE' }, { settle_asset: 'DOGE' }],
    [
      { settle_chain: 'base', settle_asset: 'USDT9' },
      { settle_chain: 'base', settle_asset: 'USDT9' },
    ],
  ]
  const faultOf = ({ body: { error } }: Reply<unknown>) => [error?.code, error?.param, error?.message]
  for (const [order, terms, livemode = false] of cases) {
    const mode = `?livemode=${livemode}`
    const said = await at.boss('POST', `orders${mode}`, { ...('amount' in order ? {} : { amount_usd: 5 }), ...order })
    const link = await at.boss('POST', `payment_links${mode}`, { title: 'Chair', amount: '5', ...terms })
    const open = await at.boss('POST', `payment_links${mode}`, { title: 'Chair', ...terms })
    const invoice = await at.boss('POST', `invoices${mode}`, { ...body, ...due, ...terms, send: true })
    assert.equal(said.status, 422, JSON.stringify(said.body))
    for (const made of [link, open, invoice]) assert.deepEqual(faultOf(made), faultOf(said), JSON.stringify(terms))
  }
  await aRate(at.deps, 'EUR', '0.9')
  const refused = async (noun: string, more: object) => {
    const { status, body: answer } = await at.v1('POST', noun, more)
    return [status, answer.error?.code, answer.error?.param]
  }
  const large = { ...body, ...due, lines: [{ description: 'x', unit_price: '900000' }] }
  assert.deepEqual(await refused('invoices', { ...large, currency: 'EUR' }), [422, 'invalid_amount', 'lines'])
  assert.deepEqual(
    await refused('invoices', { ...large, lines: [{ description: 'x', unit_price: '1000000.01' }], tax: null }),
    [422, 'invalid_amount', 'lines'],
  )
  for (const [param, more] of [
    ['amount', { amount: '1000000.01' }],
    ['amount', { amount: '900000.01', currency: 'EUR' }],
    ['amount_min', { amount_min: '1000001' }],
    ['amount_max', { amount_max: '1000001' }],
    ['quantity_max', { amount: '2000', quantity_max: 501 }],
  ] as const) {
    assert.deepEqual(await refused('payment_links', { title: 'Chair', ...more }), [422, 'invalid_amount', param])
  }
  // No rate can be trusted now: that passes.
  const passing = await at.v1<Invoice>('POST', 'invoices', {
    ...body,
    ...due,
    currency: 'JPY',
    lines: [{ description: 'x', unit_price: '5' }],
  })
  assert.deepEqual([passing.status, passing.body.number], [201, 'TEST-000001'])
  assert.equal((await at.v1('POST', 'payment_links', { title: 'Chair', amount: '5', currency: 'JPY' })).status, 201)
  const link = await at.link()
  await at.deps.sql`delete from receiving_addresses where merchant_id = ${at.merchant.id}`
  const changes = async (change: object) => {
    const { status, body: answer } = await at.v1('POST', `payment_links/${link.id}`, change)
    return [status, answer.error?.code]
  }
  assert.deepEqual(await changes({ title: 'Stool' }), [422, 'receiving_address_missing'])
  assert.deepEqual(await changes({ active: false }), [200, undefined])
  assert.deepEqual(await changes({ active: true }), [422, 'receiving_address_missing'])
  const mailed = await at.v1('POST', `invoices/${passing.body.id}/send`)
  assert.deepEqual([mailed.status, mailed.body.error?.code], [422, 'receiving_address_missing'])
  assert.equal((await read(at, passing.body)).sent_count, 0)
})

test('the PDF is one, in the language that is asked for, over several pages where it takes them', async (t) => {
  const at = await aSeller(t)
  const invoice = await anInvoice(at, {
    lines: Array.from({ length: 50 }, (_, n) => ({ description: `Ψωμί ${n} ${'x'.repeat(150)}`, unit_price: '1' })),
  })
  const reply = await at.app.inject({ url: new URL(invoice.pdf_url).pathname, headers: { 'accept-language': 'de' } })
  assert.equal(reply.headers['content-type'], 'application/pdf')
  assert.equal(reply.headers['content-disposition'], 'attachment; filename="TEST-000001.pdf"')
  const text = reply.rawPayload.toString('latin1')
  assert.match(text, /^%PDF-1\.\d[\s\S]*%%EOF\s*$/)
  assert.ok((text.match(/\/Type \/Page\n/g) ?? []).length >= 2)
  assert.ok(reply.rawPayload.length < 200_000, `${reply.rawPayload.length} bytes`)
})

test('invoice PDF: Chinese names, lines and words → set in a font that has their letters', async (t) => {
  const at = await aSeller(t)
  const pdfOf = async (more: object, language: string): Promise<string> => {
    const invoice = await anInvoice(at, more)
    const headers = { 'accept-language': language }
    const reply = await at.app.inject({ url: new URL(invoice.pdf_url).pathname, headers })
    assert.equal(reply.statusCode, 200)
    return reply.rawPayload.toString('latin1')
  }
  const fontsOf = (pdf: string): string[] =>
    [...new Set([...pdf.matchAll(/\/BaseFont \/[A-Z]+\+(\S+)/g)].map(([, name = '']) => name))].sort()

  const western = await pdfOf({ lines: [{ description: 'Stuhl, Łódź, Ψωμί', unit_price: '1' }] }, 'de')
  assert.deepEqual(fontsOf(western), ['DejaVuSans', 'DejaVuSans-Bold'])
  const named = await pdfOf({ lines: [{ description: '椅子（红色）', unit_price: '1' }] }, 'en')
  assert.ok(fontsOf(named).includes('NotoSansHans-Regular'), fontsOf(named).join())
  const chinese = await pdfOf({ payer_name: '北京商店', lines: [{ description: '椅子', unit_price: '1' }] }, 'zh-CN')
  assert.ok(fontsOf(chinese).includes('NotoSansHans-Bold'), fontsOf(chinese).join())
  assert.ok(chinese.length < 200_000, `${chinese.length} bytes: only the letters in use are embedded`)
})
