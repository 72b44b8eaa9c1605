// Changes a merchant's own settings: its name, its default settle chain, and the time zone of its days.
import { only } from '@florin/platform/assert'
import type { Clock } from '@florin/platform/clock'
import { recordAudit } from '@florin/platform/db/audit'
import type { Sql } from '@florin/platform/db/pool'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { type LinkAct, makeUndoLink } from '@florin/platform/mail/links'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import { type Asker, requireFresh } from '../callers.ts'
import type { Config } from '../settings.ts'
import type { Wakes } from '../wakes.ts'
import { defaultChainMail, shopNameMail } from './mails.ts'
import * as store from './store.ts'

type MerchantDeps = { sql: Sql; clock: Clock; secrets: Secrets; config: Config; wake: Wakes }

/** The link in the mail that restores the default chain. */
export const UNDO_DEFAULT_CHAIN = 'default_settle_chain.undo'

/**
 * Changes only the fields given; null clears. Each change is audited, and mailed unless it is the time zone. Changing the chain that
 * money goes to requires a fresh sign-in.
 * @throws AppError confirmation_required
 */
export async function changeMerchant(
  deps: MerchantDeps,
  caller: Asker,
  change: store.MerchantChange,
): Promise<store.Merchant> {
  const now = deps.clock.now()
  const changed = await withTx(deps.sql, async (tx) => {
    const { defaultSettleChain: before, name, timeZone } = await store.lockMerchant(tx, caller.id)
    const wanted = change.defaultSettleChain
    if (wanted !== undefined && wanted !== before) requireFresh(caller)
    const after = only(await store.saveMerchant(tx, caller.id, change), 'merchant')
    const { id: merchantId, sessionId, browser } = caller
    if (name !== after.name) await tellName(deps, tx, caller, { before: name, after: after.name }, now)
    if (timeZone !== after.timeZone) {
      const zones = { before: timeZone, after: after.timeZone }
      const entry = { merchantId, actor: caller.email, action: 'time_zone.changed', subject: merchantId, detail: zones }
      await recordAudit(tx, entry, now)
    }
    if (before === after.defaultSettleChain) return after
    const detail = { before, after: after.defaultSettleChain }
    const about = { merchantId, kind: UNDO_DEFAULT_CHAIN, subject: merchantId, detail, sessionId, browser }
    const undo = await makeUndoLink(tx, deps.config, { ...about, now })
    await tell(deps, tx, { merchantId, email: caller.email, actor: caller.email, ...detail, undo }, now)
    return after
  })
  deps.wake.mail.fire()
  return changed
}

export function defaultChainUndo(deps: MerchantDeps): LinkAct {
  return {
    show: ({ detail }) => ({
      title: 'Put back your default settle chain',
      lines: [
        `It was changed to: ${detail.after ?? 'none'}`,
        `Before, and then again: ${detail.before ?? 'none'}`,
        'The session that asked for the change ends.',
      ],
      button: 'Put it back',
    }),
    async act(tx, link, now) {
      const { before = null, after = null } = link.detail
      const { merchantId } = link
      const { defaultSettleChain: current, email } = await store.lockMerchant(tx, merchantId)
      if (current !== after) return 'It was changed again since: nothing was put back.'
      await store.saveMerchant(tx, merchantId, { name: undefined, defaultSettleChain: before })
      const actor = `mail_link:${email}`
      await tell(deps, tx, { merchantId, email, actor, before: current, after: before, undo: null }, now)
      return `Orders that name no chain settle as before: ${before ?? 'no default'}.`
    },
  }
}

/** Payers see the name in mails and on pages. */
async function tellName(
  deps: MerchantDeps,
  tx: Tx,
  { id: merchantId, email }: Asker,
  detail: { before: string | null; after: string | null },
  now: Date,
): Promise<void> {
  const entry = { merchantId, actor: email, action: 'merchant.renamed', subject: merchantId, detail }
  const words = shopNameMail({ ...detail, at: now, baseUrl: deps.config.baseUrl })
  await recordAudit(tx, entry, now)
  await enqueueNotice(tx, deps, { merchantId, to: email, weight: 'routine', ...words }, now)
}

async function tell(
  deps: MerchantDeps,
  tx: Tx,
  a: {
    merchantId: string
    email: string
    actor: string
    before: string | null
    after: string | null
    undo: string | null
  },
  now: Date,
): Promise<void> {
  const { merchantId, actor, before, after, undo } = a
  const entry = { merchantId, actor, subject: merchantId, detail: { before, after } }
  const words = defaultChainMail({ before, after, at: now, baseUrl: deps.config.baseUrl, undo })
  await Promise.all([
    recordAudit(tx, { ...entry, action: 'default_settle_chain.changed' }, now),
    enqueueNotice(tx, deps, { merchantId, to: a.email, weight: 'matters', isWhereMoneyGoes: true, ...words }, now),
  ])
}
