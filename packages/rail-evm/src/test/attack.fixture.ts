// Plays orders over providers of which some lie, all kinds of lies one after another, and holds after each step what
// no liar may break: no success without the merchant's money, no expiry of a paid order, no refund twice.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { balanceOf } from '@florin/order-model/balance'
import type { OrderState } from '@florin/order-model/state'
import { randomOctets } from '@florin/platform/ids'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { type Hex, toHex } from 'viem'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { dumpOf } from './dump.fixture.ts'
import { aLiar, type Liar, type LieMode } from './liar.fixture.ts'
import { advance } from './lies.fixture.ts'
import { aLyingNode } from './lying-node.fixture.ts'
import { aWorld, chainOver, lower, testNode, type World } from './world.fixture.ts'

/** What the payer sends, of what is due. */
const plans = ['exactly', 'nothing', 'half', 'too much', 'coins'] as const
type Plan = (typeof plans)[number]

interface Played {
  order: OrderState
  plan: Plan
  refundTo: string
}

export interface AttackedBy {
  orders: number
  /** The lies of each round: one for each provider that lies. */
  rounds: readonly (readonly LieMode[])[]
}

export async function playAttack(t: TestContext, a: AttackedBy): Promise<{ lies: number; wallMs: number }> {
  const began = performance.now()
  const node = await testNode()
  const liars = Array.from({ length: Math.max(...a.rounds.map((round) => round.length)) }, () =>
    aLiar(lower(node.factory)),
  )
  const proxies = await Promise.all(liars.map((liar) => aLyingNode(t, node.url, (call) => liar.lie(call))))
  const rpc = [...proxies.map((proxy) => proxy.url), node.url]
  // Only who keeps silent has to be given up soon: on a busy machine the honest one is given up with it, and then nobody is left.
  const isSilent = a.rounds.flat().some((mode) => mode === 'slow' || mode === 'endless')
  const rpcTimeoutMs = isSilent ? 250 : 30_000
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc, rpcTimeoutMs, headMaxAgeS: 600 })] })
  await world.forwarder.check()
  const all: Played[] = []
  const perRound = Math.ceil(a.orders / a.rounds.length)
  const hadAtFirst = new Map<string, bigint>()
  const merchantHad = async (order: OrderState, asset: string) =>
    world.unitsOf(asset === 'ETH' ? null : world.node.usdc, order.settleAddress)

  for (const [n, modes] of a.rounds.entries()) {
    t.diagnostic(modes.join(' + '))
    const played: Played[] = []
    for (let i = 0; i < perRound; i++) played.push(await anOrderOf(world, plans[(n + i) % plans.length] ?? 'exactly'))
    const [some] = played
    assert.ok(some)
    for (const asset of ['USDC', 'ETH']) {
      if (!hadAtFirst.has(asset)) hadAtFirst.set(asset, await merchantHad(some.order, asset))
    }
    all.push(...played)
    await rest(world)
    tell(liars, modes, played, world)
    for (const one of played) await pay(world, one)
    const holds = () => invariants(world, all, hadAtFirst)
    for (const ms of [5_000, 31 * MINUTE_MS, MINUTE_MS]) {
      await work(world, 2)
      await advance(world, ms)
      await holds()
    }
    await work(world, 2)
    await holds()
    // The attack is over: who was set aside is asked again, and all that waited goes on.
    tell(liars, [], [], world)
    for (const ms of [HOUR_MS, MINUTE_MS]) {
      await advance(world, ms)
      await work(world, 3)
    }
    await holds()
  }
  await advance(world, DAY_MS)
  for (let round = 0; round < 4; round++) {
    await work(world, 2)
    await advance(world, HOUR_MS)
  }
  await work(world, 2)
  await invariants(world, all, hadAtFirst)
  for (const one of all) {
    try {
      await ended(world, one)
    } catch (error) {
      t.diagnostic(await dumpOf(world, one.order))
      throw error
    }
  }
  const result = {
    lies: proxies.reduce((sum, proxy) => sum + proxy.lies(), 0),
    wallMs: Math.round(performance.now() - began),
  }
  t.diagnostic(JSON.stringify(result))
  return result
}

function tell(liars: readonly Liar[], modes: readonly LieMode[], played: readonly Played[], world: World): void {
  for (const [n, liar] of liars.entries()) {
    liar.mode = modes[n] ?? 'truth'
    liar.victims = played
      .filter(({ plan }) => plan === 'nothing' || plan === 'exactly')
      .map(({ order: { legs, settleAddress } }) => ({
        vault: (legs.at(-1)?.address ?? '').toLowerCase() as `0x${string}`,
        ref: refOf(legs.at(-1)?.proof),
        token: lower(world.node.usdc),
        merchant: settleAddress.toLowerCase() as `0x${string}`,
        amount: legs.at(-1)?.amountDue ?? 0n,
      }))
  }
}

function refOf(proof: unknown): Hex {
  const { route } = (proof ?? {}) as { route?: { ref: Hex } }
  assert.ok(route)
  return route.ref
}

async function anOrderOf(world: World, plan: Plan): Promise<Played> {
  const refundTo = toHex(randomOctets(20))
  const asset = plan === 'coins' ? { pay_asset: 'ETH', settle_asset: 'ETH' } : {}
  return { order: await world.order({ refund_address: refundTo, ...asset }), plan, refundTo }
}

async function pay(world: World, { order, plan }: Played): Promise<void> {
  const leg = order.legs.at(-1)
  assert.ok(leg)
  const due = leg.amountDue
  const amounts: Record<Plan, bigint> = {
    ...{ exactly: due, nothing: 0n, half: due / 2n, 'too much': due + due / 2n, coins: due },
  }
  if (amounts[plan] > 0n) await world.pay(leg.address, plan === 'coins' ? null : world.node.usdc, amounts[plan])
}

/** Everything in the background, round after round; a job that fails is run again later, as in a process. */
async function work(world: World, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < 3; n++) {
      await rest(world)
      await settleDue(world.deps)
      await expireDue(world.deps)
    }
    await world.mine(5)
    world.clock.advance(10_000)
    await world.anvil.increaseTime({ seconds: 10 })
  }
  await rest(world)
  await settleDue(world.deps)
}

async function rest(world: World): Promise<void> {
  for (const job of world.forwarder.jobs) {
    for (let n = 0; n < 50; n++) if ((await job.run(new AbortController().signal).catch(() => 0)) === 0) break
  }
}

async function invariants(
  world: World,
  all: readonly Played[],
  hadAtFirst: ReadonlyMap<string, bigint>,
): Promise<void> {
  const succeeded = new Map<string, bigint>()
  for (const { order, plan, refundTo } of all) {
    const now = await getOrder(world.deps.sql, order.orderNo)
    const where = `${plan}, ${now.status}, ${now.detail}`
    // What came short is known as such, and waits a day for the rest.
    const isKnown = plan === 'half' && now.detail === 'underpaid'
    if (plan !== 'nothing' && !isKnown) assert.notEqual(now.status, 'expired', `a paid order expired: ${where}`)
    if (plan === 'nothing') assert.notEqual(now.status, 'success', where)
    const asset = plan === 'coins' ? 'ETH' : 'USDC'
    if (now.status === 'success') succeeded.set(asset, (succeeded.get(asset) ?? 0n) + (now.amountOut ?? 0n))
    const back = await world.unitsOf(asset === 'ETH' ? null : world.node.usdc, refundTo)
    const due = order.legs.at(-1)?.amountDue ?? 0n
    const most = plan === 'half' || plan === 'too much' ? due / 2n : 0n
    assert.ok(back <= most, `${back} went back of ${most}: ${where}`)
  }
  const [first] = all
  for (const [asset, told] of succeeded) {
    const has = await world.unitsOf(asset === 'ETH' ? null : world.node.usdc, first?.order.settleAddress ?? '')
    assert.ok(has - (hadAtFirst.get(asset) ?? 0n) >= told, `${told} ${asset} were told, ${has} are there`)
  }
}

/** Each order ended as it should, and its books equal the chain. */
async function ended(world: World, { order, plan, refundTo }: Played): Promise<void> {
  const now = await getOrder(world.deps.sql, order.orderNo)
  const leg = order.legs.at(-1)
  assert.ok(leg)
  const expected: Record<Plan, string> = {
    ...{ exactly: 'success', nothing: 'expired', half: 'refunded', 'too much': 'success', coins: 'success' },
  }
  // A payment that was told and never was may be waited for a day, after which a person looks.
  const isTold = plan === 'nothing' && now.payments.length > 0 && now.detail === 'reorged'
  const status = `${plan}: ${now.status} ${now.detail} ${JSON.stringify(now.payments.map((row) => [row.status, String(row.amount)]))}`
  assert.equal(now.status, isTold ? 'failed' : expected[plan], status)
  const token = plan === 'coins' ? null : world.node.usdc
  const [line] = balanceOf(now)
  const { received = 0n, settled = 0n, fee = 0n, refunded = 0n, held = 0n } = line ?? {}
  assert.equal(received, settled + fee + refunded + held, status)
  assert.equal(await world.unitsOf(token, leg.address), held, `held, ${status}`)
  assert.equal(await world.unitsOf(token, refundTo), refunded, `refunded, ${status}`)
}
