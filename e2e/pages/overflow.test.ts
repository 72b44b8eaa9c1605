// Promises: a full shop fits: with 3,000 orders, 40 addresses, 150 questions, words of 97 letters and Arabic text nothing
// is wider than its window or its table's frame, at 1440, 768 and 360 px, light and dark; nor on the checkout.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildPage } from '../../packages/checkout/test/playground/build.ts'
import { startPlayground as startCheckout } from '../../packages/checkout/test/playground/server.ts'
import { buildConsole } from '../../packages/console/dev/build.ts'
import { startPlayground as startConsole } from '../../packages/console/dev/playground.ts'
import { openConsoleState } from './console-states/index.ts'
import { visit } from './visitor.ts'

const consoleAt = await startConsole({ dist: await buildConsole() })
const checkoutAt = await startCheckout({ dist: await buildPage() })
const browser = await launchBrowser()
after(async () => {
  await browser.close()
  await consoleAt.close()
  await checkoutAt.close()
})

/** What sticks out, by its own words; empty where all fits. */
const stickingOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const said = (node: Element): string =>
      `<${node.tagName.toLowerCase()} class="${node.className}"> ${node.textContent?.slice(0, 40)}`
    const root = document.documentElement
    const found = root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} px wide`] : []
    for (const table of document.querySelectorAll('table')) {
      const frame = table.parentElement
      if (frame !== null && table.scrollWidth > frame.clientWidth + 1)
        found.push(`wider than its frame: ${said(table)}`)
    }
    for (const node of document.querySelectorAll('main *')) {
      const { right, width, height } = node.getBoundingClientRect()
      // What is there for screen readers alone has no room.
      const head = node.closest('thead')
      if (head !== null && head.clientWidth <= 1) continue
      if (width > 1 && height > 1 && right > innerWidth + 1) found.push(`sticks out: ${said(node)}`)
    }
    return found.slice(0, 5)
  })

async function judgeAt(name: string, page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of [1440, 768, 360]) {
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      found.push(...(await stickingOut(page)).map((what) => `${name} at ${width}, ${colorScheme}: ${what}`))
    }
  }
  return found
}

const places = ['/', '/orders', '/addresses', '/attention', '/settings', '/setup', '/keys', '/webhooks', '/audit']

test('a full shop fits its windows', async () => {
  const { origin } = consoleAt
  const found: string[] = []
  const visitor = await visit(browser, [origin], { viewport: { width: 1440, height: 800 }, reducedMotion: 'reduce' })
  try {
    for (const path of places) {
      const page = await visitor.context.newPage()
      await openConsoleState(page, origin, { name: path, who: 'full', path })
      found.push(...(await judgeAt(path, page)))
      await page.close()
    }
  } finally {
    await visitor.close()
  }
  assert.deepEqual(found, [])
})

test('long words fit the checkout', async () => {
  const visitor = await visit(browser, [checkoutAt.origin], { viewport: { width: 1440, height: 800 } })
  try {
    await visitor.page.goto(`${checkoutAt.origin}/pay/long_words`)
    await visitor.page.getByRole('heading', { level: 2 }).first().waitFor()
    assert.deepEqual(await judgeAt('checkout', visitor.page), [])
  } finally {
    await visitor.close()
  }
})
