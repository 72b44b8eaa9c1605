// Texts of the mails about an email change, to either mailbox.
import type { Mail } from '@florin/platform/mail/mailer'
import type { Notice } from '@florin/platform/mail/notices'

type Words = Pick<Notice, 'subject' | 'text'>

export function newMailboxMail(to: string, a: { approve: string; baseUrl: string }): Mail {
  return {
    to,
    subject: 'Confirm your new email',
    text: [
      `An account at ${a.baseUrl}`,
      'is to use this mailbox from now on. If that is your wish, say yes here:',
      a.approve,
      '',
      'If it is not, ignore this mail.',
      '',
    ].join('\n'),
  }
}

export function takenMail(to: string, a: { baseUrl: string }): Mail {
  return {
    to,
    subject: 'This email has an account already',
    text: [
      `Somebody wants to use this mailbox for another account at`,
      a.baseUrl,
      'It has one already, so nothing was changed.',
      '',
    ].join('\n'),
  }
}

export function askedMail(a: {
  newEmail: string
  /** null: an operator requested it, and this mailbox need not confirm. */
  approve: string | null
  cancel: string
  reason: string | null
  at: Date
  baseUrl: string
}): Words {
  const why =
    a.approve === null
      ? ['The operator asked for it, since the mailbox is said to be lost.', `Reason:  ${a.reason ?? ''}`, '']
      : ['It needs a yes from both mailboxes. If it is your wish, say yes here:', a.approve, '']
  return {
    subject: 'The email of your account is to change',
    text: [
      'The email of your account is to become',
      a.newEmail,
      '',
      ...why,
      'If this is not your wish, stop it here:',
      a.cancel,
      '',
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
    ],
  }
}

export function endedMail(a: {
  how: string
  newEmail: string
  /** An operator's. */
  reason: string | null
  at: Date
  baseUrl: string
}): Words {
  return {
    subject: 'About the email of your account',
    text: [
      'The change of the email of your account to',
      a.newEmail,
      `${a.how}.`,
      '',
      ...(a.reason === null ? [] : [`Reason:  ${a.reason}`]),
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
    ],
  }
}
