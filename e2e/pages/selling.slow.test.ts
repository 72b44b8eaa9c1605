// Promises: axe finds nothing on the pages of payment links and invoices, wide and light or narrow and dark, nothing is wider than
// its window and none breaks its policy; a payer with a keyboard gets from a link to the checkout without a script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Invoice } from '@florin/protocol'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { aSeller } from '../../packages/server/src/selling/selling.fixture.ts'
import { judge } from './judge.ts'
import { sizes, visit } from './visitor.ts'

const long = 'Handgefertigte Espressotassen, sechs Stück mit Untertassen, in der Farbe Ihrer Wahl: السلام عليكم'

test('the pages of links and invoices are for everybody, and lead to the checkout without a script', async (t) => {
  const at = await aSeller(t)
  const link = await at.link({
    ...{ title: long, description: `${'x'.repeat(200)}\nSent within two days.`, stock: 9, quantity_max: 4 },
    ...{ ask_email: 'required', ask_name: 'optional', ask_note: 'optional', ends_at: '2999-01-01' },
  })
  const open = await at.link({ title: 'Support us', amount: null, amount_min: 2, amount_max: 500 })
  const gone = await at.link({ stock: 0 })
  const { body: invoice } = await at.v1<Invoice>('POST', 'invoices', {
    ...{ due_date: '2999-12-31', payer_name: 'Client Ltd', payer_details: long, seller_details: 'Via Roma 1\nMilano' },
    ...{ note: long, tax: { label: 'VAT', percent: 19 } },
    lines: [
      { description: long, quantity: '7.5', unit_price: '1234.56' },
      { description: 'x'.repeat(120), unit_price: '19.99' },
    ],
  })
  const origin = await at.app.listen({ port: 0, host: '127.0.0.1' })
  const here = (url: string): string => origin + new URL(url).pathname
  const browser = await launchBrowser()
  t.after(() => browser.close())
  const { context, page, faults } = await visit(browser, [origin], { ...sizes.desk, javaScriptEnabled: true })
  const found: string[] = []
  for (const url of [link.url, `${link.url}/qr`, open.url, gone.url, invoice.url]) {
    for (const [scheme, viewport] of [
      ['light', sizes.desk.viewport],
      ['dark', sizes.phone.viewport],
    ] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme: scheme })
      await page.goto(here(url))
      found.push(...(await judge(page)).map((fault) => `${url} ${scheme}: ${fault}`))
    }
  }
  assert.deepEqual([...found, ...faults], [])
  await context.close()

  const plain = await browser.newContext({ ...sizes.phone, javaScriptEnabled: false, locale: 'de' })
  const payer = await plain.newPage()
  await payer.goto(here(link.url))
  await payer.getByLabel('Anzahl').fill('2')
  await payer.getByLabel('E-Mail').fill('ann@shop.example')
  await payer.getByLabel('E-Mail').press('Enter')
  await payer.waitForURL(/\/pay\/[0-9A-Za-z]{32}$/)
  await payer.goto(here(invoice.url))
  await payer.getByRole('button', { name: /bezahlen/ }).click()
  await payer.waitForURL(/\/pay\/[0-9A-Za-z]{32}$/)
  await plain.close()
})
