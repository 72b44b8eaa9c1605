import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { accountRef } from '@florin/rail-kit/account-ref'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rail, RailCapabilities } from '@florin/rail-kit/interface/rail'
import { makeRails, type Rails } from '@florin/rail-kit/registry'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { testDeps } from '../../../test/harness.ts'
import { aCaller, anOrder } from '../../../test/orders.ts'
import { noConditions, type RouteConditions } from '../../orders/create/route.ts'
import { listChoices, shortList } from './choices.ts'

const listFor = (rails: Rails, order: OrderState, now: Date, conditions: RouteConditions = noConditions) =>
  shortList(order, listChoices(rails, order, { now, viewer: null, conditions }))

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** A rail as far as choices look at one: what it says of itself and what it carries. */
function aRail(
  kind: RailCapabilities['kind'],
  refundAddress: RailCapabilities['refundAddress'],
  carries: Rail['carries'],
) {
  const unused = (): never => {
    throw new Error('choosing opens nothing')
  }
  const capabilities: RailCapabilities = {
    kind,
    custody: 'none',
    crossChain: false,
    isOnChain: true,
    isLive: true,
    isSandbox: kind === 'sandbox',
    refundAddress,
  }
  const acts = { open: unused, settle: unused, refund: unused, recheck: unused, holdings: unused }
  return {
    capabilities,
    carries,
    ...acts,
    checks: async () => [],
  } as Rail
}

const isOneOf = (asset: AssetRef, names: readonly string[]) => names.includes(`${asset.chain} ${asset.asset}`)

async function anOrderOf(t: TestContext, livemode: boolean): Promise<{ order: OrderState; now: Date; sandbox: Rail }> {
  const { deps, clock } = await testDeps(t)
  const order = await anOrder(deps, await aCaller(deps), { pay_chain: undefined } as never)
  return { order: { ...order, livemode }, now: clock.now(), sandbox: sandboxRail({ sql: deps.sql }) }
}

test('a live order offers what the live rails carry to its settle asset, and no sandbox', async (t) => {
  const { order, now, sandbox } = await anOrderOf(t, true)
  const own = aRail('forwarder', 'optional', ({ livemode, pay, settle }) => {
    return livemode && pay.chain === 'base' && pay.asset === settle.asset
  })
  const swaps = aRail('forwarder', 'required', ({ livemode, pay }) => {
    return livemode && isOneOf(pay, ['base USDC', 'near NEAR', 'btc BTC', 'eth USDT', 'zec ZEC'])
  })
  const choices = listFor(makeRails([own, swaps, sandbox]), order, now)
  assert.deepEqual(
    choices.map((choice) => [choice.chain, choice.asset, choice.rail, choice.refund_address]),
    [
      ['base', 'USDC', 'forwarder', 'optional'],
      ['eth', 'USDT', 'forwarder', 'required'],
      ['btc', 'BTC', 'forwarder', 'required'],
      ['near', 'NEAR', 'forwarder', 'required'],
      ['zec', 'ZEC', 'forwarder', 'required'],
    ],
  )
  assert.deepEqual(
    choices.map((choice) => choice.is_stable),
    [true, true, false, false, false],
  )
  assert.deepEqual(listFor(makeRails([sandbox]), order, now), [])
})

test('a configured test chain is offered even where the sandbox would not be', async (t) => {
  const { order, now, sandbox } = await anOrderOf(t, false)
  const devnet = aRail('forwarder', 'optional', ({ livemode, pay }) => !livemode && isOneOf(pay, ['celo CELO']))
  const offered = listFor(makeRails([devnet, sandbox]), order, now)
  assert.equal(offered.find((choice) => choice.chain === 'celo')?.rail, 'forwarder')
  assert.ok(!listFor(makeRails([sandbox]), order, now).some((choice) => choice.chain === 'celo'))
})

const onOneChain = (names: readonly string[]) =>
  aRail('forwarder', 'optional', ({ pay, settle }) => {
    return isOneOf(pay, names) && pay.chain === settle.chain && pay.asset === settle.asset
  })
const everything = ['base', 'arb', 'pol'].flatMap((chain) =>
  ['USDC', 'USDT', 'ETH', 'POL'].map((coin) => `${chain} ${coin}`),
)

function open(order: OrderState, asset: string | null, a: Partial<OrderState> = {}): OrderState {
  const addresses = { base: PAYER, pol: PAYER }
  const { settle, settleAddress } = { ...order, ...a }
  return { ...order, ...a, open: { settle, settleAddress, asset, addresses } }
}

const offered = (rails: readonly Rail[], order: OrderState, now: Date) =>
  listFor(makeRails(rails), order, now).map((choice) => `${choice.chain} ${choice.asset} ${choice.rail}`)

test('an open order offers dollars on the chains that the merchant has an address on, and its default asset', async (t) => {
  const { order, now } = await anOrderOf(t, true)
  const rails = [onOneChain(everything)]
  assert.deepEqual(offered(rails, order, now), ['base USDC forwarder'], 'a fixed target is carried to itself alone')
  const dollars = ['base USDC forwarder', 'base USDT forwarder', 'pol USDC forwarder', 'pol USDT forwarder']
  assert.deepEqual(offered(rails, open(order, null), now), dollars)
  const eth = { chain: 'base', asset: 'ETH', contract: null, decimals: 18 }
  const [usdc, usdt, ...others] = dollars
  assert.deepEqual(
    offered(rails, open(order, null, { settle: eth }), now),
    ['base ETH forwarder', usdc, usdt, ...others],
    'a volatile coin where it is the default one, and only there',
  )
  assert.deepEqual(offered(rails, open(order, 'ETH', { settle: eth }), now), ['base ETH forwarder'])
  assert.deepEqual(offered(rails, open(order, 'USDC'), now), ['base USDC forwarder', 'pol USDC forwarder'])
})

test('a leg that was chosen elsewhere does not change what an open order offers', async (t) => {
  const { order, now } = await anOrderOf(t, true)
  const rails = [onOneChain(everything)]
  const before = open(order, null)
  const after = { ...before, settle: { chain: 'pol', asset: 'USDT', contract: null, decimals: 6 } }
  assert.deepEqual(offered(rails, after, now), offered(rails, before, now))
})

test('where only the sandbox carries to the default, money on the merchant’s own chain is carried for real', async (t) => {
  const { order, now, sandbox } = await anOrderOf(t, false)
  const real = (all: readonly string[]): string[] => all.filter((text) => text.endsWith('forwarder'))
  const rails = [onOneChain(everything), sandbox]
  assert.deepEqual(real(offered(rails, open(order, null), now)), [
    'base USDC forwarder',
    'base USDT forwarder',
    'pol USDC forwarder',
    'pol USDT forwarder',
  ])
  assert.deepEqual(real(offered(rails, order, now)), ['base USDC forwarder'])
  assert.deepEqual(offered([sandbox], open(order, null), now), offered([sandbox], order, now))
})

test('the coin of an account that gives out no address now is not offered, except to an order that has one', async (t) => {
  const { order, now } = await anOrderOf(t, true)
  const account = accountRef('ab'.repeat(32))
  const coins = onOneChain(['btc BTC'])
  const rails = makeRails([
    { ...coins, capabilities: { ...coins.capabilities, settlesTo: 'account' } },
    onOneChain(['base USDC']),
  ])
  const made: OrderState = {
    ...order,
    open: { settle: order.settle, settleAddress: order.settleAddress, asset: null, addresses: { btc: account } },
  }
  const offeredWith = (state: OrderState, full: readonly string[]) =>
    listFor(rails, state, now, { troubles: [], fullAccounts: new Set(full) }).map(({ asset }) => asset)
  assert.deepEqual(offeredWith(made, []), ['USDC', 'BTC'])
  assert.deepEqual(offeredWith(made, [account]), ['USDC'])
  const legs = [{ settleAddress: account, holder: null }] as unknown as OrderState['legs']
  assert.deepEqual(offeredWith({ ...made, legs }, [account]), ['USDC', 'BTC'])
})
