import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { currentLeg } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { Killed, killable } from '@florin/platform/testing/killable'
import { type ErrorCode, HOUR_MS, type Order } from '@florin/protocol'
import type { SettleRequest } from '@florin/rail-kit/interface/moves'
import type { Rail } from '@florin/rail-kit/interface/rail'
import { makeRails } from '@florin/rail-kit/registry'
import { railsOf, sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { actInSandbox } from '@florin/rail-kit/sandbox/simulate'
import { aMerchant, anApiKey, anAsker, aReceivingAddress } from '../../../test/factories.ts'
import { testDeps } from '../../../test/harness.ts'
import { aCaller, anOrder } from '../../../test/orders.ts'
import { warmed } from '../../../test/warm.ts'
import { removeAddress, setAddress } from '../../addresses/change.ts'
import { parseReceivingAddress } from '../../addresses/rules.ts'
import type { KeyCaller } from '../../callers.ts'
import type { Deps } from '../../deps.ts'
import { changeMerchant } from '../../login/merchant.ts'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { chooseLeg } from '../payer.ts'
import { settleOrder } from '../rail-outbox.ts'
import { getOrder } from '../store.ts'
import { deleteOldKeys } from './create.store.ts'
import { createOrder } from './create.ts'
import { parseInput } from './input.ts'
import { type LegInput, openLeg } from './leg.ts'
import type { PayRoute } from './route.ts'

const isRefusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.entry.code === code
const idempotent = { key: 'order 17', bodyHash: new Uint8Array(32) }
const wish = parseInput({ amount_usd: 60, pay_chain: 'base' })
const create = async (deps: Deps, caller: KeyCaller): Promise<Order & { replayed: boolean }> => {
  const { json, replayed } = await createOrder(deps, caller, wish, idempotent)
  return { ...(JSON.parse(json) as Order), replayed }
}

/** A request that is killed between the rail's answer and the writing of the order. */
async function killedCreate(t: TestContext) {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  for (let killAt = 0; ; killAt++) {
    const { sql } = killable(deps.sql, killAt)
    const dying = { ...deps, sql, rails: railsOf(deps.sql) }
    await assert.rejects(create(dying, caller), Killed)
    const [opened] = await deps.sql`select 1 from sandbox_legs`
    if (opened) return { deps, clock, caller }
    clock.advance(31_000)
  }
}

test('the first answer is given again whatever the merchant has changed since', async (t) => {
  const { deps } = await testDeps(t)
  const caller = await aCaller(deps)
  const first = await create(deps, caller)
  const merchant = anAsker(caller.merchantId)
  for (const chain of ['base', 'btc']) await removeAddress(deps, merchant, parseChain(chain, 'chain'))
  const again = await create({ ...deps, rails: makeRails([]) }, caller)
  assert.deepEqual(again, { ...first, replayed: true })
})

test('a killed request that is sent again hours later gets the same number and a quote of now', async (t) => {
  const { deps, clock, caller } = await killedCreate(t)
  const [claim] = await deps.sql<{ orderNo: string }[]>`select order_no as "orderNo" from idempotency_keys`
  clock.advance(20 * HOUR_MS)
  const order = await create(deps, caller)
  assert.equal(order.order_no, claim?.orderNo)
  assert.equal(order.created_at, clock.now().toISOString())
  assert.equal(order.pay?.rate_expires_at, order.expires_at)
  const [leg] = (await getOrder(deps.sql, order.order_no)).legs
  assert.equal(leg?.n, 1)
})

test('a killed request that is sent again after the merchant chose another chain is opened for that chain', async (t) => {
  const { deps, clock, caller } = await killedCreate(t)
  await changeMerchant(deps, anAsker(caller.merchantId), { name: undefined, defaultSettleChain: 'btc' })
  clock.advance(31_000)
  const order = await create(deps, caller)
  assert.deepEqual([order.settle_chain, order.settle_asset, order.settle_decimals], ['btc', 'BTC', 8])
  assert.equal(order.amount_out_expected, '100000')
})

test('two API keys may use the same Idempotency-Key', async (t) => {
  const { deps } = await testDeps(t)
  const [one, other] = [await aCaller(deps), await aCaller(deps)]
  const [first, second] = [await create(deps, one), await create(deps, other)]
  assert.notEqual(first.order_no, second.order_no)
  assert.equal(second.replayed, false)
  assert.deepEqual(await create(deps, one), { ...first, replayed: true })
  assert.deepEqual(await create(deps, other), { ...second, replayed: true })
})

test('a killed request that is sent again with another body is refused; with its own it goes on', async (t) => {
  const { deps, clock, caller } = await killedCreate(t)
  clock.advance(31_000)
  const other = { ...idempotent, bodyHash: new Uint8Array(32).fill(1) }
  const dearer = parseInput({ amount_usd: 6_000, pay_chain: 'base' })
  await assert.rejects(createOrder(deps, caller, dearer, other), isRefusal('idempotency_key_reused'))
  assert.equal((await create(deps, caller)).amount_usd, 60)
})

test('a killed request that is sent again after the address was changed gets a leg of its own for the new one', async (t) => {
  const { deps, clock, caller } = await killedCreate(t)
  const [before] = await deps.sql<{ ref: string }[]>`select ref from sandbox_legs`
  const chain = parseChain('base', 'chain')
  const { address } = parseReceivingAddress(chain, ON_POLYGON)
  await setAddress(deps, anAsker(caller.merchantId), { chain, address, label: null })
  clock.advance(31_000)
  const order = await create(deps, caller)
  const [leg] = (await getOrder(deps.sql, order.order_no)).legs
  assert.deepEqual([order.settle_address, leg?.settleAddress], [ON_POLYGON, ON_POLYGON])
  assert.notEqual(leg?.ref, before?.ref, 'what was opened is bound to the old address')
})

test('a leg is another one where any of its terms is another: no retry is given what was opened for other terms', async (t) => {
  const { deps } = await testDeps(t)
  const base = parseChain('base', 'chain')
  const pay = parseAsset(base, 'USDC', 'asset')
  const rail = sandboxRail(deps)
  const now = deps.clock.now()
  const wish: LegInput = {
    ...{
      orderRef: 'ref',
      merchantId: 'mer_1',
      n: 1,
      livemode: false,
      pay,
      amountUsdMicros: 50_000_000n,
      feeBps: 100,
      refundAddress: null,
    },
    ...{
      underpayToleranceBps: 50,
      latePolicy: 'settle',
      holder: null,
      now,
      expiresAt: new Date(now.getTime() + HOUR_MS),
    },
  }
  const way: PayRoute = { rail, settle: pay, settleAddress: ON_BASE, estimate: null, reason: 'direct', others: [] }
  const [first, again] = [await openLeg(wish, way), await openLeg(wish, way)]
  assert.deepEqual(again, first)
  const others = [
    await openLeg(wish, { ...way, settleAddress: ON_POLYGON }),
    await openLeg(wish, { ...way, settle: parseAsset(base, 'ETH', 'asset') }),
    await openLeg({ ...wish, pay: parseAsset(base, 'ETH', 'asset') }, way),
    await openLeg({ ...wish, amountUsdMicros: 50_000_001n }, way),
    await openLeg({ ...wish, underpayToleranceBps: 51 }, way),
    await openLeg({ ...wish, feeBps: 99 }, way),
    await openLeg({ ...wish, refundAddress: ON_POLYGON }, way),
    await openLeg({ ...wish, expiresAt: now }, way),
    await openLeg({ ...wish, n: 2 }, way),
    await openLeg({ ...wish, orderRef: 'other' }, way),
  ]
  for (const name of ['id', 'ref', 'address'] as const) {
    const values = new Set([first, ...others].map((leg) => leg[name]))
    assert.equal(values.size, 1 + others.length, name)
  }
  const bound = { ...wish, refundAddress: ON_POLYGON }
  const unused: Rail = { ...rail, capabilities: { ...rail.capabilities, refundAddress: 'unused' } }
  assert.deepEqual(
    [first, await openLeg(bound, way), await openLeg(bound, { ...way, rail: unused })].map(
      (leg) => leg.boundRefundAddress,
    ),
    [null, ON_POLYGON, null],
  )
})

test('an answer is kept for a day and then forgotten', async (t) => {
  const { deps, clock } = await testDeps(t)
  const caller = await aCaller(deps)
  const first = await create(deps, caller)
  clock.advance(24 * HOUR_MS)
  assert.equal(await deleteOldKeys(deps.sql, clock.now()), 0)
  assert.deepEqual(await create(deps, caller), { ...first, replayed: true })
  clock.advance(1)
  assert.equal(await deleteOldKeys(deps.sql, clock.now()), 1)
  assert.equal((await create(deps, caller)).replayed, false)
})

test('a refund address that was given with the order is bound into nothing: the payer confirms it', async (t) => {
  const { deps } = await testDeps(t)
  const wish = parseInput({ amount_usd: 5, pay_chain: 'base', refund_address: ON_POLYGON })
  const { json } = await createOrder(deps, await aCaller(deps), wish, null)
  const { legs, refundProposal } = await getOrder(deps.sql, (JSON.parse(json) as Order).order_no)
  assert.deepEqual([legs[0]?.boundRefundAddress, refundProposal], [null, ON_POLYGON])
})

test('a live order without a live rail is refused, with a way to pay and without', async (t) => {
  const { deps } = await testDeps(t)
  const merchant = await aMerchant(deps)
  await aReceivingAddress(deps, merchant)
  const key = await anApiKey(deps, merchant, { mode: 'live' })
  const caller = { ...key, scopes: [], feeBps: 0 }
  for (const body of [{ amount_usd: 5 }, { amount_usd: 5, pay_chain: 'base' }]) {
    await assert.rejects(createOrder(deps, caller, parseInput(body), idempotent), (error: Error) => {
      assert.match(error.message, /in live mode.*RAILS_CONFIG.*\/docs\/going-live/)
      return isRefusal('no_rail')(error)
    })
  }
  const [row] = await deps.sql<{ n: number }[]>`select count(*)::int as n from idempotency_keys`
  assert.equal(row?.n, 0, 'a refusal frees the key')
})

test('payers who choose at the same moment each get a leg that is what they chose', async (t) => {
  const { deps } = await testDeps(t)
  await warmed(deps.sql)
  const caller = await aCaller(deps)
  const { json } = await createOrder(deps, caller, parseInput({ amount_usd: 60, settle_chain: 'base' }), null)
  const order = await getOrder(deps.sql, (JSON.parse(json) as Order).order_no)
  const choices = ['btc', 'base', 'eth', 'btc', 'base', 'eth']
  const chosen = await Promise.all(choices.map((chain) => chooseLeg(deps, order, { chain, asset: null })))
  for (const after of chosen) assert.notEqual(currentLeg(after), null)
  const { legs } = await getOrder(deps.sql, order.orderNo)
  for (const leg of legs) {
    assert.equal(leg.amountDue, leg.asset === 'BTC' ? 100_000n : 60_000_000n, `${leg.asset} on ${leg.chain}`)
    assert.ok(leg.uri.startsWith(`florin-test:${leg.chain}/`), leg.uri)
  }
  assert.ok(legs.length >= 3)
})

test('the same choice made twice at the same moment is one leg', async (t) => {
  const { deps } = await testDeps(t)
  await warmed(deps.sql)
  const order = await anOrder(deps, await aCaller(deps))
  const chosen = await Promise.all([1, 2, 3, 4].map(() => chooseLeg(deps, order, { chain: 'btc', asset: null })))
  assert.deepEqual(new Set(chosen.map((after) => after.legs.length)), new Set([2]))
})

/** A shop with addresses on base (its default), Polygon and Bitcoin, and a rail that carries on three chains. */
async function shopOnChains(t: TestContext) {
  const { deps: plain } = await testDeps(t)
  const sandbox = sandboxRail({ sql: plain.sql })
  // The sandbox with the reach of a rail of real chains: what it carries comes out as it went in.
  const given: SettleRequest[] = []
  const chainRail: Rail = {
    ...sandbox,
    settle: async (requests) => {
      given.push(...requests)
    },
    capabilities: { ...sandbox.capabilities, kind: 'forwarder', isSandbox: false },
    carries: ({ pay, settle }) =>
      ['base', 'pol', 'arb'].includes(pay.chain) && pay.chain === settle.chain && pay.asset === settle.asset,
  }
  const deps = { ...plain, rails: makeRails([chainRail]) }
  const caller = await aCaller(deps)
  const merchant = anAsker(caller.merchantId)
  const setAt = (chain: string, address: string) =>
    setAddress(deps, merchant, {
      chain: parseChain(chain, 'chain'),
      address: parseReceivingAddress(parseChain(chain, 'chain'), address).address,
      label: null,
    })
  await setAt('pol', ON_POLYGON)
  const order = async (body: Partial<Parameters<typeof parseInput>[0]> = {}) => {
    const { json } = await createOrder(deps, caller, parseInput({ amount_usd: 60, ...body }), null)
    return JSON.parse(json) as Order
  }
  return { deps, given, caller, merchant, setAt, order }
}

const ON_BASE = '0x52908400098527886E0F7030069857D2E4169EE7'
const ON_POLYGON = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const targetOf = (order: Order) => [order.settle_chain, order.settle_asset, order.settle_address]

test('without settle_chain an order settles where it is paid, at the address that was set when it was made', async (t) => {
  const { deps, order, setAt, merchant } = await shopOnChains(t)
  const made = await order()
  assert.deepEqual([...targetOf(made), made.amount_out_expected], ['base', 'USDC', ON_BASE, null])
  await setAt('pol', '0xde709f2102306220921060314715629080e2fb77')
  await removeAddress(deps, merchant, parseChain('base', 'chain'))
  const chosen = await chooseLeg(deps, await getOrder(deps.sql, made.order_no), { chain: 'pol', asset: 'USDT' })
  assert.deepEqual([chosen.settle.chain, chosen.settle.asset, chosen.settleAddress], ['pol', 'USDT', ON_POLYGON])
  assert.equal(chosen.version, 2)
  const back = await chooseLeg(deps, chosen, { chain: 'base', asset: 'USDC' })
  assert.deepEqual([back.settle.chain, back.settle.asset, back.settleAddress], ['base', 'USDC', ON_BASE])
  const stored = await getOrder(deps.sql, made.order_no)
  assert.deepEqual(
    stored.legs.map((leg) => [leg.settle.chain, leg.settle.asset, leg.settleAddress]),
    [
      ['pol', 'USDT', ON_POLYGON],
      ['base', 'USDC', ON_BASE],
    ],
  )
  assert.deepEqual([stored.settle.chain, stored.rail], ['base', 'forwarder'])
})

test('a rail is told to settle to the target of the leg that the money is on, not to the one that was chosen last', async (t) => {
  const { deps, given, order } = await shopOnChains(t)
  const { order_no: orderNo, pay } = await order({ pay_chain: 'pol' })
  assert.ok(pay)
  await chooseLeg(deps, await getOrder(deps.sql, orderNo), { chain: 'base', asset: 'USDC' })
  const { orderRef, legs } = await getOrder(deps.sql, orderNo)
  const transfer = {
    kind: 'transfer',
    legRef: legs[0]?.ref ?? '',
    amount: 60_000_000n,
    seenAt: deps.clock.now(),
  } as const
  await actInSandbox(deps.sql, orderRef, transfer, deps.clock.now())
  await actInSandbox(deps.sql, orderRef, { kind: 'confirm' }, deps.clock.now())
  await settleOrder(deps, { orderNo, orderRef })
  const [request] = given
  assert.deepEqual(
    [request?.settle.chain, request?.merchantAddress, request?.legRef, given.length],
    ['pol', ON_POLYGON, legs[0]?.ref, 1],
  )
})

test('pay_chain follows the same rule, and a refusal says what would be right', async (t) => {
  const { order } = await shopOnChains(t)
  const paid = await order({ pay_chain: 'pol' })
  assert.deepEqual([...targetOf(paid), paid.amount_out_expected], ['pol', 'USDC', ON_POLYGON, '60000000'])
  assert.deepEqual(targetOf(await order({ pay_chain: 'pol', settle_asset: 'USDC' })), ['pol', 'USDC', ON_POLYGON])
  const no = (body: Parameters<typeof order>[0], why: RegExp) => assert.rejects(order(body), why)
  await no({ pay_chain: 'arb' }, /where settle_chain is left out and a receiving address on arb is set/)
  await no({ pay_chain: 'pol', settle_chain: 'base' }, /where settle_chain is left out/)
  await no({ pay_chain: 'base', pay_asset: 'ETH' }, /where settle_chain is left out, settle_asset is ETH and/)
  await no({ pay_chain: 'pol', pay_asset: 'USDT', settle_asset: 'USDC' }, /Nothing here carries USDT/)
  await no(
    { pay_chain: 'btc' },
    /Nothing here carries BTC on btc to USDC on base\. GET \/v1\/chains lists what is carried here/,
  )
  assert.deepEqual(targetOf(await order({ settle_chain: 'pol' })), ['pol', 'USDC', ON_POLYGON])
})

test('an order can be made that nothing settles by default, where it can be paid on another chain', async (t) => {
  const { deps, order, merchant } = await shopOnChains(t)
  await changeMerchant(deps, merchant, { name: undefined, defaultSettleChain: 'btc' })
  const made = await order()
  assert.equal(made.settle_chain, 'btc')
  const chosen = await chooseLeg(deps, await getOrder(deps.sql, made.order_no), { chain: 'base', asset: 'USDC' })
  assert.deepEqual([chosen.settle.chain, chosen.settleAddress], ['base', ON_BASE])
  await assert.rejects(order({ settle_chain: 'btc' }), /Nothing here settles BTC on btc/)
})
