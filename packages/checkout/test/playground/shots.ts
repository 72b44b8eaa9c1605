// Owns the pictures: every state at three widths, light and dark, into shots/checkout. `npm run shots -w packages/checkout
// [-- name …]` after a build. Says aloud when a page logs a fault, breaks its policy, is wider than its
// window, or is one that axe objects to.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startPlayground } from './server.ts'
import { stateNames } from './states.ts'

const folder = join(import.meta.dirname, '../../../../shots/checkout')
const wanted = process.argv.slice(2)
const names = stateNames.filter((name) => wanted.length === 0 || wanted.some((part) => name.startsWith(part)))
const sizes = [
  { width: 320, height: 640 },
  { width: 360, height: 760 },
  { width: 1280, height: 800 },
]

const playground = await startPlayground()
const browser = await launchBrowser()
mkdirSync(folder, { recursive: true })
let faults = 0

function complain(text: string): void {
  faults += 1
  process.stderr.write(`${text}\n`)
}

function listen(page: Page, where: string): void {
  page.on('console', (message) => message.type() === 'error' && complain(`${where}: ${message.text()}`))
  page.on('pageerror', (error) => complain(`${where}: ${error.message}`))
}

/** axe's verdict on the page as it stands, by WCAG 2.2 AA. */
async function judge(page: Page, where: string): Promise<void> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })
    return violations.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map((node) => node.html.slice(0, 90)).join(' | ')}`,
    )
  })
  for (const violation of found) complain(`${where}: ${violation}`)
}

for (const viewport of sizes) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const isMobile = viewport.width < 700
    const look = { viewport, colorScheme, isMobile, hasTouch: isMobile, deviceScaleFactor: 1 }
    const context = await browser.newContext({ ...look, locale: 'en-US', timezoneId: 'UTC' })
    for (const name of names) {
      const where = `${name}-${viewport.width}-${colorScheme}`
      const page = await context.newPage()
      listen(page, where)
      await page.goto(`${playground.origin}/pay/${name}`)
      await page.locator('.language').waitFor()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > viewport.width) complain(`${where}: ${width} px wide`)
      await judge(page, where)
      await page.screenshot({ path: join(folder, `${where}.png`), fullPage: true })
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
await playground.close()
process.stdout.write(`${names.length * sizes.length * 2} pictures in ${folder}, ${faults} faults\n`)
process.exitCode = faults === 0 ? 0 : 1
