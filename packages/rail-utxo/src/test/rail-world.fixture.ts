// This rail's world for the suite of every rail: money moves on a chain in memory, and a merchant's wallet makes the
// refunds that it is asked for.
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import type { RailWorld } from '@florin/rail-kit/testing'
import { nameRefundAddress } from '../../../server/src/orders/acts.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { railHost } from '../../../server/test/rail-host.ts'
import { networkOf } from '../chain/networks.ts'
import { scriptOf } from '../chain/script.ts'
import { listHeld } from '../watch/money.store.ts'
import { TestChain } from './chain.fixture.ts'
import { aWorld, output, startProcess } from './world.fixture.ts'

const PAYER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

export async function makeWorld(t: TestContext): Promise<RailWorld<OrderState>> {
  const world = await aWorld(t, { fields: { confirmations: [{ blocks: 2 }] } })
  const { chain, clock } = world
  const { sql } = world.deps
  const main = networkOf('btc', 'main')
  const payers = main === null ? '' : (scriptOf(main, PAYER) ?? '')
  /** Orders whose merchant knows where the payer wants his money back. */
  const known = new Set<string>()
  let gone: Buffer | null = null

  async function payBack({ orderNo }: OrderState): Promise<void> {
    const order = await getOrder(sql, orderNo)
    const by = { actor: 'test', address: PAYER }
    for (const row of order.refunds) {
      if (row.status === 'waiting' && known.has(orderNo))
        await nameRefundAddress(world.deps, order, { ...by, refundId: row.id }, async () => undefined)
    }
    await world.settle()
    const { refunds } = await getOrder(sql, orderNo)
    const due = refunds.filter((row) => row.status === 'proposed')
    if (due.length > 0) chain.mine([TestChain.transaction(due.map((row) => output(payers, row.amount)))])
    await world.look()
  }

  return {
    host: railHost(world.deps),
    payerAddress: PAYER,
    async order({ refundAddress, latePolicy } = {}) {
      const order = await world.order(latePolicy === undefined ? {} : { late_policy: latePolicy })
      if (refundAddress !== undefined) known.add(order.orderNo)
      return order
    },
    async transfer(order, { amount }) {
      chain.mine([TestChain.transaction([output(world.scriptOf(order), amount)])])
      await world.look()
    },
    async confirm() {
      for (let n = 0; n < 2; n++) chain.mine([])
      await world.look()
    },
    async reorg() {
      const at = chain.blocks.findLastIndex((block) => block.transactions.length > 1)
      gone = chain.blocks[at]?.transactions[1] ?? null
      const left = chain.leave(chain.blocks.length - at, { toPool: false })
      for (let n = 0; n <= left.length; n++) chain.mine([])
      await world.look()
    },
    async reappear() {
      if (gone !== null) chain.mine([gone])
      await world.look()
    },
    finish: payBack,
    async undo() {
      const at = chain.blocks.findIndex((block) => block.transactions.length > 1)
      const left = chain.leave(chain.blocks.length - at, { toPool: false })
      for (let n = 0; n <= left.length; n++) chain.mine([])
      await world.look()
    },
    forge: async () => undefined,
    async deal(order, amount) {
      const legRef = order.legs[0]?.ref ?? ''
      const [held] = await listHeld(sql, [legRef])
      // What the chain shows is written down otherwise than it was told.
      await sql`
        update utxo_outputs set amount = amount + ${(amount - (held?.amount ?? 0n)).toString()}::numeric
        where (block_hash, txid) = (
          select block_hash, txid from utxo_outputs where leg_ref = ${legRef} order by height limit 1)`
    },
    refuse: async () => undefined,
    advance: later,
    hostOn: (own) => railHost(startProcess(world.deps, world.chains, world.addresses, own).deps),
  }

  async function later(ms: number): Promise<void> {
    clock.advance(ms)
    await makePartitions(sql, partitionedTables, clock.now())
    chain.mine([])
    await world.look()
  }
}
