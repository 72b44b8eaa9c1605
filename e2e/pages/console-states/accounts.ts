// The operator’s page of accounts.
import type { Page } from 'playwright-core'
import { type ConsoleState, press } from './state.ts'

const askFor = async (page: Page, account: string, act: RegExp) => {
  await press(page, `Manage ${account}`)
  await page.getByRole('menuitem', { name: act }).click()
  await page.getByRole('textbox', { name: 'Reason' }).waitFor()
}

export const accountStates: readonly ConsoleState[] = [
  { name: 'accounts', who: 'ops', path: '/accounts' },
  {
    name: 'accounts_none_fit',
    who: 'ops',
    path: '/accounts',
    act: async (page) => {
      await page.getByRole('searchbox', { name: 'Find an account' }).fill('nobody')
      await page.getByText('No account fits').waitFor()
    },
  },
  { name: 'accounts_not_for_merchants', who: 'shop', path: '/accounts', isFailure: true },
  {
    name: 'account_menu',
    who: 'ops',
    path: '/accounts',
    act: async (page) => {
      await press(page, 'Manage shop0@bottega.example')
      await page.getByRole('menuitem', { name: /^Suspend/ }).waitFor()
    },
  },
  {
    name: 'account_suspend',
    who: 'ops',
    path: '/accounts',
    act: (page) => askFor(page, 'shop0@bottega.example', /^Suspend/),
  },
  {
    name: 'account_suspend_code',
    who: 'ops',
    path: '/accounts',
    isFailure: true,
    act: async (page) => {
      await askFor(page, 'shop0@bottega.example', /^Suspend/)
      await page.getByRole('textbox', { name: 'Reason' }).fill('A complaint of a payer')
      await press(page, 'Suspend the account')
      await page.getByLabel('Code from the mail').waitFor()
    },
  },
  {
    name: 'account_suspended',
    who: 'ops',
    path: '/accounts',
    isFailure: true,
    act: async (page, code) => {
      await askFor(page, 'shop9@bottega.example', /^Suspend/)
      await page.getByRole('textbox', { name: 'Reason' }).fill('A complaint of a payer')
      await press(page, 'Suspend the account')
      await page.getByLabel('Code from the mail').waitFor()
      await page.getByLabel('Code from the mail').fill(await code())
      await press(page, 'Confirm')
      await page.getByText('The account was suspended').waitFor()
    },
  },
  {
    name: 'account_resume',
    who: 'ops',
    path: '/accounts',
    act: (page) => askFor(page, 'shop1@bottega.example', /^Resume/),
  },
  {
    name: 'account_close',
    who: 'ops',
    path: '/accounts',
    act: (page) => askFor(page, 'shop0@bottega.example', /^Close/),
  },
  {
    name: 'account_email',
    who: 'ops',
    path: '/accounts',
    act: (page) => askFor(page, 'shop0@bottega.example', /^Change the email/),
  },
  {
    name: 'account_email_cancel',
    who: 'ops',
    path: '/accounts',
    act: (page) => askFor(page, 'a.very.long.name.of.a.merchant.2@a-long-domain.example', /^Cancel the change/),
  },
]
