// The only code that changes an order's state. Elsewhere only the lease in look_at is updated.
// Invariant: an order, its events and their deliveries commit together or not at all; event bodies are frozen here.
import type { NewAttention } from '@florin/order-model/attention/item'
import { attentionOver, isMoot } from '@florin/order-model/attention/over'
import { alarmEnd } from '@florin/order-model/attention/raised'
import type { Fact } from '@florin/order-model/facts'
import { isPaymentFact, type PaymentFact } from '@florin/order-model/payments'
import { type Decision, decide, decidePayments, type Step } from '@florin/order-model/rules'
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { newId } from '@florin/platform/ids'
import type { Secrets } from '@florin/platform/secrets'
import { tracedAbout } from '@florin/platform/trace/subjects'
import type { Log } from '@florin/platform/worker/job'
import { eventOf, type UpdateKind, type WebhookKind } from '@florin/protocol'
import type { Rails } from '@florin/rail-kit/registry'
import { closeAttention } from '../attention/store.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { insertEvent } from '../webhooks/events.store.ts'
import { enqueueDeliveries, isChosen, type OwnReceiver } from '../webhooks/queue/enqueue.ts'
import { AGAIN_MS, isClosed } from './reconcile/compare.ts'
import { compareSoon } from './reconcile/store.ts'
import { saveInvoiceState, saveOrder } from './save.store.ts'
import { lockOrder } from './store.ts'
import { insertOrderMails } from './tell/order-mails.store.ts'
import { mailsOf } from './tell/order-mails.ts'
import { owedFor, owedOver } from './tell/owed-item.ts'
import { raisePaidTwice } from './tell/paid-twice.ts'
import { paidTwiceOver } from './tell/paid-twice-item.ts'
import { raise } from './tell/raise.ts'
import { tellOf } from './trail/trail.ts'
import { updatesOf } from './updates.ts'
import { noTips, orderView, webhookBody } from './view.ts'

export type AdvanceDeps = { sql: Sql; clock: Clock; config: Config; secrets: Secrets; wake: Wakes; log: Log }
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
  deps: { clock: Clock; config: Config; secrets: Secrets },
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
  const write: Write = { tx, now, baseUrl: deps.config.baseUrl, delivers: false }
  const writes: (() => Promise<unknown>)[] = [
    ...(order === before ? [] : [() => saveOrder(tx, before, order)]),
    ...steps.map((step) => () => writeStep(write, step)),
    ...updatesOf(before, order).map((event) => () => writeUpdate(write, order, event)),
    ...(order !== before && isClosed(order) ? [() => compareSoon(tx, order, new Date(now.getTime() + AGAIN_MS))] : []),
    ...[...attentionOver(before, order), ...paidTwiceOver(before, order), ...owedOver(before, order)].map(
      (over) => () => closeAttention(tx, order, over, now),
    ),
    ...facts.flatMap((fact) =>
      fact.kind === 'alarm_over' ? [() => closeAttention(tx, order, alarmEnd(order, fact), now)] : [],
    ),
    () => insertOrderMails(tx, mailsOf(before, order), now),
    ...[...attention.filter((wish) => !isMoot(order, wish)), ...owedFor(before, order)].map(
      (input) => () => raise(deps, tx, order, input, now),
    ),
    ...(order.invoiceId !== null && order.status !== before.status ? [invoiceStateOf(tx, order.invoiceId)] : []),
    () => raisePaidTwice(deps, tx, { before, after: order }, now),
  ]
  // Each begins in a promise of its own, so that a connection that breaks between two leaves none that nobody looks at.
  await Promise.all(writes.map(async (one) => one()))
  return { order, ignored, delivers: write.delivers }
}

const invoiceStateOf = (tx: Tx, invoiceId: string) => () => saveInvoiceState(tx, invoiceId)

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

/** Where the rows of events go. */
interface Write {
  tx: Tx
  now: Date
  baseUrl: string
  /** Whether any delivery was enqueued. */
  delivers: boolean
}

function writeStep(write: Write, { order, isMove }: Step): Promise<unknown> {
  const event = isMove ? eventOf[order.status] : null
  if (event !== null) return writeEvent(write, order, event)
  return insertEvent(write.tx, order, { id: newId('evt', write.now), event, body: null }, write.now)
}

/** Written for those who chose it alone: a row and a body that nobody is sent would be most of an order's. */
const writeUpdate = (write: Write, order: OrderState, event: UpdateKind): Promise<unknown> =>
  writeEvent(write, order, event, isChosen(write.tx, { event, ...order }))

async function writeEvent(
  write: Write,
  order: OrderState,
  event: WebhookKind,
  condition?: ReturnType<typeof isChosen>,
): Promise<void> {
  const { tx, now, baseUrl } = write
  const id = newId('evt', now)
  const body = webhookBody({ id, event, createdAt: now, order: orderView(order, { baseUrl, tips: noTips }) })
  const row = insertEvent(tx, order, { id, event, body }, now, condition)
  const { orderNo, merchantNo, livemode } = order
  // Nobody is sent an update at the URL of an order.
  const own = condition === undefined ? ownReceiver(order) : null
  const about = { eventId: id, eventCreatedAt: now, event, orderNo, merchantNo, livemode, own }
  const [, enqueued] = await Promise.all([row, enqueueDeliveries(tx, about, now)])
  if (enqueued > 0) write.delivers = true
}

/** Nobody could tell the webhook of an order that no key signs from a forged one; such orders have no URL of their own. */
function ownReceiver({ webhookUrl: url, apiKeyId }: OrderState): OwnReceiver | null {
  return url === null || apiKeyId === null ? null : { url, apiKeyId }
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
