// Promises, in a real browser: a payer without a mouse pays with any coin through a third party, and reads at each step where
// the money is: who holds it, the memo before the address, while it is swapped, while nobody saw the payout, when it went back
// and when the provider keeps it. The shop's console says the same, and what is to be done.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { type DoubleSwap, deposit, fail, fill, giveBack } from '../../packages/rail-intents/src/test/swaps.fixture.ts'
import { call } from '../merchant.ts'
import { aSwapShop, type OrderJson, payerAddress, type Route, type SwapShop } from '../swap-shop.ts'
import { judge } from './judge.ts'
import { sizes, visit } from './visitor.ts'

/** By keys alone: goes on with Tab until what has the focus is so named. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const at = document.activeElement as HTMLInputElement | null
      return [at?.getAttribute('aria-label'), at?.textContent, at?.labels?.[0]?.textContent].join(' ')
    })
    if (name.test(label)) return
  }
  throw new Error(`Tab never came to ${name}`)
}

async function chooseByKeys(page: Page, words: string, option: RegExp, refundTo: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search coins and networks' }).waitFor()
  await tabTo(page, /Search coins/)
  await page.keyboard.type(words)
  await page.getByRole('option', { name: option }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('NEAR Intents').first().waitFor()
  await tabTo(page, /address/i)
  await page.keyboard.type(refundTo)
  await page.keyboard.press('Enter')
}

async function signInByPage(page: Page, { florin, inbox, shop }: SwapShop): Promise<void> {
  await page.goto(`${florin.url}/console/`)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(shop.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  const code = await inbox.codeFor(shop.email)
  await page.getByRole('textbox', { name: 'Digit 1 of 6' }).pressSequentially(code)
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor({ state: 'detached' })
}

test('a payer without a mouse pays through a third party, and reads where the money is', async (t) => {
  const at = await aSwapShop(t, ['base', 'btc'])
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const visitor = await visit(browser, [at.florin.url], { ...sizes.phone, reducedMotion: 'reduce' })
  t.after(() => visitor.close())
  const { page, faults } = visitor
  const { provider, time } = at
  const opened = async (
    route: Route,
    words: string,
    option: RegExp,
  ): Promise<{ order: OrderJson; swap: DoubleSwap }> => {
    const order = await at.create(route)
    await page.goto(order.checkout_url)
    await chooseByKeys(page, words, option, payerAddress(route.pay))
    await page.getByText('Waiting for your payment').waitFor()
    const swap = provider.swaps.at(-1)
    assert.ok(swap !== undefined)
    return { order, swap }
  }
  const says = async (name: string, ...words: RegExp[]): Promise<void> => {
    for (const text of words) await page.getByText(text).first().waitFor()
    assert.deepEqual(await judge(page), [], name)
  }
  const onBase = { settle: 'base', asset: 'USDC' }

  const stellar = await opened({ ...onBase, pay: 'stellar', payAsset: 'USDC' }, 'USDC stellar', /USDC Stellar/)
  assert.equal(await page.locator('.address').count(), 0, 'the memo comes before the address')
  await says('memo', /Your payment needs this memo/)
  await tabTo(page, /I will send it with the memo/)
  await page.keyboard.press('Enter')
  await says('address', /Enter the memo too/, new RegExp(stellar.swap.memo ?? 'none'))
  assert.equal((await page.locator('.address').first().innerText()).replaceAll(/\s/g, ''), stellar.swap.address)
  const half = stellar.swap.priced.minAmountIn / 2n
  deposit(stellar.swap, half, time.now())
  await says('short', /Part of the amount has arrived/)
  deposit(stellar.swap, stellar.swap.priced.amountIn, time.now())
  await says('swapped', /Payment confirmed/, /on its way to the shop/)
  fill(stellar.swap, time.now())
  await says('paid', /Thank you/, /You sent more than was due/)

  const arb = { pay: 'arb', payAsset: 'USDC' }
  const back = await opened({ ...onBase, ...arb }, 'USDC arbitrum', /USDC Arbitrum/)
  await says('waiting', /Passes through NEAR Intents/)
  deposit(back.swap, back.swap.priced.amountIn, time.now())
  giveBack(back.swap, 'SLIPPAGE_EXCEEDED', time.now())
  await says('returned', /Your money was returned/)

  const kept = await opened({ ...onBase, ...arb }, 'USDC arbitrum', /USDC Arbitrum/)
  deposit(kept.swap, kept.swap.priced.amountIn, time.now())
  await says('swapping', /Payment confirmed/)
  fail(kept.swap, time.now())
  await says('kept', /NEAR Intents could not change your money, and holds it/)

  // Nobody here reads Bitcoin, and the shop did not take the provider's word.
  await at.signIn()
  const set = await call(`${at.florin.url}/api/v1/boss/third-party`, 'PUT', {
    ...{ headers: at.shop.console, body: { chain: 'btc', livemode: false, on: true, takes_unproven: false } },
  })
  assert.equal(set.status, 200, set.text)
  const unproven = await opened({ settle: 'btc', asset: 'BTC', ...arb }, 'USDC arbitrum', /USDC Arbitrum/)
  deposit(unproven.swap, unproven.swap.priced.amountIn, time.now())
  fill(unproven.swap, time.now())
  await says('unproven', /The payout to the shop is reported and is being checked/)
  assert.deepEqual(faults, [])

  const desk = await visit(browser, [at.florin.url], { ...sizes.desk, reducedMotion: 'reduce' })
  t.after(() => desk.close())
  await signInByPage(desk.page, at)
  for (const [name, { order }] of Object.entries({ back, kept, unproven, stellar })) {
    await desk.page.goto(`${at.florin.url}/console/orders/${order.order_no}`)
    await desk.page.getByText('NEAR Intents').first().waitFor()
    assert.deepEqual(await judge(desk.page), [], name)
  }
  await desk.page.goto(`${at.florin.url}/console/attention`)
  await desk.page.getByText('Look for a payout').first().waitFor()
  await desk.page.getByText(/paid out 0\.\d+ BTC on Bitcoin/).waitFor()
  await desk.page.getByText('Deposit address', { exact: true }).waitFor()
  assert.deepEqual(await judge(desk.page), [])
})
