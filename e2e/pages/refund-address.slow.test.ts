// Promises, in real browsers: an address that one browser binds a refund to is shown in no other, with script and
// without; a thief's address comes before no payer; the shop approves in its inbox what a link alone sent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { call, type Merchant, signUp } from '../merchant.ts'
import { openStage, type Stage } from './stage.ts'
import { sizes, visit } from './visitor.ts'

const OWN = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const THIEF = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'

let stage: Stage
let merchant: Merchant

before(async () => {
  stage = await openStage()
  merchant = await signUp(stage.florin.url, stage.inbox, 'refund-pages@shop.example')
})

after(() => stage?.close())

interface Order {
  order_no: string
  status_detail: string
  checkout_url: string
  pay: { address: string } | null
  refunds: { status: string; address: string | null }[]
}

async function anOrder(): Promise<Order> {
  const a = { headers: merchant.key, body: { amount_usd: 20, settle_chain: 'base' } }
  return (await call<Order>(`${stage.florin.url}/v1/orders`, 'POST', a)).body
}

const readOrder = async ({ order_no: no }: Order): Promise<Order> =>
  (await call<Order>(`${stage.florin.url}/v1/orders/${no}`, 'GET', { headers: merchant.key })).body

const simulate = ({ order_no: no }: Order, action: string) =>
  call(`${stage.florin.url}/v1/test/orders/${no}/simulate`, 'POST', { headers: merchant.key, body: { action } })

async function choose(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Search coins and networks' }).fill('USDC base')
  await page.getByRole('option', { name: 'USDC Base' }).first().click()
  await page.getByRole('heading', { level: 2, name: 'Pay with USDC on Base' }).waitFor()
}

const addressOn = async (page: Page): Promise<string> => (await page.locator('.address').first().innerText()).trim()

async function bind(page: Page, address: string): Promise<string> {
  const before = await addressOn(page)
  await page.getByText('Add a refund address').click()
  await page.getByRole('textbox', { name: 'Your address on Base' }).fill(address)
  await page.getByRole('button', { name: 'Save refund address' }).click()
  await page.waitForFunction((old) => document.querySelector('.address')?.textContent?.trim() !== old, before)
  return addressOn(page)
}

test('a thief binds first; the payer sees an address of its own, in its own browser alone', async () => {
  const order = await anOrder()
  const origins = [stage.florin.url]
  const [thief, payer, phone] = await Promise.all([1, 2, 3].map(() => visit(stage.browser, origins, sizes.desk)))
  assert.ok(thief && payer && phone)
  try {
    await thief.page.goto(order.checkout_url)
    await choose(thief.page)
    const open = await addressOn(thief.page)
    const trap = await bind(thief.page, THIEF)
    assert.equal((await readOrder(order)).pay?.address, open, 'the API shows the open one')

    await payer.page.goto(order.checkout_url)
    await payer.page.getByText('This checkout was opened in another browser too').waitFor()
    assert.equal(await addressOn(payer.page), open)
    const own = await bind(payer.page, OWN)
    assert.ok(own !== trap && own !== open)
    await payer.page.reload()
    await payer.page.getByText('Refund address', { exact: true }).waitFor()
    assert.equal(await addressOn(payer.page), own, 'after a reload as well')
    for (const { page } of [thief, phone]) {
      await page.goto(order.checkout_url)
      await page.locator('.address').first().waitFor()
      const html = await page.content()
      assert.ok(!html.includes(own) && !html.includes(OWN))
    }
    const [cookie] = await payer.context.cookies(order.checkout_url)
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
    assert.equal(await payer.page.evaluate(() => document.cookie), '')
    for (const one of [thief, payer, phone]) assert.deepEqual(one.faults, [])
  } finally {
    for (const one of [thief, payer, phone]) await one.close()
  }
})

test('without script a form binds it, and a form on another site does not', async () => {
  const order = await anOrder()
  const payer = await visit(stage.browser, [stage.florin.url], {
    ...sizes.desk,
    javaScriptEnabled: false,
  })
  try {
    const { page } = payer
    await page.goto(order.checkout_url)
    await page.locator('select[name=choice]').selectOption('base USDC')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('input[name=address]').fill(OWN)
    await Promise.all([
      page.waitForResponse((one) => one.request().method() === 'GET' && one.url() === order.checkout_url),
      page.getByRole('button', { name: 'Save refund address' }).click(),
    ])
    await page.waitForLoadState()
    const html = await page.content()
    assert.ok(html.includes('shown in this browser alone') && html.includes(OWN))
    const { pay } = await readOrder(order)
    assert.ok(pay && !html.includes(pay.address), 'another address than everybody is shown')

    const names = async () => (await page.context().cookies(order.checkout_url)).map(({ name }) => name)
    const before = await names()
    assert.equal(before.length, 1)
    const other = await anOrder()
    await page.goto(other.checkout_url)
    await page.locator('select[name=choice]').selectOption('base USDC')
    await page.getByRole('button', { name: 'Continue' }).click()
    // What a thief's page would hold; the address is of another site.
    const answer = await page.request.post(other.checkout_url, {
      form: { address: THIEF },
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    assert.equal(answer.status(), 422)
    assert.deepEqual(await names(), before, 'no cookie of the other order')
  } finally {
    await payer.close()
  }
})

test('what a link alone sends after the payment waits in the inbox until the shop approves it', async () => {
  const order = await anOrder()
  const payer = await visit(stage.browser, [stage.florin.url], sizes.phone)
  const owner = await visit(stage.browser, [stage.florin.url], sizes.desk)
  try {
    await payer.page.goto(order.checkout_url)
    await choose(payer.page)
    for (const action of ['overpay', 'settle']) await simulate(order, action)
    await payer.page.getByText('the shop has to approve this address first').waitFor()
    await payer.page.getByRole('textbox', { name: 'Your address on Base' }).fill(OWN)
    await payer.page.getByRole('button', { name: 'Save refund address' }).click()
    await payer.page.getByText('An address was sent.').first().waitFor()
    assert.deepEqual((await readOrder(order)).refunds[0]?.status, 'waiting')

    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const session = { token: merchant.token, email: merchant.email, expiresAt }
    await owner.page.addInitScript((text) => {
      localStorage.setItem('florin.session', text)
      localStorage.setItem('florin.mode', 'test')
    }, JSON.stringify(session))
    await owner.page.goto(`${stage.florin.url}/console/attention`)
    const item = owner.page.getByRole('article', { name: 'Approve a refund address' })
    await item.getByText('10 USDC on Base', { exact: true }).waitFor()
    assert.ok((await item.textContent())?.includes(OWN))
    await item.getByRole('button', { name: 'Approve this address' }).click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Approve this address' }).click()
    await item.waitFor({ state: 'detached' })
    const [refund] = (await readOrder(order)).refunds
    assert.deepEqual([refund?.status, refund?.address], ['sending', OWN])
    await payer.page.getByText('on its way').first().waitFor()
    for (const one of [payer, owner]) assert.deepEqual(one.faults, [])
  } finally {
    await payer.close()
    await owner.close()
  }
})
