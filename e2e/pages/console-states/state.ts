// What a state of the console is, and how one is opened over the playground's invented merchants.
import type { Page } from 'playwright-core'

export interface ConsoleState {
  name: string
  /** The playground's merchant; null: nobody is signed in. */
  who: 'shop' | 'full' | 'new' | 'broken' | 'slow' | 'ops' | 'moving' | 'moved' | 'lost' | 'suspended' | 'closed' | null
  live?: boolean
  /** Below /console, or a function that finds an address in the merchant's own data. */
  path: string | ((ask: Ask) => Promise<string>)
  act?: (page: Page) => Promise<void>
  /** It shows a failure of the service, which the browser logs by itself. */
  isFailure?: true
}

/** Asks the playground's API for the rows of one list. */
export type Ask = (list: string) => Promise<Record<string, unknown>[]>

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** The page of the first row of a list. */
export const firstOf = (list: string, place: string) => async (ask: Ask) =>
  `/${place}/${(await ask(`${list}?livemode=false`))[0]?.id}`

/** Whether the browser says nothing more than that a request failed. */
export const isFailedRequest = (fault: string): boolean => /^\d{3} for |Failed to load resource/.test(fault)

let opened = 0

/** Opens a state and waits until it stands still. */
export async function openConsoleState(page: Page, origin: string, state: ConsoleState): Promise<void> {
  // A merchant of its own each time, as acts change what is there.
  opened += 1
  const email = `${state.who}+${opened}@bottega.example`
  const token = Buffer.from(email).toString('base64url')
  const session = { token, email, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  await page.addInitScript(
    (entries) => {
      // A window that was another merchant's before remembers it.
      localStorage.clear()
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
    },
    {
      ...(state.who === null ? {} : { 'florin.session': JSON.stringify(session) }),
      'florin.mode': state.live === true ? 'live' : 'test',
    },
  )
  const ask: Ask = async (list) => {
    const response = await fetch(`${origin}/api/v1/boss/${list}`, { headers: { authorization: `Bearer ${token}` } })
    return ((await response.json()) as { data: { data: Record<string, unknown>[] } }).data.data
  }
  const path = typeof state.path === 'string' ? state.path : await state.path(ask)
  await page.goto(`${origin}/console${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // The playground's slow merchant is slow on purpose: what it shows while it waits is the state.
  if (state.who !== 'slow' && state.act === undefined) {
    await page.locator('[class*=Skeleton], [aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  await state.act?.(page)
}
