// Real money's way, black-box: the program over HTTP on a real EVM node, for a coin like USDC, one like USDT (whose
// transfers answer nothing) and the native coin. What the API says is compared with what the node says.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import Stripe from 'stripe'
import { createPublicClient, erc20Abi, http, parseEventLogs } from 'viem'
import { type Devnet, startDevnet } from '../packages/contracts/script/devnet.ts'
import { type Florin, startFlorin, until } from './florin.ts'
import { call, type Inbox, type Merchant, signUp, startInbox } from './merchant.ts'
import { startReceiver } from './receiver.ts'

const pay = join(import.meta.dirname, '../scripts/pay.ts')
const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'

let devnet: Devnet
let florin: Florin
let inbox: Inbox
let shop: Merchant

before(async () => {
  devnet = await startDevnet()
  inbox = await startInbox()
  florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: devnet.railsConfig, FEE_BPS: '125' })
  shop = await signUp(florin.url, inbox, 'chain@shop.example')
})

after(async () => {
  await florin.close()
  await inbox.close()
  await devnet.stop()
})

interface OrderJson extends Record<string, unknown> {
  order_no: string
  status: string
  amount_out: string | null
  settle_tx_hash: `0x${string}` | null
  checkout_url: string
  pay: { address: `0x${string}`; amount_due: string; uri: string; status: string } | null
}

const stripe = new Stripe('sk_test_unused')

for (const asset of ['USDC', 'USDT', 'ETH'] as const) {
  test(`${asset}: created, paid, processing, success; the merchant has on the chain what amount_out says`, async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const client = createPublicClient({ transport: http(devnet.url) })
    const token = { USDC: devnet.usdc, USDT: devnet.usdt, ETH: null }[asset]
    const balance = () =>
      token === null
        ? client.getBalance({ address: MERCHANT })
        : client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [MERCHANT] })
    const had = await balance()
    const created = await call<OrderJson>(`${florin.url}/v1/orders`, 'POST', {
      headers: shop.key,
      body: {
        ...{ amount_usd: 49.9, external_id: asset, webhook_url: `${receiver.url}/hook` },
        ...{ settle_chain: 'base', settle_asset: asset, pay_chain: 'base', pay_asset: asset },
      },
    })
    assert.equal(created.status, 201, created.text)
    const order = created.body
    assert.ok(order.pay)
    // As a person with a devnet does it.
    const { stdout } = await promisify(execFile)(process.execPath, [pay, order.checkout_url, devnet.url])
    const paidBy = /^paid: (0x[0-9a-f]{64})$/m.exec(stdout)?.[1]
    assert.ok(paidBy, stdout)
    const read = async () =>
      (await call<OrderJson>(`${florin.url}/v1/orders/${order.order_no}`, 'GET', { headers: shop.key })).body
    await until(async () => (await read()).status === 'success', 60_000, 'a settled order')
    await until(() => receiver.of(order.order_no).length === 2, 15_000, 'two webhooks')

    const done = await read()
    const due = BigInt(order.pay.amount_due)
    const fee = (due * 125n) / 10_000n
    assert.equal(done.amount_out, String(due - fee))
    assert.equal((await balance()) - had, due - fee, 'what arrived')
    assert.ok(done.settle_tx_hash)
    assert.notEqual(done.settle_tx_hash, paidBy)
    const receipt = await client.getTransactionReceipt({ hash: done.settle_tx_hash })
    assert.equal(receipt.status, 'success')
    if (token !== null) {
      const moves = parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs })
      const sent = moves.filter(({ args }) => args.from === order.pay?.address).map(({ args }) => args.value)
      assert.deepEqual(sent.sort(), [due - fee, fee].sort(), 'the merchant and the collector, nobody else')
    }
    const got = receiver.of(order.order_no).sort((a, b) => a.event.order.version - b.event.order.version)
    assert.deepEqual(
      got.map((one) => one.event.event),
      ['order.processing', 'order.success'],
    )
    for (const one of got) {
      const header = String(one.headers['x-service-signature'])
      assert.equal(stripe.webhooks.constructEvent(one.body, header, shop.webhookSecret).id, one.event.id)
    }
    // A body is frozen with its event; what is read later counts the blocks that came since.
    const settled = (json: unknown) => JSON.parse(JSON.stringify(json, (k, v) => (k === 'confirmations' ? null : v)))
    assert.deepEqual(settled(got[1]?.event.order), settled(done))
  })
}
