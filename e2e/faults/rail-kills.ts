// The trial of the forwarder rail under power cuts: the real program on a real chain, killed at random moments while
// orders are paid, settled and refunded. In the end the chain and the orders must tell the same, to the last unit.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { toAnvil } from '@florin/contracts/anvil'
import { createPublicClient, createTestClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Devnet, startDevnet } from '../../packages/contracts/script/devnet.ts'
import { payFactoryAbi } from '../../packages/contracts/src/index.ts'
import { type Florin, startFlorin, until } from '../florin.ts'
import { call, type Merchant, signUp, startInbox } from '../merchant.ts'

const MERCHANT = '0x52908400098527886E0F7030069857D2E4169EE7'
const REFUND_TO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const BLOCK_MS = 300
const AT_ONCE = 8
const assets = ['USDC', 'USDT', 'ETH'] as const
type Asset = (typeof assets)[number]

interface OrderJson {
  order_no: string
  status: string
  amount_out: string | null
  checkout_url: string
  pay: { address: Hex; amount_due: string }
  payments: { status: string }[]
  refunds: { status: string }[]
  balance: { asset: string; received: string; settled: string; fee: string; refunded: string; held: string }[]
}

interface Done {
  asset: Asset
  kind: 'exact' | 'over' | 'under'
  vault: Hex
  paid: bigint
  order: OrderJson
}

export interface PlayedKills {
  kills: number
  orders: number
  success: number
  refunded: number
  slowestRestartMs: number
  wallMs: number
}

export async function playKills(t: TestContext, a: { orders: number; kills: number }): Promise<PlayedKills> {
  const began = performance.now()
  const devnet = await startDevnet()
  t.after(() => devnet.stop())
  const inbox = await startInbox()
  t.after(() => inbox.close())
  const chain = await aChain(t, devnet)
  const florin = await startFlorin({
    ...{ SMTP_URL: inbox.smtpUrl, RAILS_CONFIG: quickToTakeOver(devnet.railsConfig), FEE_BPS: '125' },
  })
  t.after(() => florin.close())
  const shop = await signUp(florin.url, inbox, 'kills@shop.example')
  const before = await chain.read()

  let kills = 0
  const done: Done[] = []
  const over = new AbortController()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < a.orders && !over.signal.aborted) {
      const n = next++
      // New orders until the last kill: each kill finds some at every stage of their way.
      await until(() => n * a.kills < (kills + 1) * a.orders || over.signal.aborted, 'the next kill')
      done.push(await live(florin, shop, chain, { n, signal: over.signal }))
    }
  }
  let slowestRestartMs = 0
  const killer = async (): Promise<void> => {
    while (kills < a.kills && !over.signal.aborted) {
      // However slow the machine is, orders come to their end between kills; and if none does, that is a failure.
      const least = Math.floor((kills * a.orders) / a.kills) - AT_ONCE - 4
      await until(() => done.length >= least || over.signal.aborted, `order number ${least} to end`)
      await wait(50 + Math.random() * 1_500)
      await florin.kill()
      const at = performance.now()
      await florin.start()
      slowestRestartMs = Math.max(slowestRestartMs, Math.round(performance.now() - at))
      kills++
    }
  }
  const running = [killer(), ...Array.from({ length: AT_ONCE }, worker)]
  for (const one of running) one.catch(() => over.abort())
  const outcomes = await Promise.allSettled(running)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected' && outcome.reason !== over.signal.reason)
  if (failed?.status === 'rejected') throw failed.reason
  await accountFor(chain, before, done)
  const played: PlayedKills = {
    ...{ kills, orders: done.length, slowestRestartMs, wallMs: Math.round(performance.now() - began) },
    success: done.filter(({ order }) => order.status === 'success').length,
    refunded: done.filter(({ order }) => order.status === 'refunded').length,
  }
  t.diagnostic(JSON.stringify(played))
  return played
}

/** A process that dies leaves its leases behind; here the next one waits a second for them instead of a minute. */
function quickToTakeOver(railsConfig: string): string {
  const { chains } = JSON.parse(railsConfig) as { chains: { base: object } }
  return JSON.stringify({ chains: { base: { ...chains.base, leaseMs: 1_000, pollMs: 100 } } })
}

/** One order from its creation to its end, with the patience of a merchant whose provider goes down now and then. */
async function live(
  florin: Florin,
  shop: Merchant,
  chain: Chain,
  { n, signal }: { n: number; signal: AbortSignal },
): Promise<Done> {
  const insist = async (method: string, path: string, a: { body?: unknown; key?: string } = {}): Promise<OrderJson> => {
    for (;;) {
      signal.throwIfAborted()
      const headers = { ...shop.key, ...(a.key === undefined ? {} : { 'idempotency-key': a.key }) }
      const answer = await call<OrderJson>(`${florin.url}${path}`, method, {
        ...{ headers },
        ...(a.body === undefined ? {} : { body: a.body }),
      }).catch(() => null)
      if (answer !== null && answer.status < 300) return answer.body
      // 409: the request that was cut off holds the key; 503 and silence: it is starting.
      if (answer !== null && answer.status < 500 && answer.status !== 409) throw new Error(`${path}: ${answer.text}`)
      await wait(100)
    }
  }
  const asset = assets[n % assets.length] ?? 'USDC'
  const kind = n % 5 === 0 ? 'under' : n % 5 === 1 ? 'over' : 'exact'
  const made = await insist('POST', '/v1/orders', {
    key: `kills-${n}`,
    body: {
      ...{ amount_usd: 12, external_id: `kills-${n}`, expires_in: 7_200 },
      ...{ settle_chain: 'base', settle_asset: asset },
    },
  })
  // As the payer's browser, which binds where its money goes back to.
  const checkout = new URL(made.checkout_url).pathname.replace('/pay/', '/checkout/')
  const choice = { chain: 'base', asset, refund_address: REFUND_TO }
  const { pay } = await insist('POST', `${checkout}/pay`, { body: choice })
  const due = BigInt(pay.amount_due)
  const paid = kind === 'under' ? due / 2n : kind === 'over' ? due + due / 2n : due
  await chain.pay(asset, pay.address, paid)
  const path = `/v1/orders/${made.order_no}`
  const deadline = performance.now() + 120_000
  for (;;) {
    const order = await insist('GET', path)
    const isReturned = order.refunds.every((refund) => refund.status === 'succeeded')
    const isOver = order.status === 'success' ? isReturned && (kind === 'exact' || order.refunds.length > 0) : false
    if (isOver || order.status === 'refunded') return { asset, kind, vault: pay.address, paid, order }
    if (kind === 'under' && order.refunds.length === 0 && order.payments[0]?.status === 'confirmed') {
      // Cut off, it may have been taken all the same: then it is refused now, and the next look tells.
      const refund = `${florin.url}/api/v1/boss/orders/${made.order_no}/refund`
      await call(refund, 'POST', { headers: shop.console, body: {} }).catch(() => null)
    }
    if (performance.now() > deadline) throw new Error(`${kind} order that came to no end: ${JSON.stringify(order)}`)
    await wait(100)
  }
}

type Chain = Awaited<ReturnType<typeof aChain>>

async function aChain(t: TestContext, devnet: Devnet) {
  const transport = toAnvil(devnet.url)
  const client = createPublicClient({ transport, cacheTime: 0 })
  const node = createTestClient({ mode: 'anvil', transport })
  const account = privateKeyToAccount(devnet.payer.key)
  const wallet = createWalletClient({ transport, account })
  const { factory, collector } = (
    JSON.parse(devnet.railsConfig) as { chains: { base: { factory: Hex; collector: Hex } } }
  ).chains.base
  const tokens = { USDC: devnet.usdc, USDT: devnet.usdt, ETH: null }
  await node.setIntervalMining({ interval: 0 })
  const end = new AbortController()
  const mining = (async () => {
    while (!end.signal.aborted) {
      await node.mine({ blocks: 1 })
      await wait(BLOCK_MS)
    }
  })()
  t.after(async () => {
    end.abort()
    await mining
  })
  let nonce = await client.getTransactionCount({ address: account.address })
  const unitsOf = (asset: Asset, who: Hex): Promise<bigint> => {
    const token = tokens[asset]
    if (token === null) return client.getBalance({ address: who })
    return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [who] })
  }
  return {
    unitsOf,
    async pay(asset: Asset, to: Hex, amount: bigint): Promise<void> {
      const token = tokens[asset]
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
      const target = token === null ? { to, value: amount } : { to: token, data }
      const hash = await wallet.sendTransaction({ chain: null, nonce: nonce++, gas: 100_000n, ...target })
      const receipt = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
      assert.equal(receipt.status, 'success')
    },
    /** What each party has, by asset. */
    async read() {
      const lines = assets.map(async (asset) => ({
        asset,
        merchant: await unitsOf(asset, MERCHANT),
        payer: await unitsOf(asset, REFUND_TO),
        collector: await unitsOf(asset, collector),
      }))
      return Promise.all(lines)
    },
    /** How many settlements each deposit address had, by what the factory says. */
    async settledTimes(): Promise<Map<string, number>> {
      const logs = await client.getContractEvents({
        ...{ address: factory, abi: payFactoryAbi, fromBlock: 0n },
        eventName: 'Settled',
      })
      const times = new Map<string, number>()
      for (const { args } of logs) {
        const vault = String(args.vault).toLowerCase()
        times.set(vault, (times.get(vault) ?? 0) + 1)
      }
      return times
    },
  }
}

async function accountFor(chain: Chain, before: Awaited<ReturnType<Chain['read']>>, done: readonly Done[]) {
  const settled = await chain.settledTimes()
  for (const { asset, kind, vault, paid, order } of done) {
    assert.equal(order.status, kind === 'under' ? 'refunded' : 'success', order.order_no)
    const [line, ...more] = order.balance
    assert.ok(line)
    assert.deepEqual([more.length, BigInt(line.received), line.held], [0, paid, '0'], order.order_no)
    assert.equal(BigInt(line.settled) + BigInt(line.fee) + BigInt(line.refunded), paid)
    assert.equal(order.amount_out ?? '0', line.settled)
    assert.equal(settled.get(vault.toLowerCase()) ?? 0, kind === 'under' ? 0 : 1, `settlements of ${order.order_no}`)
    for (const each of assets) assert.equal(await chain.unitsOf(each, vault), 0n, `${asset} order, ${each} left`)
  }
  const after = await chain.read()
  for (const [n, { asset, merchant, payer, collector }] of after.entries()) {
    const lines = done.flatMap(({ order }) => order.balance.filter((line) => line.asset === asset))
    const sum = (name: 'settled' | 'refunded' | 'fee'): bigint =>
      lines.reduce((total, line) => total + BigInt(line[name]), 0n)
    const had = before[n]
    assert.ok(had)
    assert.equal(merchant - had.merchant, sum('settled'), `${asset} at the merchant's address`)
    assert.equal(payer - had.payer, sum('refunded'), `${asset} at the refund address`)
    assert.equal(collector - had.collector, sum('fee'), `${asset} at the collector`)
  }
}
