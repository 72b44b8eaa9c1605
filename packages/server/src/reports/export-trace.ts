// An export holds the payers of many orders: the account's audit log and mailbox report it.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import type { Tx } from '@florin/platform/db/tx'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import type { MerchantCaller } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'

export type TraceDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

/** Fire `deps.wake.mail` after the commit. @param filters as they were asked for */
export async function traceExport(
  deps: TraceDeps,
  tx: Tx,
  { id: merchantId, email }: Pick<MerchantCaller, 'id' | 'email'>,
  a: { livemode: boolean; filters: Readonly<Record<string, unknown>> },
): Promise<void> {
  const now = deps.clock.now()
  const filters = Object.entries(a.filters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
    .slice(0, 500)
  const entry = { merchantId, actor: email, action: 'orders.exported', subject: merchantId }
  await recordAudit(tx, { ...entry, detail: { livemode: a.livemode, filters } }, now)
  const subject = `${a.livemode ? '' : '[test] '}Orders of your account were exported`
  const text = [
    'A session of your account exported orders to a file, with what is known of',
    'their payers.',
    '',
    `Mode:    ${a.livemode ? 'live' : 'test'}`,
    `Time:    ${now.toISOString()}`,
    `Service: ${deps.config.baseUrl}`,
    '',
    'If this was not you, sign in and end all sessions. The audit log in the',
    'console shows which orders were asked for.',
    '',
  ]
  await enqueueNotice(tx, deps, { merchantId, to: email, weight: 'routine', subject, text }, now)
}
