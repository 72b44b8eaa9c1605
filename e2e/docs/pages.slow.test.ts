// Promises: axe finds nothing on pages of the documentation, wide and light or narrow and dark, nothing is wider than its
// window and no page breaks its policy; the search answers by keyboard alone, and a language once chosen stays chosen.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildSite } from '../../packages/docs/src/build.ts'
import { machineClock } from '../../packages/platform/src/clock.ts'
import { makeServer } from '../../packages/platform/src/http/server.ts'
import { serveSite } from '../../packages/platform/src/http/site/site.ts'
import { capturedLog } from '../../packages/server/test/captured-log.ts'
import { judge } from '../pages/judge.ts'
import { sizes, visit } from '../pages/visitor.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-docs-'))
await buildSite(folder)
const app = await makeServer({
  ...{ log: capturedLog().log, clock: machineClock, trustProxy: [] },
  ...{ rateLimits: false, isHttps: false, isLoopbackInstall: true },
})
serveSite(app, folder, '/docs', 'http://localhost:3000')
await app.listen({ port: 0, host: '127.0.0.1' })
const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
const browser = await launchBrowser()
after(async () => {
  await browser.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

test('axe finds nothing, wide and light or narrow and dark', async () => {
  const { page, faults, close } = await visit(browser, [origin], { ...sizes.desk, reducedMotion: 'reduce' })
  const found: string[] = []
  for (const path of ['', '/start', '/concepts', '/api/orders', '/api/console', '/errors']) {
    await page.setViewportSize(sizes.desk.viewport)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${origin}/docs${path}`)
    await page.getByRole('button', { name: 'Search' }).waitFor()
    found.push(...(await judge(page)).map((fault) => `${path}: wide, light: ${fault}`))
    await page.setViewportSize(sizes.phone.viewport)
    await page.emulateMedia({ colorScheme: 'dark' })
    found.push(...(await judge(page)).map((fault) => `${path}: narrow, dark: ${fault}`))
  }
  await close()
  assert.deepEqual([...found, ...faults], [])
})

test('the search is asked and followed by keyboard, and a chosen language stays', async () => {
  const { page, faults, close } = await visit(browser, [origin], sizes.desk)
  await page.goto(`${origin}/docs/api/orders`)
  await page.getByRole('tab', { name: 'Python' }).first().click()
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.keyboard.press('/')
  await page.getByRole('searchbox', { name: 'Search' }).fill('sold_out')
  await page.locator('.hits a', { hasText: 'sold_out' }).first().waitFor()
  assert.deepEqual(await judge(page), [])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/docs/errors#sold_out`)
  await page.goto(`${origin}/docs/api/invoices`)
  await page.getByRole('tab', { name: 'Python', selected: true }).first().waitFor()
  assert.equal(await page.getByRole('tabpanel', { name: 'curl' }).count(), 0)
  await close()
  assert.deepEqual(faults, [])
})
