// What an account is called in the operator's list, and which acts fit it. Pure.
import type { Tone } from '../orders/words.ts'
import type { Account, AccountAct } from './queries.ts'

type Standing = Pick<Account, 'suspended_at' | 'closed_at'>

export function standingOf(account: Standing): { label: string; tone: Tone; since: string | null } {
  if (account.closed_at !== null) return { label: 'Closed', tone: 'bad', since: account.closed_at }
  if (account.suspended_at !== null) return { label: 'Suspended', tone: 'warn', since: account.suspended_at }
  return { label: 'Active', tone: 'good', since: null }
}

/** None for one that is closed, which is for good, and none for the operator's own. */
export function actsFor(
  account: Standing & Pick<Account, 'email' | 'email_change'>,
  operator: string,
): readonly AccountAct[] {
  if (account.closed_at !== null || account.email === operator) return []
  const email: AccountAct = account.email_change === null ? 'email' : 'email/cancel'
  return [account.suspended_at === null ? 'suspend' : 'resume', email, 'close']
}

export const actWords: Readonly<
  Record<AccountAct, { menu: string; title: string; text: string; action: string; done: string }>
> = {
  suspend: {
    menu: 'Suspend',
    title: 'Suspend this account?',
    text: 'Its API keys, its sessions and its sign-in are refused at once. Orders in flight settle as before. You can resume it at any time.',
    action: 'Suspend the account',
    done: 'The account was suspended.',
  },
  resume: {
    menu: 'Resume',
    title: 'Resume this account?',
    text: 'Its API keys and its sessions work again at once.',
    action: 'Resume the account',
    done: 'The account was resumed.',
  },
  email: {
    menu: 'Change the email (lost mailbox)',
    title: 'Give this account another email?',
    text: 'For a merchant who has lost the mailbox. Be sure that whoever asks you owns the account: the new mailbox gets all of it. The new mailbox has to agree by a link, then 72 hours pass. Every address on file gets a link that stops the change.',
    action: 'Start the change',
    done: 'The change was started. The new mailbox has to agree by the link in its mail.',
  },
  'email/cancel': {
    menu: 'Cancel the change of email',
    title: 'Cancel the change of email?',
    text: 'The account keeps the email that it has, whoever asked for the change. Every address on file is told so, with your reason.',
    action: 'Cancel the change',
    done: 'The change of email was canceled.',
  },
  close: {
    menu: 'Close for good',
    title: 'Close this account for good?',
    text: 'Its API keys, its sessions and its sign-in are refused from now on, and nobody can open it again. Orders in flight settle as before.',
    action: 'Close the account',
    done: 'The account was closed.',
  },
}
