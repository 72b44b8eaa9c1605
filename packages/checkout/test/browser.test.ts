// Promises: in a real browser, under the strict policy, the page can be used by keyboard, follows the order by itself,
// survives an outage, and is a whole page without JavaScript. No page here may log a fault.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { launchBrowser } from './playground/browser.ts'
import { buildPage } from './playground/build.ts'
import { startPlayground } from './playground/server.ts'

const playground = await startPlayground({ dist: await buildPage() })
const browser: Browser = await launchBrowser()
after(async () => {
  await browser.close()
  await playground.close()
})

interface Opening extends BrowserContextOptions {
  /** Faults that the test brings about itself. */
  mayLog?: RegExp
}

async function open(state: string, { mayLog, ...options }: Opening, act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1000, height: 900 }, ...options })
  const faults: string[] = []
  context.on('console', (message) => {
    if (message.type() === 'error' && !mayLog?.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(error.error().message))
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  playground.reset()
  await page.goto(`${playground.origin}/pay/${state}`)
  if (options.javaScriptEnabled !== false) await page.getByRole('combobox', { name: 'Language' }).waitFor()
  try {
    await act(page)
    assert.deepEqual(faults, [])
  } finally {
    await context.close()
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const outage = /Failed to load resource|ERR_|net::/

test('coin and network are chosen by keyboard alone, and remembered', async () => {
  await open('choose', {}, async (page) => {
    const search = page.getByRole('combobox', { name: 'Search coins and networks' })
    await search.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Which network?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: /BTC/ }).waitFor()
    await page.getByRole('combobox', { name: 'Search coins and networks' }).fill('usdc base')
    await page.getByRole('option', { name: 'USDC Base' }).waitFor()
    await page.keyboard.press('Enter')
    await heading(page, 'Pay with USDC on Base').waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H2')
    playground.show('choose', 'choose')
    await page.getByRole('option', { name: /USDC Base.*Last used/ }).waitFor()
  })
})

test('what is copied is the exact text', async () => {
  await open('pay_memo', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name, exact: true }).click()
      await page.locator('.copy.is-done').first().waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    assert.equal(await copied('Copy memo'), '2147483648')
    await page.getByRole('button', { name: 'I will send it with the memo' }).click()
    assert.equal(await copied('Copy amount'), '58.25')
    assert.equal(await copied('Copy address'), 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh')
    const link = page.getByRole('link', { name: 'Open in wallet' })
    assert.match((await link.getAttribute('href')) ?? '', /^xrpl:\/\/rEb8/)
  })
})

test('of hundreds of coins one is found by keyboard, its refund address asked for, its memo shown before the address', async () => {
  await open('choose_many', { mayLog: /422/ }, async (page) => {
    const search = page.getByRole('combobox', { name: 'Search coins and networks' })
    await page.getByText(/more are found by searching/).waitFor()
    await search.fill('xlmb')
    const found = page.getByRole('option', { name: /XLMB Stellar.*\$121\.41 in all · about 2 min · via NEAR Intents/ })
    await found.waitFor()
    assert.equal(await page.getByRole('listbox', { name: 'Choose how to pay' }).getByRole('option').count(), 1)
    await page.keyboard.press('Enter')
    await page.getByText('Passes through NEAR Intents for some minutes.').waitFor()
    const address = page.getByRole('textbox', { name: 'Your address on Stellar' })
    await address.fill('0x27b1fdb04752bbc536007a920d24acb045561c26')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await address.fill('GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your payment needs this memo' }).waitFor()
    assert.equal(await page.getByText('GDJ4JZXZELZD').count(), 0, 'no address before the memo was taken')
    await page.getByRole('img', { name: 'QR code with the memo' }).waitFor()
    await page.getByRole('button', { name: 'I will send it with the memo' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy address' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Copy memo' }).count(), 1, 'the memo stays in sight')
    await page.getByText('The money passes through NEAR Intents for some minutes on its way to the shop.').waitFor()
    playground.show('choose_many', 'choose_many')
    await page.getByRole('option', { name: /XLMB Stellar.*Last used/ }).waitFor()
  })
})

test('the code holds the address with the amount, or the address alone', async () => {
  await open('pay', {}, async (page) => {
    const drawn = (): Promise<string | null> => page.locator('svg.qr path').getAttribute('d')
    await page.getByRole('img', { name: 'QR code with address and amount' }).waitFor()
    const full = await drawn()
    await page.getByRole('radio', { name: 'Address only' }).check()
    await page.getByRole('img', { name: 'QR code with the address' }).waitFor()
    assert.notEqual(await drawn(), full)
  })
})

test('the page follows the order by itself and leads back to the shop', async () => {
  await open('pay', {}, async (page) => {
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'thanks' }))
    await page.clock.install()
    playground.show('pay', 'confirming')
    await heading(page, 'Payment seen').waitFor()
    await page.getByText('1 of 3 confirmations', { exact: true }).first().waitFor()
    assert.match(await page.title(), /^Payment seen · Harbour Coffee$/)
    playground.show('pay', 'paid')
    await heading(page, 'Paid').waitFor()
    await page.getByRole('button', { name: 'Stay here' }).waitFor()
    await page.clock.runFor(11_000)
    await page.waitForURL('https://shop.example/thanks')
  })
})

test('who wants to stay stays, and prints the receipt', async () => {
  await open('paid', {}, async (page) => {
    await page.clock.install()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.clock.runFor(60_000)
    assert.match(page.url(), /\/pay\/paid$/)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('link', { name: 'Return to the shop' }).isVisible(), false)
    assert.equal(await page.getByText('Two bags of Sidamo and a grinder').last().isVisible(), true)
    for (const hash of await page.locator('.receipt .on-paper.code').all()) assert.equal(await hash.isVisible(), true)
    assert.equal(await page.locator('.receipt .on-paper.code').count(), 2, 'what was paid and what passed it on')
  })
})

test('a refund address is judged by the server and taken once', async () => {
  await open('refund_wanted', { mayLog: /422/ }, async (page) => {
    const field = page.getByRole('textbox', { name: 'Your address on Base' })
    const save = page.getByRole('button', { name: 'Save refund address' })
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'Enter an address.' }).waitFor()
    await field.fill('not an address')
    await save.click()
    await page.getByRole('alert').filter({ hasText: 'it starts with 0x' }).waitFor()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    assert.equal(await field.evaluate((input) => input === document.activeElement), true)
    await field.fill(' 0x27b1fdb04752bbc536007a920d24acb045561c26 ')
    await page.keyboard.press('Enter')
    await heading(page, 'Your money is on its way back').waitFor()
  })
})

test('an outage is told and ends by itself', async () => {
  await open('pay_rate', { mayLog: outage }, async (page) => {
    playground.setUp(false)
    try {
      await page.getByText('The connection to the payment server is lost. Trying again…').waitFor()
    } finally {
      playground.setUp(true)
    }
    await page.getByText('The connection to the payment server is lost.').waitFor({ state: 'detached' })
    playground.show('pay_rate', 'confirming')
    await heading(page, 'Payment seen').waitFor()
  })
})

test('without a network the page says so, and goes on with it', async () => {
  await open('pay_short', { mayLog: outage }, async (page) => {
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })
})

test('once time is up nobody is asked to send any more', async () => {
  await open('pay', {}, async (page) => {
    await page
      .getByText('Copy address')
      .or(page.getByRole('button', { name: 'Copy address' }))
      .first()
      .waitFor()
    await page.clock.install()
    playground.show('pay', 'overdue')
    await heading(page, 'Time is up').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Copy address' }).count(), 0)
  })
})

test('a language is chosen and kept', async () => {
  await open('pay', {}, async (page) => {
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de')
    await heading(page, 'Mit USDC auf Base zahlen').waitFor()
    await page.reload()
    await heading(page, 'Mit USDC auf Base zahlen').waitFor()
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de')
  })
})

test('a test order is driven by its panel', async () => {
  await open('pay_test', {}, async (page) => {
    await page.getByRole('button', { name: 'Pay half' }).click()
    await heading(page, 'Part of the amount has arrived').waitFor()
    const link = page.getByRole('link', { name: 'Open in wallet' })
    assert.match((await link.getAttribute('href')) ?? '', /&uint256=60250000$/, 'it names the rest, not the whole')
  })
})

test('without JavaScript the page is whole', async () => {
  await open('pay', { javaScriptEnabled: false }, async (page) => {
    await heading(page, 'Pay with USDC on Base').waitFor()
    for (const text of ['120.5', '0x52908400098527886E0F7030069857D2E4169EE7', 'Send only USDC on the Base network.']) {
      assert.equal(await page.getByText(text).first().isVisible(), true, text)
    }
    assert.equal(await page.getByRole('img', { name: 'QR code with address and amount' }).isVisible(), true)
    assert.equal(await page.getByRole('combobox', { name: 'Choose how to pay' }).isVisible(), true)
    assert.equal(await page.getByRole('textbox', { name: 'Your address on Base' }).isVisible(), true)
  })
})
