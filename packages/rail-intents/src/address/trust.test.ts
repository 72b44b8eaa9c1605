// After a quote that lied no process takes another one for ten minutes, whenever that was asked for and whenever it began.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import { anOrder } from '../../../server/test/orders.ts'
import { aWorld, PAYER, type Process, startProcess, type World } from '../test/world.fixture.ts'

const lie = {
  change: ({ quoteRequest }: { quoteRequest: object }) => void Object.assign(quoteRequest, { recipient: PAYER }),
  isSigned: true,
}

const orderAt = (world: World, { deps }: Process): Promise<OrderState> =>
  anOrder(deps, world.caller, { amount_usd: 50, pay_chain: 'arb', pay_asset: 'USDC', refund_address: PAYER })

const quotes = ({ provider }: World): number => provider.requests.filter((one) => one.path === '/v0/quote').length
const legs = async ({ deps }: World): Promise<unknown[]> => [...(await deps.sql`select 1 from intents_legs`)]
const why = (text: RegExp) => (error: Error & { cause?: Error }) => text.test(error.cause?.message ?? '')

test('a good quote that is under way when another one lies is not taken, whichever process asked', async (t) => {
  const world = await aWorld(t)
  const { provider } = world
  const second = startProcess(world.deps, world)
  await second.rail.check()
  for (const other of [world, second]) {
    const asked = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    provider.beforeAnswer = async (path) => {
      if (path !== '/v0/quote') return
      provider.beforeAnswer = null
      asked.resolve()
      await release.promise
    }
    const good = orderAt(world, other)
    const refused = assert.rejects(good, why(/not what was asked for/))
    await asked.promise
    provider.rules.lie = lie
    await assert.rejects(orderAt(world, world), why(/another recipient/))
    provider.rules.lie = null
    release.resolve()
    await refused
    assert.equal((await legs(world)).length, 0)
    world.clock.advance(10 * MINUTE_MS + SECOND_MS)
  }
  assert.equal((await orderAt(world, second)).legs[0]?.rail, 'intents')
})

test('that the provider lied outlives the process that was told, and ends after ten minutes', async (t) => {
  const world = await aWorld(t)
  const { provider, clock } = world
  const before = await world.order()
  provider.rules.lie = lie
  await assert.rejects(world.order(), why(/another recipient/))
  provider.rules.lie = null
  const asked = quotes(world)
  const begun = startProcess(world.deps, world)
  await begun.rail.check()
  // Nothing but this table is left of it: what orders are offered is written anew by a job, some time after a start.
  await world.deps.sql`delete from route_troubles`
  await assert.rejects(orderAt(world, begun), why(/not what was asked for/))
  clock.advance(10 * MINUTE_MS - SECOND_MS)
  await assert.rejects(orderAt(world, begun), why(/not what was asked for/))
  assert.equal(quotes(world), asked, 'it is not asked for addresses that nobody is shown')
  // What was opened before is as it was.
  assert.equal((await world.read(before)).status, 'pending')
  clock.advance(2 * SECOND_MS)
  assert.equal((await orderAt(world, begun)).legs[0]?.rail, 'intents')
})
