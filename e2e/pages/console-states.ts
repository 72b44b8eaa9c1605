// Every page and state of the console that a person can meet, over the playground's invented merchants: what axe judges
// and the pictures show.
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

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const orderOf = (status: string, detail: string) => async (ask: Ask) => {
  const rows = await ask('orders?livemode=false&limit=100')
  return `/orders/${rows.find((row) => row.status === status && row.status_detail === detail)?.order_no}`
}
const deliveryOf = (status: string) => async (ask: Ask) =>
  `/webhooks/${(await ask(`deliveries?livemode=false&limit=100&status=${status}`))[0]?.id}`
const firstOf = (list: string, place: string) => async (ask: Ask) =>
  `/${place}/${(await ask(`${list}?livemode=false`))[0]?.id}`
const firstKey = async (ask: Ask) => `/keys/${(await ask('appkeys?livemode=false'))[0]?.id}`

const askForCode = async (page: Page, email = 'shop@bottega.example') => {
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await press(page, 'Send me a code')
}
const edit = async (page: Page, chain: string, address: string) => {
  await page.getByRole('searchbox', { name: 'Find a chain' }).fill(chain)
  await press(page, new RegExp(`^${chain}`, 'i'))
  await page.getByRole('textbox', { name: 'Your address' }).fill(address)
}
const askFor = async (page: Page, account: string, act: RegExp) => {
  await press(page, `Manage ${account}`)
  await page.getByRole('menuitem', { name: act }).click()
  await page.getByRole('textbox', { name: 'Reason' }).waitFor()
}
const wishForEmail = async (page: Page) => {
  await page.getByRole('textbox', { name: 'New email' }).fill('cassa@bottega-nova.example')
  await press(page, 'Change the email')
  await page.getByLabel('Code from the mail').waitFor()
}
const makeKey = async (page: Page) => {
  await press(page, 'Create a key')
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop server')
}

const orders = [
  ['pending', 'awaiting_payment'],
  ['pending', 'partially_paid'],
  ['processing', 'confirming'],
  ['processing', 'reorged'],
  ['success', 'paid'],
  ['success', 'overpaid'],
  ['failed', 'settlement_failed'],
  ['refunded', 'refunded'],
  ['expired', 'unpaid'],
] as const

// BIP-86's vector.
const ACCOUNT =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ'

export const consoleStates: readonly ConsoleState[] = [
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
    act: async (page) => {
      await askForCode(page, 'suspended@bottega.example')
      await page.getByRole('textbox', { name: 'Digit 1 of 6' }).pressSequentially('123456')
      await page.getByText('This account is suspended').waitFor()
    },
  },
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
  { name: 'orders', who: 'shop', path: '/orders' },
  { name: 'orders_filtered', who: 'shop', path: '/orders?status=%5B%22failed%22%2C%22refunded%22%5D' },
  { name: 'orders_none_fit', who: 'shop', path: '/orders?q=nothing-like-this' },
  { name: 'orders_new', who: 'new', path: '/orders' },
  { name: 'orders_new_live', who: 'new', live: true, path: '/orders' },
  { name: 'orders_broken', who: 'broken', path: '/orders', isFailure: true },
  { name: 'orders_slow', who: 'slow', path: '/orders' },
  { name: 'orders_create', who: 'shop', path: '/orders', act: (page) => press(page, 'Test order') },
  { name: 'orders_create_too_soon', who: 'new', path: '/orders', act: (page) => press(page, 'Test order') },
  {
    name: 'orders_export',
    who: 'shop',
    path: '/orders',
    act: async (page) => {
      await press(page, /^Export/)
      await press(page, 'Export CSV')
      await page.getByText(/^Saved/).waitFor()
    },
  },
  ...orders.map(
    ([status, detail]): ConsoleState => ({
      name: `order_${status}_${detail}`,
      who: 'shop',
      path: orderOf(status, detail),
    }),
  ),
  {
    name: 'order_cancel',
    who: 'shop',
    path: orderOf('pending', 'awaiting_payment'),
    act: (page) => press(page, 'Cancel'),
  },
  { name: 'order_slow', who: 'slow', path: '/orders/ord_00000000000000000000000000' },
  { name: 'order_not_found', who: 'shop', path: '/orders/ord_00000000000000000000000000', isFailure: true },
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
      await page.getByRole('textbox', { name: 'URL of your receiver' }).fill('https://shop.example/webhooks')
      await press(page, /^Send/)
      await page.getByText('What was sent').click()
    },
  },
  { name: 'webhooks', who: 'shop', path: '/webhooks' },
  { name: 'webhooks_dead', who: 'shop', path: '/webhooks?status=dead' },
  { name: 'webhooks_new', who: 'new', path: '/webhooks' },
  { name: 'delivery_succeeded', who: 'shop', path: deliveryOf('succeeded') },
  { name: 'delivery_retrying', who: 'shop', path: deliveryOf('retrying') },
  { name: 'delivery_dead', who: 'shop', path: deliveryOf('dead') },
  { name: 'endpoints', who: 'shop', live: true, path: '/webhooks/endpoints' },
  { name: 'endpoints_new', who: 'new', path: '/webhooks/endpoints' },
  {
    name: 'endpoints_add',
    who: 'shop',
    live: true,
    path: '/webhooks/endpoints',
    act: async (page) => {
      await press(page, 'Add an endpoint')
      await page.getByRole('textbox', { name: 'URL' }).fill('https://shop.example/webhooks/florin')
    },
  },
  {
    name: 'order_own_refund',
    who: 'shop',
    path: orderOf('success', 'paid'),
    act: async (page) => {
      await press(page, 'Refund…')
      await page.getByRole('textbox', { name: 'To' }).fill('0x27b1fdb04752bbc536007a920d24acb045561c26')
      await press(page, 'Go on to paying')
      await page.getByText('To be paid').first().waitFor()
    },
  },
  { name: 'replay', who: 'shop', path: '/webhooks/replay' },
  {
    name: 'replay_running',
    who: 'shop',
    path: '/webhooks/replay',
    act: async (page) => {
      await page.locator('form button[type=submit]').last().click()
      await page.getByText(/ of 42/).waitFor()
    },
  },
  { name: 'check', who: 'shop', path: '/webhooks/check' },
  {
    name: 'check_failed',
    who: 'shop',
    path: '/webhooks/check',
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Raw body' }).fill('{"id": "evt_1"}')
      await page.getByRole('textbox', { name: 'X-Service-Signature' }).fill(`t=1795252000,v1=${'5e'.repeat(32)}`)
      await page.getByLabel('Webhook secret').fill(`whsec_${'a'.repeat(32)}`)
      await page.locator('form button[type=submit]').last().click()
      await page.getByText('The result stands here').waitFor({ state: 'detached' })
    },
  },
  { name: 'attention', who: 'shop', path: '/attention' },
  { name: 'attention_new', who: 'new', path: '/attention' },
  { name: 'books', who: 'shop', path: '/books' },
  { name: 'audit', who: 'shop', path: '/audit' },
  { name: 'settings', who: 'shop', path: '/settings' },
  { name: 'settings_email_code', who: 'shop', path: '/settings', isFailure: true, act: wishForEmail },
  {
    name: 'settings_email_asked',
    who: 'shop',
    path: '/settings',
    isFailure: true,
    act: async (page) => {
      await wishForEmail(page)
      await page.getByLabel('Code from the mail').fill('123456')
      await press(page, 'Confirm')
      await page.getByText('It is to become').waitFor()
    },
  },
  {
    name: 'settings_email_bad',
    who: 'shop',
    path: '/settings',
    isFailure: true,
    act: async (page) => {
      await wishForEmail(page)
      await page.getByLabel('Code from the mail').fill('123456')
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
    act: async (page) => {
      await askFor(page, 'shop0@bottega.example', /^Suspend/)
      await page.getByRole('textbox', { name: 'Reason' }).fill('A complaint of a payer')
      await press(page, 'Suspend the account')
      await page.getByLabel('Code from the mail').fill('123456')
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
