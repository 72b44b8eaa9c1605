// Texts of the sign-in mails. All are plain ASCII in short lines, so they travel as 7bit, and contain nothing that a
// stranger can choose, such as a browser's user agent.
import { isIP } from 'node:net'
import { changeNotice } from '@florin/platform/mail/change-notice'
import type { Mail } from '@florin/platform/mail/mailer'
import type { Notice } from '@florin/platform/mail/notices'
import { LOGIN_CODE_MS, MINUTE_MS } from '@florin/protocol'

type Words = Pick<Notice, 'subject' | 'text'>

/** The first line is the code alone: mail programs offer it for autofill, and tests find it. */
export function codeMail(to: string, code: string, baseUrl: string): Mail {
  return {
    to,
    subject: 'Your sign-in code',
    text: [
      code,
      '',
      'This is your code to sign in at',
      baseUrl,
      `It works once, within ${LOGIN_CODE_MS / MINUTE_MS} minutes.`,
      '',
      'If you did not ask for it, ignore this mail: without the code',
      'nobody can sign in. We never ask you for it.',
      '',
    ].join('\n'),
  }
}

export function signInMail(to: string, a: { at: Date; ip: string; baseUrl: string }): Mail {
  return {
    to,
    subject: 'New sign-in to your account',
    text: [
      'Somebody has signed in to your account with a code from your mail.',
      '',
      `Time:    ${a.at.toISOString()}`,
      `Address: ${isIP(a.ip) === 0 ? 'unknown' : a.ip}`,
      `Service: ${a.baseUrl}`,
      '',
      'If this was not you, secure your mailbox first, then sign in and end',
      'all sessions.',
      '',
    ].join('\n'),
  }
}

export function triesMail(to: string, a: { at: Date; tries: number; link: string; baseUrl: string }): Mail {
  return {
    to,
    subject: 'Somebody tries to sign in to your account',
    text: [
      'Many sign-in codes were asked for, or wrong ones tried, for your',
      `account at ${a.baseUrl}`,
      `Wrong tries within a day: ${a.tries}. Time: ${a.at.toISOString()}`,
      'Nobody has come in. For a day, codes in our mails are longer.',
      '',
      'If you want to sign in yourself, this link does it, once, within a day:',
      a.link,
      '',
      'If not, there is nothing you need to do. Never pass the link on.',
      '',
    ].join('\n'),
  }
}

/** The code stands first and alone, as at sign-in. */
export function confirmationMail(to: string, a: { code: string; stop: string; baseUrl: string }): Mail {
  return {
    to,
    subject: 'Your code to confirm a change',
    text: [
      a.code,
      '',
      'This is your code to confirm a change in your account at',
      a.baseUrl,
      `It works once, within ${LOGIN_CODE_MS / MINUTE_MS} minutes.`,
      '',
      'If you are not changing anything right now, somebody else is signed in',
      'as you. Do not give the code to anybody, and end that session here:',
      a.stop,
      '',
    ].join('\n'),
  }
}

export function sessionEndedMail(a: { tries: number; at: Date; baseUrl: string }): Words {
  return {
    subject: 'A session was ended: too many wrong codes',
    text: [
      `In a session of your account ${a.tries} wrong confirmation codes were tried.`,
      'It was ended. Nothing was changed with those codes.',
      '',
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      'If this was not you, sign in and end all other sessions.',
      '',
    ],
  }
}

export const defaultChainMail = (a: {
  before: string | null
  after: string | null
  at: Date
  baseUrl: string
  undo: string | null
}): Words =>
  changeNotice({
    ...{ ...a, subject: 'Your default settle chain was changed' },
    meaning: 'Orders that name no chain settle on another one from now on.',
  })

export function standingMail(a: {
  done: 'suspended' | 'resumed' | 'closed'
  reason: string
  at: Date
  baseUrl: string
}): Words {
  const meaning =
    a.done === 'resumed'
      ? ['Its API keys and its console work again.']
      : [
          'Its API keys and its console are refused from now on. Orders that',
          'payers have begun to pay still settle to your addresses.',
        ]
  return {
    subject: `Your account was ${a.done}`,
    text: [
      `The operator of ${a.baseUrl}`,
      `has ${a.done} your account.`,
      ...meaning,
      '',
      `Reason:  ${a.reason}`,
      `Time:    ${a.at.toISOString()}`,
      '',
    ],
  }
}

/** A name that mail programs would turn into a link is shown with its dots apart. */
export function shopNameMail(a: { before: string | null; after: string | null; at: Date; baseUrl: string }): Words {
  const shown = (name: string | null): string | null => name?.replaceAll('.', '[.]') ?? null
  return changeNotice({
    ...{ ...a, subject: 'The name of your shop was changed' },
    meaning: 'Payers see the name on pages and in mails.',
    ...{ before: shown(a.before), after: shown(a.after) },
  })
}
