// Looking again: on a merchant's request every address of an order is read on every chain that has it, whatever was
// reported and however long ago the order closed. What is found is booked like any payment.
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { Job } from '@florin/platform/worker/job'
import { HOUR_MS, LOOKS_AN_HOUR, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { OrderDeps } from '../advance.ts'
import { settleOrder } from '../rail-outbox.ts'
import { askLook, claimLooks, type DueLook, endLook, findLook, type OrderLook } from './store.ts'

const BATCH = 5
const LEASE_MS = 2 * MINUTE_MS
const AGAIN_MS = 30 * SECOND_MS
const TRIES_MAX = 5

/** Within a minute the answer is the look that was asked for last. @throws AppError rate_limited */
export async function lookAgain(deps: OrderDeps, { orderNo, merchantId }: OrderState): Promise<OrderLook> {
  const now = deps.clock.now()
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  const asked = await withTx(deps.sql, (tx) =>
    askLook(tx, {
      ...{ orderNo, merchantId, now },
      ...{ newerThan: ago(MINUTE_MS), since: ago(HOUR_MS), max: LOOKS_AN_HOUR },
    }),
  )
  const look = asked ?? (await findLook(deps.sql, orderNo))
  if (look !== null && (asked !== null || look.askedAt > ago(MINUTE_MS))) return look
  throw new AppError('rate_limited', {
    retryAfterS: (10 * MINUTE_MS) / SECOND_MS,
    message: `${LOOKS_AN_HOUR} orders an hour can be looked at again. Wait as long as Retry-After says.`,
  })
}

export function looksJob(deps: OrderDeps): Job {
  return {
    name: 'look-again',
    everyMs: SECOND_MS,
    async run() {
      const now = deps.clock.now()
      const due = await claimLooks(deps.sql, { now, leasedUntil: new Date(now.getTime() + LEASE_MS), limit: BATCH })
      for (const look of due) await carryOut(deps, look)
      return due.length
    },
  }
}

async function carryOut(deps: OrderDeps, look: DueLook): Promise<void> {
  let failure: string | null = null
  for (const kind of look.rails) {
    try {
      await deps.rails.byKind(kind)?.recheck(look.orderRef, true)
    } catch (error) {
      deps.log.warn({ err: error, order_no: look.orderNo }, 'an order could not be looked at again everywhere')
      failure = 'Not every chain can be read reliably now.'
    }
  }
  await settleOrder(deps, look)
  const now = deps.clock.now()
  const isDone = failure === null || look.tries >= TRIES_MAX
  const dueAt = new Date(now.getTime() + AGAIN_MS)
  await endLook(deps.sql, look, { lookedAt: isDone ? now : null, dueAt, failure })
}
