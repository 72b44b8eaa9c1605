// The only code that changes an order's state. Elsewhere only the lease in look_at is updated.
// Invariant: an order, its events and their deliveries commit together or not at all; event bodies are frozen here.
import { eventOf } from '@florin/protocol'
import { closeAttention } from '../attention/store.ts'
import type { Deps } from '../deps.ts'
import { type Tx, withTx } from '../platform/db/tx.ts'
import { newId } from '../platform/ids.ts'
import { enqueueDelivery } from '../webhooks/queue/enqueue.ts'
import { alarmEnd, attentionOver, type NewAttention } from './model/attention.ts'
import type { Fact } from './model/facts.ts'
import { isPaymentFact, type PaymentFact } from './model/payments.ts'
import { type Decision, decide, decidePayments, type Step } from './model/rules.ts'
import type { OrderState } from './model/state.ts'
import { insertEvent, saveOrder } from './save.store.ts'
import { lockOrder } from './store.ts'
import { raise } from './tell/raise.ts'
import { noTips, orderView, webhookBody } from './view.ts'

export type AdvanceDeps = Pick<Deps, 'sql' | 'clock' | 'config' | 'secrets' | 'wake'>
/** What code that acts on orders depends on. */
export type OrderDeps = AdvanceDeps & Pick<Deps, 'log' | 'rails'>

export interface Advanced {
  order: OrderState
  /** For each fact, why it changed nothing, or null where it did. */
  ignored: (string | null)[]
}

/** Applies facts to an order, in sequence, in one commit. `alongside` writes what must commit with them. */
export async function advanceOrder(
  deps: AdvanceDeps,
  orderNo: string,
  facts: readonly Fact[],
  alongside: (tx: Tx, after: OrderState, changed: boolean) => Promise<unknown> = async () => undefined,
): Promise<Advanced> {
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
  wakeAfter(deps, before, advanced.order)
  return advanced
}

/** The same inside a transaction that holds the order's lock; the caller fires the wakes after its commit. */
export async function advanceIn(
  deps: Pick<Deps, 'clock' | 'config' | 'secrets'>,
  tx: Tx,
  before: OrderState,
  facts: readonly Fact[],
): Promise<Advanced> {
  const clock = deps.clock.now()
  // Process clocks differ slightly; the time of one order never runs backwards.
  const now = clock < before.updatedAt ? before.updatedAt : clock
  let order = before
  const steps: Step[] = []
  const attention: NewAttention[] = []
  const id = (prefix: string): string => newId(prefix, now)
  const take = (decision: Decision): void => {
    attention.push(...decision.attention)
    if (decision.kind === 'stay') return
    // Every version writes a row, so a reader that follows a merchant's changes misses none.
    const isSilent = decision.steps.length === 0 && decision.order.version !== order.version
    order = decision.order
    steps.push(...decision.steps, ...(isSilent ? [{ order, isMove: false }] : []))
  }
  const ignored = inRuns(facts).flatMap((run): (string | null)[] => {
    if (run.kind === 'payments') {
      const { why, decision } = decidePayments(order, run.facts, now, id)
      take(decision)
      return decision.kind === 'stay' ? why.map((one) => one ?? decision.why) : why
    }
    const decision = decide(order, run.fact, now, id)
    take(decision)
    return [decision.kind === 'stay' ? decision.why : null]
  })
  await Promise.all([
    ...(order === before ? [] : [saveOrder(tx, before, order)]),
    ...steps.flatMap((step) => writeStep(deps, tx, step, now)),
    ...attentionOver(before, order).map((over) => closeAttention(tx, order, over, now)),
    ...facts.flatMap((fact) =>
      fact.kind === 'alarm_over' ? [closeAttention(tx, order, alarmEnd(order, fact), now)] : [],
    ),
    ...attention.map((input) => raise(deps, tx, order, input, now)),
  ])
  return { order, ignored }
}

type Run = { kind: 'payments'; facts: PaymentFact[] } | { kind: 'other'; fact: Fact }

/** Payments that come one after the other are decided about once: a flood is one version a commit, not thousands. */
function inRuns(facts: readonly Fact[]): Run[] {
  const runs: Run[] = []
  for (const fact of facts) {
    const last = runs.at(-1)
    if (!isPaymentFact(fact)) runs.push({ kind: 'other', fact })
    else if (last?.kind === 'payments') last.facts.push(fact)
    else runs.push({ kind: 'payments', facts: [fact] })
  }
  return runs
}

function writeStep(deps: Pick<Deps, 'config'>, tx: Tx, step: Step, now: Date): Promise<unknown>[] {
  const { order } = step
  const event = step.isMove ? eventOf[order.status] : null
  const id = newId('evt', now)
  if (event === null) return [insertEvent(tx, order, { id, event, body: null }, now)]
  const view = orderView(order, { baseUrl: deps.config.baseUrl, tips: noTips })
  const body = webhookBody({ id, event, createdAt: now, order: view })
  const row = insertEvent(tx, order, { id, event, body }, now)
  // Nobody's secret would sign it without a key.
  if (order.webhookUrl === null || order.apiKeyId === null) return [row]
  const { orderNo, merchantId, merchantNo, apiKeyId, livemode, webhookUrl: url } = order
  const delivery = { eventId: id, eventCreatedAt: now, event, orderNo, merchantId, merchantNo, apiKeyId, livemode, url }
  return [row, enqueueDelivery(tx, delivery, now)]
}

/** Fires the wakes of the jobs that the committed change left work for. */
export function wakeAfter({ wake }: Pick<Deps, 'wake'>, before: OrderState, after: OrderState): void {
  if (after === before) return
  wake.orders.fire()
  if (after.webhookUrl !== null) wake.deliveries.fire()
  const isNew = after.settlements.some((row) => row.status === 'wanted' && !before.settlements.includes(row))
  if (isNew || after.refunds.some((row) => row.status === 'sending' && !before.refunds.includes(row))) {
    wake.handOvers.fire()
  }
}
