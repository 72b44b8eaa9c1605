// The link in the mail about a counter that jumped, or about a higher limit of the wallet: what was said before the first such
// change of that session counts again, whichever mail it is in, unless another session said it anew since. It cannot set
// anything new, and addresses that orders got meanwhile stay theirs.
import { assert } from '@florin/platform/assert'
import type { Tx } from '@florin/platform/db/tx'
import type { LinkAct, MailLink } from '@florin/platform/mail/links'
import { listLinks } from '@florin/platform/mail/links.store'
import { isAccountRef } from '@florin/rail-kit/account-ref'
import { findCounted, saveSaid, saveWalletLimit } from './accounts/counter.store.ts'
import { lockAccount } from './accounts/store.ts'
import { audit, chainOf } from './apply.ts'
import * as store from './store.ts'

const isAboutLimit = ({ detail }: MailLink): boolean => detail.limit_before !== detail.limit_after

export const accountUndo: LinkAct = {
  show(link) {
    const { detail } = link
    const { name } = chainOf(detail.chain ?? '')
    const isLimit = isAboutLimit(link)
    return {
      title: isLimit ? `Put back the limit of your ${name} wallet` : `Put back the counter of your ${name} account`,
      lines: [
        isLimit
          ? `The limit of your wallet was said to be ${detail.limit_after}. Before, and then again: ${detail.limit_before}.`
          : `It was said that orders get addresses from index ${detail.next_after} on. Before, the next was index ${detail.next_before}. That is how it will be again.`,
        'The session that asked for the change ends.',
      ],
      button: 'Put it back',
    }
  },
  act: putBack,
}

async function putBack(tx: Tx, link: MailLink, now: Date): Promise<string> {
  const { merchantId, subject: id } = link
  assert(isAccountRef(id), 'the link names an account')
  const email = await store.lockAddresses(tx, merchantId)
  await lockAccount(tx, id)
  const held = await findCounted(tx, { merchantId, id, now })
  if (held === null) return 'This account is not yours any more: nothing was put back.'
  const by = { merchantId, email, actor: `mail_link:${email}`, sessionId: null }
  const name = chainOf(held.chain).name
  const isLimit = isAboutLimit(link)
  const saidNow = held.saidBelow === null ? null : `${held.saidBelow}`
  const { sessionId, kind, subject } = link
  const all = sessionId === null ? [link] : await listLinks(tx, { merchantId, kind, subject, sessionId })
  const ours = all.filter((one) => isAboutLimit(one) === isLimit)
  const { detail } = ours[0] ?? link
  const isStill = ours.some(({ detail: { limit_after: limit, said_after: said = null } }) =>
    isLimit ? `${held.walletLimit}` === limit : saidNow === said,
  )
  if (!isStill) return `It was said anew since: nothing of that change is left on ${name}.`
  if (isLimit) await saveWalletLimit(tx, { ...held, walletLimit: Number(detail.limit_before) })
  else {
    const below = detail.said_before == null ? null : BigInt(detail.said_before)
    await saveSaid(tx, { ...held, below, next: BigInt(detail.next_before ?? 0) })
  }
  const told = isLimit
    ? { from: `${held.walletLimit}`, to: detail.limit_before ?? '' }
    : { from: saidNow ?? 'not said', to: detail.said_before ?? 'not said' }
  await audit(tx, by, 'receiving_account.put_back', held.chain, told, now)
  const after = await findCounted(tx, { merchantId, id, now })
  return isLimit
    ? `The limit of your wallet on ${name} is ${after?.walletLimit} again.`
    : `The next order on ${name} gets index ${after?.nextIndex}. Orders that got other addresses meanwhile keep them: their pages show which, and a wallet with a higher limit shows what was paid there.`
}
