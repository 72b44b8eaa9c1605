// Tells merchants of deliveries that were given up: one attention item and one mail for each receiver, however many died;
// and disables an endpoint that took nothing for five days. Each death is a task, which ends in the transaction that reports it.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { firstIdAt } from '@florin/platform/ids'
import { enqueueNotice } from '@florin/platform/mail/notices'
import { offOf } from '@florin/platform/mail/switches'
import { isWanted } from '@florin/platform/mail/switches.store'
import type { Secrets } from '@florin/platform/secrets'
import { endTasks, takeTasks } from '@florin/platform/tasks/store'
import type { Job } from '@florin/platform/worker/job'
import {
  DAY_MS,
  ENDPOINT_DISABLED_AFTER_DEAD,
  ENDPOINT_DISABLED_AFTER_MS,
  MINUTE_MS,
  SECOND_MS,
} from '@florin/protocol'
import { closeCauses, insertAttention, lapseAttention } from '../../attention/store.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { DELIVERY_DEATH } from '../rules.ts'
import * as deaths from './deaths.store.ts'
import { disabledMail, failingMail } from './mails.ts'
import { readHealth } from './store.ts'

type DeathDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

const BATCH = 200
const causeOf = (endpointId: string): string => `webhook_endpoint_failing:${endpointId}`

export function endpointJobs(deps: DeathDeps): Job[] {
  return [
    { name: DELIVERY_DEATH, everyMs: 5 * SECOND_MS, run: () => tellDeaths(deps) },
    { name: 'endpoint-health', everyMs: MINUTE_MS, run: () => judgeFailing(deps) },
  ]
}

/** @returns how many deaths were told of. */
export async function tellDeaths(deps: DeathDeps): Promise<number> {
  const now = deps.clock.now()
  const told = await withTx(deps.sql, async (tx) => {
    const tasks = await takeTasks(tx, DELIVERY_DEATH, { now, limit: BATCH })
    const taken = await deaths.listDeaths(tx, tasks)
    const open = taken.filter((death) => !death.isClosed)
    const receivers = Map.groupBy(
      open,
      (death) => death.endpointId ?? `${death.merchantId} ${death.livemode} ${origin(death)}`,
    )
    for (const some of receivers.values()) await tellReceiver(deps, tx, some, now)
    await endTasks(tx, tasks)
    return tasks.length
  })
  if (told > 0) deps.wake.mail.fire()
  return told
}

const origin = ({ url }: { url: string }): string => new URL(url).origin

async function tellReceiver(deps: DeathDeps, tx: Tx, some: readonly deaths.Death[], now: Date): Promise<void> {
  const first = some[0]
  if (first === undefined) return
  const { endpointId, merchantId, livemode, deliveryId, orderNo, error } = first
  if (endpointId !== null) {
    const health = (await readHealth(tx, [endpointId], now)).get(endpointId)
    const isTaking = health?.lastSuccessAt !== null && health !== undefined && health.lastSuccessAt >= first.at
    if (!isTaking) await deaths.markFailing(tx, endpointId, first.at)
  }
  const evidence = {
    receiver: origin(first),
    delivery: deliveryId,
    order: orderNo,
    error: error ?? 'unknown',
    ...(endpointId === null ? {} : { endpoint: endpointId }),
  }
  const cause = endpointId === null ? `webhook_dead:${merchantId}:${livemode}:${origin(first)}` : causeOf(endpointId)
  const kind = endpointId === null ? 'webhook_dead' : 'webhook_endpoint_failing'
  const wish = { kind, cause, evidence, actions: ['dismiss'] }
  const isNew = await insertAttention(tx, { merchantId, livemode, orderNo: null }, wish, now)
  if (isNew) await mail(deps, tx, first, failingMail(first, { at: now, baseUrl: deps.config.baseUrl }), now)
}

async function mail(
  deps: DeathDeps,
  tx: Tx,
  { merchantId, merchantEmail: to }: { merchantId: string; merchantEmail: string },
  words: { subject: string; text: readonly string[] },
  now: Date,
): Promise<void> {
  if (!(await isWanted(tx, merchantId, 'webhooks'))) return
  const off = offOf(deps, merchantId, 'webhooks')
  await enqueueNotice(tx, deps, { merchantId, to, weight: 'routine', off, ...words }, now)
}

/** What takes again is well; what took nothing for five days, while ten or more died, is disabled. @returns how many ended. */
export async function judgeFailing(deps: DeathDeps): Promise<number> {
  const now = deps.clock.now()
  const failing = await deaths.listFailing(deps.sql)
  const health = await readHealth(
    deps.sql,
    failing.map((one) => one.id),
    now,
  )
  let ended = 0
  for (const one of failing) {
    const last = health.get(one.id)?.lastSuccessAt ?? null
    ended += await withTx(deps.sql, (tx) => judge(deps, tx, one, last !== null && last >= one.failingSince, now))
  }
  if (ended > 0) deps.wake.mail.fire()
  return (
    ended + (await lapseAttention(deps.sql, { kind: 'webhook_dead', now, before: new Date(now.getTime() - DAY_MS) }))
  )
}

async function judge(deps: DeathDeps, tx: Tx, one: deaths.Failing, isWell: boolean, now: Date): Promise<number> {
  if (isWell) {
    if (!(await deaths.endFailing(tx, one))) return 0
    await closeCauses(tx, [causeOf(one.id)], 'taken_again', now)
    return 1
  }
  if (now.getTime() - one.failingSince.getTime() < ENDPOINT_DISABLED_AFTER_MS) return 0
  // A delivery dies hours after it was made.
  const from = firstIdAt('dlv', new Date(one.failingSince.getTime() - DAY_MS))
  const max = ENDPOINT_DISABLED_AFTER_DEAD
  if ((await deaths.countDead(tx, { id: one.id, from, max })) < max) return 0
  if (!(await deaths.disableFailing(tx, one, now))) return 0
  const { merchantId, livemode } = one
  const entry = { merchantId, actor: 'system', action: 'webhook_endpoint.disabled', subject: one.id }
  await recordAudit(tx, { ...entry, detail: { livemode, failing_since: one.failingSince.toISOString() } }, now)
  await mail(deps, tx, one, disabledMail(one, { at: now, baseUrl: deps.config.baseUrl }), now)
  return 1
}
