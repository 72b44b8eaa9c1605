// Signing in, and what it says when one may not.
import type { Page } from 'playwright-core'
import { type ConsoleState, press } from './state.ts'

const askForCode = async (page: Page, email = 'shop@bottega.example') => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await press(page, 'Send me a code')
}

export const signInStates: readonly ConsoleState[] = [
  { name: 'login', who: null, path: '/login' },
  {
    name: 'login_fault',
    isFailure: true,
    who: null,
    path: '/login',
    act: async (page) => {
      await askForCode(page, 'nobody')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'login_code',
    who: null,
    path: '/login',
    act: async (page) => {
      await askForCode(page)
      await page.getByText('Enter the code').waitFor()
    },
  },
  {
    name: 'login_wrong_code',
    isFailure: true,
    who: null,
    path: '/login',
    act: async (page) => {
      await askForCode(page)
      await page.getByRole('textbox', { name: 'Digit 1 of 6' }).pressSequentially('000000')
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'login_suspended',
    isFailure: true,
    who: null,
    path: '/login',
    act: async (page, code) => {
      await askForCode(page, 'suspended@bottega.example')
      await page.getByText('Enter the code').waitFor()
      await page.getByRole('textbox', { name: 'Digit 1 of 6' }).pressSequentially(await code())
      await page.getByText('This account is suspended').waitFor()
    },
  },
  {
    name: 'suspended_while_signed_in',
    isFailure: true,
    who: 'suspended',
    path: '/orders',
    act: (page) => page.getByText('This account is suspended').waitFor(),
  },
  {
    name: 'closed_while_signed_in',
    isFailure: true,
    who: 'closed',
    path: '/settings',
    act: (page) => page.getByText('This account is closed').waitFor(),
  },
]
