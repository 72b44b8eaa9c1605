// Promises: the payer's page is whole without script. Its two forms choose a coin and give a refund address, a refusal is
// told on the page, what was posted is never markup, and no other route takes a form.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { currentLeg, type OrderState } from '@florin/order-model/state'
import { type App, makeServer } from '@florin/platform/http/server'
import { type TestDeps, testApp, testDeps } from '../../test/harness.ts'
import { aCaller, anOrder } from '../../test/orders.ts'
import { getOrder } from '../orders/store.ts'
import { ACTS_PER_MINUTE } from './door/limit.ts'
import { tokenDoor } from './door/token.ts'
import { checkoutPages } from './page.routes.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const manifest = { 'src/main.tsx': { file: 'assets/main-AbCdEf12.js', css: ['assets/main-98765432.css'] } }

interface Payer extends TestDeps {
  app: App
  order: OrderState
  read(): Promise<OrderState>
  /** Keeps the cookies that it is given, as a browser does. */
  post(form: Record<string, string>, token?: string, headers?: Record<string, string>): Promise<PostAnswer>
  cookie(): string
}

interface PostAnswer {
  status: number
  text: string
  location: unknown
}

/** A payer without script, before an order that leaves the choice to it. */
async function aPayer(t: TestContext, rateLimits = false): Promise<Payer> {
  const made = await testDeps(t, { rateLimits })
  const { deps } = made
  const folder = mkdtempSync(join(tmpdir(), 'florin-page-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const app = await makeServer({
    log: deps.log,
    clock: deps.clock,
    trustProxy: [],
    rateLimits: false,
    isHttps: false,
    isLoopbackInstall: true,
  })
  t.after(() => app.close())
  await checkoutPages(app, deps, tokenDoor(deps), folder)
  const wish = { amount_usd: 50, settle_chain: 'base', pay_chain: undefined }
  const order = await anOrder(deps, await aCaller(deps), wish as never)
  let cookie = ''
  return {
    ...made,
    app,
    order,
    read: () => getOrder(deps.sql, order.orderNo),
    cookie: () => cookie,
    async post(form, token = order.checkoutToken, headers = {}) {
      const reply = await app.inject({
        method: 'POST',
        url: `/pay/${token}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(cookie === '' ? {} : { cookie }),
          ...headers,
        },
        payload: new URLSearchParams(form).toString(),
      })
      cookie = reply.cookies[0] === undefined ? cookie : `${reply.cookies[0].name}=${reply.cookies[0].value}`
      return { status: reply.statusCode, text: reply.payload, location: reply.headers.location }
    },
  }
}

test('the page is whole, strict and never cached', async (t) => {
  const { app, order } = await aPayer(t)
  const page = await app.inject({ url: `/pay/${order.checkoutToken}`, headers: { 'accept-language': 'de' } })
  assert.equal(page.statusCode, 200)
  assert.equal(page.headers['cache-control'], 'no-store')
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self'/)
  assert.match(page.payload, /<html lang="de">/)
  assert.match(page.payload, /src="\/pay-files\/assets\/main-AbCdEf12.js"/)
  assert.match(page.payload, /<div class="plain"><form [^>]*method="post"/)
})

test('a coin is chosen by a form, and the page is gone back to', async (t) => {
  const { app, order, post, read } = await aPayer(t)
  const chosen = await post({ choice: 'eth USDC' })
  assert.deepEqual([chosen.status, chosen.location], [303, `/pay/${order.checkoutToken}`])
  const leg = currentLeg(await read())
  assert.deepEqual([leg?.chain, leg?.asset], ['eth', 'USDC'])
  const page = await app.inject(`/pay/${order.checkoutToken}`)
  assert.ok(page.payload.includes(leg?.address ?? 'no address'))
})

test('a refund address is bound by a form, into an address that this browser alone is shown, and may be given anew', async (t) => {
  const { app, order, post, read, cookie } = await aPayer(t)
  await post({ choice: 'base USDC' })
  const given = await post({ address: `  ${OWN} ` })
  assert.equal(given.status, 303, given.text)
  const { legs } = await read()
  assert.deepEqual(
    legs.map((leg) => leg.boundRefundAddress),
    [null, OWN],
  )
  const page = async (headers: Record<string, string>) =>
    (await app.inject({ url: `/pay/${order.checkoutToken}`, headers })).payload
  assert.ok((await page({ cookie: cookie() })).includes(legs[1]?.address ?? '-'))
  const elsewhere = await page({})
  assert.ok(elsewhere.includes(legs[0]?.address ?? '-') && !elsewhere.includes(legs[1]?.address ?? '-'))
  const other = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
  assert.equal((await post({ address: other })).status, 303)
  assert.equal((await read()).legs[2]?.boundRefundAddress, other)
})

test('a form that another site posts from the payer’s browser binds nothing', async (t) => {
  const { post, read, order } = await aPayer(t)
  await post({ choice: 'base USDC' })
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }]) {
    const refused = await post({ address: OWN }, order.checkoutToken, headers as Record<string, string>)
    assert.deepEqual([refused.status, (await read()).legs.length], [422, 1], JSON.stringify(headers))
  }
  assert.equal((await post({ address: OWN }, order.checkoutToken, { 'sec-fetch-site': 'same-origin' })).status, 303)
  assert.equal((await read()).legs.length, 2)
})

test('a refusal is told on the page as text, and changes nothing', async (t) => {
  const { post, read } = await aPayer(t)
  const before = (await read()).version
  const hostile = '<script>alert(1)</script>'
  for (const form of [{ choice: hostile }, { choice: 'nowhere USDC' }, { choice: '' }, { address: hostile }]) {
    const refused = await post(form)
    assert.equal(refused.status, 422, JSON.stringify(form))
    assert.match(refused.text, /<p class="fault" role="alert">[^<]+<\/p>/)
    assert.ok(!refused.text.includes(hostile))
  }
  assert.equal((await read()).version, before)
})

test('a form that says nothing leads back; a wrong token is nowhere', async (t) => {
  const { post } = await aPayer(t)
  assert.equal((await post({ something: 'else' })).status, 303)
  for (const token of ['x', '0'.repeat(32), "' or 1=1 --"]) {
    assert.equal((await post({ choice: 'base USDC' }, encodeURIComponent(token))).status, 404, token)
  }
})

test('a form that is posted without end is told to wait', async (t) => {
  const { post, clock } = await aPayer(t, true)
  for (let n = 0; n < ACTS_PER_MINUTE; n++) assert.equal((await post({ choice: 'base USDC' })).status, 303)
  const refused = await post({ choice: 'base USDC' })
  assert.match(refused.text, /class="fault" role="alert"/)
  clock.advance(60_000)
  assert.equal((await post({ choice: 'base USDC' })).status, 303)
})

test('links of payers and of mails that were cut or got an end: words for people', async (t) => {
  const { app } = await testApp(t)
  const token = 'a'.repeat(32)
  const get = (url: string, accept: string) => app.inject({ url, headers: { accept, 'accept-language': 'de' } })
  const cut = [
    ...['/pay', '/pay/', '/pay/l', '/pay/l/', '/pay/i', '/pay/i/', `/pay/${token.slice(0, 20)}`, `/pay/${token}/`],
    ...[`/pay/${token}/x`, `/pay/${token}.`, `/pay/${token}${'x'.repeat(200)}`, `/pay/${'x'.repeat(400)}`],
    ...['/pay/l/abc', '/pay/l/abc/qr/', `/pay/l/${'x'.repeat(250)}`, '/pay/i/abc/', `/pay/i/${'x'.repeat(250)}`],
  ]
  for (const url of cut) {
    const answer = await get(url, 'text/html,*/*;q=0.8')
    assert.deepEqual([answer.statusCode, answer.headers['content-type']], [404, 'text/html; charset=utf-8'], url)
    assert.match(answer.payload, /<html lang="de">.*<h1>/s, url)
  }
  for (const url of ['/pay/', `/pay/${token}/`, '/pay/l'])
    assert.match((await get(url, 'application/json')).json().error.code, /^(checkout_)?not_found$/, url)
  for (const url of ['/mail', '/mail/', '/mail/abc', '/mail/abc/', '/mail/off/', '/mail/stop/', '/mail/off/abc/'])
    assert.match((await get(url, 'text/html')).payload, /<h1>/, url)
})

test('only this page takes forms', async (t) => {
  const { app } = await testApp(t)
  for (const url of ['/api/v1/auth/code', `/checkout/${'a'.repeat(32)}/pay`, '/v1/orders']) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await app.inject({ method: 'POST', url, headers, payload: 'email=a%40b.example' })
    assert.ok([401, 415].includes(reply.statusCode), `${url}: ${reply.statusCode}`)
  }
})

test('a wrong link and the door are words for people and JSON for programs', async (t) => {
  const { app } = await aPayer(t)
  const get = (url: string, accept: string, language = 'en') =>
    app.inject({ url, headers: { accept, 'accept-language': language } })
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const missing = await get(`/pay/${'0'.repeat(32)}`, browser, 'de')
  assert.deepEqual([missing.statusCode, missing.headers['content-type']], [404, 'text/html; charset=utf-8'])
  assert.match(missing.payload, /Dieser Zahlungslink ist ungültig/)
  assert.ok(!missing.payload.includes('0'.repeat(32)), 'what was asked for is not repeated')
  const home = await get('/', browser)
  assert.equal(home.statusCode, 200)
  assert.match(home.payload, /open the link that the shop gave you.*href="console\/"/s)
  assert.match(String(home.headers['content-security-policy']), /default-src 'none'/)
  for (const [url, code] of [
    ['/', 'not_found'],
    [`/pay/${'0'.repeat(32)}`, 'checkout_not_found'],
  ] as const)
    for (const accept of ['application/json', '*/*']) {
      const reply = await get(url, accept)
      assert.deepEqual([reply.statusCode, reply.json().error.code], [404, code])
    }
})
