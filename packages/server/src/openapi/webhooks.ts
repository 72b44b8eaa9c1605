// The webhooks of the document: what Florin POSTs to a merchant's server, one for each kind of event.
import { webhookKindWords } from '@florin/protocol'
import { SIGNATURE_HEADER } from '@florin/protocol/signature'
import type { Document } from './document.ts'
import { componentExamples } from './examples.ts'
import { titled } from './names.ts'
import { type Components, enumOf, refTo } from './schemas.ts'

const header = (name: string, description: string, example: string) => ({
  ...{ name, in: 'header', required: true, description, schema: { type: 'string' }, example },
})

export function webhookParts(components: Components): NonNullable<Document['webhooks']> {
  components.add('WebhookKind', enumOf(webhookKindWords))
  const event = components.add('WebhookEvent', {
    type: 'object',
    description:
      'The body of a webhook. Its bytes are frozen when the event is committed; attempts differ in headers alone.',
    required: ['id', 'event', 'created_at', 'order'],
    properties: {
      id: { type: 'string', description: 'The same over attempts and resends: drop one that you have seen.' },
      event: { ...refTo('WebhookKind'), description: 'What happened.' },
      created_at: { type: 'string', format: 'date-time', description: 'When it happened. ISO 8601, UTC.' },
      order: { ...refTo('Order'), description: 'The order as it was at this event.' },
    },
  })
  const parameters = (kind: string) => [
    header('X-Service-Event', 'The event.', kind),
    header(
      SIGNATURE_HEADER,
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>` under the webhook secret. Two `v1` while a secret is being replaced.',
      `t=1767225600,v1=${'0'.repeat(64)}`,
    ),
    header(
      'X-Service-Delivery',
      'The id of the delivery, the same for all of its attempts.',
      'dlv_01ja6xkz7m9q4t2w8c5v3n1bpe',
    ),
    header('X-Service-Attempt', '1 to 5.', '1'),
  ]
  return Object.fromEntries(
    Object.entries(webhookKindWords).map(([kind, words]) => [
      kind,
      {
        post: {
          operationId: `on${kind.split(/[._]/).map(titled).join('')}`,
          summary: kind,
          description: `${words} Verify the signature over the raw bytes before you trust the body; answer any 2xx within 10 seconds.`,
          tags: ['webhooks'],
          security: [],
          parameters: parameters(kind),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: event,
                ...(kind === 'order.success' ? { example: componentExamples.WebhookEvent } : {}),
              },
            },
          },
          responses: {
            200: { description: 'Taken. Any 2xx is.' },
            400: {
              description:
                'Refused, and tried again: 1 minute, 5 minutes, 30 minutes and 2 hours after the failure before.',
            },
          },
        },
      },
    ]),
  )
}
