// Deliveries, endpoints, replay and the check of a signature.
import { type Ask, type ConsoleState, press } from './state.ts'

const deliveryOf = (status: string) => async (ask: Ask) =>
  `/webhooks/${(await ask(`deliveries?livemode=false&limit=100&status=${status}`))[0]?.id}`

export const webhookStates: readonly ConsoleState[] = [
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
  { name: 'replay', who: 'shop', path: '/webhooks/replay' },
  {
    name: 'replay_running',
    who: 'shop',
    path: '/webhooks/replay',
    act: async (page) => {
      await page.locator('form button[type=submit]').last().click()
      await page.getByText(/ of \d+/).waitFor()
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
]
