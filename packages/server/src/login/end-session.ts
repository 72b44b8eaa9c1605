// Ends a session by a link in a mail: the session that made the change which the link reverts, with its browser.
import { recordAudit } from '@florin/platform/db/audit'
import type { Tx } from '@florin/platform/db/tx'
import type { LinkAct, MailLink } from '@florin/platform/mail/links'
import type { Config } from '../settings.ts'
import { forgetBrowsers } from './browser.store.ts'
import { lockMerchant, revokeSessions } from './store.ts'

export async function endAskingSession(tx: Tx, link: MailLink, now: Date): Promise<void> {
  const { merchantId, sessionId, browser } = link
  if (sessionId === null) return
  const { email } = await lockMerchant(tx, merchantId)
  const ended = await revokeSessions(tx, { merchantId, id: sessionId, now })
  if (browser !== null) await forgetBrowsers(tx, merchantId, browser)
  if (ended === 0) return
  const entry = { merchantId, actor: `mail_link:${email}`, action: 'session.ended', subject: sessionId }
  await recordAudit(tx, { ...entry, detail: {} }, now)
}

/** The link that reverts a change also ends the session that made it. */
export const endingTheAsker = (act: LinkAct): LinkAct => ({
  show: act.show,
  async act(tx, link, now) {
    const said = await act.act(tx, link, now)
    await endAskingSession(tx, link, now)
    return link.sessionId === null ? said : `${said} The session that asked for it has ended.`
  },
})

export function sessionEnd(deps: { config: Config }): LinkAct {
  return {
    show: () => ({
      title: 'End the session that asked for a code',
      lines: ['Somebody is signed in as you and asked for a code. This ends that session alone.', deps.config.baseUrl],
      button: 'End that session',
    }),
    async act(tx, link, now) {
      await endAskingSession(tx, link, now)
      return 'The session has ended. Sign in to look at the audit log, and end other sessions that you do not know.'
    },
  }
}
