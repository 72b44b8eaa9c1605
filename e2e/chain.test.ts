// Real money's way, black-box: the program over HTTP on a real EVM node, for a coin like USDC, one like USDT (whose
// transfers answer nothing) and the native coin, and for coins that a third party turns into the merchant's. What the API
// says is compared with what the node says. Two chains: chains.slow.test.ts.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { toAnvil } from '@florin/contracts/anvil'
import Stripe from 'stripe'
import { createPublicClient, erc20Abi, parseEventLogs } from 'viem'
import { type Devnet, payOnDevnet } from '../packages/contracts/script/devnet.ts'
import { depositAddress } from '../packages/rail-intents/src/test/addresses.fixture.ts'
import { type Provider, startProvider } from '../packages/rail-intents/src/test/provider.fixture.ts'
import { type DoubleSwap, fail, fill, giveBack } from '../packages/rail-intents/src/test/swaps.fixture.ts'
import { quickTest, slowTest } from '../scripts/sizes.ts'
import { type ChainShop, startChainShop } from './chain-shop.ts'
import { type Florin, until } from './florin.ts'
import { call, type Merchant } from './merchant.ts'
import { startReceiver } from './receiver.ts'
import { addsUp, choose, judgeEvents } from './swap-shop.ts'

const pay = join(import.meta.dirname, '../scripts/pay.ts')
const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'

let world: ChainShop
let devnet: Devnet
let florin: Florin
let shop: Merchant
/** Turns any coin into the merchant's, in words. */
let provider: Provider

before(async () => {
  provider = await startProvider()
  const feed = { feedKeyEnv: 'FEED_KEY', feedUrl: provider.url }
  const intents = { mode: 'test', url: provider.url, signer: provider.signer, ...feed }
  world = await startChainShop('chain@shop.example', {
    rails: { intents },
    env: { FEE_BPS: '125', FEED_KEY: provider.rules.feedKey },
  })
  ;({ devnet, florin, shop } = world)
})

after(async () => {
  // Undefined where it did not start; the other must end all the same.
  await world?.close()
  await provider?.close()
})

interface OrderJson extends Record<string, unknown> {
  order_no: string
  status: string
  amount_out: string | null
  settle_tx_hash: `0x${string}` | null
  checkout_url: string
  pay: { address: `0x${string}`; amount_due: string; uri: string; status: string; chain: string } | null
}

const stripe = new Stripe('sk_test_unused')

for (const asset of ['USDC', 'USDT', 'ETH'] as const) {
  const how = asset === 'USDC' ? quickTest : slowTest
  how(`${asset}: created, paid, processing, success; the merchant has on the chain what amount_out says`, async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const client = createPublicClient({ transport: toAnvil(devnet.url) })
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
    await until(async () => (await read()).status === 'success', 'a settled order')
    await until(() => receiver.of(order.order_no).length === 2, 'two webhooks')

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

slowTest(
  'coins that a third party turns: a payout is proven by the chain that is watched here, and once; where none is, it is said',
  async (t) => {
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const onSolana = { chain: 'sol', address: depositAddress('sol', 1_000) }
    await call(`${florin.url}/api/v1/boss/addresses`, 'PUT', { headers: shop.console, body: onSolana })
    const client = createPublicClient({ transport: toAnvil(devnet.url) })
    /** A payout that is final before anybody speaks of it. */
    const payOut = async (): Promise<`0x${string}`> => {
      const asked = `ethereum:${devnet.usdc}@31337/transfer?address=${MERCHANT}&uint256=20000000`
      const hash = await payOnDevnet(asked, devnet.url)
      const { blockNumber } = await client.getTransactionReceipt({ hash })
      await until(async () => (await client.getBlockNumber({ cacheTime: 0 })) > blockNumber + 6n, 'a final payout')
      return hash
    }

    type Turned = OrderJson & { settlement_proven?: boolean; balance: Parameters<typeof addsUp>[0]['balance'] }
    /** The payer names the transaction, it reaches the provider, and then the provider acts as `does` says. */
    const turned = async (
      [settle, pay, asset]: readonly [string, string, string],
      does: (swap: DoubleSwap) => unknown,
      isThere: (order: Turned) => boolean,
    ): Promise<Turned> => {
      const body = { amount_usd: 20, settle_chain: settle, settle_asset: 'USDC', webhook_url: `${receiver.url}/` }
      const made = await call<OrderJson>(`${florin.url}/v1/orders`, 'POST', { headers: shop.key, body })
      assert.equal(made.status, 201, made.text)
      const { order_no: no, checkout_url: url } = made.body
      const chosen = await choose(url, { pay, payAsset: asset })
      assert.equal(chosen.status, 200)
      const swap = provider.find(chosen.address)
      assert.equal(swap.memo !== null, pay === 'stellar')
      provider.send(swap, swap.priced.amountIn)
      const headers = { cookie: chosen.cookie }
      const hash = { btc: 'ab'.repeat(32), stellar: 'cd'.repeat(32) }[pay] ?? `0x${'ef'.repeat(32)}`
      const named = pay === 'sol' ? '5'.repeat(88) : hash
      const looked = await call(`${url.replace('/pay/', '/checkout/')}/look`, 'POST', {
        headers,
        body: { tx_hash: named },
      })
      assert.equal(looked.status, 200, looked.text)
      const isSubmitted = () =>
        provider.requests.some((one) => one.path === '/v0/deposit/submit' && one.body?.txHash === named)
      await until(isSubmitted, `the transaction of ${pay} at the provider`)
      await does(swap)
      const read = async () => (await call<Turned>(`${florin.url}/v1/orders/${no}`, 'GET', { headers: shop.key })).body
      await until(async () => isThere(await read()), `${settle} from ${pay}`)
      return read()
    }
    const is =
      (status: string) =>
      (order: Turned): boolean =>
        order.status === status
    let payout: `0x${string}` | null = null
    const pays = async (swap: DoubleSwap): Promise<void> => {
      payout = await payOut()
      fill(swap, new Date(), { hash: payout })
    }

    const proven = await turned(['base', 'sol', 'USDC'], pays, is('success'))
    assert.deepEqual([proven.settlement_proven, proven.settle_tx_hash, proven.amount_out], [true, payout, '20000000'])
    const names = (swap: DoubleSwap): void => fill(swap, new Date(), { hash: payout })
    const lied = await turned(['base', 'btc', 'BTC'], names, (order) => order.status_detail === 'settlement_unproven')
    assert.deepEqual([lied.status, lied.amount_out], ['processing', null])
    const told = await turned(['sol', 'eth', 'USDT'], (swap) => fill(swap, new Date()), is('success'))
    assert.deepEqual([told.settlement_proven, told.amount_out], [false, '20000000'])
    const back = await turned(
      ['sol', 'stellar', 'USDC'],
      (swap) => giveBack(swap, 'SLIPPAGE', new Date()),
      is('refunded'),
    )
    const failed = await turned(['sol', 'eth', 'ETH'], (swap) => fail(swap, new Date()), is('failed'))
    for (const order of [proven, told, back]) addsUp(order)
    const events = async ({ order_no: no }: Turned) =>
      judgeEvents({ florin, shop, receiver, now: () => new Date() }, no)
    assert.deepEqual(await events(proven), ['order.processing', 'order.success'])
    assert.deepEqual(await events(lied), ['order.processing'])
    assert.deepEqual(await events(told), ['order.processing', 'order.success'])
    assert.deepEqual(await events(back), ['order.processing', 'order.refunded'])
    assert.deepEqual(await events(failed), ['order.processing', 'order.failed'])
  },
)
