// Notifies an owner, once a day, of sign-in attempts, with a link that signs the owner in whatever strangers do.
import type { Tx } from '@florin/platform/db/tx'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { makeLink } from '@florin/platform/mail/links'
import type { Secrets } from '@florin/platform/secrets'
import { LOGIN_LINK_MS } from '@florin/protocol'
import type { Config } from '../settings.ts'
import { triesMail } from './mails.ts'
import { type Email, mayWarn, triesOfDay, type WrongTries } from './rules.ts'
import { type Merchant, noteWarning } from './store.ts'

/** The kind of the link; the login page takes it, and asks for a click. */
export const SIGN_IN = 'session.begin'

export async function warnOwner(
  deps: { secrets: Secrets; config: Config },
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
          // Behind the #, so that it reaches no server and no log.
          path: '/console/login#link=',
        })
  const mail = triesMail(a.email, { at: now, tries: triesOfDay(a.wrong, now), link, baseUrl })
  // Written for unknown emails too, and dropped unsent: an answer takes as long whether or not the email is known.
  const dropAfter = a.merchant === null ? now : new Date(now.getTime() + NOTICE_KEPT_MS)
  await noteWarning(tx, a.email, now)
  await enqueueMail(tx, deps.secrets, mail, { now, dropAfter })
}
