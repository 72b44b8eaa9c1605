// This rail's world for the suite of every rail: money moves at the double, as somebody pays it and it swaps.
import type { TestContext } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { makePartitions } from '@florin/platform/db/partitions'
import type { RailWorld } from '@florin/rail-kit/testing'
import { partitionedTables } from '../../../server/src/partitions.ts'
import { railHost } from '../../../server/test/rail-host.ts'
import { deposit, fill } from './swaps.fixture.ts'
import { aWorld, PAYER, startProcess } from './world.fixture.ts'

export async function makeWorld(t: TestContext): Promise<RailWorld<OrderState>> {
  const world = await aWorld(t)
  const { clock } = world
  const { sql } = world.deps
  return {
    host: railHost(world.deps),
    payerAddress: PAYER,
    order: ({ latePolicy } = {}) => world.order(latePolicy === undefined ? {} : { late_policy: latePolicy }),
    async transfer(order, { amount }) {
      deposit(world.swapOf(order), amount, clock.now())
      await world.look()
    },
    confirm: () => world.look(),
    reorg: async () => undefined,
    reappear: async () => undefined,
    async finish(order) {
      fill(world.swapOf(order), clock.now())
      await world.look()
    },
    undo: async () => undefined,
    forge: async () => undefined,
    async deal(order, amount) {
      // What the provider told is written down otherwise.
      await sql`
        update intents_legs set returned = deposited - gross - ${amount.toString()}::numeric
        where ref = ${order.legs[0]?.ref ?? ''}`
    },
    refuse: async () => undefined,
    advance: later,
    hostOn: (own) => railHost(startProcess(world.deps, world, own).deps),
  }

  async function later(ms: number): Promise<void> {
    clock.advance(ms)
    await makePartitions(sql, partitionedTables, clock.now())
    await world.look()
  }
}
