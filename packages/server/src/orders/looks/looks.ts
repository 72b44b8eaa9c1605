// Looking again: on a merchant's request every address of an order is read on every chain that has it, whatever was
// reported and however long ago the order closed. What is found is booked like any payment.
import { AppError } from '@florin/platform/errors'
import { countWithin } from '@florin/platform/limits/store'
import { taskJob } from '@florin/platform/tasks/job'
import { askTasks, findTask, type Task } from '@florin/platform/tasks/store'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, LOOKS_AN_HOUR, MINUTE_MS, type OrderLook, SECOND_MS } from '@florin/protocol'
import type { OrderDeps } from '../advance.ts'
import { settleOrder } from '../rail-outbox.ts'
import { getOrder } from '../store.ts'

const KIND = 'look-again'
const AGAIN_MS = 30 * SECOND_MS
const TRIES_MAX = 5

/** The payload of its task, which is kept for an hour. */
type Look = Omit<OrderLook, 'order_no'>

/** Within a minute the answer is the look that was asked for last. @throws AppError rate_limited */
export async function lookAgain(deps: OrderDeps, order: { orderNo: string; merchantId: string }): Promise<OrderLook> {
  const { orderNo, merchantId } = order
  const now = deps.clock.now()
  const key = { owner: merchantId, subject: orderNo }
  const known = await findTask<Look>(deps.sql, KIND, key)
  if (known !== null && now.getTime() - Date.parse(known.payload.asked_at) < MINUTE_MS)
    return { order_no: orderNo, ...known.payload }
  const limit = { scope: `looks ${merchantId}`, max: LOOKS_AN_HOUR, windowMs: HOUR_MS, kind: 'sliding' as const }
  // An order counts once in the hour after it was first asked for.
  const isCounted = known !== null && now.getTime() - known.createdAt.getTime() < HOUR_MS
  if (!isCounted && (await countWithin(deps.sql, limit, now)) === null)
    throw new AppError('rate_limited', {
      retryAfterS: (10 * MINUTE_MS) / SECOND_MS,
      message: `${LOOKS_AN_HOUR} orders an hour can be looked at again. Wait as long as Retry-After says.`,
    })
  const look: Look = { asked_at: now.toISOString(), looked_at: null, failure: null }
  await askTasks(deps.sql, KIND, [{ ...key, runAt: now, payload: look }], now)
  return { order_no: orderNo, ...look }
}

export function looksJob(deps: OrderDeps): Job {
  return taskJob<Look>(deps, {
    ...{ kind: KIND, everyMs: SECOND_MS, leaseMs: 2 * MINUTE_MS, batch: 5, againMs: AGAIN_MS },
    run: (task) => carryOut(deps, task),
  })
}

async function carryOut(deps: OrderDeps, { subject, payload, attempts }: Task<Look>) {
  if (payload.looked_at !== null) return null
  const order = await getOrder(deps.sql, subject)
  let failure: string | null = null
  // Before the payer chose there is no leg.
  const rails = order.legs.length === 0 ? [order.rail] : order.legs.map(({ rail }) => rail)
  for (const kind of new Set(rails)) {
    try {
      await deps.rails.byKind(kind)?.recheck(order.orderRef, true)
    } catch (error) {
      deps.log.warn({ err: error, order_no: order.orderNo }, 'an order could not be looked at again everywhere')
      failure = 'Not every chain can be read reliably now.'
    }
  }
  await settleOrder(deps, order)
  const now = deps.clock.now()
  const isDone = failure === null || attempts >= TRIES_MAX
  if (!isDone) return { runAt: new Date(now.getTime() + AGAIN_MS), change: { failure } }
  const forgottenAt = new Date(new Date(payload.asked_at).getTime() + HOUR_MS)
  return { runAt: forgottenAt, change: { looked_at: now.toISOString(), failure } }
}
