// What the mail about a receiving address says: both addresses in full, so that they can be compared.
import type { Mail } from '../platform/mail/mailer.ts'

export function addressMail(
  to: string,
  a: { chainName: string; before: string | null; after: string | null; at: Date; baseUrl: string },
): Mail {
  const done = a.after === null ? 'removed' : a.before === null ? 'set' : 'changed'
  return {
    to,
    subject: `A receiving address was ${done}`,
    text: [
      `Your receiving address on ${a.chainName} was ${done}.`,
      '',
      ...(a.before === null ? [] : ['Before:', a.before, '']),
      ...(a.after === null ? [] : ['Now:', a.after, '']),
      'Orders that exist keep the address they were made with.',
      '',
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      'If this was not you, sign in at once, end all sessions, set the',
      'right address and revoke API keys that you do not know.',
      '',
    ].join('\n'),
  }
}
