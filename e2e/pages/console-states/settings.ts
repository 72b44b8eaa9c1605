// Attention, books, audit, settings, and what belongs to no page.
import type { Page } from 'playwright-core'
import { type ConsoleState, press } from './state.ts'

const wishForEmail = async (page: Page) => {
  await page.getByRole('textbox', { name: 'New email' }).fill('cassa@bottega-nova.example')
  await press(page, 'Change the email')
  await page.getByLabel('Code from the mail').waitFor()
}

export const settingStates: readonly ConsoleState[] = [
  { name: 'attention', who: 'shop', path: '/attention' },
  { name: 'attention_new', who: 'new', path: '/attention' },
  { name: 'attention_alarms', who: 'shop', live: true, path: '/attention' },
  { name: 'books', who: 'shop', path: '/books' },
  { name: 'audit', who: 'shop', path: '/audit' },
  { name: 'settings', who: 'shop', path: '/settings' },
  { name: 'settings_email_code', who: 'new', path: '/settings', isFailure: true, act: wishForEmail },
  {
    name: 'settings_email_asked',
    who: 'new',
    path: '/settings',
    isFailure: true,
    act: async (page, code) => {
      await wishForEmail(page)
      await page.getByLabel('Code from the mail').fill(await code())
      await press(page, 'Confirm')
      await page.getByText('It is to become').waitFor()
    },
  },
  {
    name: 'settings_email_bad',
    who: 'new',
    path: '/settings',
    isFailure: true,
    act: async (page, code) => {
      await wishForEmail(page)
      await page.getByLabel('Code from the mail').fill(await code())
      await press(page, 'Confirm')
      await press(page, 'Cancel the change')
      await page.getByRole('textbox', { name: 'New email' }).fill('cassa')
      await press(page, 'Change the email')
      await page.getByRole('alert').filter({ hasText: 'email address' }).waitFor()
    },
  },
  { name: 'settings_email_half', who: 'moving', path: '/settings' },
  { name: 'settings_email_waits', who: 'moved', path: '/settings' },
  { name: 'settings_email_lost', who: 'lost', path: '/settings' },
  { name: 'not_found', who: 'shop', path: '/there-is-no-such-page' },
  {
    name: 'menu',
    who: 'shop',
    path: '/settings',
    act: async (page) => {
      const burger = page.getByRole('button', { name: 'Open the menu' })
      await ((await burger.isVisible()) ? burger : page.getByRole('button', { name: 'Account' })).click()
    },
  },
]
