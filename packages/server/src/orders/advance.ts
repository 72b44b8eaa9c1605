// The only code that changes an order's state. Elsewhere only the lease in look_at is updated.
// Invariant: an order and all effects of its change, events and deliveries among them, commit together or not at all.
import type { Fact } from '@florin/order-model/facts'
import { decide } from '@florin/order-model/rules'
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { Secrets } from '@florin/platform/secrets'
import { tracedAbout } from '@florin/platform/trace/subjects'
import type { Log } from '@florin/platform/worker/job'
import type { Rails } from '@florin/rail-kit/registry'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import type { OrderChange, OrderEffect } from './effects.ts'
import { saveOrder } from './save.store.ts'
import { lockOrder } from './store.ts'
import { tellOf } from './trail/trail.ts'

export type AdvanceDeps = {
  sql: Sql
  clock: Clock
  config: Config
  secrets: Secrets
  wake: Wakes
  log: Log
  effects: readonly OrderEffect[]
}
/** What code that acts on orders depends on. */
export type OrderDeps = AdvanceDeps & { rails: Rails }

export interface Advanced {
  order: OrderState
  /** For each fact, why it changed nothing, or null where it did. */
  ignored: (string | null)[]
  /** Whether deliveries were enqueued. */
  delivers: boolean
}

/** Applies facts to an order, in sequence, in one commit. `alongside` writes what must commit with them. */
export async function advanceOrder(
  deps: AdvanceDeps,
  orderNo: string,
  facts: readonly Fact[],
  alongside: (tx: Tx, after: OrderState, changed: boolean) => Promise<unknown> = async () => undefined,
): Promise<Advanced> {
  return tracedAbout(deps.sql, orderNo, 'advance order', async () => {
    const { before, ...advanced } = await withTx(deps.sql, async (tx) => {
      const before = await lockOrder(tx, orderNo)
      const result = await advanceIn(deps, tx, before, facts)
      await alongside(
        tx,
        result.order,
        result.ignored.some((why) => why === null),
      )
      return { before, ...result }
    })
    wakeAfter(deps, before, advanced)
    return advanced
  })
}

/** The same inside a transaction that holds the order's lock; the caller fires the wakes after its commit. */
export async function advanceIn(
  deps: { clock: Clock; config: Config; secrets: Secrets; effects: readonly OrderEffect[] },
  tx: Tx,
  before: OrderState,
  facts: readonly Fact[],
): Promise<Advanced> {
  const clock = deps.clock.now()
  // Process clocks differ slightly; the time of one order never runs backwards.
  const now = clock < before.updatedAt ? before.updatedAt : clock
  const id = (prefix: string): string => newId(prefix, now)
  const { order, steps, attention, ignored } = decide(before, facts, now, id)
  let delivers = false
  const wakeDeliveries = (): void => {
    delivers = true
  }
  const change: OrderChange = { tx, before, after: order, facts, steps, attention, now, wakeDeliveries }
  const writes = [
    ...(order === before ? [] : [() => saveOrder(tx, before, order)]),
    ...deps.effects.flatMap((effect) => effect(deps, change)),
  ]
  // Each begins in a promise of its own, so that a connection that breaks between two leaves none that nobody looks at.
  await Promise.all(writes.map(async (one) => one()))
  return { order, ignored, delivers }
}

/** Fires the wakes of the jobs that the committed change left work for, and tells of it. */
export function wakeAfter(
  { wake, log }: { wake: Wakes; log: Log },
  before: OrderState,
  { order: after, delivers }: Pick<Advanced, 'order' | 'delivers'>,
): void {
  if (after === before) return
  tellOf(log, before, after)
  wake.orders.fire()
  if (delivers) wake.deliveries.fire()
  const isNew = after.settlements.some((row) => row.status === 'wanted' && !before.settlements.includes(row))
  if (isNew || after.refunds.some((row) => row.status === 'sending' && !before.refunds.includes(row))) {
    wake.handOvers.fire()
  }
}
