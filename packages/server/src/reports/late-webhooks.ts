// The one judgement of late webhooks, for /readyz, the doctor and whoever asks next. Pure.

import { type Check, fault, ok, spanOf, warning } from '@florin/platform/check'
import type { LateQueue } from '../webhooks/late.store.ts'

const FAULT_S = 600
/** Above this share of open requests, more workers help. */
const BUSY = 0.9

export function judgeLateWebhooks(late: LateQueue, now: Date): Check {
  if (late.since === null) return ok('webhooks', 'None is due for more than a minute.')
  const ageS = Math.max(0, (now.getTime() - late.since.getTime()) / 1000)
  const says = `${late.count} ${late.count === 1 ? 'is' : 'are'} due for more than a minute and not sent, the oldest for ${spanOf(ageS)}.`
  return (ageS > FAULT_S ? fault : warning)('webhooks', says, cureOf(late))
}

function cureOf({ workers, slots, inFlight, untouched }: LateQueue): string {
  if (workers === 0) return 'No worker is running. Start one: docs/operations.md#florinwebhookslate.'
  if (inFlight >= slots * BUSY)
    return `All ${slots} requests that the workers may have open are open. Start one more worker: docs/operations.md#florinwebhookslate.`
  if (untouched > 0)
    return `The workers have room and make no request for ${untouched} of them. Look for errors of the job deliver in the log, and restart the workers; another worker does not help.`
  return 'Receivers of these merchants answer slowly or not at all, so few requests are open to each. Another worker does not help: docs/operations.md#florinwebhookslate.'
}
