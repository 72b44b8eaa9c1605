// States of the console, and how each is opened over the seeded server.
import type { Page } from 'playwright-core'
import type { Seeded } from '../seeded/server.ts'
import type { Who } from '../seeded/shop.ts'

export interface ConsoleState {
  name: string
  /** The seeded merchant; null: nobody is signed in. `broken` and `slow` are the shop over a network that fails or never answers. */
  who: Who | 'broken' | 'slow' | null
  live?: boolean
  /** Below /console, or a function that finds an address in the merchant's own data. */
  path: string | ((ask: Ask) => Promise<string>)
  /** @param code the next code that is mailed */
  act?: (page: Page, code: () => Promise<string>) => Promise<void>
  /** It shows a failure of the service, which the browser logs by itself. */
  isFailure?: true
}

/** Asks the API for the rows of one list. */
export type Ask = (list: string) => Promise<Record<string, unknown>[]>

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** The page of the first row of a list. */
export const firstOf = (list: string, place: string) => async (ask: Ask) =>
  `/${place}/${(await ask(`${list}?livemode=false`))[0]?.id}`

/** Whether the browser says nothing more than that a request failed. */
export const isFailedRequest = (fault: string): boolean => /^\d{3} for |Failed to load resource/.test(fault)

/** Data that a page needs before it shows anything. */
const FRAME = /\/boss\/(merchant|stream|confirmation)\b/

async function disturb(page: Page, how: 'broken' | 'slow'): Promise<void> {
  const error = { type: 'api', code: 'unavailable', message: 'The service is not available.', param: null }
  await page.route(/\/api\/v1\/boss\//, (route) => {
    if (FRAME.test(route.request().url())) return route.continue()
    if (how === 'slow') return
    const body = JSON.stringify({
      code: 50_300,
      message: error.message,
      data: null,
      error: { ...error, request_id: 'r' },
    })
    return route.fulfill({ status: 503, contentType: 'application/json', body })
  })
}

/** Opens a state and waits until it stands still. */
export async function openConsoleState(page: Page, seeded: Seeded, state: ConsoleState): Promise<void> {
  const { origin } = seeded
  const { who } = state
  const code = await seeded.codes()
  const isDisturbed = who === 'broken' || who === 'slow'
  // Acts that ask for a mailed code are failures at first.
  const made = who === null ? null : await seeded.session(isDisturbed ? 'shop' : who, state.isFailure !== true)
  if (isDisturbed) await disturb(page, who)
  const session = made === null ? null : { ...made, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }
  await page.addInitScript(
    (entries) => {
      // A window that was another merchant's before remembers it.
      localStorage.clear()
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
    },
    {
      ...(session === null ? {} : { 'florin.session': JSON.stringify(session) }),
      'florin.mode': state.live === true ? 'live' : 'test',
    },
  )
  const ask: Ask = async (list) => {
    const response = await fetch(`${origin}/api/v1/boss/${list}`, {
      headers: { authorization: `Bearer ${made?.token}` },
    })
    return ((await response.json()) as { data: { data: Record<string, unknown>[] } }).data.data
  }
  const path = typeof state.path === 'string' ? state.path : await state.path(ask)
  await page.goto(`${origin}/console${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // The state is the page while it waits for slow data.
  if (state.who !== 'slow' && state.act === undefined) {
    await page.locator('[class*=Skeleton], [aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  await state.act?.(page, code)
}
