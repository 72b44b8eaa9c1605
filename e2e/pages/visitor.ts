// A person at a browser: a context of its own that keeps every fault of every page it sees. A fault is an error in the
// console, an exception nobody caught, a breach of the page's policy, a request that failed or one that left our origin.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

export interface Visitor {
  context: BrowserContext
  page: Page
  faults: string[]
  close(): Promise<void>
}

export const sizes = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/**
 * @param origins what pages may ask for; anything else is a fault
 * @example const visitor = await visit(browser, [florin.url], sizes.phone)
 */
export async function visit(
  browser: Browser,
  origins: readonly string[],
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options })
  // Only what never comes lasts as long as this, however busy the machine is.
  context.setDefaultTimeout(120_000)
  const faults: string[] = []
  await context.exposeBinding('florinPolicyBroken', ({ page }, what: string) => {
    faults.push(`${page.url()}: policy broken: ${what}`)
  })
  await context.addInitScript(() => {
    const { florinPolicyBroken } = window as unknown as { florinPolicyBroken(what: string): void }
    document.addEventListener('securitypolicyviolation', (event) =>
      florinPolicyBroken(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    )
  })
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    faults.push(`${message.page()?.url()}: ${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => faults.push(`${error.page()?.url()}: uncaught: ${error.error().message}`))
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && !origins.includes(origin)) faults.push(`asked elsewhere: ${request.url()}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`)
  })
  const page = await context.newPage()
  return { context, page, faults, close: () => context.close() }
}

/** Walks, and expects no fault. What failed says where the visitor was and what the page showed. */
export async function walk(visitor: Visitor, steps: (page: Page, faults: string[]) => Promise<void>): Promise<void> {
  const { page, faults } = visitor
  try {
    await steps(page, faults)
    assert.deepEqual(faults, [])
  } catch (error) {
    const said = await page
      .locator('body')
      .innerText()
      .catch(() => '')
    throw new Error(`at ${page.url()}, faults: ${faults.join('; ') || 'none'}, page: ${said}`, { cause: error })
  }
}

/** The same for a visitor that leaves after it. */
export const walkAndLeave = (...[visitor, steps]: Parameters<typeof walk>): Promise<void> =>
  walk(visitor, steps).finally(() => visitor.close())
