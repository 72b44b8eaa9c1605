// Selling from the console: forms, links, invoices.
import { type ConsoleState, firstOf, press } from './state.ts'

export const sellingStates: readonly ConsoleState[] = [
  { name: 'sell', who: 'shop', path: '/sell' },
  {
    name: 'sell_made',
    who: 'shop',
    path: '/sell',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Amount' }).fill('12,50')
      await press(page, 'Create the payment')
      await page.getByRole('link', { name: 'See the order' }).waitFor()
    },
  },
  { name: 'sell_new', who: 'new', path: '/sell' },
  { name: 'sell_link', who: 'shop', path: '/sell?way=link' },
  {
    name: 'sell_invoice',
    who: 'shop',
    path: '/sell?way=invoice',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Item 1' }).fill('Consulting')
      await page.getByRole('textbox', { name: /^Price/ }).fill('80')
      await page.getByRole('textbox', { name: 'Tax in percent' }).fill('19')
      await press(page, 'Add a line')
    },
  },
  { name: 'links', who: 'shop', path: '/links' },
  { name: 'links_new', who: 'new', path: '/links' },
  { name: 'link', who: 'shop', path: firstOf('payment_links', 'links') },
  { name: 'invoices', who: 'shop', path: '/invoices' },
  { name: 'invoices_new', who: 'new', path: '/invoices' },
  { name: 'invoice', who: 'shop', path: firstOf('invoices', 'invoices') },
]
