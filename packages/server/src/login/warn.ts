// Tells an owner, once a day, that somebody tries to get in, with a link that signs the owner in whatever strangers do.
import { LOGIN_LINK_MS } from '@florin/protocol'
import type { Deps } from '../deps.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueueMail, NOTICE_KEPT_MS } from '../platform/mail/enqueue.ts'
import { makeLink } from '../platform/mail/links.ts'
import { triesMail } from './mails.ts'
import { type Email, mayWarn, triesOfDay, type WrongTries } from './rules.ts'
import { type Merchant, noteWarning } from './store.ts'

/** The kind of the link; it is taken by the login page, which asks for a click. */
export const SIGN_IN = 'session.begin'

export async function warnOwner(
  deps: Pick<Deps, 'secrets' | 'config'>,
  tx: Tx,
  a: { email: Email; merchant: Merchant | null; wrong: WrongTries | null },
  now: Date,
): Promise<void> {
  if (!mayWarn(a.wrong, now)) return
  const { baseUrl } = deps.config
  const link =
    a.merchant === null
      ? `${baseUrl}/`
      : await makeLink(tx, {
          ...{ merchantId: a.merchant.id, kind: SIGN_IN, subject: a.merchant.id, detail: {} },
          ...{ sessionId: null, browser: null, baseUrl, now, expiresAt: new Date(now.getTime() + LOGIN_LINK_MS) },
          // Behind the #, which no server and no log of one ever sees.
          path: '/console/login#link=',
        })
  const mail = triesMail(a.email, { at: now, tries: triesOfDay(a.wrong, now), link, baseUrl })
  // Written for strangers too, and dropped unsent: an answer takes as long whether or not the email is known.
  const dropAfter = a.merchant === null ? now : new Date(now.getTime() + NOTICE_KEPT_MS)
  await noteWarning(tx, a.email, now)
  await enqueueMail(tx, deps.secrets, mail, { now, dropAfter })
}
