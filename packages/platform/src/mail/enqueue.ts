// Writes mail into the outbox, in the transaction of the change it reports, so neither exists without the other. The
// content is sealed: it can hold a sign-in code.
import { DAY_MS } from '@florin/protocol'
import type { Tx } from '../db/tx.ts'
import { newId } from '../ids.ts'
import type { Secrets } from '../secrets.ts'
import { mailContext } from './claim.ts'
import type { Mail } from './mailer.ts'

/**
 * Puts one mail into the outbox. Fire `deps.wake.mail` after the commit; without it the mail goes out a second later.
 * @param when.dropAfter from then on it is not worth sending. A mail whose `dropAfter` is `now` is written like any
 *   other and never sent: where it must not show whether somebody gets mail, both cases do the same work.
 * @param when.turn of two that are due the lower goes first; 0 where left out.
 * @example await enqueueMail(tx, deps.secrets, { to, subject, text }, { now, dropAfter: new Date(+now + 600_000) })
 */
export function enqueueMail(
  tx: Tx,
  secrets: Secrets,
  mail: Mail,
  when: { now: Date; dropAfter: Date; turn?: number },
): Promise<unknown> {
  const id = newId('mail', when.now)
  const { keyId, box } = secrets.seal(JSON.stringify(mail), mailContext(id))
  return tx`
    insert into mail_outbox (id, key_id, box, turn, due_at, drop_after, created_at)
    values (${id}, ${keyId}, ${box}, ${when.turn ?? 0}, ${when.now}, ${when.dropAfter}, ${when.now})`
}

/** A notice about a change is worth sending for this long. */
export const NOTICE_KEPT_MS = 3 * DAY_MS
