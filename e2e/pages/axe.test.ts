// Promises: axe finds nothing on any page or state of console and checkout, wide and light or narrow and dark, nothing is
// wider than its window, and no page logs a fault or breaks its policy. The data is the playgrounds'.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildPage } from '../../packages/checkout/test/playground/build.ts'
import { startPlayground as startCheckout } from '../../packages/checkout/test/playground/server.ts'
import { buildConsole } from '../../packages/console/dev/build.ts'
import { startPlayground as startConsole } from '../../packages/console/dev/playground.ts'
import { checkoutStates, openCheckoutState } from './checkout-states.ts'
import { consoleStates, isFailedRequest, openConsoleState } from './console-states.ts'
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

/** @returns what is wrong, each line with where */
async function judgeState(
  origin: string,
  name: string,
  open: (page: Page) => Promise<void>,
  a: { narrow: { width: number; height: number }; isFailure?: boolean | undefined },
): Promise<string[]> {
  const visitor = await visit(browser, [origin], { ...sizes.desk, colorScheme: 'light', reducedMotion: 'reduce' })
  const { page, faults } = visitor
  try {
    await open(page)
    const found = (await judge(page)).map((fault) => `desk, light: ${fault}`)
    await page.setViewportSize(a.narrow)
    await page.emulateMedia({ colorScheme: 'dark' })
    // The console follows the scheme by script, and says so at its root; the checkout's styles follow by themselves.
    await page.waitForFunction(() => (document.documentElement.dataset.mantineColorScheme ?? 'dark') === 'dark')
    found.push(...(await judge(page)).map((fault) => `narrow, dark: ${fault}`))
    found.push(...faults.filter((fault) => !(a.isFailure && isFailedRequest(fault))))
    return found.map((fault) => `${name}: ${fault}`)
  } catch (error) {
    throw new Error(`${name} at ${page.url()}; ${faults.join('; ')}`, { cause: error })
  } finally {
    await visitor.close()
  }
}

test('the console', async () => {
  const found: string[] = []
  for (const state of consoleStates) {
    const open = (page: Page) => openConsoleState(page, consoleAt.origin, state)
    found.push(
      ...(await judgeState(consoleAt.origin, state.name, open, {
        narrow: sizes.phone.viewport,
        isFailure: state.isFailure,
      })),
    )
  }
  assert.deepEqual(found, [])
})

test('the checkout', async () => {
  const found: string[] = []
  for (const state of checkoutStates) {
    const open = (page: Page) => openCheckoutState(page, checkoutAt.origin, state)
    found.push(...(await judgeState(checkoutAt.origin, state.name, open, { narrow: { width: 320, height: 640 } })))
  }
  assert.deepEqual(found, [])
})
