// Promises: the tools of the console work against the real service: a test event, the signature checker, dead deliveries
// sent again as a range, the export, lists that follow by themselves, a key rotated and revoked, the end of all sessions;
// and all of it is reached by keyboard.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { until } from '../florin.ts'
import { call, type Merchant, signUp } from '../merchant.ts'
import { openStage, type Stage } from './stage.ts'
import { sizes, type Visitor, visit, walkAndLeave } from './visitor.ts'

let stage: Stage

before(async () => {
  stage = await openStage({ WEBHOOK_RETRY_WAITS: '1,1,1,1' })
})

after(() => stage?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** A merchant at the console, signed in. */
async function atConsole(email: string, act: (page: Page, merchant: Merchant) => Promise<void>): Promise<void> {
  const merchant = await signUp(stage.florin.url, stage.inbox, email)
  const visitor: Visitor = await visit(stage.browser, [stage.florin.url], { ...sizes.desk, acceptDownloads: true })
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  await walkAndLeave(visitor, async (page) => {
    await page.goto(`${stage.florin.url}/console/login`)
    await page.evaluate(
      (text) => localStorage.setItem('florin.session', text),
      JSON.stringify({ token: merchant.token, email, expiresAt }),
    )
    await act(page, merchant)
  })
}

const go = (page: Page, path: string) => page.goto(`${stage.florin.url}/console${path}`)

async function order(merchant: Merchant, title: string, ...actions: string[]): Promise<string> {
  const body = { amount_usd: 10, title, webhook_url: `${stage.shop.origin}/webhooks`, pay_chain: 'base' }
  const made = await call<{ order_no: string }>(`${stage.florin.url}/v1/orders`, 'POST', {
    headers: merchant.key,
    body,
  })
  const orderNo = made.body.order_no
  for (const action of actions) {
    const url = `${stage.florin.url}/v1/test/orders/${orderNo}/simulate`
    assert.equal((await call(url, 'POST', { headers: merchant.key, body: { action } })).status, 200)
  }
  return orderNo
}

test('a test event is sent, and the checker says whether its signature fits, and why not', async () => {
  stage.shop.answer(200)
  await atConsole('checker@shop.example', async (page, merchant) => {
    await go(page, '/keys')
    await page.getByRole('link', { name: 'shop' }).click()
    await page.getByRole('textbox', { name: 'URL of your receiver' }).fill(`${stage.shop.origin}/test-event`)
    await button(page, 'Send').click()
    await page.getByText('HTTP 200').waitFor()
    const sent = stage.shop.received.at(-1)
    assert.ok(sent)

    await go(page, '/webhooks/check')
    await page.getByRole('textbox', { name: 'Raw body' }).fill(sent.body)
    await page.getByRole('textbox', { name: 'X-Service-Signature' }).fill(String(sent.headers['x-service-signature']))
    await page.getByLabel('Webhook secret').fill(merchant.webhookSecret)
    await button(page, 'Check the signature').click()
    await page.getByText('The signature fits.').waitFor()
    await page.getByRole('textbox', { name: 'Raw body' }).fill(JSON.stringify(JSON.parse(sent.body), null, 2))
    await button(page, 'Check the signature').click()
    await page.getByText('The signature does not fit.').waitFor()
    const verdict = await page.getByRole('status').last().innerText()
    assert.match(verdict, /body/i)
  })
})

test('what died is found and sent again as a range', async () => {
  stage.shop.answer(500)
  await atConsole('replay@shop.example', async (page, merchant) => {
    for (const title of ['One', 'Two', 'Three']) await order(merchant, title, 'expire')
    await go(page, '/webhooks?status=dead')
    // The list follows by itself, without being loaded anew.
    await page.getByRole('table').getByRole('link', { name: 'order.expired' }).nth(2).waitFor()
    await page.getByRole('table').getByRole('link', { name: 'order.expired' }).first().click()
    await page.getByText('Attempt 5', { exact: true }).waitFor()
    await page.getByText('the shop is being rebuilt').first().waitFor()

    stage.shop.answer(200)
    const before = stage.shop.received.length
    await go(page, '/webhooks/replay')
    await page.locator('form button[type=submit]').last().click()
    await page.getByText('3 of 3 deliveries').waitFor()
    await until(() => stage.shop.received.length === before + 3, 'three webhooks')
  })
})

test('the export has a row for each order, and the list grows by itself', async () => {
  await atConsole('export@shop.example', async (page, merchant) => {
    await go(page, '/orders')
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
    await page.getByRole('img', { name: 'Updates arrive as they happen' }).waitFor()
    const orderNo = await order(merchant, '=HYPERLINK("x")', 'pay')
    await page.getByRole('table').getByText('Processing').waitFor()
    await button(page, 'Export').click()
    const download = page.waitForEvent('download')
    await button(page, 'Export CSV').click()
    const path = await (await download).path()
    const [head = '', row = '', ...rest] = (await readFile(path, 'utf8')).trim().split(/\r?\n/)
    assert.match(head, /order_no/)
    assert.ok(row.includes(orderNo))
    assert.ok(!/(^|,)"?=/.test(row), 'a spreadsheet must not take a title for a formula')
    assert.deepEqual(rest, [])
    await page.getByText(/^Saved 1 order/).waitFor()
    await button(page, 'Close').last().click()
    await page.getByRole('switch', { name: 'Test mode' }).click()
    await page.getByText('No live orders yet').waitFor()
  })
})

test('a key is rotated with its secret shown once, and revoked', async () => {
  await atConsole('keys@shop.example', async (page, merchant) => {
    const status = async (apiKey: string): Promise<number> =>
      (await call(`${stage.florin.url}/v1/orders`, 'GET', { headers: { 'x-api-key': apiKey } })).status
    await go(page, '/keys')
    await page.getByRole('link', { name: 'shop' }).click()
    await button(page, 'Rotate the key').click()
    await page.getByRole('dialog').locator('button[type=submit]').click()
    const renewed = await page.locator('[data-secret]').innerText()
    await page.getByRole('checkbox').check()
    await button(page, 'Done').click()
    await page.locator('[data-secret]').waitFor({ state: 'detached' })
    assert.deepEqual([await status(merchant.apiKey), await status(renewed)], [200, 200], 'both live for a while')

    await button(page, 'Revoke the key').click()
    await page.getByRole('textbox', { name: 'Type shop to confirm' }).fill('shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('The key was revoked.').waitFor()
    assert.deepEqual([await status(merchant.apiKey), await status(renewed)], [401, 401])
  })
})

test('signing out everywhere ends every session and leads to the sign-in', async () => {
  await atConsole('sessions@shop.example', async (page, merchant) => {
    await go(page, '/settings')
    // What stands above moves the button while it loads, and a click may miss it.
    await page.getByRole('list', { name: 'Sessions' }).waitFor()
    await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
    await button(page, 'Sign out everywhere').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL(/\/console\/login/)
    await page.getByRole('textbox', { name: 'Email', exact: true }).waitFor()
    const { status } = await call(`${stage.florin.url}/api/v1/boss/merchant`, 'GET', { headers: merchant.console })
    assert.equal(status, 401)
  })
})

test('the console is used by keyboard alone', async () => {
  await atConsole('keyboard@shop.example', async (page, merchant) => {
    await order(merchant, 'Typed')
    await go(page, '/orders')
    const row = page.getByRole('table').getByRole('link', { name: 'Typed' })
    await row.waitFor()
    const focused = (): Promise<string> =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )

    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'To the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.match(await focused(), /Export/, 'the way to the content skips the menu')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.getByRole('textbox', { name: 'Amount' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Test order' }).and(page.locator(':focus')).waitFor()

    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /\$10\.00/ }).waitFor()
    await page.keyboard.press('/')
    await page
      .locator(':focus')
      .and(page.getByRole('searchbox', { name: 'Find an order' }))
      .waitFor()
    await page.keyboard.type('Typed')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/orders\?q=Typed/)
    await row.waitFor()
  })
})
