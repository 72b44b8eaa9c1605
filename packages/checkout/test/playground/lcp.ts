// Owns the measuring of the first sight: largest contentful paint, shift, and when the script has taken over, on a cold
// cache with the processor slowed down four times. `npm run lcp -w packages/checkout` after a build.
import type { BrowserContextOptions } from 'playwright-core'
import { launchBrowser } from './browser.ts'
import { startPlayground } from './server.ts'

/** What the page keeps for this script. */
interface Seen {
  lcp: number
  shift: number
}

const screens: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 } },
}
/** A slow mobile network: 1.6 Mbit/s and 150 ms. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

const playground = await startPlayground()
const browser = await launchBrowser()
for (const state of ['pay', 'choose', 'paid']) {
  for (const [screen, options] of Object.entries(screens)) {
    for (const network of ['loopback', 'slow network']) {
      const context = await browser.newContext({ ...options, locale: 'en-US' })
      const page = await context.newPage()
      const tools = await context.newCDPSession(page)
      await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      if (network !== 'loopback') await tools.send('Network.emulateNetworkConditions', slow)
      await page.addInitScript(() => {
        const seen = Object.assign(window, { lcp: 0, shift: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.lcp = entry.startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(`${playground.origin}/pay/${state}`)
      await page.locator('.language').waitFor()
      const takenOver = await page.evaluate(() => performance.now())
      await page.waitForTimeout(500)
      const { lcp, shift } = await page.evaluate(() => {
        const seen = window as unknown as Seen
        return { lcp: seen.lcp, shift: seen.shift }
      })
      const ms = (value: number): string => `${Math.round(value)} ms`
      process.stdout.write(
        `${state}, ${screen}, ${network}: LCP ${ms(lcp)}, script by ${ms(takenOver)}, shift ${shift.toFixed(4)}\n`,
      )
      await context.close()
    }
  }
}
await browser.close()
await playground.close()
