// Runs a watcher whose providers silently leave out nearly a third of all logs.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { expireDue } from '../../../server/src/orders/expire.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { settleDue } from '../../../server/test/orders.ts'
import { aLyingNode } from './lying-node.fixture.ts'
import { aWorld, chainOver, testNode, type World } from './world.fixture.ts'

export interface PlayedLies {
  /** Orders that were paid, each in time. */
  paid: number
  missed: number
  lies: number
  /** Payments by what found them: the first scan, the second, or the balance. */
  foundBy: Record<string, number>
  wallMs: number
}

/** The nodes' clocks follow the service's. */
export async function advance(world: World, ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.anvil.increaseTime({ seconds: Math.ceil(ms / 1000) })
  await world.mine()
}

export async function playLies(t: TestContext, a: { orders: number; seed: number }): Promise<PlayedLies> {
  const began = performance.now()
  const node = await testNode()
  let roll = a.seed
  const lie = ({ method }: { method: string }) => {
    roll = (Math.imul(roll, 1_664_525) + 1_013_904_223) >>> 0
    return method === 'eth_getLogs' && roll / 2 ** 32 < 0.3 ? { result: [] } : null
  }
  const liars = [await aLyingNode(t, node.url, lie), await aLyingNode(t, node.url, lie)]
  const rpc = liars.map((liar) => liar.url)
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc })] })
  const orders = []
  for (let n = 0; n < a.orders; n++) orders.push(await world.order())
  for (const order of orders) {
    await world.pay(order.legs[0]?.address ?? '', node.usdc, order.legs[0]?.amountDue ?? 0n)
    await world.look()
  }
  await world.mine(3)
  await world.look()
  await advance(world, 31 * MINUTE_MS)
  await world.look()
  await settle(world)
  let missed = 0
  for (const { orderNo } of orders) {
    const order = await getOrder(world.deps.sql, orderNo)
    if (order.payments.length === 0) missed++
    else {
      assert.deepEqual([order.status, order.payments.length], ['processing', 1])
      assert.equal(order.payments[0]?.use, 'counted', 'it came in time, however late it was found')
    }
  }
  const found = await world.deps.sql<{ foundBy: string; count: bigint }[]>`
    select found_by as "foundBy", count(*) from forwarder_observations group by found_by`
  assert.ok(liars.every((liar) => liar.lies() > 0) && found.length > 1)
  const played: PlayedLies = {
    ...{ paid: orders.length, missed, lies: liars.reduce((sum, liar) => sum + liar.lies(), 0) },
    foundBy: Object.fromEntries(found.map((row) => [row.foundBy, Number(row.count)])),
    wallMs: Math.round(performance.now() - began),
  }
  t.diagnostic(JSON.stringify(played))
  return played
}

/** Lets the deadline pass and all that was reported be applied. */
async function settle(world: World): Promise<void> {
  while ((await settleDue(world.deps)) + (await expireDue(world.deps)) > 0);
}
