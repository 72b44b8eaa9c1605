// The wire shapes of webhook endpoints and of what a sample to a receiver came to (contract.md 6).
import { endpointStatuses, keyModes, type WebhookEndpoint, webhookKinds } from '@florin/protocol'
import { Type } from 'typebox'
import type { EndpointRow, Health } from './store.ts'

const closed = { additionalProperties: false }
const Time = Type.String({ description: 'ISO 8601, UTC' })
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(type: T) =>
  Type.Union([type, Type.Null()])

export const endpointFields = {
  id: Type.String(),
  mode: Type.Enum([...keyModes]),
  url: Type.String(),
  description: orNull(Type.String()),
  events: Type.Array(Type.Enum([...webhookKinds])),
  status: Type.Enum([...endpointStatuses]),
  disabled_by: Type.Union([Type.Enum(['merchant', 'failures']), Type.Null()], {
    description: 'failures: it took nothing for five days',
  }),
  disabled_at: orNull(Time),
  created_at: Time,
  updated_at: Time,
  health: Type.Object(
    {
      last_success_at: orNull(Time),
      last_failure_at: orNull(Time),
      failing_since: orNull(
        Type.String({ description: 'Since when deliveries die and none is taken; null: all is well' }),
      ),
      retrying: Type.Integer({ description: 'Deliveries that wait for their next attempt; at most 1000' }),
      dead: Type.Integer({ description: 'Deliveries of the last seven days that were given up; at most 1000' }),
      late: Type.Integer({ description: 'Deliveries that are due for more than a minute and not sent; at most 1000' }),
    },
    closed,
  ),
}

export const EndpointSchema = Type.Object(endpointFields, { ...closed, title: 'WebhookEndpoint' })

export function viewEndpoint(row: EndpointRow, health: Health): WebhookEndpoint {
  return {
    id: row.id,
    mode: row.livemode ? 'live' : 'test',
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.disabledAt === null ? 'enabled' : 'disabled',
    disabled_by: row.disabledBy,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    health: {
      last_success_at: health.lastSuccessAt?.toISOString() ?? null,
      last_failure_at: health.lastFailureAt?.toISOString() ?? null,
      failing_since: row.failingSince?.toISOString() ?? null,
      retrying: health.retrying,
      dead: health.dead,
      late: health.late,
    },
  }
}

export const SampleSchema = Type.Object(
  {
    ok: Type.Boolean(),
    http_status: orNull(Type.Integer()),
    latency_ms: Type.Integer(),
    error: orNull(Type.String()),
    message: Type.String({ description: 'What happened, in a sentence' }),
    response_excerpt: orNull(Type.String()),
    sent: Type.Object(
      { url: Type.String(), headers: Type.Record(Type.String(), Type.String()), body: Type.String() },
      closed,
    ),
  },
  { ...closed, title: 'SampleResult' },
)
