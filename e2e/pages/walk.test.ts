// Promises: a merchant gets from nothing to a settled order in a real browser, from a fresh `npm start`, on a desk and on a
// phone, and no page logs a fault, breaks its policy or asks anybody else. The code is taken from the mail. A payer gets
// there without JavaScript too.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { slowTest, quickTest as test } from '../../scripts/sizes.ts'
import { until } from '../florin.ts'
import { call, signUp } from '../merchant.ts'
import { FRESH_S, OPERATOR, walkAccounts } from './account-walk.ts'
import { openStage, type Stage } from './stage.ts'
import { sizes, visit, walk, walkAndLeave } from './visitor.ts'

let stage: Stage

before(async () => {
  stage = await openStage({
    ...{ WEBHOOK_RETRY_WAITS: '1,1,1,1', OPERATOR_EMAILS: OPERATOR, FRESH_SIGN_IN_S: String(FRESH_S) },
  })
})

after(() => stage?.close())

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

for (const [size, options] of Object.entries(sizes)) {
  const how = size === 'desk' ? test : slowTest
  how(`from signing in to a webhook sent again, on a ${size}`, async () => {
    const visitor = await visit(stage.browser, [stage.florin.url, stage.shop.origin], {
      ...options,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await walkAndLeave(visitor, async (page) => {
      await signIn(page, `${size}@shop.example`)
      const apiKey = await makeKey(page, size)
      await setAddress(page, size)
      const order = await createOrder(apiKey)
      await pay(page, order)
      await resend(page, size, order.order_no)
      await makeTestOrder(page, size)
    })
  })
}

slowTest(
  'an account: another email, stopped by a link and by an operator; suspended and closed, with codes from the mail',
  () => walkAccounts(stage),
)

test('days: the first visit stores the zone of the browser → another browser shows the same days', async () => {
  const tokyo = await visit(stage.browser, [stage.florin.url], {
    ...{ ...sizes.desk, timezoneId: 'Asia/Tokyo', permissions: ['clipboard-read', 'clipboard-write'] },
  })
  const showsTokyo = async (page: Page): Promise<void> => {
    await goTo(page, 'desk', 'Orders')
    await page.getByText('Days of Asia/Tokyo (GMT+9)').waitFor()
    await goTo(page, 'desk', 'Settings')
    assert.equal(await page.getByRole('combobox', { name: 'Time zone' }).inputValue(), 'Asia/Tokyo')
  }
  await walk(tokyo, async (page) => {
    await signIn(page, 'zone@shop.example')
    await showsTokyo(page)
  })
  const { cookies, origins } = await tokyo.context.storageState()
  await tokyo.close()
  // The session alone goes along, and nothing that this browser remembers of zones.
  const kept = origins.map((one) => ({
    ...one,
    localStorage: one.localStorage.filter(({ name }) => name === 'florin.session'),
  }))
  const storageState = { cookies, origins: kept }
  const options = { ...sizes.desk, timezoneId: 'America/New_York', storageState }
  await walkAndLeave(await visit(stage.browser, [stage.florin.url], options), async (page) => {
    await page.goto(`${stage.florin.url}/console/`)
    await showsTokyo(page)
  })
})

test('a payer without JavaScript chooses a coin, sees where to pay, and that it was paid', async () => {
  const { apiKey } = await signUp(stage.florin.url, stage.inbox, 'plain@shop.example')
  const order = await createOrder(apiKey)
  const simulate = async (action: string): Promise<void> => {
    const url = `${stage.florin.url}/v1/test/orders/${order.order_no}/simulate`
    assert.equal((await call(url, 'POST', { headers: { 'x-api-key': apiKey }, body: { action } })).status, 200)
  }
  const visitor = await visit(stage.browser, [stage.florin.url], { ...sizes.phone, javaScriptEnabled: false })
  const { page, faults } = visitor
  try {
    await page.goto(order.checkout_url)
    await page.getByRole('combobox', { name: 'Choose how to pay' }).selectOption('base USDC')
    await page.locator('form button').first().click()
    await page.getByRole('heading', { level: 2, name: 'Pay with USDC on Base' }).waitFor()
    await page.getByRole('img', { name: 'QR code with address and amount' }).waitFor()
    await simulate('pay')
    await page.getByRole('link', { name: 'Check again' }).click()
    await page.getByRole('heading', { level: 2, name: 'Payment seen' }).waitFor()
    await simulate('settle')
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'Paid' }).waitFor()
    assert.deepEqual(faults, [])
  } finally {
    await visitor.close()
  }
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function goTo(page: Page, size: string, place: string): Promise<void> {
  if (size === 'phone') await button(page, 'Open the menu').click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${stage.florin.url}/console/`)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(email)
  await button(page, 'Send me a code').click()
  await heading(page, 'Enter the code').waitFor()
  const code = await stage.inbox.codeFor(email)
  await page.evaluate((text) => navigator.clipboard.writeText(text), `Code: ${code.slice(0, 3)} ${code.slice(3)}`)
  await page.getByRole('textbox', { name: 'Digit 1 of 6' }).press('Control+V')
  await page.getByRole('heading', { name: 'Get your first payment' }).waitFor()
}

async function makeKey(page: Page, size: string): Promise<string> {
  await goTo(page, size, 'API keys')
  await button(page, 'Create a key').first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop server')
  await button(page, 'Create key').click()
  await page.getByText('shown now and never again').waitFor()
  await button(page, 'Copy API key').click()
  const apiKey = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(apiKey, /^florin_test_[0-9A-Za-z]{38}$/)
  await page.getByRole('checkbox').check()
  await button(page, 'Done').click()
  await page.getByRole('link', { name: 'Shop server' }).waitFor()
  assert.ok(!(await page.content()).includes(apiKey), 'the key is shown once')
  return apiKey
}

async function setAddress(page: Page, size: string): Promise<void> {
  await goTo(page, size, 'Receiving addresses')
  await page.getByRole('searchbox', { name: 'Find a chain' }).fill('base')
  await button(page, /^Base/).first().click()
  const field = page.getByRole('textbox', { name: 'Your address' })
  await field.fill(`${address.slice(0, -1)}6`)
  await page
    .getByText(/checksum/i)
    .first()
    .waitFor()
  assert.equal(await button(page, 'Save address').isDisabled(), true)
  await field.fill(` ${address} `)
  await button(page, 'Save address').click()
  await button(page, 'It is the same').click()
}

interface Order {
  order_no: string
  checkout_url: string
}

/** As the merchant's server does it, with the key that the page showed. */
async function createOrder(apiKey: string): Promise<Order> {
  const { status, body, text } = await call<Order & Record<string, unknown>>(`${stage.florin.url}/v1/orders`, 'POST', {
    headers: { 'x-api-key': apiKey },
    body: {
      amount_usd: 25.5,
      title: 'A mug',
      webhook_url: `${stage.shop.origin}/webhooks`,
      success_url: `${stage.shop.origin}/thanks`,
    },
  })
  assert.equal(status, 201, text)
  return body
}

async function pay(page: Page, order: Order): Promise<void> {
  await page.goto(order.checkout_url)
  const title = (name: string) => page.getByRole('heading', { level: 2, name, exact: true })
  await title('Choose how to pay').waitFor()
  await page.getByRole('combobox', { name: 'Search coins and networks' }).fill('usdc base')
  await page.getByRole('option', { name: /^USDC Base\b/ }).click()
  await title('Pay with USDC on Base').waitFor()
  await page.getByRole('img', { name: 'QR code with address and amount' }).waitFor()
  await page.locator('[data-action=pay]').click()
  await title('Payment seen').waitFor()
  await page.locator('[data-action=settle]').click()
  await title('Paid').waitFor()
  await page.getByRole('link', { name: 'Return to the shop' }).click()
  await heading(page, 'Thank you').waitFor()
  assert.equal(page.url(), `${stage.shop.origin}/thanks`)
}

async function resend(page: Page, size: string, orderNo: string): Promise<void> {
  const mine = () => stage.shop.received.filter(({ body }) => body.includes(orderNo)).length
  await until(() => mine() === 2, 'two webhooks')
  await page.goto(`${stage.florin.url}/console/`)
  await goTo(page, size, 'Orders')
  await page.getByRole('table').getByRole('link').first().click()
  await heading(page, /\$25\.50/).waitFor()
  await page.getByRole('link', { name: 'order.success' }).first().click()
  await heading(page, /order\.success/).waitFor()
  await page.getByText('HTTP 200').waitFor()
  const before = page.url()
  await button(page, 'Resend').click()
  await page.getByText('Resent from').waitFor()
  assert.notEqual(page.url(), before)
  await page.getByText('HTTP 200').waitFor()
  assert.equal(mine(), 3)
}

/** The order form of the console, and the simulate buttons beside it. */
async function makeTestOrder(page: Page, size: string): Promise<void> {
  await goTo(page, size, 'Orders')
  await button(page, 'Test order').first().click()
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.34')
  await button(page, 'Create order').click()
  await heading(page, /\$12\.34/).waitFor()
  const simulate = page.getByRole('region', { name: 'Simulate' })
  await simulate.getByRole('button', { name: 'Pay', exact: true }).click()
  await heading(page, /Processing/).waitFor()
  await simulate.getByRole('button', { name: 'Settle', exact: true }).click()
  await heading(page, /Succeeded/).waitFor()
}
