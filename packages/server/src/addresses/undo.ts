// The link in the mail about a changed address: it restores the previous value, unless another session has changed it
// since. It cannot set anything new.
import type { Tx } from '@florin/platform/db/tx'
import type { LinkAct, MailLink } from '@florin/platform/mail/links'
import { lockOwners } from './accounts/ownership.store.ts'
import { placeTexts } from './accounts/texts.ts'
import { type ChangeDeps, chainOf, newsOf, ripen, tell, writeAddress } from './apply.ts'
import { cancel } from './change.ts'
import { endedMail } from './mails.ts'
import * as store from './store.ts'
import { isOfAnother } from './take-over.ts'

export function addressUndo(deps: ChangeDeps): LinkAct {
  return {
    show(link) {
      const { name } = chainOf(link.subject)
      const { before_text: before = link.detail.before ?? null, after_text: after = link.detail.after ?? null } =
        link.detail
      return {
        title: `Put back your receiving address on ${name}`,
        lines: [
          after === null ? 'It was asked to take the address away.' : `It was asked to settle to: ${after}`,
          before === null ? 'Before, none was set. That is how it will be again.' : `Before, and then again: ${before}`,
          'The session that asked for the change ends.',
        ],
        button: 'Put it back',
      }
    },
    act: (tx, link, now) => putBack(deps, tx, link, now),
  }
}

async function putBack(deps: ChangeDeps, tx: Tx, link: MailLink, now: Date): Promise<string> {
  const { merchantId, subject: chain, sessionId } = link
  const { before: wanted = null, after = null, label = null } = link.detail
  await lockOwners(tx, chain)
  const email = await store.lockAddresses(tx, merchantId)
  const found = await store.findChainAddress(tx, merchantId, chain)
  const row = await ripen(deps, tx, { merchantId, email }, found, now)
  // Another merchant took it over since.
  const before = wanted !== null && (await isOfAnother(tx, { chain, merchantId, address: wanted })) ? null : wanted
  const by = { merchantId, email, actor: `mail_link:${email}`, sessionId: null }
  const { name } = chainOf(chain)
  // Later changes by the same session are reverted with it: one click in any of its mails is enough.
  const isOurs = (value: string | null, by: string | null): boolean =>
    value === after || (by !== null && by === sessionId)
  const isWaitingOurs = row.waiting !== null && isOurs(row.waiting.address, row.waiting.sessionId)
  if (isWaitingOurs) await cancel(deps, tx, by, row, now)
  const isSetOurs = row.address !== before && isOurs(row.address, row.sessionId)
  if (isSetOurs) {
    await writeAddress(tx, by, row, { address: before, label, action: 'receiving_address.put_back' }, now)
    const news = await newsOf(deps, tx, { chain, before: row.address, after: before, at: now })
    await tell(deps, tx, by, { weight: 'addresses', ...endedMail(news, 'was put back') }, now)
  }
  const others = await cancelOthers(deps, tx, { by, chain, sessionId }, now)
  const also = others.length === 0 ? '' : ` Also dropped, asked for by the same session: ${others.join(', ')}.`
  if (!isWaitingOurs && !isSetOurs) return `Nothing of that change is left on ${name}: nothing was put back.${also}`
  return before === null
    ? `No receiving address is set on ${name} by that change any more.${also}`
    : `Orders on ${name} settle to ${(await placeTexts(tx, [before]))(before)}.${also}`
}

/** What the session asked for on other chains is no more wanted than this. @returns the names of those chains. */
async function cancelOthers(
  deps: ChangeDeps,
  tx: Tx,
  a: { by: Parameters<typeof cancel>[2]; chain: string; sessionId: string | null },
  now: Date,
): Promise<string[]> {
  if (a.sessionId === null) return []
  const names: string[] = []
  for (const row of await store.listChainAddresses(tx, a.by.merchantId)) {
    if (row.chain === a.chain || row.waiting === null || row.waiting.sessionId !== a.sessionId) continue
    // In effect already: orders follow it, and its own mail's link puts it back.
    if (row.waiting.effectiveAt <= now) continue
    await cancel(deps, tx, a.by, row, now)
    names.push(chainOf(row.chain).name)
  }
  return names
}
