// Promises: beside two real EVM nodes, an order that names no chain settles on the chain that its payer chooses, and money
// on a leg that was left settles where that leg says. Black-box, as in chain.test.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { createPublicClient, erc20Abi, type Hex } from 'viem'
import { type Devnet, payOnDevnet } from '../packages/contracts/script/devnet.ts'
import { type ChainShop, startChainShop } from './chain-shop.ts'
import { until } from './florin.ts'
import { call } from './merchant.ts'
import { startReceiver } from './receiver.ts'

const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'

let world: ChainShop
/** Stands in for Arbitrum beside the other, which is Base. */
let arbitrum: Devnet

before(async () => {
  const others = [{ chain: 'arb', chainId: 31_338 }]
  world = await startChainShop('chains@shop.example', { others, env: { FEE_BPS: '125' } })
  arbitrum = world.others[0] ?? assert.fail('it started')
})

after(() => world?.close())

const unitsOf = ({ url }: Devnet, token: Hex, who: Hex): Promise<bigint> =>
  createPublicClient({ transport: toAnvil(url) }).readContract({
    ...{ address: token, abi: erc20Abi, functionName: 'balanceOf' },
    args: [who],
  })

interface OrderJson extends Record<string, unknown> {
  order_no: string
  status: string
  amount_out: string | null
  checkout_url: string
  pay: { chain: string } | null
}

/** The merchant's address on Arbitrum: another than on Base, so that a mistake would be seen. */
const ON_ARBITRUM = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

interface CheckoutJson {
  choices: { chain: string; asset: string; rail: string }[]
  pay: { uri: string; chain: string; asset: string } | null
  refund_address_state: string
  refund_chain: string | null
}

/** An order that says nothing of chains, read as the merchant and as the payer see it. */
async function anOpenOrder(webhookUrl?: string) {
  const { florin, shop } = world
  for (const [chain, address] of [
    ['base', MERCHANT],
    ['arb', ON_ARBITRUM],
  ]) {
    const body = { chain, address }
    await call(`${florin.url}/api/v1/boss/addresses`, 'PUT', { headers: shop.console, body })
  }
  const body = { default_settle_chain: 'base' }
  await call(`${florin.url}/api/v1/boss/merchant`, 'PATCH', { headers: shop.console, body })
  const created = await call<OrderJson>(`${florin.url}/v1/orders`, 'POST', {
    headers: shop.key,
    body: { amount_usd: 20, ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }) },
  })
  assert.equal(created.status, 201, created.text)
  const { order_no: orderNo, checkout_url: url } = created.body
  const checkout = url.replace('/pay/', '/checkout/')
  const choose = async (chain: string, asset: string): Promise<string> => {
    const answer = await call<CheckoutJson>(`${checkout}/pay`, 'POST', { body: { chain, asset } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.pay?.uri ?? ''
  }
  const read = async () =>
    (await call<OrderJson>(`${florin.url}/v1/orders/${orderNo}`, 'GET', { headers: shop.key })).body
  const look = async () => (await call<CheckoutJson>(checkout, 'GET')).body
  return { created: created.body, orderNo, choose, read, look }
}

const targetOf = (order: OrderJson) => [order.settle_chain, order.settle_asset, order.settle_address]

test('an order without settle_chain settles on the chain that the payer chose, at the address that is set there', async (t) => {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const order = await anOpenOrder(`${receiver.url}/hook`)
  assert.deepEqual(targetOf(order.created), ['base', 'USDC', MERCHANT])
  const offered = (await order.look()).choices.filter((choice) => choice.rail === 'forwarder')
  assert.deepEqual(
    offered.map(({ chain, asset }) => `${asset} on ${chain}`),
    ['USDC on base', 'USDT on base', 'USDC on arb', 'USDT on arb'],
    'dollars on every chain, and no volatile coin unasked',
  )
  const uri = await order.choose('arb', 'USDT')
  const chosen = await order.read()
  assert.deepEqual(targetOf(chosen), ['arb', 'USDT', ON_ARBITRUM])
  assert.ok(Number(chosen.version) > Number(order.created.version))
  const had = await unitsOf(arbitrum, arbitrum.usdt, ON_ARBITRUM)
  await payOnDevnet(uri, arbitrum.url)
  await until(async () => (await order.read()).status === 'success', 'a settled order')
  await until(() => receiver.of(order.orderNo).length === 2, 'two webhooks')
  const done = await order.read()
  assert.deepEqual(targetOf(done), ['arb', 'USDT', ON_ARBITRUM])
  assert.equal(done.amount_out, '19750000')
  assert.equal(String((await unitsOf(arbitrum, arbitrum.usdt, ON_ARBITRUM)) - had), done.amount_out)
  for (const one of receiver.of(order.orderNo)) {
    const told = one.event.order as unknown as OrderJson
    assert.deepEqual(targetOf(told), ['arb', 'USDT', ON_ARBITRUM], one.event.event)
    assert.equal(told.amount_out_expected, '19750000')
  }
})

test('money on a leg that was left settles where that leg says; money on the other as well goes back to the payer', async () => {
  const { devnet } = world
  const order = await anOpenOrder()
  const onBase = await order.choose('base', 'USDC')
  const onArbitrum = await order.choose('arb', 'USDC')
  assert.deepEqual(targetOf(await order.read()), ['arb', 'USDC', ON_ARBITRUM])
  const had = {
    base: await unitsOf(devnet, devnet.usdc, MERCHANT),
    arb: await unitsOf(arbitrum, arbitrum.usdc, ON_ARBITRUM),
  }
  await payOnDevnet(onBase, devnet.url)
  await until(async () => (await order.read()).status !== 'pending', 'the payment seen')
  const seen = await order.read()
  assert.deepEqual([...targetOf(seen), seen.pay?.chain], ['base', 'USDC', MERCHANT, 'base'])
  await payOnDevnet(onArbitrum, arbitrum.url)
  const isAsked = async () => (await order.look()).refund_address_state === 'wanted'
  await until(async () => (await order.read()).status === 'success' && (await isAsked()), 'one settled, one held')
  const done = await order.read()
  assert.deepEqual([...targetOf(done), done.amount_out], ['base', 'USDC', MERCHANT, '19750000'])
  assert.equal((await unitsOf(devnet, devnet.usdc, MERCHANT)) - had.base, 19_750_000n)
  assert.equal(await unitsOf(arbitrum, arbitrum.usdc, ON_ARBITRUM), had.arb)
  assert.equal((await order.look()).refund_chain, 'Arbitrum One', 'where the money waits')
  assert.deepEqual(done.balance, [
    {
      chain: 'base',
      asset: 'USDC',
      received: '20000000',
      settled: '19750000',
      fee: '250000',
      refunded: '0',
      held: '0',
      held_below_cost: '0',
    },
    {
      chain: 'arb',
      asset: 'USDC',
      received: '20000000',
      settled: '0',
      fee: '0',
      refunded: '0',
      held: '20000000',
      held_below_cost: '0',
    },
  ])
})
