// Which console calls can move money. A new call that writes has to be put on this list: that is a decision.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildApp } from '../src/app.ts'
import { testDeps } from './harness.ts'

const acts = {
  fresh: [
    'POST appkeys/:id/rotate',
    'POST appkeys/:id/webhook-secret/rotate',
    'POST email',
    'POST merchants/:id/close',
    'POST merchants/:id/email',
    'POST merchants/:id/email/cancel',
    'POST merchants/:id/resume',
    'POST merchants/:id/suspend',
    'POST webhook_endpoints/:id/secret/rotate',
    'PUT addresses/:chain/confirmations',
    'PUT addresses/:chain/used',
    'PUT addresses/:chain/wallet-limit',
    'PUT third-party',
  ],
  judged: [
    'DELETE addresses/:chain',
    'PATCH appkeys/:id',
    'PATCH brand',
    'PATCH merchant',
    'POST appkeys',
    'POST attention/:id/:action',
    'POST orders/:order_no/merchant_refunds',
    'PUT addresses',
  ],
  bound: ['POST orders/:order_no/refund', 'POST orders/:order_no/retry-settlement'],
  harmless: [
    'DELETE addresses/:chain/waiting',
    'DELETE appkeys/:id',
    'DELETE brand/logo',
    'DELETE email',
    'DELETE exports/:id',
    'DELETE sessions',
    'DELETE sessions/:id',
    'DELETE webhook_endpoints/:id',
    'PATCH currencies',
    'PATCH mails',
    'PATCH webhook_endpoints/:id',
    'POST addresses/validate',
    'POST appkeys/:id/test-event',
    'POST confirmation',
    'POST confirmation/code',
    'POST deliveries/:id/resend',
    'POST deliveries/replay',
    'POST exports',
    'POST invoices',
    'POST invoices/:id/send',
    'POST invoices/:id/void',
    'POST logout',
    'POST orders',
    'POST orders/:order_no/cancel',
    'POST orders/:order_no/look-again',
    'POST orders/:order_no/merchant_refunds/:id/cancel',
    'POST orders/:order_no/merchant_refunds/:id/transaction',
    'POST orders/:order_no/refunds/:id/psbt',
    'POST payment_links',
    'POST payment_links/:id',
    'POST test/orders',
    'POST test/orders/:order_no/simulate',
    'POST webhook_endpoints',
    'POST webhook_endpoints/:id/test',
    'PUT brand/logo',
  ],
}

test('every console call that writes is known to move money or not to', async (t) => {
  const { deps } = await testDeps(t)
  const app = await buildApp(deps)
  t.after(() => app.close())
  const found: Record<string, string[]> = { fresh: [], judged: [], bound: [], harmless: [] }
  for (const [route, act] of app.consoleActs) found[act]?.push(route.replace('/api/v1/boss/', ''))
  for (const list of Object.values(found)) list.sort()
  assert.deepEqual(found, acts)
  assert.throws(() => app.post('/api/v1/boss/new-thing', async () => null), /new-thing does not say its act/)
})
