// The mail about a switch of a third party: what is allowed from when on, and the link that takes it back.
import type { Notice } from '@florin/platform/mail/notices'
import type { Allowed } from './third-party.rules.ts'

const allowedText = ({ isOn, takesUnproven }: Allowed): string =>
  !isOn ? 'off' : takesUnproven ? 'on, and its word alone counts as a payout' : 'on'

export function thirdPartyMail(a: {
  chainName: string
  livemode: boolean
  before: Allowed
  after: Allowed
  until: { effectiveAt: Date; allowed: Allowed } | null
  at: Date
  baseUrl: string
  /** null: it was just taken back. */
  undo: string | null
}): Pick<Notice, 'subject' | 'text'> {
  const { until } = a
  const mode = a.livemode ? 'live' : 'test'
  const when = until === null ? 'was changed' : `will change on ${until.effectiveAt.toISOString()}`
  return {
    subject: `${a.livemode ? '' : '[test] '}The third party on ${a.chainName} ${when}`,
    text: [
      `A third party may hold the money of ${mode} orders on ${a.chainName}`,
      'for some minutes on its way to you, where this is on.',
      '',
      `Before:  ${allowedText(a.before)}`,
      ...(until === null
        ? [`Now:     ${allowedText(a.after)}`]
        : [
            `Until then: ${allowedText(until.allowed)}`,
            `From ${until.effectiveAt.toISOString()}: ${allowedText(a.after)}`,
          ]),
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      'Orders that exist keep the setting they were made with.',
      '',
      ...(a.undo === null
        ? []
        : [
            'If this was not you, take it back here. It also ends the session that',
            'asked for it:',
            a.undo,
            '',
            'Then sign in, end all other sessions and revoke API keys that you do',
            'not know.',
            '',
          ]),
    ],
  }
}
