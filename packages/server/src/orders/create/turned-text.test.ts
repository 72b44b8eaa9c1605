// Promise: no text that is stored and shown holds characters that turn the direction of what follows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConsole } from '../../../test/console.ts'

const TURNING = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']
/** What a card of the shop would show as `Invoice gnp.exe`, or an amount read backwards. */
const turned = (n: number): string => `Invoice ${TURNING[n % TURNING.length]}exe.png`

test('texts: characters that turn the direction → refused in each field, and named', async (t) => {
  const at = await testConsole(t)
  const order = { amount_usd: 5, settle_chain: 'base' }
  const link = { title: 'Chair', amount: '25' }
  const line = { description: 'Chair', quantity: 1, unit_price: '25' }
  const invoice = { lines: [line], due_date: '2099-12-31' }
  const webhook = { url: 'https://shop.example/hook' }
  const refusals: [url: string, fields: Record<string, (text: string) => object>][] = [
    [
      '/v1/orders',
      {
        title: (text) => ({ ...order, title: text }),
        description: (text) => ({ ...order, description: `Two\nlines ${text}` }),
        external_id: (text) => ({ ...order, external_id: text }),
        metadata: (text) => ({ ...order, metadata: { cart: text } }),
      },
    ],
    ['/v1/orders', { metadata: (text) => ({ ...order, metadata: { [text]: 'cart' } }) }],
    [
      '/v1/payment_links',
      {
        title: (text) => ({ ...link, title: text }),
        description: (text) => ({ ...link, description: `Two\nlines ${text}` }),
        success_text: (text) => ({ ...link, success_text: text }),
        external_id: (text) => ({ ...link, external_id: text }),
      },
    ],
    [
      '/v1/invoices',
      {
        note: (text) => ({ ...invoice, note: text }),
        payer_name: (text) => ({ ...invoice, payer_name: text }),
        payer_details: (text) => ({ ...invoice, payer_details: text }),
        number: (text) => ({ ...invoice, number: text }),
        external_id: (text) => ({ ...invoice, external_id: text }),
        'lines.0.description': (text) => ({ ...invoice, lines: [{ ...line, description: text }] }),
      },
    ],
    ['/v1/webhook_endpoints', { description: (text) => ({ ...webhook, description: text }) }],
  ]
  let n = 0
  for (const [url, fields] of refusals)
    for (const [param, bodyOf] of Object.entries(fields)) {
      const refused = await at.app.inject({
        method: 'POST',
        url,
        headers: at.key.headers,
        payload: bodyOf(turned(n++)),
      })
      const { error } = refused.json()
      assert.deepEqual(
        [refused.statusCode, error.code, error.param],
        [422, 'validation_failed', param],
        refused.payload,
      )
      assert.match(error.message, /turn the direction/, `${url} ${param}`)
    }
  // Hebrew and Arabic bring their direction along, and marks are theirs.
  const payload = { ...order, title: 'כיסא \u200f!', description: 'كرسي', metadata: { name: 'דנה' } }
  const taken = await at.app.inject({ method: 'POST', url: '/v1/orders', headers: at.key.headers, payload })
  assert.equal(taken.statusCode, 201, taken.payload)
})

test('texts of payers: characters that turn the direction → refused in forms too', async (t) => {
  const at = await testConsole(t)
  const payload = { title: 'Chair', amount: '25', ask_name: 'optional', ask_note: 'optional' }
  const made = await at.app.inject({ method: 'POST', url: '/v1/payment_links', headers: at.key.headers, payload })
  assert.equal(made.statusCode, 201, made.payload)
  const { pathname } = new URL(made.json().url)
  for (const field of ['name', 'note']) {
    const sent = await at.app.inject({
      ...{ method: 'POST', url: pathname, payload: new URLSearchParams({ [field]: turned(4) }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(sent.statusCode, 422, sent.payload)
  }
})
