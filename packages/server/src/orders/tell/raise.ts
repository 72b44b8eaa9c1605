// Opens an attention item and mails about it, in the same commit, once for each item.
import type { NewAttention } from '@florin/order-model/attention/item'
import { kindOf } from '@florin/order-model/attention/kinds'
import type { Tx } from '@florin/platform/db/tx'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { enqueueNotice } from '@florin/platform/mail/notices'
import { findMerchantEmail } from '@florin/platform/merchants.store'
import type { Secrets } from '@florin/platform/secrets'
import { type AttentionKind, HOUR_MS } from '@florin/protocol'
import { insertAttention, renewAttention, type Subject, wasRaisedSince } from '../../attention/store.ts'
import type { Config } from '../../settings.ts'
import { lookNotice, noticeOf, operatorMail, waitingNotice } from './mails.ts'

const mailed: ReadonlySet<AttentionKind> = new Set([
  'approve_refund_address',
  'give_refund_address',
  'move_money',
  'investigate',
])

export async function raise(
  deps: { config: Config; secrets: Secrets },
  tx: Tx,
  order: Subject & { status: string },
  input: NewAttention,
  now: Date,
): Promise<void> {
  if (input.renews !== undefined && ((await renewAttention(tx, input)) || input.renews === 'only')) return
  const isNew = await insertAttention(tx, order, input, now)
  const kind = kindOf(input.kind)
  if (!isNew || !mailed.has(kind)) return
  const { merchantId, orderNo } = order
  const to = await findMerchantEmail(tx, merchantId)
  if (to === null) return
  const at = { at: now, baseUrl: deps.config.baseUrl }
  // Nobody can end these mails: whoever could would have a refund approved, or money owed, unseen.
  if (kind === 'move_money') {
    await enqueueNotice(tx, deps, { merchantId, to, weight: 'routine', ...lookNotice(order, input, at) }, now)
    return
  }
  // Payers and whoever has a link cause these, any number of them: from the tenth in an hour on they come in digests.
  if (kind !== 'investigate') {
    await enqueueNotice(tx, deps, { merchantId, to, weight: 'refunds', ...waitingNotice(order, input, at) }, now)
    return
  }
  // A deep reorg concerns many orders at once: from the twentieth in an hour on they come in digests.
  const when = { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) }
  const notice = { merchantId, to, weight: 'matters' as const, isWhereMoneyGoes: true }
  await enqueueNotice(tx, deps, { ...notice, ...noticeOf(order, input, at) }, now)
  const since = new Date(now.getTime() - HOUR_MS)
  if (await wasRaisedSince(tx, { kind: input.kind, orderNo, since })) return
  for (const email of deps.config.operatorEmails) {
    await enqueueMail(tx, deps.secrets, operatorMail(email, order, input, at), when)
  }
}
