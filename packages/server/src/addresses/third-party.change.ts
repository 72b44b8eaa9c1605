// Changes the switch of a third party: the row, the audit entry and the mail with the link that takes it back are one
// transaction, under the lock of the merchant's addresses.
import { type Chain, findChain } from '@florin/chains'
import { assert } from '@florin/platform/assert'
import { type Tx, withTx } from '@florin/platform/db/tx'
import { type LinkAct, type MailLink, makeUndoLink } from '@florin/platform/mail/links'
import { findLastLink } from '@florin/platform/mail/links.store'
import { HOUR_MS } from '@florin/protocol'
import type { Asker } from '../callers.ts'
import { type Author, audit, type ChangeDeps, chainOf, tell } from './apply.ts'
import { hasBeenPaid, lockAddresses } from './store.ts'
import { thirdPartyMail } from './third-party.mail.ts'
import { type Allowed, allowedAt, isSame, type ThirdPartySwitch, withWish } from './third-party.rules.ts'
import { findSwitch, saveSwitch } from './third-party.store.ts'
import { countsAtOnce } from './waiting.ts'

/** The link in the mail that takes a switch back. */
export const UNDO_THIRD_PARTY = 'third_party.undo'

/** Changes of one session within this time are taken back together. */
const IN_A_ROW_MS = HOUR_MS

interface Wish {
  chain: Chain
  livemode: boolean
  isOn: boolean
  /** undefined: as it was set last. */
  takesUnproven: boolean | undefined
}

/** @returns the switch as it is afterwards. Setting what is set already changes nothing and mails nothing. */
export async function setThirdParty(deps: ChangeDeps, caller: Asker, wish: Wish): Promise<ThirdPartySwitch> {
  const now = deps.clock.now()
  const { id: merchantId, email, sessionId, browser, isFresh, isKnownBrowser } = caller
  const { livemode, chain } = wish
  const after = await withTx(deps.sql, async (tx) => {
    await lockAddresses(tx, merchantId)
    const before = await findSwitch(tx, { merchantId, livemode, chain: chain.id })
    const wished = { isOn: wish.isOn, takesUnproven: wish.takesUnproven ?? before.wished.takesUnproven }
    const trust = { hasBeenPaid: await hasBeenPaid(tx, merchantId), isFirst: false, isFresh, isKnownBrowser }
    const atOnce = !livemode || countsAtOnce(trust)
    const next = withWish(before, wished, { atOnce, sessionId, now })
    if (next === before) return before
    const by = { merchantId, email, actor: email, sessionId }
    const undo = await undoLink(deps, tx, { by, browser, livemode, before, next, now })
    await write(deps, tx, by, { livemode, before, next, undo }, now)
    return next
  })
  deps.wake.mail.fire()
  return after
}

interface Change {
  livemode: boolean
  before: ThirdPartySwitch
  next: ThirdPartySwitch
  undo: string | null
}

async function write(deps: ChangeDeps, tx: Tx, by: Author, change: Change, now: Date): Promise<void> {
  const { livemode, before, next, undo } = change
  await saveSwitch(tx, { ...next, merchantId: by.merchantId, livemode, updatedAt: now })
  const action = undo === null ? 'third_party.put_back' : 'third_party.changed'
  const detail = {
    livemode: String(livemode),
    from: textOf(before.wished),
    to: textOf(next.wished),
    effective_at: next.until?.effectiveAt.toISOString() ?? null,
  }
  await audit(tx, by, action, next.chain, detail, now)
  const about = { chainName: chainOf(next.chain).name, livemode, at: now, baseUrl: deps.config.baseUrl, undo }
  const mail = thirdPartyMail({ ...about, before: allowedAt(before, now), after: next.wished, until: next.until })
  await tell(deps, tx, by, { weight: livemode ? 'addresses' : 'routine', ...mail }, now)
}

/** Written into links and audit entries. */
const texts = {
  off: { isOn: false, takesUnproven: false },
  off_unproven: { isOn: false, takesUnproven: true },
  on: { isOn: true, takesUnproven: false },
  on_unproven: { isOn: true, takesUnproven: true },
} as const satisfies Record<string, Allowed>
const textOf = (allowed: Allowed): string => Object.entries(texts).find(([, each]) => isSame(each, allowed))?.[0] ?? ''
const allowedOf = (text: string | null | undefined): Allowed =>
  Object.entries(texts).find(([name]) => name === text)?.[1] ?? texts.off

/** After several changes in a row by one session, each link restores the value from before the first. */
async function undoLink(
  deps: ChangeDeps,
  tx: Tx,
  a: Omit<Change, 'undo'> & { by: Author; browser: Uint8Array | null; now: Date },
): Promise<string> {
  const { by, browser, livemode, before, next, now } = a
  const { merchantId, sessionId } = by
  const about = { merchantId, kind: UNDO_THIRD_PARTY, subject: `${next.chain} ${livemode ? 'live' : 'test'}` }
  const since = new Date(now.getTime() - IN_A_ROW_MS)
  const last = sessionId === null ? null : await findLastLink(tx, { ...about, sessionId, since })
  const isNext = last?.detail.after === textOf(before.wished)
  // A value that still waits has not counted yet: it is not worth restoring.
  const first = isNext ? (last?.detail.before ?? null) : textOf(allowedAt(before, now))
  const detail = { before: first, after: textOf(next.wished) }
  return makeUndoLink(tx, deps.config, { ...about, detail, sessionId, browser, now })
}

function subjectOf({ subject }: MailLink): { chain: Chain; livemode: boolean } {
  const [id = '', mode] = subject.split(' ')
  const chain = findChain(id)
  assert(chain !== null, 'the link names a chain')
  return { chain, livemode: mode === 'live' }
}

const words: Readonly<Record<string, string>> = {
  off: 'off',
  off_unproven: 'off',
  on: 'on, with payouts that others saw',
  on_unproven: 'on, and its word alone is enough',
}

export function thirdPartyUndo(deps: ChangeDeps): LinkAct {
  return {
    show(link) {
      const { chain, livemode } = subjectOf(link)
      return {
        title: `Put back the third party on ${chain.name}`,
        lines: [
          `For ${livemode ? 'live' : 'test'} orders it was set to: ${words[link.detail.after ?? ''] ?? 'off'}.`,
          `Before, and then again: ${words[link.detail.before ?? ''] ?? 'off'}.`,
          'The session that asked for the change ends.',
        ],
        button: 'Put it back',
      }
    },
    async act(tx, link, now) {
      const { chain, livemode } = subjectOf(link)
      const { merchantId } = link
      const email = await lockAddresses(tx, merchantId)
      const row = await findSwitch(tx, { merchantId, livemode, chain: chain.id })
      const isOurs =
        textOf(row.wished) === link.detail.after || (row.sessionId !== null && row.sessionId === link.sessionId)
      if (!isOurs) return `It was set anew since: nothing was put back on ${chain.name}.`
      const by = { merchantId, email, actor: `mail_link:${email}`, sessionId: null }
      const next = withWish(row, allowedOf(link.detail.before), { atOnce: true, sessionId: null, now })
      if (next !== row) await write(deps, tx, by, { livemode, before: row, next, undo: null }, now)
      return `On ${chain.name} it is as before: ${words[link.detail.before ?? ''] ?? 'off'}.`
    },
  }
}
