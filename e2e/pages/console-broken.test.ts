// Promises: the console works without what a browser may refuse, and where it cannot, words and a way to reload stand in
// its place. Each part is broken in turn in a real browser, in the locale of a container.
import { after, beforeEach, test } from 'node:test'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { startSeeded } from './seeded/server.ts'

const seeded = await startSeeded()
const browser = await launchBrowser({ LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' })
after(async () => {
  await browser.close()
  await seeded.close()
})

const denied = `{ get() { throw new DOMException('denied', 'SecurityError') } }`

/** Code that runs in the page before its own scripts; the console still works. */
const works: Readonly<Record<string, string>> = {
  'site data are blocked': `Object.defineProperty(window, 'localStorage', ${denied}); Object.defineProperty(window, 'sessionStorage', ${denied}); Object.defineProperty(document, 'cookie', ${denied})`,
  'storage is full': `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }`,
  'no clipboard': `Object.defineProperty(navigator, 'clipboard', { value: undefined })`,
  'languages are en-US@posix': `Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'C.UTF-8'] })`,
  'no functions of newer browsers':
    'delete AbortSignal.any; delete Promise.withResolvers; delete Object.groupBy; delete Promise.try; delete window.Iterator',
}

/** The console cannot work, and says so. */
const stops: Readonly<Record<string, string>> = {
  'no Intl': 'delete window.Intl',
  'no matchMedia': 'window.matchMedia = undefined',
  'history throws': `History.prototype.replaceState = () => { throw new DOMException('denied', 'SecurityError') }; Object.defineProperty(history, 'state', ${denied})`,
  'no events': 'Element.prototype.addEventListener = undefined',
}

const context = await browser.newContext()
context.setDefaultTimeout(120_000)
const cases = Object.entries({ ...works, ...stops }).map(([name, script]) => `${JSON.stringify(name)}() { ${script} }`)
await context.addInitScript(`({ ${cases.join(', ')} })[decodeURIComponent(location.hash.slice(1))]?.()`)
const page = await context.newPage()
beforeEach(async () => {
  await context.clearCookies()
  await page.goto('about:blank')
})

const open = (broken: string) => page.goto(`${seeded.origin}/console/login#${encodeURIComponent(broken)}`)

for (const name of Object.keys(works)) {
  test(`console: ${name} → a merchant signs in`, async () => {
    await open(name)
    const code = await seeded.codes()
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('you@shop.example')
    await page.getByRole('button', { name: 'Send me a code' }).click()
    await page.getByText('Enter the code').waitFor()
    await page.getByRole('textbox', { name: 'Digit 1 of 6' }).pressSequentially(await code())
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await page.evaluate(() => {
      try {
        localStorage.clear()
      } catch {
        // Blocked by the test.
      }
    })
  })
}

for (const name of Object.keys(stops)) {
  test(`console: ${name} → words and a way to reload`, async () => {
    await open(name)
    await page.getByText('Reload the page', { exact: true }).filter({ visible: true }).waitFor()
  })
}

test('console: its script does not load → words and a way to reload', async () => {
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  await open('')
  await page.getByRole('link', { name: 'Reload the page' }).filter({ visible: true }).waitFor()
  await page.unroute(/\/assets\/.*\.js/)
})
