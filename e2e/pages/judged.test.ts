// Promises: axe finds nothing on any page of console and checkout, wide and light or narrow and dark, nothing is wider
// than its window, and no page logs a fault or breaks its policy; in full, both ways and in any state of any page. A full shop fits: 3,000 orders,
// an address on every EVM chain, 150 questions, words of 97 letters and Arabic text, at 1440, 768 and 360 px. The console's data is a seeded server's, the checkout's its playground's.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildPage } from '../../packages/checkout/test/playground/build.ts'
import { startPlayground as startCheckout } from '../../packages/checkout/test/playground/server.ts'
import { quickTest, sized, slowTest } from '../../scripts/sizes.ts'
import { checkoutStates, openCheckoutState } from './checkout-states.ts'
import { consoleStates, isFailedRequest, openConsoleState } from './console-states/index.ts'
import { judge } from './judge.ts'
import { startSeeded } from './seeded/server.ts'
import { sticksOut } from './sticks-out.ts'
import { sizes, visit } from './visitor.ts'

const consoleAt = await startSeeded()
const checkoutAt = await startCheckout({ dist: await buildPage() })
const browser = await launchBrowser()
after(async () => {
  await browser.close()
  await consoleAt.close()
  await checkoutAt.close()
})

interface Judged {
  name: string
  isFailure?: true
  open(page: Page): Promise<void>
}

const isBoth = sized({ short: false, full: true })

/**
 * One window for all of them, as what it has cached makes the next page cheap.
 * @param narrow the least room in which it has to work
 */
async function judgeAll(origin: string, states: readonly Judged[], narrow: { width: number; height: number }) {
  const { context, faults, close } = await visit(browser, [origin], { ...sizes.desk, reducedMotion: 'reduce' })
  const found: string[] = []
  try {
    for (const [at, state] of states.entries()) {
      const page = await context.newPage()
      faults.length = 0
      try {
        await page.emulateMedia({ colorScheme: 'light' })
        await state.open(page)
        if (isBoth || at % 2 === 0)
          found.push(...(await judge(page)).map((fault) => `${state.name}: wide, light: ${fault}`))
        await page.setViewportSize(narrow)
        await page.emulateMedia({ colorScheme: 'dark' })
        // The console follows the scheme by script, and says so at its root; the checkout's styles follow by themselves.
        await page.waitForFunction(() => (document.documentElement.dataset.mantineColorScheme ?? 'dark') === 'dark')
        if (isBoth || at % 2 === 1)
          found.push(...(await judge(page)).map((fault) => `${state.name}: narrow, dark: ${fault}`))
        const logged = faults.filter((fault) => !(state.isFailure && isFailedRequest(fault)))
        found.push(...logged.map((fault) => `${state.name}: ${fault}`))
      } catch (error) {
        throw new Error(`${state.name} at ${page.url()}; ${faults.join('; ')}`, { cause: error })
      }
      await page.close()
    }
  } finally {
    await close()
  }
  assert.deepEqual(found, [])
}

/** The first of the states at each address of the console, which is the page as it is most often. */
const pages = consoleStates.filter(
  (state, at) => at === consoleStates.findIndex(({ path }) => String(path) === String(state.path)),
)

/** One in so many of them at once; the others are as slow as they are many. */
function shared<T>(all: readonly T[], every: number): { how: typeof test; which: string; some: T[] }[] {
  return [
    { how: quickTest, which: `one in ${every}`, some: all.filter((_, at) => at % every === 0) },
    { how: slowTest, which: 'the others', some: all.filter((_, at) => at % every !== 0) },
  ]
}

for (const { how, which, some } of shared(sized({ short: pages, full: consoleStates }), 10)) {
  how(`the console, ${which}`, async () => {
    const states = some.map((state) => ({ ...state, open: (page: Page) => openConsoleState(page, consoleAt, state) }))
    await judgeAll(consoleAt.origin, states, sizes.phone.viewport)
  })
}

const checkouts = checkoutStates.filter((_, at) => at % sized({ short: 6, full: 1 }) === 0)

for (const { how, which, some } of shared(checkouts, 4)) {
  how(`the checkout, ${which}`, async () => {
    const { origin } = checkoutAt
    const states = some.map((state) => ({ ...state, open: (page: Page) => openCheckoutState(page, origin, state) }))
    await judgeAll(origin, states, { width: 320, height: 640 })
  })
}

const crowded = ['/orders', '/', '/addresses', '/attention', '/settings', '/setup', '/keys', '/webhooks', '/audit']
const sold = ['/links', '/invoices', '/sell?way=invoice', '/webhooks/endpoints']

for (const { how, which, some } of shared([...crowded, ...sold], 7)) {
  how(`a full shop fits its windows, ${which}`, async () => {
    const { origin } = consoleAt
    const found: string[] = []
    const visitor = await visit(browser, [origin], { viewport: { width: 1440, height: 800 }, reducedMotion: 'reduce' })
    try {
      for (const path of some) {
        const page = await visitor.context.newPage()
        await openConsoleState(page, consoleAt, { name: path, who: 'full', path })
        found.push(...(await sticksOut(path, page)))
        await page.close()
      }
    } finally {
      await visitor.close()
    }
    assert.deepEqual(found, [])
  })
}

test('long words fit the checkout', async () => {
  const visitor = await visit(browser, [checkoutAt.origin], { viewport: { width: 1440, height: 800 } })
  try {
    await visitor.page.goto(`${checkoutAt.origin}/pay/long_words`)
    await visitor.page.getByRole('heading', { level: 2 }).first().waitFor()
    assert.deepEqual(await sticksOut('checkout', visitor.page), [])
  } finally {
    await visitor.close()
  }
})
