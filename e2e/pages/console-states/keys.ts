// API keys and their secrets.
import type { Page } from 'playwright-core'
import { type Ask, type ConsoleState, press } from './state.ts'

const firstKey = async (ask: Ask) => `/keys/${(await ask('appkeys?livemode=false'))[0]?.id}`

const makeKey = async (page: Page) => {
  await press(page, 'Create a key')
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop server')
}

export const keyStates: readonly ConsoleState[] = [
  { name: 'keys', who: 'shop', path: '/keys' },
  { name: 'keys_new', who: 'new', path: '/keys' },
  { name: 'key_create', who: 'shop', path: '/keys', act: makeKey },
  {
    name: 'key_secrets',
    who: 'shop',
    path: '/keys',
    act: async (page) => {
      await makeKey(page)
      await press(page, 'Create key')
      await page.getByText('shown now and never again').waitFor()
    },
  },
  { name: 'key', who: 'shop', path: firstKey },
  { name: 'key_edit', who: 'shop', path: firstKey, act: (page) => press(page, 'Edit') },
  { name: 'key_rotate', who: 'shop', path: firstKey, act: (page) => press(page, 'Rotate the key') },
  { name: 'key_revoke', who: 'shop', path: firstKey, act: (page) => press(page, 'Revoke the key') },
  {
    name: 'key_test_event',
    who: 'shop',
    path: firstKey,
    act: async (page) => {
      await page.getByRole('textbox', { name: 'URL of your receiver' }).fill('http://127.0.0.1:9/webhooks')
      await press(page, /^Send/)
      await page.getByText('What was sent').click()
    },
  },
]
