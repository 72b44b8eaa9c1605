// Texts of the mails about changes of webhook endpoints. An endpoint is named by its host: the path may hold a secret.
import type { Notice } from '../../platform/mail/notices.ts'
import type { EndpointRow } from './store.ts'

export type EndpointAct = 'created' | 'changed' | 'secret_rotated' | 'deleted'

const sentences: Readonly<Record<EndpointAct, { subject: string; sentence: string }>> = {
  created: {
    subject: 'A webhook endpoint was added',
    sentence: 'A webhook endpoint was added to your account. It is sent the orders of its mode.',
  },
  changed: { subject: 'A webhook endpoint was changed', sentence: 'A webhook endpoint of your account was changed.' },
  secret_rotated: {
    subject: 'The secret of a webhook endpoint was rotated',
    sentence: 'The secret that signs what is sent to a webhook endpoint was replaced.',
  },
  deleted: {
    subject: 'A webhook endpoint was deleted',
    sentence: 'A webhook endpoint was deleted. Nothing is sent there.',
  },
}

/** Where it is, as a mail shows it: nothing that a mail program turns into a link. */
export const hostOf = (url: string): string => new URL(url).host.replaceAll('.', '[.]')

export function endpointMail(
  act: EndpointAct,
  a: { endpoint: EndpointRow; actor: string; at: Date; baseUrl: string },
): Pick<Notice, 'subject' | 'text'> {
  const { subject, sentence } = sentences[act]
  const { endpoint } = a
  return {
    subject,
    text: [
      sentence,
      '',
      `Endpoint: ${endpoint.id}`,
      `Host:     ${hostOf(endpoint.url)}`,
      `Mode:     ${endpoint.livemode ? 'live' : 'test'}`,
      `By:       ${a.actor}`,
      `Time:     ${a.at.toISOString()}`,
      `Service:  ${a.baseUrl}`,
      '',
      'If this was not you, sign in, end all sessions, revoke the key that did it',
      'and look through your endpoints.',
      '',
    ],
  }
}
