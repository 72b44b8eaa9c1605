// Measures the payer's first sight of the checkout and the merchant's of the console, from a running Florin, in a real Chromium with a
// cold cache and the processor slowed down four times: largest contentful paint, layout shift, and when the script has taken over.
// Median of seven visits each; the worst stands beside it.

import { startFlorin } from '../e2e/florin.ts'
import { call, type Merchant, signUp, startInbox } from '../e2e/merchant.ts'
import { launchBrowser } from '../packages/checkout/test/playground/browser.ts'
import { median } from './load.ts'
import { orSmoke } from './smoke.ts'

const VISITS = orSmoke(7, 1)

const screens = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  desk: { viewport: { width: 1280, height: 800 } },
}
/** A slow mobile network: 1.6 Mbit/s, and 150 ms there and back. */
const slow = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

// The page keeps what it saw for the script below.
const watch = `
  window.seen = { lcp: 0, shift: 0 }
  const each = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  each('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime })
  each('layout-shift', (entry) => { seen.shift += entry.value })`

interface Seen {
  lcp: number
  shift: number
  script: number
}

const inbox = await startInbox()
const florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, LOG_LEVEL: 'warn' }, 'npm start')
const browser = await launchBrowser()
try {
  const shop = await signUp(florin.url, inbox, 'bench@shop.example')
  const make = async (more: object): Promise<string> => {
    const body = { amount_usd: 49.9, title: 'Blue shirt', ...more }
    const order = await call<{ checkout_url: string }>(`${florin.url}/v1/orders`, 'POST', { headers: shop.key, body })
    return order.body.checkout_url
  }
  // Where the script has taken over, by what only it writes.
  const pages: Record<string, Sight> = {
    'address and code': { url: await make({ pay_chain: 'base', pay_asset: 'USDC' }), ready: '.language' },
    'choice of coins': { url: await make({}), ready: '.language' },
    'console, sign-in': { url: `${florin.url}/console/login`, ready: 'form' },
    'console, overview': { url: `${florin.url}/console/`, ready: 'h1', session: shop },
  }
  for (const [name, sight] of Object.entries(pages)) {
    for (const screen of orSmoke(['phone', 'desk'] as const, ['phone'] as const)) {
      for (const network of orSmoke(['loopback', 'slow network'] as const, ['loopback'] as const)) {
        const seen: Seen[] = []
        for (let n = 0; n < VISITS; n++) seen.push(await visit(sight, screen, network))
        const of = (key: keyof Seen): string => {
          const values = seen.map((one) => one[key])
          return `${Math.round(median(values))} (worst ${Math.round(Math.max(...values))}) ms`
        }
        const shift = Math.max(...seen.map((one) => one.shift)).toFixed(4)
        process.stdout.write(
          `${name}, ${screen}, ${network}: LCP ${of('lcp')}, script ${of('script')}, shift ${shift}\n`,
        )
      }
    }
  }
} finally {
  await browser.close()
  await florin.close()
  await inbox.close()
}

interface Sight {
  url: string
  ready: string
  session?: Pick<Merchant, 'token' | 'email'>
}

async function visit({ url, ready, session }: Sight, screen: keyof typeof screens, network: string): Promise<Seen> {
  // A context of its own has an empty cache.
  const context = await browser.newContext({ ...screens[screen], locale: 'en-US' })
  try {
    const page = await context.newPage()
    const tools = await context.newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    if (network !== 'loopback') await tools.send('Network.emulateNetworkConditions', slow)
    await page.addInitScript({ content: watch })
    if (session !== undefined) {
      const { token, email } = session
      const kept = JSON.stringify({ token, email, expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
      await page.addInitScript((text) => {
        localStorage.setItem('florin.session', text)
        localStorage.setItem('florin.mode', 'test')
      }, kept)
    }
    await page.goto(url)
    await page.locator(ready).first().waitFor()
    const script = await page.evaluate<number>('performance.now()')
    // A paint after the script took over would count as well.
    await page.waitForTimeout(session === undefined ? 500 : 1_500)
    return { ...(await page.evaluate<Omit<Seen, 'script'>>('seen')), script }
  } finally {
    await context.close()
  }
}
