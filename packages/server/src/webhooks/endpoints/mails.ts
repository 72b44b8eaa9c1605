// Texts of the mails about changes of webhook endpoints. An endpoint is named by its host: the path may hold a secret.
import type { Notice } from '@florin/platform/mail/notices'
import type { Death, Failing } from './deaths.store.ts'
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

interface At {
  at: Date
  baseUrl: string
}
const testMark = (livemode: boolean): string => (livemode ? '' : '[test] ')

/** The first delivery to a receiver that was given up; further ones are in the console. */
export function failingMail(death: Death, { at, baseUrl }: At): Pick<Notice, 'subject' | 'text'> {
  const isEndpoint = death.endpointId !== null
  return {
    subject: `${testMark(death.livemode)}A webhook was given up: ${hostOf(death.url)}`,
    text: [
      isEndpoint
        ? 'An endpoint did not take a webhook in five attempts.'
        : 'The webhook_url of an order did not take a webhook in five attempts.',
      'The order itself is not touched. You hear of this receiver again only when it',
      isEndpoint ? 'took something meanwhile.' : 'still fails tomorrow.',
      '',
      `Host:     ${hostOf(death.url)}`,
      ...(death.endpointId === null ? [] : [`Endpoint: ${death.endpointId}`]),
      `Order:    ${death.orderNo}`,
      `Delivery: ${death.deliveryId}`,
      `Error:    ${death.error ?? 'unknown'}`,
      `Time:     ${at.toISOString()}`,
      '',
      ...(isEndpoint ? ['Five days without one that is taken disable the endpoint.'] : []),
      'What came back, and sending it again:',
      `${baseUrl}/console/webhooks/${death.deliveryId}`,
      '',
    ],
  }
}

export function disabledMail(one: Failing, { at, baseUrl }: At): Pick<Notice, 'subject' | 'text'> {
  return {
    subject: `${testMark(one.livemode)}A webhook endpoint was disabled: ${hostOf(one.url)}`,
    text: [
      'An endpoint took nothing for five days, so nothing is sent there any more.',
      'Enable it once it works again; what it missed can be sent again from the list',
      'of deliveries, and read from GET /v1/events.',
      '',
      `Host:     ${hostOf(one.url)}`,
      `Endpoint: ${one.id}`,
      `Failing:  since ${one.failingSince.toISOString()}`,
      `Time:     ${at.toISOString()}`,
      '',
      `${baseUrl}/console/webhooks/endpoints`,
      '',
    ],
  }
}
