// `npm run shots [-- name …]` (scripts/shots.ts starts the database): a picture of every page and state of console and checkout, at 1280 and 360 px, light and dark,
// into shots/, which git ignores; `-- movie` draws the moving picture of README.md anew, `-- serve` runs the seeded server for working on the pages. Prints what axe objects to, what is too wide
// and what logs a fault.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { buildPage } from '../../packages/checkout/test/playground/build.ts'
import { startPlayground as startCheckout } from '../../packages/checkout/test/playground/server.ts'
import { checkoutStates, openCheckoutState } from './checkout-states.ts'
import { consoleStates, isFailedRequest, openConsoleState } from './console-states/index.ts'
import { judge } from './judge.ts'
import { drawMovie } from './movie.ts'
import { startSeeded } from './seeded/server.ts'
import { sizes, visit } from './visitor.ts'

const wanted = process.argv.slice(2)
const folder = join(import.meta.dirname, '../../shots')
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((part) => name.startsWith(part))

if (wanted.includes('serve')) {
  const seeded = await startSeeded({ port: Number(process.env.PORT ?? 4400) })
  for (const who of ['shop', 'full'] as const) await seeded.session(who, true)
  process.stdout.write(`The console of seeded merchants: ${seeded.origin}/console/\n`)
  // Until it is interrupted.
  for (const code = await seeded.codes(); ; ) {
    const next = await code().catch(() => null)
    if (next !== null) process.stdout.write(`a code was mailed: ${next}\n`)
  }
}
const console_ = await startSeeded()
const checkout = await startCheckout({ dist: await buildPage() })
const browser = await launchBrowser()
mkdirSync(folder, { recursive: true })

/** A dialog covers the window and no more, so the rest of a long page would look torn. */
const isCovered = async (page: Page): Promise<boolean> => (await page.getByRole('dialog').count()) > 0

interface Shot {
  name: string
  origin: string
  open(page: Page): Promise<void>
  isFailure: boolean
}

const shots: Shot[] = [
  ...consoleStates.map((state) => ({
    name: `console/${state.name}`,
    origin: console_.origin,
    isFailure: state.isFailure === true,
    open: (page: Page) => openConsoleState(page, console_, state),
  })),
  ...checkoutStates.map((state) => ({
    name: `checkout/${state.name}`,
    origin: checkout.origin,
    isFailure: false,
    open: (page: Page) => openCheckoutState(page, checkout.origin, state),
  })),
]

// The only picture that is committed.
if (wanted.includes('movie')) process.stdout.write(`${await drawMovie(browser, checkout)}\n`)

let taken = 0
let faulty = 0
for (const shot of shots.filter(({ name }) => isWanted(name))) {
  for (const [size, options] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${shot.name}-${size}-${colorScheme}`
      const visitor = await visit(browser, [shot.origin], { ...options, colorScheme, reducedMotion: 'reduce' })
      try {
        await shot.open(visitor.page)
        const logged = visitor.faults.filter((fault) => !(shot.isFailure && isFailedRequest(fault)))
        const found = [...(await judge(visitor.page)), ...logged]
        if (found.length > 0) faulty += 1
        for (const fault of found) process.stderr.write(`${where}: ${fault}\n`)
        await visitor.page.screenshot({
          path: join(folder, `${where}.png`),
          fullPage: !(await isCovered(visitor.page)),
        })
        taken += 1
      } catch (error) {
        faulty += 1
        process.stderr.write(`${where}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}\n`)
        await visitor.page.screenshot({ path: join(folder, `${where}-stuck.png`) }).catch(() => undefined)
      } finally {
        await visitor.close()
      }
    }
  }
}
await browser.close()
await console_.close()
await checkout.close()
process.stdout.write(`${taken} pictures in ${folder}, ${faulty} with faults\n`)
process.exitCode = faulty === 0 ? 0 : 1
