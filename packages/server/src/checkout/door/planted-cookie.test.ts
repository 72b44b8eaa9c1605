// Promise: nobody makes a payer's browser carry a secret of theirs, so no payer is led to an address bound to a thief.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ORDERS_OF_A_BROWSER_MAX } from '../browser.ts'
import { aShop, type Browser, type Shop } from '../payer.fixture.ts'

const THIEF = '0x27b1fdb04752bbc536007a920d24acb045561c26'
const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const onBase = { chain: 'base', asset: 'USDC' }
const secret = `${'A'.repeat(22)}.${'A'.repeat(22)}`

/** What the order of the shop calls its cookie; the value is the one given. */
const named = (shop: Shop, value: string, prefix = ''): string =>
  `${prefix}florin_payer_${createHash('sha256').update(`order ${shop.token}`).digest('hex').slice(0, 10)}=${value}`

async function assertNoHolder(browser: Browser, cookie: string): Promise<void> {
  browser.cookie = cookie
  const seen = await browser.get()
  assert.notEqual(seen.body.browser, 'holder', cookie)
  assert.ok(!seen.text.toLowerCase().includes(THIEF), cookie)
}

test('payer cookie: values that this service did not make for the order → count as none', async (t) => {
  const shop = await aShop(t)
  const thief = shop.browser()
  // Whoever makes up a value and plants it would share the payer's legs.
  for (const value of [secret, secret.slice(0, 22), ''])
    for (const prefix of ['', '__Host-']) {
      thief.cookie = named(shop, value, prefix)
      const bound = await thief.post('/pay', { ...onBase, refund_address: THIEF })
      if (bound.status === 429) continue
      assert.equal(bound.cookies.length, 1, 'a value of our own instead')
      assert.ok(!bound.cookies[0]?.includes(value === '' ? secret : value), bound.cookies[0])
      await assertNoHolder(shop.browser(), named(shop, value, prefix))
    }
  // One that was made for another order.
  const other = await shop.order({ pay_chain: undefined, settle_chain: 'base' })
  const made = await shop.app.inject({
    method: 'POST',
    url: `/checkout/${other.checkoutToken}/pay`,
    payload: { ...onBase, refund_address: THIEF },
  })
  await assertNoHolder(shop.browser(), named(shop, made.cookies[0]?.value ?? ''))
})

test('payer cookie: two of one name → none, so a planted one beside it leads nowhere', async (t) => {
  const shop = await aShop(t)
  const [payer, thief] = [shop.browser(), shop.browser()]
  await thief.post('/pay', { ...onBase, refund_address: THIEF })
  await payer.post('/pay', { ...onBase, refund_address: OWN })
  assert.equal((await payer.get()).body.browser, 'holder')
  const own = payer.cookie
  for (const cookie of [`${thief.cookie}; ${own}`, `${own}; ${thief.cookie}`, `${own};x=1;${own}`])
    await assertNoHolder(payer, cookie)
})

test('payer cookie: BASE_URL is https → only a name that other hosts cannot set', async (t) => {
  const shop = await aShop(t, {}, { baseUrl: 'https://pay.shop.example', isLoopbackInstall: false })
  const payer = shop.browser()
  const bound = await payer.post('/pay', { ...onBase, refund_address: OWN })
  assert.match(bound.cookies[0] ?? '', /^__Host-florin_payer_[0-9a-f]{10}=.*; Path=\/; .*; Secure$/)
  assert.equal((await payer.get()).body.browser, 'holder')
  const value = payer.cookie.split('=')[1] ?? ''
  // A sibling host may set the plain name, and names that trim() would turn into ours: they are not protected.
  for (const prefix of ['', '\u00a0__Host-', '\u0085__Host-', '__host-', '__Host-\u00a0', '__Secure-'])
    await assertNoHolder(shop.browser(), named(shop, value, prefix))
  await assertNoHolder(shop.browser(), named(shop, value, '__Host-').replace('=', '\u00a0='))
})

test('payer cookie: a browser of many orders → keeps the newest ones', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  const others = Array.from({ length: ORDERS_OF_A_BROWSER_MAX + 1 }, (_, n) => `florin_payer_${n}=${secret}`)
  payer.cookie = ['theme=dark', ...others].join('; ')
  const bound = await payer.post('/pay', { ...onBase, refund_address: OWN })
  const removed = bound.cookies.filter((set) => set.includes('Max-Age=0;'))
  assert.deepEqual(
    removed.map((set) => set.split('=')[0]),
    ['florin_payer_0', 'florin_payer_1'],
  )
  assert.equal((await payer.get()).body.browser, 'holder')
})
