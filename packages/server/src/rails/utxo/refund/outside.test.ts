// A refund that the merchant paid after the settlement, and named: found in a block, deep enough, of the very amount, once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { askOwnRefund, nameTransaction } from '../../../orders/own-refunds/acts.ts'
import { watchOwnRefunds } from '../../../orders/own-refunds/watch.ts'
import { addressOf } from '../chain/script.ts'
import { TestChain, txidOf } from '../test/chain.fixture.ts'
import { aWorld, output } from '../test/world.fixture.ts'

const DUE = 100_000n

test('an own refund in the coin is recorded once a block that is deep enough shows it', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 2 }] } })
  const { chain, deps } = world
  const script = `0014${'cd'.repeat(20)}`
  const address = addressOf(chain.network, script) ?? ''
  const older = TestChain.transaction([output(script, 40_000n)])
  chain.mine([older])
  world.clock.advance(DAY_MS)
  const order = await world.order()
  world.announce(order, DUE)
  for (let n = 0; n < 2; n++) chain.mine()
  await world.settle()
  const { merchantId } = world.caller
  const caller = { merchantId, actor: 'test', isConsole: true, isFresh: true, livemode: false } as never
  const ask = async (amount: bigint) => {
    const wish = { amount, address, reason: null, mayExceed: false }
    return askOwnRefund(deps, caller, await world.read(order), wish)
  }
  const asked = await ask(40_000n)
  assert.deepEqual([asked.uri, asked.transaction], [`bitcoin:${address}?amount=0.0004`, null])
  const named = async (id: string, raw: Buffer) => {
    await nameTransaction(deps, caller, await world.read(order), { id, txHash: txidOf(raw) })
    return look(id)
  }
  const look = async (id: string) => {
    await world.look()
    world.clock.advance(60_000)
    await watchOwnRefunds(deps)
    const row = (await world.read(order)).ownRefunds.find((one) => one.id === id)
    return [row?.status, row?.failure ?? null]
  }
  assert.match(String((await named(asked.id, older))[1]), /older than the order/)
  const wrong = TestChain.transaction([output(script, 39_999n)])
  const right = TestChain.transaction([output('51', 5n), output(script, 40_000n)])
  chain.mine([wrong, right])
  chain.mine([])
  assert.match(String((await named(asked.id, wrong))[1]), /moves 39999 .* not 40000/)
  assert.deepEqual(await named(asked.id, right), ['recorded', null])
  // The same transfer refunds nothing twice; one that is not deep enough waits.
  const second = await ask(40_000n)
  assert.match(String((await named(second.id, right))[1]), /counts already/)
  const late = TestChain.transaction([output(script, 40_000n)])
  chain.mine([late])
  assert.deepEqual(await named(second.id, late), ['requested', null])
  chain.mine([])
  assert.deepEqual(await look(second.id), ['recorded', null])
})
