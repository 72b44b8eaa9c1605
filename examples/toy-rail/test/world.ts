// The world of the conformance suite: how money moves on the toy chain.
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { RailParts, RailPlug } from '@florin/rail-kit/interface/plug'
import { railsOf } from '@florin/rail-kit/sandbox/rail'
import type { RailWorld } from '@florin/rail-kit/testing'
import { testDeps } from '@florin/server/test/harness.ts'
import { aCaller, anOrder } from '@florin/server/test/orders.ts'
import { railHost } from '@florin/server/test/rail-host.ts'
import { ToyChain, type Transfer } from './chain.ts'

export interface ToyPackage {
  plugOver(url: string, parts: RailParts): RailPlug
  migrate(sql: Sql): Promise<void>
}

export const USDC: AssetRef = {
  ...{ chain: 'base', asset: 'USDC', decimals: 6 },
  contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
}
const others: Record<string, AssetRef> = {
  native: { chain: 'base', asset: 'ETH', contract: null, decimals: 18 },
  wrong_asset: { chain: 'base', asset: 'USDT', contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 },
  wrong_chain: { chain: 'op', asset: 'USDC', contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 },
}

export async function makeWorld(t: TestContext, { plugOver, migrate }: ToyPackage): Promise<RailWorld<OrderState>> {
  const { deps, clock } = await testDeps(t)
  await migrate(deps.sql)
  const chain = await new ToyChain(() => clock.now()).start()
  t.after(() => chain.close())
  const plug = plugOver(chain.url, deps)
  const depsOn = (sql: Sql) => ({ ...deps, sql, rails: railsOf(sql, [plugOver(chain.url, { ...deps, sql })]) })
  const own = { ...deps, rails: depsOn(deps.sql).rails }
  const caller = await aCaller(deps, { feeBps: 100 })
  /** Runs the jobs of the rail until nothing is left to do. */
  const work = async (): Promise<void> => {
    for (let did = 1; did > 0; ) {
      did = 0
      for (const job of plug.jobs) did += await job.run(new AbortController().signal)
    }
  }
  /** Reads the chain and sends nothing. */
  const look = (order: OrderState) => plug.rail.recheck(order.orderRef)
  const addressOf = (order: OrderState): string => order.legs[0]?.address ?? ''
  const isOf =
    (order: OrderState) =>
    ({ from, outputs }: Transfer): boolean =>
      [from, ...outputs.map(({ to }) => to)].includes(addressOf(order))
  let gone: Transfer[] = []
  return {
    host: railHost(own),
    hostOn: (sql) => railHost(depsOn(sql)),
    payerAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    order: ({ refundAddress, latePolicy } = {}) =>
      anOrder(own, caller, {
        ...{ amount_usd: 50, pay_chain: 'base' },
        ...(refundAddress === undefined ? {} : { refund_address: refundAddress }),
        ...(latePolicy === undefined ? {} : { late_policy: latePolicy }),
      }),
    async transfer(order, { amount, asset }) {
      chain.pay(addressOf(order), amount, others[asset ?? ''] ?? USDC)
      await look(order)
    },
    async confirm(order) {
      chain.finalize()
      await look(order)
    },
    async reorg(order) {
      gone = chain.reorg(isOf(order), 'newest')
      await look(order)
    },
    async reappear(order) {
      for (const transfer of gone) chain.send(transfer)
      await look(order)
    },
    async finish(order) {
      chain.block(order.settleAddress, false)
      await work()
      chain.finalize()
      await work()
    },
    async undo(order) {
      chain.reorg(({ from }) => from === addressOf(order), 'all')
      await look(order)
    },
    async forge(order) {
      const outputs = [{ to: order.settleAddress, amount: '1' }]
      chain.pay(addressOf(order), 1n, others.wrong_asset ?? USDC)
      chain.send({ id: 'forged', from: addressOf(order), asset: others.wrong_asset ?? USDC, outputs })
      await look(order)
    },
    async deal(order, amount) {
      chain.deal(addressOf(order), amount, USDC)
    },
    async refuse(order) {
      chain.block(order.settleAddress, true)
      await work()
    },
    advance: (ms) => clock.advance(ms),
  }
}
