// The overview and the guide to the first payment.
import type { ConsoleState } from './state.ts'

export const overviewStates: readonly ConsoleState[] = [
  { name: 'overview', who: 'shop', path: '/' },
  { name: 'overview_live', who: 'shop', live: true, path: '/' },
  {
    name: 'overview_tables',
    who: 'shop',
    path: '/',
    act: async (page) => {
      const closed = page.getByRole('button', { name: 'show as a table' })
      while ((await closed.count()) > 0) await closed.first().click()
    },
  },
  { name: 'overview_new', who: 'new', path: '/' },
  { name: 'overview_broken', who: 'broken', path: '/', isFailure: true },
  { name: 'overview_slow', who: 'slow', path: '/' },
  { name: 'setup', who: 'shop', path: '/setup' },
  { name: 'setup_new', who: 'new', path: '/setup' },
]
