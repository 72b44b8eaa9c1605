// Promises: axe finds nothing on any page of console and checkout, wide and light or narrow and dark, nothing is wider
// than its window, and no page logs a fault or breaks its policy; in full, in any state of any page. The data is the
// playgrounds'.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildPage } from '../../packages/checkout/test/playground/build.ts'
import { startPlayground as startCheckout } from '../../packages/checkout/test/playground/server.ts'
import { buildConsole } from '../../packages/console/dev/build.ts'
import { startPlayground as startConsole } from '../../packages/console/dev/playground.ts'
import { sized } from '../../scripts/sizes.ts'
import { checkoutStates, openCheckoutState } from './checkout-states.ts'
import { consoleStates, isFailedRequest, openConsoleState } from './console-states/index.ts'
import { judge } from './judge.ts'
import { sizes, visit } from './visitor.ts'

const consoleAt = await startConsole({ dist: await buildConsole() })
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

/**
 * One window for all of them, as what it has cached makes the next page cheap.
 * @param narrow the least room in which it has to work
 */
async function judgeAll(origin: string, states: readonly Judged[], narrow: { width: number; height: number }) {
  const { context, faults, close } = await visit(browser, [origin], { ...sizes.desk, reducedMotion: 'reduce' })
  const found: string[] = []
  try {
    for (const state of states) {
      const page = await context.newPage()
      faults.length = 0
      try {
        await page.emulateMedia({ colorScheme: 'light' })
        await state.open(page)
        found.push(...(await judge(page)).map((fault) => `${state.name}: wide, light: ${fault}`))
        await page.setViewportSize(narrow)
        await page.emulateMedia({ colorScheme: 'dark' })
        // The console follows the scheme by script, and says so at its root; the checkout's styles follow by themselves.
        await page.waitForFunction(() => (document.documentElement.dataset.mantineColorScheme ?? 'dark') === 'dark')
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

test('the console', async () => {
  const { origin } = consoleAt
  const states = sized({ short: pages, full: consoleStates }).map((state) => ({
    ...state,
    open: (page: Page) => openConsoleState(page, origin, state),
  }))
  await judgeAll(origin, states, sizes.phone.viewport)
})

test('the checkout', async () => {
  const { origin } = checkoutAt
  const every = sized({ short: 6, full: 1 })
  const shown = checkoutStates.filter((_, at) => at % every === 0)
  const states = shown.map((state) => ({
    ...state,
    open: (page: Page) => openCheckoutState(page, origin, state),
  }))
  await judgeAll(origin, states, { width: 320, height: 640 })
})
