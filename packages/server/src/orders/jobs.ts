// The background work of orders: rails' facts, handed-over work, the passing of time, forgotten keys.
import { HOUR_MS, SECOND_MS } from '@florin/protocol'
import type { Job } from '../platform/worker/loop.ts'
import { deleteOldKeys } from './create/create.store.ts'
import { expireDue } from './expire.ts'
import { type SettleDeps, settleDue } from './settle.ts'

export function orderJobs(deps: SettleDeps): Job[] {
  return [
    { name: 'settle', everyMs: SECOND_MS, run: () => settleDue(deps), wakeOn: (wake) => deps.wake.facts.on(wake) },
    { name: 'expire', everyMs: SECOND_MS, run: () => expireDue(deps) },
    { name: 'forget-idempotency-keys', everyMs: HOUR_MS, run: () => deleteOldKeys(deps.sql, deps.clock.now()) },
  ]
}
