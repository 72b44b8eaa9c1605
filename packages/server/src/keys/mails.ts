// What the mails about keys say. A key is named by its label and by what a list shows of it, never by itself.
import type { Mail } from '../platform/mail/mailer.ts'
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

export function keyMail(to: string, act: KeyAct, a: { key: ApiKey; at: Date; baseUrl: string }): Mail {
  const { subject, sentence } = sentences[act]
  const { key } = a
  return {
    to,
    subject,
    text: [
      sentence,
      '',
      `Key:     ${key.name} (${key.prefix}...${key.last4})`,
      `Mode:    ${key.livemode ? 'live' : 'test'}`,
      `Scopes:  ${key.scopes.join(' ')}`,
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      'If this was not you, sign in, end all sessions and revoke the key.',
      '',
    ].join('\n'),
  }
}
