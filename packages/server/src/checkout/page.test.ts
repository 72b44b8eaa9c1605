// Promises: nothing that came from outside becomes markup, the page needs neither script nor inline style, and it tells
// the payer everything a wallet needs in every language.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLanguage } from '@florin/checkout-core'
import { embedJson, escapeHtml } from '@florin/platform/http/html'
import type { Checkout, PayLeg } from '@florin/protocol'
import fc from 'fast-check'
import { brandFrom, noBrand, shownBrand } from '../brand/brand.ts'
import { dictionaries, languageOf } from './language.ts'
import { checkoutPage } from './page.ts'

const assets = { script: 'assets/main-1.js', style: 'assets/main-1.css', preload: ['assets/de-1.js'] }

const leg: PayLeg = {
  id: 'leg_1',
  rail: 'sandbox',
  route: null,
  chain: 'base',
  asset: 'USDC',
  contract: null,
  decimals: 6,
  address: '0xSandboxAddress00000000000000000000000000',
  memo: 'memo-4711',
  uri: 'florin-test:base/0xSandbox?amount=120500000',
  amount_due: '120500000',
  amount_received: '0',
  amount_remaining: '120500000',
  rate: '1',
  rate_source: 'sandbox',
  rate_expires_at: '2026-11-21T10:30:00.000Z',
  proof: null,
}

function aCheckout(overrides: Partial<Checkout> = {}): Checkout {
  return {
    order_no: 'ord_01k0000000000000000000test',
    livemode: false,
    status: 'pending',
    status_detail: 'awaiting_payment',
    version: 1,
    merchant: { name: 'Acme Coffee', logo: null, support_email: null, support_url: null },
    title: 'Two bags',
    description: null,
    amount: '120.50',
    currency: 'USD',
    exponent: 2,
    fx: null,
    amount_usd: 120.5,
    pay: leg,
    pay_chain: { name: 'Base', family: 'evm', explorer_tx: null, explorer_address: null, evm_chain_id: 8453 },
    choices: [
      {
        chain: 'base',
        chain_name: 'Base',
        family: 'evm',
        asset: 'USDC',
        name: 'USD Coin',
        contract: null,
        decimals: 6,
        is_stable: true,
        rail: 'sandbox',
        custody: 'none',
        total_usd: '120.50',
        expected_s: 0,
        refund_address: 'optional',
      },
    ],
    choices_total: 1,
    payments: [],
    payments_total: 0,
    maturing: null,
    refunds: [],
    refund_address: null,
    refund_address_proposed: null,
    refund_address_state: 'possible',
    refund_address_way: 'bind',
    refund_signers: [],
    browser: 'any',
    refund_chain: 'Base',
    late_policy: 'settle',
    settle_tx_hash: null,
    success_url: 'https://shop.example/thanks',
    success_text: null,
    cancel_url: 'https://shop.example/cart?a=1&b=2',
    created_at: '2026-11-21T10:00:00.000Z',
    expires_at: '2026-11-21T10:30:00.000Z',
    settled_at: null,
    server_time: '2026-11-21T10:00:05.000Z',
    simulate: ['pay'],
    ...overrides,
  }
}

const base = {
  ...({ assets, locale: 'en', nonce: 'n0', url: 'https://pay.example/pay/t' } as const),
  brand: noBrand('https://pay.example'),
}
const page = (overrides: Partial<Checkout> = {}): string => checkoutPage({ ...base, checkout: aCheckout(overrides) })

/** The page without the block of data, which is no markup. */
const markup = (html: string): string => html.replace(/<script type="application\/json".*?<\/script>/s, '')
const dataOf = (html: string): unknown =>
  JSON.parse(/<script type="application\/json" id="checkout-data">(.*?)<\/script>/s.exec(html)?.[1] ?? '')

test('hostile names, titles and texts stay text', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;</title></textarea>`
  const html = page({
    merchant: { name: hostile, logo: null, support_email: null, support_url: null },
    title: hostile,
    description: hostile,
    order_no: hostile,
    pay: { ...leg, address: hostile, memo: hostile, asset: hostile, uri: hostile },
    pay_chain: { name: hostile, family: 'evm', explorer_tx: hostile, explorer_address: hostile, evm_chain_id: null },
    choices: [{ ...(aCheckout().choices[0] ?? assert.fail()), chain: hostile, asset: hostile, chain_name: hostile }],
  })
  assert.ok(!markup(html).includes('<img'))
  assert.ok(!markup(html).includes('alert(1)</script>'))
  assert.equal(html.match(/<script/g)?.length, 2, 'only the two scripts of ours')
  assert.ok(markup(html).includes('&lt;script&gt;alert(1)'))
})

test('texts of the shop: in an element of their own direction, so they turn nothing beside them', () => {
  const texts = ['קפה אקמה', 'שתי שקיות', 'כרגיל!']
  const [name = '', title = '', description = ''] = texts
  const html = page({ merchant: { name, logo: null, support_email: null, support_url: null }, title, description })
  const body = markup(html).split('<body')[1] ?? ''
  for (const text of texts) {
    const before = body.split(text).slice(0, -1)
    assert.ok(before.length > 0, text)
    for (const part of before) assert.match(part, /<(?:bdi\b[^>]*|\w+ [^>]*dir="auto"[^>]*)>$/, text)
  }
})

test('whatever the texts are, the data block gives back the same checkout and ends nowhere else', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</script>', '<!--', ']]>', '\u2028', '</SCRIPT '),
      (text, end) => {
        const checkout = aCheckout({
          title: text + end + text,
          merchant: { name: end, logo: null, support_email: end, support_url: null },
        })
        const html = checkoutPage({ ...base, checkout })
        assert.deepEqual(dataOf(html), JSON.parse(JSON.stringify(checkout)))
        assert.equal(html.match(/<\/script/gi)?.length, 2)
      },
    ),
  )
})

test('escaped text holds no character that markup is made of', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.ok(!/[<>"']/.test(escapeHtml(text)))
      assert.ok(!/[<>&\u2028\u2029]/.test(embedJson({ text })))
    }),
  )
})

test('no inline style, no inline code, no handler: the strict policy is kept', () => {
  for (const locale of Object.keys(dictionaries).filter(isLanguage)) {
    const html = markup(checkoutPage({ ...base, checkout: aCheckout(), locale }))
    assert.ok(!/ style=/.test(html))
    assert.ok(!/<style/.test(html))
    assert.ok(!/ on[a-z]+=/.test(html))
    assert.ok(!/<script(?![^>]* src=)/.test(html))
  }
})

test('without script the payer has amount, address, memo, network, deadline, code and forms', () => {
  const html = page()
  assert.match(html, /120\.50<\/span> <span class="unit">USDC/)
  assert.ok(html.includes('$120.50'))
  assert.ok(html.includes(leg.address))
  assert.ok(html.includes('memo-4711'))
  assert.ok(html.includes('Send only USDC on the Base network.'))
  assert.match(html, /<time [^>]*datetime="2026-11-21T10:30:00.000Z">Nov 21, 2026, 10:30\sAM UTC/)
  assert.match(html, /<svg class="qr"[^>]*role="img"[^>]*>.*<path d="M0 0h7/)
  assert.match(html, /<div class="plain"><form [^>]*method="post" action="">.*<option value="base USDC" selected>/)
  assert.match(html, /<input\s[^>]*name="address"/)
  assert.ok(html.includes('href="https://shop.example/cart?a=1&amp;b=2"'))
})

test('pay page: a part was paid → it asks for the rest', () => {
  const partial = { ...leg, amount_received: '20500000', amount_remaining: '100000000' }
  const html = page({ status_detail: 'partially_paid', pay: partial })
  assert.match(html, /Remaining amount<\/dt><dd><span class="value"><span class="sum">100</)
})

test('no address is shown once nothing is to be sent', () => {
  const closed: Partial<Checkout>[] = [
    { server_time: '2026-11-21T10:30:00.000Z' },
    { status_detail: 'quote_expired' },
    { status: 'expired', status_detail: 'unpaid' },
    { status: 'expired', status_detail: 'canceled' },
    { status: 'processing', status_detail: 'confirming' },
    { status: 'success', status_detail: 'paid' },
    { status: 'failed', status_detail: 'settlement_failed' },
    { status: 'refunded', status_detail: 'refunded' },
  ]
  for (const overrides of closed) {
    assert.ok(!markup(page(overrides)).includes(leg.address), JSON.stringify(overrides))
  }
})

test('a link back is http or https, or it is no link', () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', ' https://shop.example']) {
    assert.ok(!markup(page({ cancel_url: url })).includes(escapeHtml(url)), url)
  }
})

test('a fault of a posted form is told, escaped', () => {
  const html = checkoutPage({ ...base, checkout: aCheckout(), problem: 'Not <valid>.' })
  assert.ok(html.includes('<p class="fault" role="alert">Not &lt;valid&gt;.</p>'))
})

test('a brand shows as logo, colour, contact and preview; the preview says nothing of the payment', () => {
  const row = {
    ...{ merchantId: 'mer_1', name: 'Acme', publicId: 'brd_1', accent: '#ffd400' },
    ...{ supportEmail: 'help@acme.example', supportUrl: 'https://acme.example/help', logoWidth: 300, logoHeight: 100 },
    timeZone: null,
  }
  const brand = brandFrom(row, 'https://pay.example/florin')
  const checkout = aCheckout({ merchant: shownBrand(brand), status: 'success', status_detail: 'paid' })
  const html = checkoutPage({ ...base, checkout, brand, locale: 'de' })
  assert.ok(html.includes('<html lang="de">'))
  assert.ok(
    html.includes('<img class="merchant-logo" src="/florin/brand/brd_1/logo.png" alt="" width="300" height="100">'),
  )
  assert.match(html, /<style nonce="n0">:root\{--press:#[0-9a-f]{6};--on-press:#000000\}@media/)
  assert.ok(html.includes('<a href="mailto:help@acme.example">') && html.includes('>acme.example</a>'))
  assert.ok(html.includes('<meta property="og:image" content="https://pay.example/florin/brand/brd_1/card.png">'))
  const preview = [...html.matchAll(/og:(?:title|description)" content="([^"]*)"/g)].map(([, text]) => text)
  assert.equal(preview[0]?.replace(/\s/g, ' '), 'Acme · 120,50 $')
  assert.equal(preview[1], 'Two bags')
})

test('the language is the best that the browser asks for', () => {
  assert.equal(languageOf(undefined), 'en')
  assert.equal(languageOf('de-CH,de;q=0.9,en;q=0.8'), 'de')
  assert.equal(languageOf('nl, pt-PT;q=0.8, en;q=0.5'), 'pt')
  assert.equal(languageOf('en;q=0.2, zh-Hans-CN'), 'zh')
  assert.equal(languageOf('fr;q=0, es;q=0.1'), 'es')
  assert.equal(languageOf('xx;q=oops,,;;;='), 'en')
})
