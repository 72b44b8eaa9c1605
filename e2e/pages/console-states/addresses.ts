// Receiving addresses and accounts of wallets.
import type { Page } from 'playwright-core'
import { type ConsoleState, press } from './state.ts'

// BIP-86's vector.
const ACCOUNT =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'

const edit = async (page: Page, chain: string, address: string) => {
  await page.getByRole('searchbox', { name: 'Find a chain' }).fill(chain)
  await press(page, new RegExp(`^${chain}`, 'i'))
  await page.getByRole('textbox', { name: 'Your address' }).fill(address)
}

/** An account that is set: its addresses, what is known of their use, limit and depth. */
const compareLitecoin = async (page: Page) => {
  await press(page, 'More for Litecoin')
  await page.getByRole('menuitem', { name: 'Addresses and limit' }).click()
  await page.getByRole('dialog').getByText('The next order gets').waitFor()
}

export const addressStates: readonly ConsoleState[] = [
  { name: 'addresses', who: 'shop', path: '/addresses' },
  { name: 'addresses_new', who: 'new', path: '/addresses' },
  {
    name: 'address_good',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Base', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'),
  },
  {
    name: 'address_bad',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Base', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046'),
  },
  {
    name: 'address_of_another_chain',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Base', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'),
  },
  {
    name: 'account_type',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Bitcoin', ACCOUNT),
  },
  {
    name: 'account_good',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Bitcoin', `tr([73c5da0a/86h/0h/0h]${ACCOUNT}/<0;1>/*)`),
  },
  {
    name: 'account_secret',
    who: 'shop',
    path: '/addresses',
    act: (page) => edit(page, 'Litecoin', `${'abandon '.repeat(11)}about`),
  },
  { name: 'account_addresses', who: 'shop', path: '/addresses', act: compareLitecoin },
  {
    name: 'account_depths',
    who: 'shop',
    path: '/addresses',
    act: async (page) => {
      await compareLitecoin(page)
      await press(page, 'Set my own')
      await page.getByLabel('Line 1: blocks').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'account_limit',
    who: 'shop',
    path: '/addresses',
    act: async (page) => {
      await compareLitecoin(page)
      await page.getByRole('textbox', { name: 'Limit of your wallet' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'account_saved',
    who: 'shop',
    path: '/addresses',
    act: async (page) => {
      await edit(page, 'Bitcoin', `tr([73c5da0a/86h/0h/0h]${ACCOUNT}/<0;1>/*)`)
      await press(page, 'Save address')
      await page.getByRole('button', { name: 'It is the same' }).waitFor()
    },
  },
  {
    name: 'address_saved',
    who: 'shop',
    path: '/addresses',
    act: async (page) => {
      await edit(page, 'Base', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')
      await press(page, 'Save address')
      await page.getByRole('button', { name: 'It is the same' }).waitFor()
    },
  },
  {
    name: 'confirmation',
    who: 'shop',
    path: '/addresses',
    act: async (page) => {
      await page.getByRole('combobox', { name: /^Orders that name no chain/ }).click()
      await page.getByRole('option', { name: 'Solana' }).click()
      await page.getByLabel('Code from the mail').waitFor()
    },
    isFailure: true,
  },
]
