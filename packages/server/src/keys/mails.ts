// Texts of the mails about keys. A key is identified by its label and its masked form, never by its value.
import type { Notice } from '@florin/platform/mail/notices'
import type { ApiKey } from './store.ts'

export type KeyAct = 'created' | 'changed' | 'rotated' | 'secret_rotated' | 'revoked'

const sentences: Readonly<Record<KeyAct, { subject: string; sentence: string }>> = {
  created: { subject: 'A new API key was made', sentence: 'A new API key was made in your account.' },
  changed: { subject: 'An API key was changed', sentence: 'The name or the scopes of an API key were changed.' },
  rotated: { subject: 'An API key was rotated', sentence: 'An API key got a new secret; the old one ends.' },
  secret_rotated: {
    subject: 'A webhook secret was rotated',
    sentence: 'The secret that signs the webhooks of an API key was replaced.',
  },
  revoked: { subject: 'An API key was revoked', sentence: 'An API key was revoked and is refused from now on.' },
}

/**
 * A key's name as mails and link pages show it: quoted, and with nothing in it that a mail program turns into a link,
 * since whoever holds a session chooses it.
 */
export function quotedName(name: string): string {
  const isLinkLike = /:\/\/|[^\s.][.。．｡][^\s.\d]/.test(name)
  return `"${isLinkLike ? name.replaceAll('://', ' ').replace(/[.。．｡]/g, '[dot]') : name}"`
}

/** Enough to tell it from others: its name and its masked form. */
export const shortOf = (key: Pick<ApiKey, 'name' | 'prefix' | 'last4'>): string =>
  `${quotedName(key.name)} (${key.prefix}...${key.last4})`

/** @param a.undo the link that reverts the act, where there is one. */
export function keyMail(
  act: KeyAct,
  a: { key: ApiKey; at: Date; baseUrl: string; undo: string | null },
): Pick<Notice, 'subject' | 'text'> {
  const { subject, sentence } = sentences[act]
  const { key } = a
  return {
    subject,
    text: [
      sentence,
      '',
      `Key:     ${shortOf(key)}`,
      `Mode:    ${key.livemode ? 'live' : 'test'}`,
      `Scopes:  ${key.scopes.join(' ')}`,
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      ...(a.undo === null
        ? ['If this was not you, sign in, end all sessions and revoke the key.', '']
        : ['If this was not you, revoke the key here. It also ends the session', 'that made it:', a.undo, '']),
    ],
  }
}
