import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chains, checkAddress } from '@florin/chains'
import type { OrderState } from '@florin/order-model/state'
import type { Sql } from '@florin/platform/db/pool'
import { quickTest, sized } from '../../../../scripts/sizes.ts'
import { testDeps } from '../../../server/test/harness.ts'
import { aCaller, anOrder } from '../../../server/test/orders.ts'
import { railHost } from '../../../server/test/rail-host.ts'
import { SANDBOX_RAIL } from '../interface/leg.ts'
import { type RailWorld, railContract } from '../testing.ts'
import { railsOf, sandboxRail } from './rail.ts'
import { actInSandbox, type SandboxAct } from './simulate.ts'

railContract(
  { kind: SANDBOX_RAIL, custody: 'none' },
  async (t) => {
    const { deps, clock } = await testDeps(t)
    const caller = await aCaller(deps, { feeBps: 100 })
    const act = async (orderRef: string, step: SandboxAct): Promise<void> => {
      await actInSandbox(deps.sql, orderRef, step, deps.clock.now())
    }
    const host = (sql: Sql) => railHost({ ...deps, sql, rails: railsOf(sql) })
    const world: RailWorld<OrderState> = {
      host: host(deps.sql),
      payerAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      order: (a = {}) =>
        anOrder(deps, caller, {
          amount_usd: 50,
          pay_chain: 'base',
          ...(a.refundAddress === undefined ? {} : { refund_address: a.refundAddress }),
          ...(a.latePolicy === undefined ? {} : { late_policy: a.latePolicy }),
        }),
      transfer: (order, { amount, asset }) => {
        const coins = { chain: 'base', asset: 'ETH', contract: null, decimals: 18 }
        const wrong =
          asset === 'native'
            ? coins
            : asset === 'wrong_asset'
              ? { chain: 'base', asset: 'USDT', contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 6 }
              : { chain: 'op', asset: 'USDC', contract: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', decimals: 6 }
        const legRef = order.legs[0]?.ref ?? ''
        const transfer = { kind: 'transfer', legRef, amount, seenAt: clock.now() } as const
        return act(order.orderRef, asset === undefined ? transfer : { ...transfer, asset: wrong })
      },
      confirm: (order) => act(order.orderRef, { kind: 'confirm' }),
      reorg: (order) => act(order.orderRef, { kind: 'reorg' }),
      reappear: (order) => act(order.orderRef, { kind: 'reappear' }),
      finish: async (order) => {
        await act(order.orderRef, { kind: 'settle' })
        await act(order.orderRef, { kind: 'refund' })
      },
      undo: (order) => act(order.orderRef, { kind: 'undo' }),
      forge: (order) => act(order.orderRef, { kind: 'forge', legRef: order.legs[0]?.ref ?? '' }),
      deal: (order, amount) => act(order.orderRef, { kind: 'deal', legRef: order.legs[0]?.ref ?? '', amount }),
      refuse: (order) => act(order.orderRef, { kind: 'fail', failure: 'refused' }),
      advance: (ms) => clock.advance(ms),
      hostOn: host,
    }
    return world
  },
  { killEvery: sized({ short: 7, full: 1 }), testFor: () => quickTest },
)

test('the sandbox opens a leg for every asset of every chain, at an address that no network would pay', async (t) => {
  const { deps, clock } = await testDeps(t)
  const rail = sandboxRail(deps)
  const settle = { chain: 'base', asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 }
  let opened = 0
  for (const chain of chains) {
    for (const asset of chain.assets) {
      const leg = await rail.open({
        legRef: `r.${chain.id}.${asset.asset}`,
        orderRef: 'r',
        livemode: false,
        pay: { chain: chain.id, ...asset },
        settle,
        amountUsdMicros: 50_000_000n,
        underpayToleranceBps: 50,
        feeBps: 0,
        merchantId: 'mer_1',
        merchantAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
        refundAddress: null,
        latePolicy: 'settle',
        now: clock.now(),
        expiresAt: new Date(clock.now().getTime() + 1_800_000),
      })
      assert.ok(leg.amountDue > 0n && leg.amountOut === 50_000_000n)
      assert.match(leg.uri, /^florin-test:/)
      assert.equal(checkAddress(chain.id, leg.address).valid, false)
      opened++
    }
  }
  assert.ok(opened >= chains.length)
})
