// A thief with the checkout link or a key that reads, on a real chain: no unit of a payer's money reaches him, whatever
// he names and in whatever order. What the payer's browser bound and what the paying wallet signed for goes there.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { refundMessage } from '@florin/protocol'
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Devnet, payOnDevnet } from '../packages/contracts/script/devnet.ts'
import { testWalletAbi, testWalletBytecode } from '../packages/contracts/test/abi/test-wallet.ts'
import { type ChainShop, startChainShop } from './chain-shop.ts'
import { type Florin, until } from './florin.ts'
import { call, type Merchant } from './merchant.ts'

const THIEF = privateKeyToAccount(generatePrivateKey())
const OWN = privateKeyToAccount(generatePrivateKey()).address

let world: ChainShop
let devnet: Devnet
let florin: Florin
let shop: Merchant

before(async () => {
  world = await startChainShop('refunds@shop.example')
  ;({ devnet, florin, shop } = world)
})

after(() => world?.close())

interface OrderJson {
  order_no: string
  status: string
  status_detail: string
  checkout_url: string
  pay: { id: string; address: Hex; uri: string } | null
  payments: { status: string; pay_leg: string }[]
  refunds: { id: string; status: string; address: string | null; amount: string }[]
}

interface CheckoutJson extends OrderJson {
  refund_address_state: string
  refund_signers: { service: string; order_no: string; pay_leg: string; chain: string; from: string }[]
}

interface Browser {
  cookie: string
  post(path: string, body: object): Promise<{ status: number; body: CheckoutJson; text: string }>
  get(): Promise<{ status: number; body: CheckoutJson; text: string }>
}

async function anOrder() {
  const created = await call<OrderJson>(`${florin.url}/v1/orders`, 'POST', {
    headers: shop.key,
    body: { amount_usd: 20, settle_chain: 'base' },
  })
  assert.equal(created.status, 201, created.text)
  const { order_no: orderNo, checkout_url: url } = created.body
  const checkout = url.replace('/pay/', '/checkout/')
  const browser = (): Browser => {
    const ask = async (method: string, path: string, body?: object) => {
      const headers: Record<string, string> = self.cookie === '' ? {} : { cookie: self.cookie }
      const answer = await call<CheckoutJson>(`${checkout}${path}`, method, {
        headers,
        ...(body === undefined ? {} : { body }),
      })
      const set = answer.headers.getSetCookie()[0]?.split(';')[0]
      if (set !== undefined) self.cookie = set
      return answer
    }
    const self: Browser = { cookie: '', post: (path, body) => ask('POST', path, body), get: () => ask('GET', '') }
    return self
  }
  const read = async () =>
    (await call<OrderJson>(`${florin.url}/v1/orders/${orderNo}`, 'GET', { headers: shop.key })).body
  const cancel = () => call(`${florin.url}/v1/orders/${orderNo}/cancel`, 'POST', { headers: shop.key, body: {} })
  return { orderNo, browser, read, cancel }
}

const usdcOf = (who: Hex): Promise<bigint> =>
  createPublicClient({ transport: toAnvil(devnet.url) }).readContract({
    ...{ address: devnet.usdc, abi: erc20Abi, functionName: 'balanceOf' },
    args: [who],
  })

const choice = { chain: 'base', asset: 'USDC' }

test('a thief names the address first and cancels: the payer’s whole payment waits for somebody who may say', async () => {
  const order = await anOrder()
  const trap = await order.browser().post('/pay', { ...choice, refund_address: THIEF.address })
  assert.equal(trap.status, 200, trap.text)
  const payer = order.browser()
  const chosen = await payer.post('/pay', choice)
  assert.ok(chosen.body.pay)
  assert.notEqual(chosen.body.pay.address, trap.body.pay?.address)
  assert.equal((await order.read()).pay?.address, chosen.body.pay.address)
  await order.cancel()
  await payOnDevnet(chosen.body.pay.uri, devnet.url)
  await until(async () => (await order.read()).status_detail === 'refund_address_needed', 'a refund that waits')
  const thief = order.browser()
  assert.equal((await thief.post('/refund-address', { address: THIEF.address })).body.refund_address_state, 'asked')
  await until(
    () => world.inbox.messages.some((mail) => mail.includes(order.orderNo) && mail.includes(THIEF.address)),
    'a mail to the merchant',
  )
  const { refunds } = await order.read()
  assert.deepEqual(
    refunds.map((row) => [row.status, row.address, row.amount]),
    [['waiting', null, '20000000']],
  )
  assert.equal(await usdcOf(THIEF.address), 0n)
})

test('what the payer’s browser bound is where the money goes, at once, whatever the thief does', async () => {
  const order = await anOrder()
  const payer = order.browser()
  const bound = await payer.post('/pay', { ...choice, refund_address: OWN })
  const thief = order.browser()
  await thief.post('/pay', { ...choice, refund_address: THIEF.address })
  await thief.post('/refund-address', { address: THIEF.address })
  assert.equal((await payer.get()).body.pay?.address, bound.body.pay?.address)
  assert.equal((await order.read()).pay, null, 'nobody else is shown either')
  await order.cancel()
  await payOnDevnet(bound.body.pay?.uri ?? '', devnet.url)
  await until(async () => (await order.read()).status === 'refunded', 'the money is back')
  assert.deepEqual([await usdcOf(OWN), await usdcOf(THIEF.address)], [20_000_000n, 0n])
})

test('the wallet that paid signs for what it paid; no other signature, text or time does', async () => {
  const order = await anOrder()
  const payer = order.browser()
  const { pay } = (await payer.post('/pay', choice)).body
  await order.cancel()
  await payOnDevnet(pay?.uri ?? '', devnet.url)
  const maySign = async (): Promise<boolean> => {
    const { status, body } = await payer.get()
    // A node that is slow to answer is told as such, and asked again.
    return status === 200 && body.refund_signers.length === 1
  }
  await until(maySign, 'a wallet that may sign')
  const [signer] = (await payer.get()).body.refund_signers
  assert.ok(signer)
  assert.equal(signer.from.toLowerCase(), devnet.payer.address.toLowerCase())
  const account = privateKeyToAccount(devnet.payer.key)
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const parts = {
    ...{ service: signer.service, orderNo: signer.order_no, legId: signer.pay_leg, chain: signer.chain },
    ...{ address: OWN, expiresAt: inAnHour },
  }
  const send = async (
    a: { by?: typeof account; said?: Partial<typeof parts>; from?: string; address?: string; expiresAt?: string } = {},
  ) => {
    const signature = await (a.by ?? account).signMessage({ message: refundMessage({ ...parts, ...a.said }) })
    const proof = {
      pay_leg: signer.pay_leg,
      from: a.from ?? signer.from,
      expires_at: a.expiresAt ?? inAnHour,
      signature,
    }
    return payer.post('/refund-address', { address: a.address ?? OWN, proof })
  }
  const past = new Date(Date.now() - 1000).toISOString()
  const far = new Date(Date.now() + 25 * 3_600_000).toISOString()
  for (const forged of [
    { by: THIEF },
    { by: THIEF, from: THIEF.address },
    { address: THIEF.address },
    { said: { orderNo: 'ord_another' } },
    { said: { legId: 'leg_another' } },
    { said: { chain: 'op' } },
    { said: { service: 'https://florin.example' } },
    { said: { expiresAt: past }, expiresAt: past },
    { said: { expiresAt: far }, expiresAt: far },
    { said: { expiresAt: far } },
  ]) {
    const refused = await send(forged as Parameters<typeof send>[0])
    assert.ok(refused.status === 422 || refused.status === 409, JSON.stringify([forged, refused.body]))
  }
  assert.equal((await order.read()).refunds[0]?.status, 'waiting')
  const good = await send()
  assert.equal(good.status, 200, good.text)
  const [refund] = (await order.read()).refunds
  assert.equal(refund?.address, OWN)
  assert.ok(refund?.status === 'sending' || refund?.status === 'proposed', refund?.status)
  assert.equal((await send()).status, 409, 'once')
})

/** As `Way` in test/sol/Wallets.sol. */
const ways = { owner: 0, everything: 1, nothing: 2, revert: 3, endless: 4, hungry: 5, short: 6 } as const

/** A contract wallet on the chain, owned by the devnet's payer. */
async function aContractWallet() {
  const client = createPublicClient({ transport: toAnvil(devnet.url), pollingInterval: 100 })
  const account = privateKeyToAccount(devnet.payer.key)
  const wallet = createWalletClient({ transport: toAnvil(devnet.url), account })
  const done = async (hash: Hex) => {
    const receipt = await client.waitForTransactionReceipt({ hash })
    assert.equal(receipt.status, 'success')
    return receipt
  }
  const args = [account.address] as const
  const { contractAddress: address } = await done(
    await wallet.deployContract({ abi: testWalletAbi, bytecode: testWalletBytecode, args, chain: null }),
  )
  assert.ok(address)
  const call = (functionName: 'setWay' | 'execute', given: readonly unknown[]) =>
    wallet
      .sendTransaction({
        ...{ to: address, chain: null },
        data: encodeFunctionData({ abi: testWalletAbi, functionName, args: given } as never),
      })
      .then(done)
  return {
    address,
    setWay: (way: keyof typeof ways) => call('setWay', [ways[way]]),
    async pay(to: Hex, amount: bigint) {
      const send = (target: Hex) =>
        encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [target, amount] })
      await done(await wallet.sendTransaction({ to: devnet.usdc, data: send(address), chain: null }))
      await call('execute', [devnet.usdc, send(to)])
    },
  }
}

test('a contract wallet that paid says by its own rule where its money goes, and nobody says it for it', async () => {
  const [order, other] = [await anOrder(), await anOrder()]
  const [payer, stranger] = [order.browser(), order.browser()]
  const wallet = await aContractWallet()
  const careless = await aContractWallet()
  await careless.setWay('everything')
  const { pay } = (await payer.post('/pay', choice)).body
  assert.ok(pay)
  await order.cancel()
  await wallet.pay(pay.address, 20_000_000n)
  const maySign = async (): Promise<boolean> => {
    const { status, body } = await payer.get()
    // A node that is slow to answer is told as such, and asked again.
    return status === 200 && body.refund_signers.length === 1
  }
  await until(maySign, 'a wallet that may sign')
  const [signer] = (await payer.get()).body.refund_signers
  assert.equal(signer?.from.toLowerCase(), wallet.address.toLowerCase())
  const owner = privateKeyToAccount(devnet.payer.key)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const parts = {
    ...{ service: signer?.service ?? '', orderNo: order.orderNo, legId: pay.id, chain: 'base' },
    ...{ address: OWN, expiresAt },
  }
  const send = async (
    a: { by?: typeof owner; said?: Partial<typeof parts>; from?: string; address?: string; signature?: Hex } = {},
  ) => {
    const message = refundMessage({ ...parts, ...a.said })
    const signature = a.signature ?? (await (a.by ?? owner).signMessage({ message }))
    const proof = { pay_leg: pay.id, from: a.from ?? wallet.address, expires_at: expiresAt, signature }
    return stranger.post('/refund-address', { address: a.address ?? OWN, proof })
  }
  for (const forged of [
    { by: THIEF },
    { address: THIEF.address },
    { said: { orderNo: other.orderNo } },
    { signature: '0x00' as const },
    { signature: `0x${'ab'.repeat(8_192)}` as const },
    // Its owner's account did not pay, and a contract that says yes to everything says it for itself alone.
    { from: owner.address },
    { from: careless.address },
    { from: careless.address, by: THIEF, address: THIEF.address },
  ]) {
    const refused = await send(forged)
    assert.ok(refused.status === 422 || refused.status === 409, JSON.stringify([forged, refused.body]))
  }
  // Hungry says yes at last, for more gas than anybody is given; endless would keep a node busy as long as it lets it.
  for (const way of ['nothing', 'revert', 'short', 'hungry', 'endless'] as const) {
    await wallet.setWay(way)
    const refused = await send()
    const { code } = (refused.body as unknown as { error?: { code: string } }).error ?? {}
    assert.deepEqual([refused.status, code], [422, 'invalid_wallet_signature'], way)
  }
  assert.deepEqual(
    (await order.read()).refunds.map((row) => [row.status, row.address]),
    [['waiting', null]],
  )
  await wallet.setWay('owner')
  const good = await send()
  assert.equal(good.status, 200, good.text)
  const [refund] = (await order.read()).refunds
  assert.equal(refund?.address, OWN)
  // It is announced on the chain and goes out after the veto's time.
  await until(async () => (await order.read()).refunds[0]?.status === 'proposed', 'the announced refund')
  assert.equal(await usdcOf(THIEF.address), 0n)
})
