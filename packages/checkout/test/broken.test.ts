// Promises: whatever one part of the browser refuses, the way to pay remains: in the built page, or in the server's own
// page with its forms. Each part is broken in turn in a real browser, in the locale of a container.
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './playground/browser.ts'
import { buildPage } from './playground/build.ts'
import { startPlayground } from './playground/server.ts'

const playground = await startPlayground({ dist: await buildPage() })
// Containers set this locale, and Chromium then names `en-US@posix` as the language of the payer.
const browser: Browser = await launchBrowser({ LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' })
after(async () => {
  await browser.close()
  await playground.close()
})

/** Code that runs in the page before its own script. */
const breaks: Readonly<Record<string, string>> = {
  nothing: '',
  'localStorage throws': `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError') } })`,
  'sessionStorage throws': `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError') } })`,
  'storage is full': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
  'no storage': `Object.defineProperty(window, 'localStorage', { value: undefined }); Object.defineProperty(window, 'sessionStorage', { value: undefined })`,
  'cookies throw': `Object.defineProperty(document, 'cookie', { get() { throw new DOMException('denied', 'SecurityError') }, set() { throw new DOMException('denied', 'SecurityError') } })`,
  'no matchMedia': 'delete window.matchMedia; window.matchMedia = undefined',
  'no clipboard': `Object.defineProperty(navigator, 'clipboard', { value: undefined })`,
  'no execCommand': 'document.execCommand = undefined',
  'languages are C.UTF-8': `Object.defineProperty(navigator, 'languages', { value: ['C.UTF-8'] })`,
  'languages are en-US@posix': `Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en_US.UTF-8'] })`,
  'no languages': `Object.defineProperty(navigator, 'languages', { value: undefined })`,
  'languages hold undefined': `Object.defineProperty(navigator, 'languages', { value: [undefined, 'en-US'] })`,
  'no findLast': 'delete Array.prototype.findLast; delete Array.prototype.findLastIndex',
  'no functions from 2022 on':
    'for (const name of ["findLast", "toSorted", "toReversed", "toSpliced", "with"]) delete Array.prototype[name]; delete Object.groupBy; delete Promise.withResolvers; delete AbortSignal.any; delete AbortSignal.timeout; delete window.structuredClone',
  'no EventSource': 'delete window.EventSource',
  'no timings': 'performance.getEntriesByType = undefined; delete window.PerformanceNavigationTiming',
  'no Intl': 'delete window.Intl',
  'Intl refuses every locale': `Intl.NumberFormat = function () { throw new RangeError('Incorrect locale information provided') }; Intl.DateTimeFormat = Intl.NumberFormat`,
  'Intl knows no currency text': `Intl.NumberFormat.prototype.formatToParts = undefined`,
  'no createRoot': 'Document.prototype.createElement = () => { throw new Error("broken") }',
}

const context = await browser.newContext({ viewport: { width: 1000, height: 900 } })
context.setDefaultTimeout(120_000)
// The page's address says which part to break, so that one page serves every test.
const cases = Object.entries(breaks).map(([name, script]) => `${JSON.stringify(name)}() { ${script} }`)
await context.addInitScript(`({ ${cases.join(', ')} })[decodeURIComponent(location.hash.slice(1))]?.()`)
const page = await context.newPage()
beforeEach(async () => {
  playground.reset()
  await page.goto('about:blank')
})

/** Chooses a coin in the page's list, or in the form of the server's page; whichever the payer sees. */
async function payTheWay(broken = ''): Promise<void> {
  await page.goto(`${playground.origin}/pay/choose#${encodeURIComponent(broken)}`)
  const select = page.locator('select[name=choice]')
  await page.locator('[role=option], select[name=choice]').filter({ visible: true }).first().waitFor()
  if (await select.isVisible()) {
    await select.selectOption('base USDC')
    await page.getByRole('button', { name: 'Continue' }).click()
  } else {
    await page.getByRole('combobox', { name: 'Search coins and networks' }).fill('usdc base')
    await page.getByRole('option', { name: 'USDC Base' }).click()
  }
  await seesAddress()
}

async function seesAddress(): Promise<void> {
  await page.getByRole('heading', { level: 2, name: 'Pay with USDC on Base' }).waitFor()
  await page
    .locator('.fields')
    .getByText(/^0x5290/)
    .filter({ visible: true })
    .first()
    .waitFor()
}

for (const name of Object.keys(breaks)) test(`checkout: ${name} → a coin can be chosen and paid`, () => payTheWay(name))

for (const [name, pattern] of [
  ['script', /main-.*\.js/],
  ['words', /(?:en|words)-.*\.js/],
  ['style', /\.css/],
  ['everything built', /\/assets\//],
] as const) {
  test(`checkout: ${name} does not load → a coin can be chosen and paid`, async () => {
    await page.route(pattern, (route) => route.abort())
    try {
      await payTheWay()
    } finally {
      await page.unroute(pattern)
    }
  })
}

test('checkout: a later render throws → the server’s page of the newest state', async () => {
  await page.goto(`${playground.origin}/pay/pay`)
  await page.getByRole('button', { name: 'Copy address' }).waitFor()
  await page.evaluate(() => {
    Intl.NumberFormat = (() => {
      throw new RangeError('broken')
    }) as unknown as typeof Intl.NumberFormat
  })
  playground.show('pay', 'confirming')
  await page.getByRole('heading', { level: 2, name: 'Payment seen' }).waitFor()
  await page.getByRole('link', { name: 'Check again' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Copy address' }).count(), 0)
  playground.show('pay', 'paid')
  await page.getByRole('heading', { level: 2, name: 'Paid' }).waitFor()
})

test('checkout: the script runs → no form of the server’s page is left', async () => {
  await page.goto(`${playground.origin}/pay/choose`)
  await page.getByRole('combobox', { name: 'Language' }).waitFor()
  assert.equal(await page.locator('.plain').count(), 0)
})
