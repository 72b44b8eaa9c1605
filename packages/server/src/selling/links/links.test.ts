// Payment links over HTTP: made and changed by merchants, started by strangers, never sold twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Invoice, type Order, type PaymentLink, STARTS_OPEN_MAX, STARTS_PER_HOUR } from '@florin/protocol'
import { aMerchant, anApiKey } from '../../../test/factories.ts'
import { expireDue } from '../../orders/expire.ts'
import { gatherJob } from '../../prices/gather.ts'
import { aRate } from '../../prices/rates.fixture.ts'
import { aSeller, type Seller } from '../selling.fixture.ts'

const orders = async (at: Seller, link: PaymentLink): Promise<Order[]> => {
  const { body } = await at.v1<{ data: Order[] }>('GET', `orders?limit=100&payment_link_id=${link.id}`)
  return body.data
}
const outbox = async (at: Seller): Promise<number> =>
  Number((await at.deps.sql<{ n: bigint }[]>`select count(*) as n from mail_outbox`)[0]?.n)
const ipOf = (n: number): string => `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}`

test('a link is made, read, listed and changed by its merchant in its mode, and exists for nobody else', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({ amount: 12.5, description: ' Oak \r\n and ash ', stock: 3, ask_email: 'required' })
  assert.match(link.url, /\/pay\/l\/[0-9A-Za-z]{22}$/)
  assert.deepEqual(
    [link.amount, link.currency, link.state, link.stock, link.stock_taken, link.description, link.livemode],
    ['12.50', 'USD', 'open', 3, 0, 'Oak \n and ash', false],
  )
  assert.deepEqual((await at.v1('GET', `payment_links/${link.id}`)).body, link)
  assert.deepEqual((await at.v1<{ data: unknown[] }>('GET', 'payment_links?active=true')).body.data, [link])
  assert.deepEqual((await at.boss('GET', `payment_links/${link.id}`)).body.data, link)
  assert.deepEqual((await at.boss<{ data: [] }>('GET', 'payment_links?livemode=true')).body.data.data, [])

  const other = await anApiKey(at.deps, await aMerchant(at.deps))
  for (const [method, url] of [
    ['GET', link.id],
    ['POST', link.id],
    ['GET', 'plk_x'],
  ] as const) {
    const { status, body } = await at.v1(
      method,
      `payment_links/${url}`,
      method === 'GET' ? undefined : {},
      other.headers,
    )
    assert.deepEqual([status, body.error?.code], [404, 'payment_link_not_found'])
  }
  const changed = await at.boss<PaymentLink>('POST', `payment_links/${link.id}`, {
    title: 'Stool',
    description: null,
    active: false,
  })
  assert.deepEqual(
    [changed.body.data.title, changed.body.data.description, changed.body.data.state],
    ['Stool', null, 'inactive'],
  )
  assert.equal((await at.submit(link.url)).status, 409)
  assert.match((await at.open(link.url)).html, /takes no payments any more/)
})

test('the same Idempotency-Key makes one link, also at the same time; another body is refused', async (t) => {
  const at = await aSeller(t)
  const make = (title: string, key = 'k 1') =>
    at.v1<PaymentLink>('POST', 'payment_links', { title, amount: '5' }, { 'idempotency-key': key })
  const made = await Promise.all([1, 2, 3, 4].map(() => make('Tea')))
  assert.deepEqual(new Set(made.map(({ status, body }) => `${status} ${body.id}`)).size, 1)
  assert.equal(made.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 3)
  assert.equal((await make('Milk')).body.error?.code, 'idempotency_key_reused')
  assert.equal((await at.v1<{ data: [] }>('GET', 'payment_links')).body.data.length, 1)
})

test('what cannot be a link is refused with the field at fault', async (t) => {
  const at = await aSeller(t)
  const cases: readonly (readonly [body: object, code: string, param: string])[] = [
    [{ title: undefined, amount: '5' }, 'missing_field', 'title'],
    [{ title: 'a\nb' }, 'validation_failed', 'title'],
    [{ amount: '0' }, 'invalid_amount', 'amount'],
    [{ amount: '1.005' }, 'invalid_amount', 'amount'],
    [{ amount: '5', currency: 'EURO' }, 'unknown_currency', 'currency'],
    [{ amount: '5', amount_min: '1' }, 'validation_failed', 'amount_min'],
    [{ amount: null, amount_min: '9', amount_max: '8' }, 'validation_failed', 'amount_max'],
    [{ amount: null, quantity_max: 2 }, 'validation_failed', 'quantity_max'],
    [{ ends_at: '2001-01-01' }, 'validation_failed', 'ends_at'],
    [{ ends_at: 'soon' }, 'validation_failed', 'ends_at'],
    [{ stock: -1 }, 'validation_failed', 'stock'],
    [{ success_url: 'javascript:alert(1)' }, 'validation_failed', 'success_url'],
    [{ settle_chain: 'nowhere' }, 'unknown_chain', 'settle_chain'],
    [{ webhook_url: 'https://shop.example/' }, 'unknown_field', 'webhook_url'],
  ]
  for (const [body, code, param] of cases) {
    const { status, body: answer } = await at.v1('POST', 'payment_links', { title: 'Chair', amount: '25', ...body })
    assert.deepEqual([status, answer.error?.code, answer.error?.param], [422, code, param], JSON.stringify(body))
  }
  const unlimited = await at.link()
  const late = await at.v1('POST', `payment_links/${unlimited.id}`, { stock: 4 })
  assert.deepEqual([late.status, late.body.error?.param], [422, 'stock'])
})

test('a visit makes nothing; the form makes an order that is priced then and says where it came from', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({
    ...{ amount: null, amount_min: '5', amount_max: '80', external_id: 'campaign', success_text: 'See you on Monday.' },
    success_url: 'https://shop.example/thanks',
    ...{ ask_email: 'required', ask_name: 'optional', ask_note: 'optional', expires_in: 600 },
  })
  const { html, status } = await at.open(link.url, { 'accept-language': 'de' })
  assert.equal(status, 200)
  assert.match(html, /<html lang="de">[\s\S]*Betrag \(USD\)[\s\S]*Weiter zur Zahlung/)
  assert.doesNotMatch(html, /<script/)
  assert.deepEqual(await orders(at, link), [])
  const once = /name="once" value="(\w{22})"/.exec(html)?.[1] ?? ''
  const typed = { amount: '12,50', email: 'Ann@Shop.example', name: '<b>Ann</b>', note: 'Blue,\r\nplease', once }
  const first = await at.submit(link.url, typed)
  assert.equal(first.status, 303)
  assert.match(first.location ?? '', /^\/pay\/[0-9A-Za-z]{32}$/)
  assert.equal((await at.submit(link.url, typed)).location, first.location, 'the same page sent twice is one order')
  const clicks = await Promise.all(['13', '13', '13'].map((amount) => at.submit(link.url, { ...typed, amount })))
  assert.deepEqual(new Set(clicks.map((each) => each.status)), new Set([303]), 'a double click is no error')
  assert.equal(new Set(clicks.map((each) => each.location)).size, 1, 'and one order')
  const other = await at.submit(link.url, { ...typed, amount: '13' })
  assert.equal(other.status, 303, 'the same page with another wish is another order')
  assert.notEqual(other.location, first.location)
  const [, order, ...more] = await orders(at, link)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [order?.amount_usd, order?.payer_email, order?.payer_name, order?.payer_note, order?.quantity, order?.external_id],
    [12.5, 'Ann@shop.example', '<b>Ann</b>', 'Blue,\nplease', 1, 'campaign'],
  )
  assert.equal(Date.parse(order?.expires_at ?? '') - at.clock.now().getTime(), 600_000)
  // Nobody's text and nobody's email is on the page that others may see; nobody was mailed.
  const checkout = await at.open(`/checkout${first.location?.slice(4)}`)
  assert.doesNotMatch(checkout.html, /ann@|Blue|Ann</)
  // What the shop says after the payment may be what it sells.
  for (const path of ['/checkout', '/pay']) {
    assert.doesNotMatch((await at.open(`${path}${first.location?.slice(4)}`)).html, /Monday|shop\.example\/thanks/)
  }
  assert.deepEqual(at.mailbox.mails, [])
  const act = (action: string) => at.boss('POST', `test/orders/${order?.order_no}/simulate`, { action })
  for (const step of ['pay', 'confirm', 'settle']) assert.equal((await act(step)).status, 200)
  assert.match((await at.open(`/checkout${first.location?.slice(4)}`)).html, /See you on Monday\./)
  const paid = await at.v1<PaymentLink>('GET', `payment_links/${link.id}`)
  assert.deepEqual([paid.body.orders_paid, paid.body.stock_taken], [1, 0])
})

test('the pages take a form and nothing else: no body of another kind is an error of ours', async (t) => {
  const at = await aSeller(t)
  const link = await at.link()
  const { location } = await at.submit(link.url)
  const url = (full: string): string => new URL(full, 'http://localhost').pathname
  for (const to of [url(link.url), location ?? '']) {
    for (const payload of ['null', '5', '{"amount":5}', '{"choice":5}', '{"name":["x"]}']) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.8' }
      const reply = await at.app.inject({ method: 'POST', url: to, headers, payload })
      assert.equal(reply.statusCode, 415, `${to} ${payload}`)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.8' }
    for (const payload of ['name=%00', 'tx_hash=%00', 'choice=%00+%00', 'amount=%00']) {
      const reply = await at.app.inject({ method: 'POST', url: to, headers, payload })
      assert.equal(reply.statusCode, 400, `${to} ${payload}`)
    }
    const empty = await at.app.inject({ method: 'POST', url: to, headers: { 'x-forwarded-for': '203.0.113.8' } })
    assert.ok(empty.statusCode < 500, `${to} without a body: ${empty.statusCode}`)
  }
})

test('what a payer types wrong comes back on the page with what would be right, and nothing is made', async (t) => {
  const at = await aSeller(t)
  const open = await at.link({ amount: null, amount_min: '5', amount_max: '80', ask_email: 'required' })
  const fixed = await at.link({ quantity_max: 4 })
  const cases: readonly (readonly [url: string, fields: Record<string, string>, says: RegExp])[] = [
    [open.url, { amount: '4.99', email: 'a@b.example' }, /Enter an amount such as 12\.50\. From \$5\.00 to/],
    [open.url, { amount: '80.01', email: 'a@b.example' }, /such as 12\.50\. From \$5\.00 to \$80\.00/],
    [open.url, { amount: '1,000', email: 'a@b.example' }, /Enter an amount such as 12\.50/],
    [open.url, { amount: '1.000', email: 'a@b.example' }, /Enter an amount such as 12\.50/],
    [open.url, { amount: '9e1', email: 'a@b.example' }, /Enter an amount such as 12\.50/],
    [open.url, { amount: '9' }, /Fill in the field “Email”/],
    [open.url, { amount: '9', email: 'a@b.example\r\nBcc: c@d.example' }, /not an email address\./],
    [open.url, { amount: '9"><script>', email: 'x' }, /value="9&quot;&gt;&lt;script&gt;"/],
    [fixed.url, { quantity: '5' }, /from 1 to 4/],
    [fixed.url, { quantity: '0' }, /from 1 to 4/],
    [fixed.url, { quantity: '1.5' }, /from 1 to 4/],
  ]
  const rates = gatherJob(at.deps)
  t.after(() => rates.end?.())
  await rates.run(new AbortController().signal)
  const yen = await at.link({ currency: 'JPY', amount: null, amount_max: '2000' })
  assert.equal((await at.submit(yen.url, { amount: '1,500' })).status, 303, 'it can be nothing else')
  assert.match((await at.submit(yen.url, { amount: '15,00' })).html, /such as 1250\. At most ¥2,000/)
  for (const [url, fields, says] of cases) {
    const { status, html } = await at.submit(url, fields)
    assert.equal(status, 422, JSON.stringify(fields))
    assert.match(html, says)
    assert.match(html, /role="alert"/)
  }
  assert.equal((await at.submit(fixed.url, {}, '203.0.113.8', { origin: 'https://evil.example' })).status, 403)
  assert.equal((await at.submit('/pay/l/0000000000000000000000')).status, 404)
  assert.match((await at.open('/pay/l/nonsense')).html, /nothing at this address/)
  assert.deepEqual(await orders(at, fixed), [])
  assert.equal((await at.submit(fixed.url, { quantity: '3' })).status, 303)
  assert.deepEqual(
    (await orders(at, fixed)).map((order) => [order.amount_usd, order.quantity]),
    [[75, 3]],
  )
})

test('link and invoice: texts of the shop → in elements of their own direction', async (t) => {
  const at = await aSeller(t)
  const text = 'כיסא!'
  const link = await at.link({ title: text, description: text })
  const due_date = new Date(at.clock.now().getTime() + 864_000_000).toISOString().slice(0, 10)
  const lines = [{ description: text, unit_price: '5' }]
  const parties = { payer_name: text, payer_details: text, seller_details: text, note: text }
  const tax = { label: text, amount: '1' }
  const invoice = await at.v1<Invoice>('POST', 'invoices', { lines, due_date, ...parties, tax })
  assert.equal(invoice.status, 201, JSON.stringify(invoice.body))
  for (const url of [link.url, `${link.url}/qr`, invoice.body.url]) {
    const [, body = ''] = (await at.open(url)).html.split('<body')
    const before = body.split(text).slice(0, -1)
    assert.ok(before.length > 0, url)
    for (const part of before) assert.match(part, /<(?:bdi\b[^>]*|\w+ [^>]*dir="auto"[^>]*)>$/, url)
  }
})

test('link: closed, ended or sold out → its sheet shows no code to print', async (t) => {
  const at = await aSeller(t)
  const sheetOf = async (link: PaymentLink): Promise<string> => (await at.open(`${link.url}/qr`)).html
  const link = await at.link({ stock: 1 })
  assert.match(await sheetOf(link), /class="qr"/)
  const soon = new Date(at.clock.now().getTime() + 60_000).toISOString()
  const [off, ended, sold] = [await at.link(), await at.link({ ends_at: soon }), link]
  await at.v1('POST', `payment_links/${off.id}`, { active: false })
  assert.equal((await at.submit(sold.url)).status, 303)
  at.clock.advance(61_000)
  for (const [closed, words] of [
    [off, /takes no payments any more/],
    [ended, /takes no payments any more/],
    [sold, /Sold out/],
  ] as const) {
    const sheet = await sheetOf(closed)
    assert.match(sheet, words)
    assert.ok(!sheet.includes('class="qr"') && !sheet.includes('class="poster"'), closed.state)
  }
})

test('a stock is never oversold, however many start at the same time, and comes back when a payment lapses', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({ stock: 5, quantity_max: 2, expires_in: 300 })
  const rush = await Promise.all(Array.from({ length: 24 }, (_, n) => at.submit(link.url, { quantity: '2' }, ipOf(n))))
  assert.deepEqual(
    [rush.filter(({ status }) => status === 303).length, rush.filter(({ status }) => status === 409).length],
    [2, 22],
  )
  assert.match(rush.find(({ status }) => status === 409)?.html ?? '', /Only 1 left\./)
  const one = await at.submit(link.url, { quantity: '1' }, ipOf(30))
  assert.equal(one.status, 303)
  assert.equal((await at.v1<PaymentLink>('GET', `payment_links/${link.id}`)).body.state, 'sold_out')
  assert.match((await at.open(link.url)).html, /Sold out/)

  const chosen = await at.app.inject({
    ...{ method: 'POST', url: `/checkout${rush.find(({ status }) => status === 303)?.location?.slice(4)}/pay` },
    payload: { chain: 'base', asset: 'USDC' },
  })
  assert.equal(chosen.statusCode, 200)
  const [paid] = await orders(at, link)
  assert.equal((await at.boss('POST', `test/orders/${paid?.order_no}/simulate`, { action: 'pay' })).status, 200)
  at.clock.advance(301_000)
  await expireDue(at.deps)
  assert.equal((await at.v1<PaymentLink>('GET', `payment_links/${link.id}`)).body.stock_taken, paid?.quantity)
  // Money that comes after the place was given back is returned: it cannot sell the same thing twice.
  const lapsed = (await orders(at, link)).find(({ status, pay }) => status === 'expired' && pay !== null)
  for (const action of ['pay_late', 'confirm']) {
    const { status } = await at.boss('POST', `test/orders/${lapsed?.order_no}/simulate`, { action })
    assert.equal(status, 200)
  }
  const late = (await orders(at, link)).find(({ order_no }) => order_no === lapsed?.order_no)
  assert.equal(late?.status, 'expired')
  assert.equal((await at.v1<PaymentLink>('GET', `payment_links/${link.id}`)).body.stock_taken, paid?.quantity)
})

test('a stranger who hammers a link makes no more orders than the limits allow, holds little, and mails nobody', async (t) => {
  const at = await aSeller(t)
  const before = await outbox(at)
  const scarce = await at.link({ stock: 100 })
  const mine = (n: number): string => `2001:db8:1:2:${n.toString(16)}::1`
  const hammer = await Promise.all(Array.from({ length: 15 }, (_, n) => at.submit(scarce.url, {}, mine(n))))
  assert.equal(hammer.filter(({ status }) => status === 303).length, STARTS_OPEN_MAX, 'a /64 is one client')
  assert.equal(hammer.filter(({ status }) => status === 429).length, 15 - STARTS_OPEN_MAX)
  assert.equal((await at.submit(scarce.url, {}, '203.0.113.9')).status, 303, 'another client is served')
  const many = await at.link({ stock: 100, quantity_max: 30 })
  const take = async (quantity: string, ip: string) => (await at.submit(many.url, { quantity }, ip)).status
  assert.equal(await take('30', '203.0.113.10'), 303, 'one payment may be for as many as the page sells at once')
  assert.equal(await take('1', '203.0.113.10'), 429, 'pieces count, not payments')
  assert.deepEqual([await take('1', '203.0.113.11'), await take('3', '203.0.113.11')], [303, 429])
  assert.equal(await take('2', '203.0.113.11'), 303)

  const links = [await at.link({ ask_email: 'required' }), await at.link(), await at.link(), await at.link()]
  const counts: number[] = []
  for (const link of links) {
    const tries = Array.from({ length: STARTS_PER_HOUR.clientOnPage + 3 }, () =>
      at.submit(link.url, { email: 'victim@shop.example' }, '198.51.100.4'),
    )
    counts.push((await Promise.all(tries)).filter(({ status }) => status === 303).length)
  }
  const { clientOnPage, client } = STARTS_PER_HOUR
  assert.deepEqual(counts, [clientOnPage, clientOnPage, client - 2 * clientOnPage, 0])
  const refused = await at.submit(links[0]?.url ?? '', { email: 'victim@shop.example' }, '198.51.100.4')
  assert.equal(refused.status, 429)
  assert.match(refused.html, /Too many payments were started here/)
  // The limits of page and merchant hold over clients; the counts are set as if others had used them up.
  const [, page = links[0]] = links
  const hour = new Date(Math.floor(at.clock.now().getTime() / 3_600_000) * 3_600_000)
  const full = (scope: string, n: number) =>
    at.deps
      .sql`insert into limits values (${`start ${scope}`}, ${hour}, ${n}, 'infinity') on conflict (scope, part) do update set n = ${n}`
  await full(`page ${page?.id}`, STARTS_PER_HOUR.page - 1)
  const last = await Promise.all([1, 2, 3].map((n) => at.submit(page?.url ?? '', {}, `192.0.2.${n}`)))
  assert.deepEqual(last.map(({ status }) => status).sort(), [303, 429, 429])
  await full(`merchant ${at.merchant.id} test`, STARTS_PER_HOUR.merchant)
  assert.equal((await at.submit(scarce.url, {}, '192.0.2.77')).status, 429)
  assert.deepEqual(at.mailbox.mails, [])
  assert.equal(await outbox(at), before)
})

test('nothing new is sold for an account that is suspended, and what the shop lacks is not told to strangers', async (t) => {
  const at = await aSeller(t)
  const link = await at.link()
  await at.deps.sql`delete from receiving_addresses where merchant_id = ${at.merchant.id}`
  const lacking = await at.submit(link.url)
  assert.equal(lacking.status, 422)
  assert.match(lacking.html, /cannot take a payment right now/)
  assert.doesNotMatch(lacking.html, /receiving address/i)
  await at.deps.sql`update merchants set suspended_at = ${at.clock.now()} where id = ${at.merchant.id}`
  assert.deepEqual([(await at.open(link.url)).status, (await at.submit(link.url)).status], [404, 404])
})

test('a link holds an amount of its currency; the rate is the one of the moment a payer starts, and stays', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({ amount: '49.9', currency: 'EUR', quantity_max: 3 })
  assert.equal(link.amount, '49.90')
  const early = await at.submit(link.url)
  assert.deepEqual([early.status, /cannot take a payment right now/.test(early.html)], [503, true])
  await aRate(at.deps, 'EUR', '0.8712')
  assert.equal((await at.submit(link.url, { quantity: '3' })).status, 303)
  const [order] = await orders(at, link)
  assert.deepEqual([order?.amount, order?.currency, order?.fx?.rate], ['149.70', 'EUR', '0.8712'])
  assert.match((await at.open(link.url, { 'accept-language': 'fr' })).html, /49,90\s€/)
  const ended = await at.v1('POST', 'payment_links', { title: 'Old', amount: '5', currency: 'HRK' })
  assert.deepEqual([ended.status, ended.body.error?.code], [422, 'unknown_currency'])
})

test('currencies: one that cannot be used → orders, links and invoices say the same', async (t) => {
  const at = await aSeller(t)
  for (const currency of ['VEF', 'HRK', 'eur', 'vef', 'XAU', 'EURO']) {
    const lines = [{ description: 'Mug', quantity: 1, unit_price: '5' }]
    const answers = [
      await at.v1('POST', 'orders', { amount: '5', currency }),
      await at.v1('POST', 'payment_links', { title: 'Old', amount: '5', currency }),
      await at.v1('POST', 'invoices', { currency, lines, due_date: '2099-12-31' }),
    ]
    const [said, ...same] = answers.map(({ status, body: { error } }) => [
      status,
      error?.code,
      error?.message,
      error?.param,
    ])
    assert.equal(said?.[0], 422, currency)
    for (const one of same) assert.deepEqual(one, said, currency)
  }
})
