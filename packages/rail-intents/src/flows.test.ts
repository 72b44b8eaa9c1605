// Whole flows with the double: orders that settle on every chain family, and what a provider does when things go wrong. Each
// order ends in the right status, with one event for each change and books that add up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { setAddress } from '../../server/src/addresses/change.ts'
import { parseReceivingAddress } from '../../server/src/addresses/rules.ts'
import { actOnAttention } from '../../server/src/decisions/acts.ts'
import { parseChain } from '../../server/src/parse-chain.ts'
import { listTimeline } from '../../server/src/webhooks/events.store.ts'
import { anAsker, aThirdParty } from '../../server/test/factories.ts'
import { aCaller } from '../../server/test/orders.ts'
import { depositAddress } from './test/addresses.fixture.ts'
import {
  announce,
  claimWithoutPaying,
  type DoubleSwap,
  deposit,
  fail,
  fill,
  forget,
  giveBack,
} from './test/swaps.fixture.ts'
import { aWorld, PAYER, type World } from './test/world.fixture.ts'

async function events(world: World, order: OrderState): Promise<(string | null)[]> {
  const now = await world.read(order)
  const rows = await listTimeline(world.deps.sql, now)
  return rows.map((row) => row.event).filter((event) => event !== null)
}

/** Nothing is held, and nothing came from nowhere. */
function addsUp(order: OrderState): void {
  for (const line of balanceOf(order)) {
    assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
    assert.equal(line.held, 0n)
  }
}

const due = (order: OrderState): bigint => order.legs[0]?.amountDue ?? 0n
const least = (order: OrderState): bigint => order.legs[0]?.least ?? 0n

async function pay(world: World, order: OrderState, amount = due(order)): Promise<OrderState> {
  deposit(world.swapOf(order), amount, world.clock.now())
  await world.settle()
  return world.read(order)
}

async function filled(world: World, order: OrderState, a: { hash?: string | null; amountOut?: bigint } = {}) {
  fill(world.swapOf(order), world.clock.now(), a)
  await world.settle()
  return world.read(order)
}

const isRefused = (code: string) => (error: unknown) => error instanceof AppError && error.entry.code === code

/** Where each family is paid, and from where. */
const routes: readonly (readonly [settle: string, asset: string, pay: string, payAsset: string])[] = [
  ['eth', 'USDC', 'sol', 'USDC'],
  ['base', 'USDC', 'btc', 'BTC'],
  ['bsc', 'USDC', 'stellar', 'USDC'],
  ['sol', 'USDC', 'arb', 'USDC'],
  ['btc', 'BTC', 'eth', 'ETH'],
  ['ltc', 'LTC', 'tron', 'USDT'],
  ['doge', 'DOGE', 'xrp', 'XRP'],
  ['near', 'USDC', 'ton', 'GRAM'],
  ['aptos', 'APT', 'sui', 'SUI'],
  ['sui', 'SUI', 'aptos', 'APT'],
  ['ton', 'GRAM', 'near', 'NEAR'],
  ['tron', 'USDT', 'ltc', 'LTC'],
  ['stellar', 'USDC', 'cardano', 'ADA'],
  ['xrp', 'XRP', 'doge', 'DOGE'],
  ['cardano', 'ADA', 'starknet', 'STRK'],
  ['starknet', 'STRK', 'base', 'USDC'],
  ['aleo', 'ALEO', 'bsc', 'BNB'],
]

test('an order settles on every chain family, paid from another, with memo where the chain has one', async (t) => {
  const world = await aWorld(t)
  for (const [n, [settle, asset, chain, payAsset]] of routes.entries()) {
    const found = parseChain(settle, 'chain')
    const { address } = parseReceivingAddress(found, depositAddress(settle, 1_000 + n))
    await setAddress(world.deps, anAsker(world.caller.merchantId), { chain: found, address, label: null })
    const order = await world.order({
      ...{ settle_chain: settle, settle_asset: asset, pay_chain: chain, pay_asset: payAsset },
      refund_address: depositAddress(chain, 2_000 + n),
    })
    const [leg] = order.legs
    assert.equal(leg?.rail, 'intents', `${settle} from ${chain}`)
    assert.equal(leg?.memo !== null, chain === 'stellar')
    assert.ok(chain !== 'stellar' || leg?.uri.includes(`memo=${leg.memo}`))
    assert.equal((await pay(world, order)).status, 'processing')
    const done = await filled(world, order)
    assert.deepEqual([done.status, done.detail, done.amountOut], ['success', 'paid', leg?.amountOut])
    assert.equal(world.swapOf(order).echo.recipient, address)
    assert.deepEqual(await events(world, order), ['order.processing', 'order.success'])
    addsUp(done)
  }
})

test('the merchant gets the whole amount less the fee, the payer bears the way, and what was not needed goes back', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const [leg] = order.legs
  // $50 less 1 % in a coin that is listed within a hundredth of a dollar.
  assert.equal(leg?.amountOut, 49_500_000n)
  assert.ok(due(order) > 50_000_000n)
  assert.equal(leg?.route?.refund_fee, String(world.swapOf(order).priced.refundFee))
  // Half of what is asked for as a fee reaches the operator.
  const sent = world.provider.requests.find((one) => one.path === '/v0/quote')
  assert.deepEqual(sent?.body?.appFees, [{ recipient: 'florin.near', fee: 200 }])
  await pay(world, order)
  const done = await filled(world, order)
  const [line] = balanceOf(done)
  assert.ok(line && line.fee > 0n && line.refunded > 0n)
  assert.equal(done.refunds[0]?.reason, 'returned_by_rail')
  assert.equal(done.refunds[0]?.address, PAYER)
  addsUp(done)
})

test('short, topped up, too much, late and refused money end where they belong', async (t) => {
  const world = await aWorld(t)
  const { clock } = world

  const topped = await world.order()
  const partial = await pay(world, topped, least(topped) / 2n)
  assert.deepEqual([partial.status, partial.detail], ['pending', 'partially_paid'])
  assert.equal((await pay(world, topped, least(topped))).status, 'processing')
  const whole = await filled(world, topped)
  assert.equal(whole.status, 'success')
  addsUp(whole)

  const over = await world.order()
  await pay(world, over, 2n * due(over))
  const overpaid = await filled(world, over)
  assert.deepEqual([overpaid.status, overpaid.detail], ['success', 'overpaid'])
  addsUp(overpaid)

  const slipped = await world.order()
  await pay(world, slipped)
  giveBack(world.swapOf(slipped), 'SLIPPAGE_EXCEEDED', clock.now())
  await world.settle()
  const back = await world.read(slipped)
  assert.deepEqual([back.status, back.refunds[0]?.address], ['refunded', PAYER])
  assert.deepEqual(await events(world, slipped), ['order.processing', 'order.refunded'])
  addsUp(back)

  const broken = await world.order()
  await pay(world, broken)
  fail(world.swapOf(broken), clock.now())
  await world.settle()
  const failed = await world.read(broken)
  assert.deepEqual([failed.status, failed.detail], ['failed', 'settlement_failed'])
  // Nobody here can send what the provider keeps: nothing is offered that could not be done.
  const [kept] = await world.deps.sql<{ actions: string[]; failure: string }[]>`
    select actions, evidence ->> 'failure' as failure from attention where order_no = ${failed.orderNo}`
  assert.deepEqual(kept?.actions, ['dismiss'])
  assert.match(kept?.failure ?? '', new RegExp(`its support asks for the deposit address ${failed.legs[0]?.address}`))
  // It owes the money, and may still send it.
  world.swapOf(broken).status = 'PROCESSING'
  giveBack(world.swapOf(broken), 'LATER', clock.now())
  await world.settle()
  assert.equal((await world.read(broken)).status, 'refunded')
  // It was not asked about for long: the merchant's wish to look again asks, and waits for the answer.
  const asleep = await world.order()
  await pay(world, asleep)
  fail(world.swapOf(asleep), clock.now())
  await world.settle()
  await world.later(9 * DAY_MS)
  await world.deps.sql`update intents_legs set due_at = null where order_ref = ${asleep.orderRef}`
  world.swapOf(asleep).status = 'PROCESSING'
  giveBack(world.swapOf(asleep), 'LATER', clock.now())
  await world.settle()
  assert.equal((await world.read(asleep)).status, 'failed')
  clock.advance(2 * MINUTE_MS)
  await assert.rejects(world.rail.rail.recheck(asleep.orderRef, true), /is asked about a swap/)
  await world.settle()
  await world.rail.rail.recheck(asleep.orderRef, true)
  assert.equal((await world.read(asleep)).status, 'refunded')

  const short = await world.order()
  const late = await world.order()
  const strict = await world.order({ late_policy: 'refund', expires_in: 600 })
  // Where late money goes back the provider swaps nothing after the order's end, and payers are told to pay before.
  const { expiresAt } = strict
  assert.deepEqual(
    [world.swapOf(strict).echo.deadline, strict.legs[0]?.rateExpiresAt],
    [expiresAt.toISOString(), new Date(expiresAt.getTime() - 5 * MINUTE_MS)],
  )
  await pay(world, short, least(short) / 2n)
  await world.later(31 * MINUTE_MS)
  assert.deepEqual([(await world.read(short)).detail, (await world.read(late)).detail], ['underpaid', 'unpaid'])
  assert.equal((await pay(world, strict)).status, 'refunded')
  addsUp(await world.read(strict))
  await world.later(20 * MINUTE_MS)
  assert.equal((await world.read(short)).status, 'refunded')
  const lateBack = await pay(world, late)
  assert.equal(lateBack.status, 'refunded')
  addsUp(lateBack)
  // Past the end of its address the provider sees nothing, and Florin asks no more.
  const never = await world.order()
  await world.later(5 * DAY_MS)
  assert.equal((await pay(world, never)).status, 'expired')
  const rows = await world.deps.sql<{ dueAt: Date | null }[]>`
    select due_at as "dueAt" from intents_legs where order_ref = ${never.orderRef}`
  assert.deepEqual(
    rows.map((row) => row.dueAt),
    [null],
  )
})

test('an announced deposit is shown and counts for nothing, and may go away again', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const swap = world.swapOf(order)
  announce(swap, world.clock.now())
  await world.settle()
  assert.deepEqual(
    [(await world.read(order)).status, (await world.read(order)).detail],
    ['pending', 'seen_unconfirmed'],
  )
  forget(swap, world.clock.now())
  await world.settle()
  assert.equal((await world.read(order)).payments[0]?.status, 'dropped')
  announce(swap, world.clock.now())
  await world.settle()
  await pay(world, order)
  const done = await filled(world, order)
  assert.equal(done.status, 'success')
  addsUp(done)
})

test('a status that nobody knows, and amounts that are left out, change nothing that is not so', async (t) => {
  const world = await aWorld(t)
  const { provider } = world
  const order = await world.order()
  provider.rules.word = 'FAILED_EXECUTION'
  assert.equal((await pay(world, order)).status, 'pending')
  provider.rules.word = null
  provider.rules.hidesDeposits = true
  await world.settle()
  const paid = await world.read(order)
  assert.deepEqual([paid.status, paid.payments[0]?.amount], ['processing', least(order)])
  const done = await filled(world, order)
  assert.equal(done.status, 'success')
  addsUp(done)
})

test('the provider is away for ten minutes in each phase: nothing expires unseen, nothing is lost, nothing is done twice', async (t) => {
  const world = await aWorld(t)
  const { provider } = world
  const away = async (minutes: number): Promise<void> => {
    provider.rules.isDown = true
    for (let n = 0; n < minutes; n++) await world.later(MINUTE_MS)
  }
  const order = await world.order()
  await away(31)
  // Its time is over, and whether it was paid nobody can tell.
  assert.equal((await world.read(order)).status, 'pending')
  deposit(world.swapOf(order), due(order), world.clock.now())
  provider.rules.isDown = false
  await world.settle()
  assert.equal((await world.read(order)).status, 'processing')
  await away(10)
  fill(world.swapOf(order), world.clock.now())
  assert.equal((await world.read(order)).status, 'processing')
  await away(10)
  provider.rules.isDown = false
  await world.settle()
  const done = await world.read(order)
  assert.equal(done.status, 'success')
  assert.deepEqual(await events(world, order), ['order.processing', 'order.success'])
  addsUp(done)
  await away(10)
  await assert.rejects(world.order(), /./)
  provider.rules.isDown = false
  const legs = await world.deps.sql`select 1 from intents_legs`
  assert.equal(legs.length, 1)
})

test('SUCCESS is no success while nobody but the provider says so, unless the merchant took its word before, or gives his own', async (t) => {
  const world = await aWorld(t)
  const { caller, clock } = world
  const { sql } = world.deps
  const set = (isTaken: boolean) =>
    aThirdParty(world.deps, {
      ...{ merchantId: caller.merchantId, livemode: false, chain: 'base', isOn: true, takesUnproven: isTaken },
    })
  await set(false)
  const order = await world.order()
  await pay(world, order)
  const claimed = await filled(world, order)
  assert.deepEqual([claimed.status, claimed.detail, claimed.amountOut], ['processing', 'settlement_unproven', null])
  const open = async () =>
    (
      await world.deps.sql<{ kind: string }[]>`
      select kind from attention where order_no = ${order.orderNo} and resolved_at is null`
    ).map((row) => row.kind)
  assert.deepEqual(await open(), ['settlement_unproven'])
  // The switch counts for what is opened after it; of this payout the merchant himself says that it is there.
  await set(true)
  await world.settle()
  const [item] = await sql<{ id: string }[]>`
    select id from attention where order_no = ${order.orderNo} and kind = 'settlement_unproven'`
  const say = (who: Partial<Parameters<typeof actOnAttention>[1]>) =>
    actOnAttention(
      world.deps,
      { ...anAsker(caller.merchantId), no: 1, isOperator: false, ...who },
      item?.id ?? '',
      'take-word',
    )
  await assert.rejects(say({ isFresh: false }), isRefused('confirmation_required'))
  const stranger = (await aCaller(world.deps)).merchantId
  await assert.rejects(say({ id: stranger }), isRefused('attention_not_found'))
  await assert.rejects(say({ id: stranger, isOperator: true }), isRefused('action_not_possible'))
  await world.settle()
  assert.equal((await world.read(order)).status, 'processing')
  await say({})
  await world.settle()
  const done = await world.read(order)
  assert.deepEqual([done.status, done.settlements[0]?.proven], ['success', false])
  assert.deepEqual(await open(), [])
  assert.deepEqual(await events(world, order), ['order.processing', 'order.success'])

  // What was opened while the word was enough stays so, whatever is switched later.
  const trusting = await world.order()
  await pay(world, trusting)
  await set(false)
  assert.equal((await filled(world, trusting)).status, 'success')
  await set(true)

  // It says SUCCESS and the money went back: never a success, whatever the merchant takes.
  const gone = await world.order()
  await pay(world, gone)
  claimWithoutPaying(world.swapOf(gone), clock.now())
  await world.settle()
  assert.equal((await world.read(gone)).status, 'processing')
  await world.later(11 * MINUTE_MS)
  assert.equal((await world.read(gone)).status, 'refunded')

  // Less than was promised is no payment of the order.
  const less = await world.order()
  await pay(world, less)
  const short = await filled(world, less, { amountOut: 1_000_000n })
  assert.deepEqual([short.status, short.detail], ['processing', 'settlement_unproven'])
  // The payout's transaction may come later than the word.
  const slow = await world.order()
  await pay(world, slow)
  assert.equal((await filled(world, slow, { hash: null })).status, 'processing')
  const later = `0x${'1a'.repeat(32)}`
  world.swapOf(slow).destination = [later]
  await world.settle()
  assert.deepEqual([(await world.read(slow)).status, (await world.read(slow)).settleTxHash], ['success', later])
})

test('what the provider says of amounts is believed as far as it can be; a dismissed doubt leaves the merchant his word', async (t) => {
  const world = await aWorld(t)
  const { caller, clock } = world
  const { sql } = world.deps
  const itemsOf = ({ orderNo }: OrderState) =>
    sql<{ id: string; kind: string; evidence: Record<string, string> }[]>`
      select id, kind, evidence from attention where order_no = ${orderNo} and resolved_at is null`
  const act = (id: string | undefined, action: string) =>
    actOnAttention(world.deps, { ...anAsker(caller.merchantId), no: 1, isOperator: false }, id ?? '', action)

  // A unit short by its own word: dismissed, and the money found later.
  const short = await world.order()
  await pay(world, short)
  const out = short.legs[0]?.amountOut ?? 0n
  assert.equal((await filled(world, short, { amountOut: out - 1n })).status, 'processing')
  const [doubt] = await itemsOf(short)
  assert.equal(doubt?.kind, 'provider_contradicted')
  await act(doubt?.id, 'dismiss')
  await world.later(DAY_MS)
  assert.equal((await world.read(short)).status, 'processing')
  await act(doubt?.id, 'take-word')
  await world.settle()
  const found = await world.read(short)
  assert.deepEqual(
    [found.status, found.amountOut, found.settlements[0]?.proven, await events(world, short)],
    ['success', out, false, ['order.processing', 'order.success']],
  )
  addsUp(found)
  await assert.rejects(act(doubt?.id, 'take-word'), isRefused('action_not_possible'))

  // It has the money, and neither swaps it nor sends it back.
  const slow = await world.order()
  await pay(world, slow)
  await world.later(61 * MINUTE_MS)
  assert.deepEqual(await itemsOf(slow), [])
  world.swapOf(slow).status = 'ON_HOLD' as DoubleSwap['status']
  await world.later(HOUR_MS)
  const [late] = await itemsOf(slow)
  assert.deepEqual(
    [late?.kind, late?.evidence.asset, late?.evidence.deposit_address],
    ['third_party_slow', 'USDC', slow.legs[0]?.address],
  )
  world.swapOf(slow).status = 'PROCESSING'
  assert.equal((await filled(world, slow)).status, 'success')
  assert.deepEqual(await itemsOf(slow), [])

  // Numbers that cannot be: more came back than came, more was used, more was paid out than was promised, by its word alone.
  const wild = await world.order()
  await pay(world, wild)
  const swap = world.swapOf(wild)
  fill(swap, clock.now(), { amountOut: out * 1_000_000n })
  Object.assign(swap, { amountIn: 10n ** 30n, refunded: 0n })
  await world.settle()
  const sane = await world.read(wild)
  assert.deepEqual([sane.status, sane.amountOut, balanceOf(sane)[0]?.received], ['success', out, due(wild)])
  addsUp(sane)
  const rich = await world.order()
  await pay(world, rich)
  giveBack(world.swapOf(rich), 'SLIPPAGE_EXCEEDED', clock.now())
  world.swapOf(rich).refunded = 10n ** 30n
  await world.settle()
  const returned = await world.read(rich)
  assert.deepEqual([returned.status, balanceOf(returned)[0]?.received], ['refunded', due(rich)])
  addsUp(returned)
  // Its word alone, and all of it went back by the same word.
  const both = await world.order()
  await pay(world, both)
  fill(world.swapOf(both), clock.now())
  world.swapOf(both).refunded = due(both) - 1n
  await world.settle()
  assert.equal((await world.read(both)).status, 'processing')
  assert.equal((await itemsOf(both))[0]?.kind, 'provider_contradicted')
})
