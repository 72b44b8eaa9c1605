// Promises: on a real chain, a payer whose wallet lives in the browser pays by two clicks, watches the network confirm it,
// and sees the order settled with its transaction; what the merchant's address got is on the chain.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../packages/checkout/test/playground/browser.ts'
import { type Devnet, startDevnet } from '../../packages/contracts/script/devnet.ts'
import { type Florin, startFlorin } from '../florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from '../merchant.ts'
import { sizes, visit } from './visitor.ts'
import { giveWallet } from './wallet.ts'

let devnet: Devnet
let florin: Florin
let inbox: Inbox
let merchant: Merchant
let browser: Browser

before(async () => {
  inbox = await startInbox()
  devnet = await startDevnet()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: devnet.railsConfig }, 'npm start')
  merchant = await signUp(florin.url, inbox, 'payer@shop.example')
  browser = await launchBrowser()
})

after(async () => {
  await browser?.close()
  await florin?.close()
  await devnet?.stop()
  await inbox?.close()
})

interface Order {
  order_no: string
  status: string
  checkout_url: string
  settle_tx_hash: string | null
  amount_out: string | null
}

const short = (hash: string) => `${hash.slice(0, 10)}…${hash.slice(-6)}`
const button = (page: Page) => page.getByRole('button', { name: 'Pay with a wallet in this browser' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })

for (const [size, asset, amount] of [
  ['desk', 'USDC', '49900000'],
  ['phone', 'ETH', null],
] as const) {
  test(`connect, pay and see it settled: ${asset}, on a ${size}`, async () => {
    const created = await call<Order>(`${florin.url}/v1/orders`, 'POST', {
      headers: merchant.key,
      body: { amount_usd: 49.9, title: 'A mug', settle_chain: 'base', settle_asset: asset },
    })
    assert.equal(created.status, 201, created.text)
    const visitor = await visit(browser, [florin.url], sizes[size])
    const { page, faults } = visitor
    try {
      const wallet = await giveWallet(visitor.context, devnet.url, devnet.payer.address)
      await page.goto(created.body.checkout_url)
      await page.getByRole('combobox', { name: 'Search coins and networks' }).fill(`${asset} base`)
      await page
        .getByRole('option', { name: `${asset} Base` })
        .first()
        .click()
      await title(page, `Pay with ${asset} on Base`).waitFor()

      wallet.declineNext()
      await button(page).click()
      await page.getByRole('alert').filter({ hasText: 'You declined in your wallet. Nothing was sent.' }).waitFor()
      // By keyboard alone.
      await button(page).focus()
      await page.keyboard.press('Enter')
      await title(page, 'Paid').waitFor()
      assert.equal(wallet.asked.filter((method) => method === 'wallet_switchEthereumChain').length, 1)

      const { body: order } = await call<Order>(`${florin.url}/v1/orders/${created.body.order_no}`, 'GET', {
        headers: merchant.key,
      })
      assert.equal(order.status, 'success')
      assert.match(order.settle_tx_hash ?? '', /^0x[0-9a-f]{64}$/)
      const receipt = page.getByRole('region', { name: 'Receipt' })
      assert.ok((await receipt.textContent())?.includes(`Passed on to the shop${short(order.settle_tx_hash ?? '')}`))
      if (amount !== null) assert.equal(order.amount_out, amount)
      assert.deepEqual(faults, [])
    } catch (error) {
      const said = await page
        .locator('main')
        .innerText()
        .catch(() => '')
      throw new Error(`at ${page.url()}, faults: ${faults.join('; ') || 'none'}, page: ${said}`, { cause: error })
    } finally {
      await visitor.close()
    }
  })
}
