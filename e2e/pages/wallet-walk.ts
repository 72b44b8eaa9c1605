// Promises, on a real chain and in a real browser: a payer whose wallet lives in the browser pays by two clicks and sees the
// order settled with its transaction; money in another coin is sent back from the merchant's inbox, with all it shows.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import type { Page } from 'playwright-core'
import { createPublicClient, createTestClient, erc20Abi, type Hex } from 'viem'
import { type Devnet, payOnDevnet } from '../../packages/contracts/script/devnet.ts'
import { until } from '../florin.ts'
import { call, type Merchant } from '../merchant.ts'
import { judge } from './judge.ts'
import type { ChainStage, Stage } from './stage.ts'
import { sizes, visit, walkAndLeave } from './visitor.ts'
import { giveWallet } from './wallet.ts'

let devnet: Devnet
let stage: Stage
let merchant: Merchant

interface Order {
  order_no: string
  status: string
  checkout_url: string
  settle_tx_hash: string | null
  amount_out: string | null
  pay: { address: string } | null
  payments: { status: string; use: string; tx_hash: string }[]
  refunds: { status: string; amount: string; asset: string; address: string | null }[]
}

async function createOrder(body: object): Promise<Order> {
  const a = { headers: merchant.key, body: { amount_usd: 49.9, title: 'A mug', settle_chain: 'base', ...body } }
  const created = await call<Order>(`${stage.florin.url}/v1/orders`, 'POST', a)
  assert.equal(created.status, 201, created.text)
  return created.body
}

async function readOrder({ order_no: orderNo }: Order): Promise<Order> {
  return (await call<Order>(`${stage.florin.url}/v1/orders/${orderNo}`, 'GET', { headers: merchant.key })).body
}

const short = (hash: string) => `${hash.slice(0, 10)}…${hash.slice(-6)}`
const button = (page: Page) => page.getByRole('button', { name: 'Pay with a wallet in this browser' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })

export function walletWalk(scene: ChainStage, shop: Merchant): void {
  ;({ stage, devnet } = scene)
  merchant = shop

  for (const [size, asset, amount, names] of [
    ['desk', 'USDC', '49900000', ['Fox']],
    ['phone', 'ETH', null, ['Fox', 'A wallet with a name that is longer than most of the names there are']],
  ] as const) {
    test(`connect, pay and see it settled: ${asset}, on a ${size}`, async () => {
      const created = await createOrder({ settle_asset: asset })
      const visitor = await visit(stage.browser, [stage.florin.url], sizes[size])
      await walkAndLeave(visitor, async (page, faults) => {
        const wallet = await giveWallet(visitor.context, { rpc: devnet.url, account: devnet.payer.address, names })
        await page.goto(created.checkout_url)
        await page.getByRole('combobox', { name: 'Search coins and networks' }).fill(`${asset} base`)
        await page
          .getByRole('option', { name: `${asset} Base` })
          .first()
          .click()
        await title(page, `Pay with ${asset} on Base`).waitFor()

        wallet.declineNext()
        await button(page).click()
        if (names.length > 1) {
          await page.getByRole('group', { name: 'Which wallet?' }).waitFor()
          faults.push(...(await judge(page)))
          await page.getByRole('button', { name: names[1]?.slice(0, 30) ?? '' }).click()
        }
        await page.getByRole('alert').filter({ hasText: 'You declined in your wallet. Nothing was sent.' }).waitFor()
        faults.push(...(await judge(page)))
        // By keyboard alone; the first of several wallets has the focus.
        await button(page).focus()
        await page.keyboard.press('Enter')
        if (names.length > 1) await page.keyboard.press('Enter')
        await title(page, 'Paid').waitFor()
        assert.equal(wallet.asked.filter((method) => method === 'wallet_switchEthereumChain').length, 1)

        const order = await readOrder(created)
        assert.equal(order.status, 'success')
        assert.match(order.settle_tx_hash ?? '', /^0x[0-9a-f]{64}$/)
        const receipt = page.getByRole('region', { name: 'Receipt' })
        assert.ok((await receipt.textContent())?.includes(`Passed on to the shop${short(order.settle_tx_hash ?? '')}`))
        if (amount !== null) assert.equal(order.amount_out, amount)
      })
    })
  }

  test('money in another coin is sent back from the inbox, to the address that the payer told the merchant', async () => {
    const order = await createOrder({ pay_chain: 'base', pay_asset: 'USDC' })
    const uri = `ethereum:${devnet.usdt}@31337/transfer?address=${order.pay?.address}&uint256=7000000`
    const hash = await payOnDevnet(uri, devnet.url)
    await until(async () => (await readOrder(order)).payments[0]?.status === 'confirmed', 'a confirmed payment')
    const visitor = await visit(stage.browser, [stage.florin.url], sizes.phone)
    await walkAndLeave(visitor, async (page, faults) => {
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
      const session = { token: merchant.token, email: merchant.email, expiresAt }
      await page.addInitScript((text) => {
        localStorage.setItem('florin.session', text)
        localStorage.setItem('florin.mode', 'test')
      }, JSON.stringify(session))
      await page.goto(`${stage.florin.url}/console/attention`)
      const stray = page.getByRole('article', { name: 'Return a payment' })
      await stray.getByText('7 USDT on Base', { exact: true }).waitFor()
      assert.ok((await stray.textContent())?.includes(hash.slice(-6)))
      faults.push(...(await judge(page)))
      await stray.getByRole('button', { name: 'Refund the payer' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Refund the payer' }).click()

      const waiting = page.getByRole('article', { name: 'Give a refund address' })
      await waiting.getByRole('button', { name: 'Give a refund address' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox', { name: "The payer's address on Base" }).fill(devnet.payer.address)
      faults.push(...(await judge(page)))
      await dialog.getByRole('button', { name: 'Give a refund address' }).click()
      await page.getByText('Nothing needs you').waitFor()
      // Announced on the chain: what happens after its 24 hours is the rail's own test.
      await until(async () => (await readOrder(order)).refunds[0]?.status === 'proposed', 'an announced refund')
      const [refund] = (await readOrder(order)).refunds
      assert.deepEqual([refund?.amount, refund?.asset, refund?.address], ['7000000', 'USDT', devnet.payer.address])
    })
  })

  test('the page and the proof that the checkout hands out move the money from a file, with nothing but a wallet', async (t) => {
    const order = await createOrder({ pay_chain: 'base', pay_asset: 'USDC' })
    const folder = await mkdtemp(join(tmpdir(), 'florin-exit-'))
    t.after(() => rm(folder, { recursive: true }))
    const visitor = await visit(stage.browser, [stage.florin.url], sizes.phone)
    const transport = toAnvil(devnet.url)
    const client = createPublicClient({ transport })
    const merchants = (): Promise<bigint> =>
      client.readContract({
        ...{ address: devnet.usdc, abi: erc20Abi, functionName: 'balanceOf' },
        args: ['0x52908400098527886E0F7030069857D2E4169EE7'],
      })
    await walkAndLeave(visitor, async (page, faults) => {
      const wallet = await giveWallet(visitor.context, {
        rpc: devnet.url,
        account: devnet.payer.address,
        names: ['Fox'],
      })
      await page.goto(order.checkout_url)
      const save = async (link: string, name: string): Promise<string> => {
        const saving = page.waitForEvent('download')
        await page.getByRole('link', { name: link }).click()
        const download = await saving
        assert.equal(download.suggestedFilename(), name)
        await download.saveAs(join(folder, name))
        return join(folder, name)
      }
      const proof = await save('Save the proof of your pay address', `proof-${order.order_no}.json`)
      const file = await save('Page for that', 'florin-exit.html')

      // Too little for the order and no refund address bound: after openAfter it is the merchant's.
      await payOnDevnet(
        `ethereum:${devnet.usdc}@31337/transfer?address=${order.pay?.address}&uint256=7000000`,
        devnet.url,
      )
      const tools = createTestClient({ mode: 'anvil', transport })
      await tools.increaseTime({ seconds: 8 * 86_400 })
      await tools.mine({ blocks: 1 })
      const had = await merchants()

      await page.goto(`file://${file}`)
      const changed = (await readFile(proof, 'utf8')).replace('"feeBps": "0"', '"feeBps": "9"')
      await page.getByLabel('Paste it').fill(changed)
      await page.getByRole('alert').filter({ hasText: 'a field of the proof was changed' }).waitFor()
      await page.getByLabel('File of the proof').setInputFiles(proof)
      await page.getByText(order.pay?.address ?? '-', { exact: true }).waitFor()
      faults.push(...(await judge(page)))
      await page.getByRole('button', { name: 'Look with Fox' }).click()
      await page.getByText('The contracts are the ones that this page knows. On the address lies 7 USDC.').waitFor()
      const move = page.locator('.move').filter({ hasText: 'settleOpen: 7 USDC to the merchant' })
      await move.getByText(/^0x[0-9a-f]{584}$/).waitFor()
      faults.push(...(await judge(page)))
      await move.getByRole('button', { name: 'Send with the wallet' }).click()
      const done = page.getByText(/^Done by 0x[0-9a-f]{64}/)
      await done.waitFor()
      const hash = /0x[0-9a-f]{64}/.exec((await done.textContent()) ?? '')?.[0] as Hex
      assert.equal((await client.getTransaction({ hash })).value, 0n)
      assert.equal((await merchants()) - had, 7_000_000n)
      assert.ok(wallet.asked.indexOf('wallet_switchEthereumChain') < wallet.asked.indexOf('eth_sendTransaction'))
    })
  })
}
