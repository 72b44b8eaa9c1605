// Operators suspend, resume or close an account. Its keys, sessions and sign-in are refused from the commit on; orders
// in flight settle, since the engine does not check the account.
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import type { MerchantCaller } from '../../callers.ts'
import type { Config } from '../../settings.ts'
import type { Wakes } from '../../wakes.ts'
import { standingMail } from '../mails.ts'
import { type Account, lockAccount, saveStanding } from './store.ts'

type StandingDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }
export type StandingAct = 'suspend' | 'resume' | 'close'

const done: Readonly<Record<StandingAct, 'suspended' | 'resumed' | 'closed'>> = {
  suspend: 'suspended',
  resume: 'resumed',
  close: 'closed',
}

/** @throws AppError merchant_not_found, action_not_possible. Doing what is done already changes nothing. */
export async function changeStanding(
  deps: StandingDeps,
  operator: Pick<MerchantCaller, 'id' | 'email'>,
  a: { merchantId: string; act: StandingAct; reason: string },
): Promise<Account> {
  const now = deps.clock.now()
  const { act, merchantId, reason } = a
  if (merchantId === operator.id) {
    throw new AppError('action_not_possible', { message: 'Operators do not suspend or close their own account.' })
  }
  const after = await withTx(deps.sql, async (tx) => {
    const before = await lockAccount(tx, merchantId)
    if (before === null) throw new AppError('merchant_not_found')
    if (before.closedAt !== null && act !== 'close') {
      throw new AppError('action_not_possible', { message: 'This account is closed for good.' })
    }
    const standing = {
      suspendedAt: act === 'suspend' ? (before.suspendedAt ?? now) : act === 'resume' ? null : before.suspendedAt,
      closedAt: act === 'close' ? (before.closedAt ?? now) : null,
    }
    const isSame =
      standing.suspendedAt?.getTime() === before.suspendedAt?.getTime() &&
      standing.closedAt?.getTime() === before.closedAt?.getTime()
    if (isSame) return before
    await saveStanding(tx, { id: merchantId, ...standing })
    const entry = { merchantId, actor: `operator:${operator.email}`, action: `merchant.${done[act]}` }
    await recordAudit(tx, { ...entry, subject: merchantId, detail: { reason } }, now)
    const words = standingMail({ done: done[act], reason, at: now, baseUrl: deps.config.baseUrl })
    await enqueueNotice(tx, deps, { merchantId, to: before.email, weight: 'matters', ...words }, now)
    return { ...before, ...standing }
  })
  deps.wake.mail.fire()
  return after
}
