// The forwarder's world for the rail suite: money moves on two real nodes, whose time goes with the service's.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { payFactoryAbi } from '@florin/contracts'
import { toAnvil } from '@florin/contracts/anvil'
import { testUsdcAbi } from '@florin/contracts/test-tokens'
import type { OrderState } from '@florin/order-model/state'
import { HOUR_MS } from '@florin/protocol'
import type { RailWorld, WorldWish } from '@florin/rail-kit/testing'
import { createTestClient, createWalletClient, type Hex, toHex } from 'viem'
import { getOrder } from '../../../server/src/orders/store.ts'
import { railHost } from '../../../server/test/rail-host.ts'
import { readRoute, type StoredRoute } from '../address/stored-route.ts'
import { aLyingNode } from './lying-node.fixture.ts'
import { receiptOf } from './receipt.fixture.ts'
import { aWorld, chainOver, type NodeOfTest, owner, relayer, startProcess, testNode } from './world.fixture.ts'

export async function makeWorld(t: TestContext, wish: WorldWish = {}): Promise<RailWorld<OrderState>> {
  const node = await testNode(31_337)
  const other = await testNode(31_338)
  const reach = { maxReorg: 100, reorgWindow: 200 }
  const isOff = { second: false, peg: false }
  const rpc = [node.url]
  if (wish.providers === 2) rpc.push((await aLyingNode(t, node.url, () => (isOff.second ? 503 : null))).url)
  const peg =
    wish.isPegged === true ? { USDC: await tickers(t, () => (isOff.peg ? '0.5' : '1')), USDT: 'none' } : 'none'
  const chains = [chainOver(node, { ...reach, rpc, peg }), chainOver(other, { chainId: 31_338, ...reach }, 'op')]
  const world = await aWorld(t, { node, chains })
  const { anvil, client, clock } = world
  const otherNode = createTestClient({ mode: 'anvil', transport: toAnvil(other.url) })
  const merchant = createWalletClient({ transport: toAnvil(node.url), account: owner })
  const setBlocked = async (who: string, isBlocked: boolean): Promise<void> => {
    const hash = await merchant.writeContract({
      ...{ address: node.usdc, abi: testUsdcAbi, chain: null },
      functionName: 'setBlacklisted',
      args: [who as Hex, isBlocked],
    })
    await receiptOf(client, hash)
  }
  const last = { to: '', amount: 0n, height: 0n }
  const tokensOf: Record<string, (n: NodeOfTest) => Hex> = { wrong_asset: (n) => n.usdt, wrong_chain: (n) => n.usdc }

  /** While nobody agrees on a block there is none to read. */
  const unlessSilent = (error: unknown): void => {
    if (!isOff.second) throw error
  }
  const look = async (): Promise<void> => void (await world.look().catch(unlessSilent))
  const work = (): Promise<void> => world.work().catch(unlessSilent)
  return {
    host: railHost(world.deps),
    payerAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    order: (a = {}) =>
      world.order({
        ...(a.refundAddress === undefined ? {} : { refund_address: a.refundAddress }),
        ...(a.latePolicy === undefined ? {} : { late_policy: a.latePolicy }),
      }),
    async transfer(order, { amount, asset }) {
      const to = order.legs[0]?.address ?? ''
      if (asset === 'native') await world.pay(to, null, amount)
      else if (asset === 'wrong_chain') await world.payOn(other, to, other.usdc, amount)
      else await world.pay(to, (tokensOf[asset ?? ''] ?? ((n) => n.usdc))(node), amount)
      Object.assign(last, { to, amount, height: await client.getBlockNumber() })
      await look()
      if (asset !== 'native') return
      for (const job of world.forwarder.jobs) {
        if (job.name.startsWith('strays-')) await job.run(new AbortController().signal)
      }
    },
    async confirm() {
      await anvil.mine({ blocks: 2 })
      await otherNode.mine({ blocks: 2 })
      await look()
    },
    async reorg() {
      const depth = Number((await client.getBlockNumber()) - last.height) + 1
      await world.reorg(depth)
      await look()
    },
    async reappear() {
      await world.pay(last.to, node.usdc, last.amount)
      await look()
    },
    async finish(order) {
      await setBlocked(order.settleAddress, false)
      // Idle keys look once a minute.
      await advance(61_000)
      for (let round = 0; round < 3; round++) {
        await work()
        // What was announced may be carried out a day later.
        const [waiting] = await world.deps.sql<{ notBefore: Date }[]>`
          select not_before as "notBefore" from relay_items
          where order_ref = ${order.orderRef} and state = 'waiting' and not_before > ${clock.now()}`
        if (waiting !== undefined) await advance(waiting.notBefore.getTime() - clock.now().getTime() + HOUR_MS)
        await anvil.mine({ blocks: 5 })
        await otherNode.mine({ blocks: 5 })
      }
      await work()
    },
    async refuse(order) {
      await setBlocked(order.settleAddress, true)
      for (let round = 0; round < 4; round++) {
        await work()
        await advance(60_000)
      }
      const { settlements } = await getOrder(world.deps.sql, order.orderNo)
      assert.ok(settlements.length > 0)
    },
    async undo({ orderRef }) {
      const [oldest] = await world.deps.sql<{ height: bigint | null }[]>`
        select min(l.height) as height from forwarder_factory_logs l join forwarder_vaults v using (vault)
        where v.order_ref = ${orderRef} and l.chain = 'base' and l.state <> 'orphaned'`
      await world.reorg(Number((await client.getBlockNumber()) - (oldest?.height ?? 0n)) + 1)
      await look()
    },
    async forge(order) {
      const vault = order.legs[0]?.address as Hex
      await world.pay(vault, node.usdt, 5n)
      const [row] = await world.deps.sql<{ route: StoredRoute }[]>`
        select route from forwarder_vaults where leg_ref = ${order.legs[0]?.ref ?? ''}`
      assert.ok(row)
      const hash = await createWalletClient({ transport: toAnvil(node.url), account: relayer }).writeContract({
        ...{ address: node.factory, abi: payFactoryAbi, functionName: 'settle', chain: null },
        args: [readRoute(row.route), node.usdt, 5n, 0],
      })
      await receiptOf(client, hash)
      await look()
    },
    async deal(order, amount) {
      const args = [order.legs[0]?.address, node.usdc, toHex(amount)]
      await client.request({ method: 'anvil_dealERC20', params: args } as never)
    },
    advance,
    silence: (isOn) => Object.assign(isOff, { second: isOn }),
    depeg: (isOn) => Object.assign(isOff, { peg: isOn }),
    hostOn: (sql) => railHost(startProcess(world.deps, chains, sql).deps),
  }

  /** The nodes' clocks follow the service's. */
  async function advance(ms: number): Promise<void> {
    clock.advance(ms)
    for (const one of [anvil, otherNode]) {
      await one.increaseTime({ seconds: Math.ceil(ms / 1000) })
      await one.mine({ blocks: 1 })
    }
    await look()
  }
}

/** Two exchanges that say the same of a coin. */
async function tickers(t: TestContext, price: () => string): Promise<object[]> {
  const server = createServer((_request, response) => void response.end(JSON.stringify({ price: price() })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return ['one', 'two'].map((name) => ({ kind: 'http', name, url: `http://127.0.0.1:${port}/${name}`, path: 'price' }))
}
