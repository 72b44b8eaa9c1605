// An address that is given out again because nobody paid for long: the newer order gets what is its own to the satoshi, and
// everything else goes to a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@florin/protocol'
import { anAsker } from '../../../../test/factories.ts'
import { setWalletLimit } from '../../../addresses/account-settings.ts'
import { REUSED_AFTER_MS } from '../../../addresses/accounts/rules.ts'
import { tellLimits } from '../../../addresses/accounts/tell.ts'
import { readConditions } from '../../../orders/create/conditions.ts'
import type { OrderState } from '../../../orders/model/state.ts'
import { parseChain } from '../../../parse-chain.ts'
import { partitionedTables } from '../../../partitions.ts'
import { makePartitions } from '../../../platform/db/partitions.ts'
import { TestChain } from '../test/chain.fixture.ts'
import { aWorld, output } from '../test/world.fixture.ts'

const fullAccounts = async ({ deps, clock }: Awaited<ReturnType<typeof aWorld>>, order: OrderState) =>
  (await readConditions(deps.sql, order, clock.now())).fullAccounts

test('a reused address pays the newer order by its very amount alone; a doubt is the older one’s and a person’s', async (t) => {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 1 }] } })
  const { sql } = world.deps
  await setWalletLimit(world.deps, anAsker(world.caller.merchantId), parseChain('btc', 'chain'), 10)
  const old = [51, 52, 53, 54, 55]
  const given: Awaited<ReturnType<typeof world.order>>[] = []
  for (const amount_usd of old) given.push(await world.order({ amount_usd }))
  const open = () => sql<{ kind: string; order_no: string | null; evidence: Record<string, string> }[]>`
    select kind, order_no, evidence from attention where resolved_at is null order by id`
  await tellLimits(world.deps)
  assert.deepEqual(
    (await open()).map(({ kind, evidence }) => [kind, evidence.unpaid, evidence.unpaid_max, evidence.highest_index]),
    [['wallet_limit_near', '5', '5', '4']],
  )
  const [first, second, third, fourth, fifth] = given
  assert.ok(first && second && third && fourth && fifth)
  assert.equal((await fullAccounts(world, first)).size, 1)
  await assert.rejects(world.order({ amount_usd: 60 }), /wait for a payment/)
  // One of them is announced and taken back: it is given to nobody else, whatever becomes of it.
  const coin = TestChain.outpoint()
  world.announce(fifth, 1_000n, [coin])
  await world.settle()
  world.chain.send(TestChain.transaction([output('51', 1_000n)], [coin]))
  await world.settle()

  world.clock.advance(REUSED_AFTER_MS + DAY_MS)
  await makePartitions(sql, partitionedTables, world.clock.now())
  world.chain.mine([])
  await world.settle()
  assert.equal((await fullAccounts(world, first)).size, 0)
  const again = [await world.order({ amount_usd: 61 }), await world.order({ amount_usd: 62 }), await world.order()]
  const [a, b, c] = again
  assert.ok(a && b && c)
  assert.deepEqual(again.map(world.scriptOf), [first, second, third].map(world.scriptOf), 'the oldest first')
  assert.equal(world.scriptOf(await world.order({ amount_usd: 63 })), world.scriptOf(fourth))
  await assert.rejects(world.order({ amount_usd: 64 }), /wait for a payment/, 'the fifth was seen')

  // The very amount of the newer order; that of the older one; and one that is neither's.
  world.announce(a, a.legs[0]?.amountDue ?? 0n)
  world.announce(b, second.legs[0]?.amountDue ?? 0n)
  world.announce(c, 12_345n)
  world.chain.mine()
  await world.settle()
  assert.deepEqual([(await world.read(a)).status, (await world.read(first)).payments.length], ['success', 0])
  assert.deepEqual([(await world.read(b)).status, (await world.read(second)).payments[0]?.use], ['pending', 'late'])
  const [newer, older] = [await world.read(c), await world.read(third)]
  assert.deepEqual([newer.payments.length, older.payments[0]?.use, older.payments[0]?.amount], [0, 'late', 12_345n])
  const doubts = (await open()).filter(({ kind }) => kind === 'payment_of_two_orders')
  assert.deepEqual(
    doubts.map((row) => [row.order_no, row.evidence.amount, row.evidence.tx_hash]),
    [[c.orderNo, '12345', older.payments[0]?.txHash]],
  )
  assert.ok((await open()).some((row) => row.kind === 'refund_address_needed' && row.order_no === third.orderNo))
})
