// The links in mails about an email change: confirm for one mailbox, or stop the change.

import type { LinkAct } from '@florin/platform/mail/links'
import { endingTheAsker } from '../end-session.ts'
import { APPROVE_EMAIL, approve, CANCEL_EMAIL, cancelEmailChange, type EmailDeps } from './email-change.ts'

export const emailLinks = (deps: EmailDeps): Record<string, LinkAct> => ({
  [APPROVE_EMAIL]: {
    show: ({ detail }) => ({
      title: 'Change the email of an account',
      lines: [`From: ${detail.oldEmail ?? ''}`, `To: ${detail.newEmail ?? ''}`, deps.config.baseUrl],
      button: 'Yes, change it',
    }),
    act: (tx, { merchantId, subject, detail }, now) =>
      approve(tx, { merchantId, changeId: subject, side: detail.side === 'new' ? 'new' : 'old' }, now),
  },
  [CANCEL_EMAIL]: endingTheAsker({
    show: ({ detail }) => ({
      title: 'Keep the email of your account',
      lines: [`It was asked to change it to: ${detail.newEmail ?? ''}`, `It stays: ${detail.oldEmail ?? ''}`],
      button: 'Stop the change',
    }),
    async act(tx, { merchantId, subject }, now) {
      const isStopped = await cancelEmailChange(deps, tx, { merchantId, changeId: subject, actor: 'mail_link' }, now)
      return isStopped ? 'The change is stopped.' : 'This change is not open any more.'
    },
  }),
})
