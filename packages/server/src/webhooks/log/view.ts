// The wire shapes of deliveries and replays (contract.md 6).
import { type Attempt, type Delivery, deliveryStatuses, webhookKinds } from '@florin/protocol'
import { type Static, Type } from 'typebox'
import type { ReplayRow } from './replay.store.ts'
import type { AttemptRow, DeliveryRow } from './store.ts'

const closed = { additionalProperties: false }
const Time = Type.String({ description: 'ISO 8601, UTC' })
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(type: T) =>
  Type.Union([type, Type.Null()])

const AttemptSchema = Type.Object(
  {
    n: Type.Integer({ description: '1 to 5; one that was interrupted is made again under its number' }),
    at: Time,
    http_status: orNull(Type.Integer()),
    latency_ms: orNull(Type.Integer({ description: 'Until the status line, or until it failed' })),
    error: orNull(Type.String({ description: 'null for a 2xx; else a code such as http_500 or timeout_connect' })),
    response_excerpt: orNull(Type.String({ description: 'The beginning of the answer, made printable' })),
  },
  { ...closed, title: 'Attempt' },
)

export const DeliverySchema = Type.Object(
  {
    id: Type.String(),
    event_id: Type.String(),
    event: Type.Enum([...webhookKinds]),
    order_no: Type.String(),
    livemode: Type.Boolean(),
    url: Type.String(),
    endpoint_id: orNull(Type.String({ description: "The account's endpoint; null: the order's own webhook_url" })),
    status: Type.Enum([...deliveryStatuses]),
    attempt_count: Type.Integer(),
    next_attempt_at: orNull(Time),
    attempts: Type.Array(AttemptSchema, { description: 'Oldest first' }),
    created_at: Time,
    resent_from: orNull(Type.String({ description: 'The delivery that this one sends again' })),
  },
  { ...closed, title: 'Delivery' },
)

export function viewDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery {
  return {
    id: row.id,
    event_id: row.eventId,
    event: row.event,
    order_no: row.orderNo,
    livemode: row.livemode,
    url: row.url,
    endpoint_id: row.endpointId,
    status: row.status,
    attempt_count: row.attemptCount,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.filter((attempt) => attempt.deliveryId === row.id).map(viewAttempt),
    created_at: row.createdAt.toISOString(),
    resent_from: row.resentFrom,
  }
}

function viewAttempt(row: AttemptRow): Attempt {
  return {
    n: row.n,
    at: row.startedAt.toISOString(),
    http_status: row.httpStatus,
    latency_ms: row.latencyMs,
    error: row.error,
    response_excerpt: row.responseExcerpt,
  }
}

export const ReplaySchema = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum(['running', 'done']),
    livemode: Type.Union([Type.Boolean(), Type.Null()], { description: 'null: both modes' }),
    status: Type.Enum(['dead', 'succeeded']),
    from: Time,
    to: Time,
    total: Type.Integer({ description: 'Deliveries found when it was asked for; at most 10000' }),
    resent: Type.Integer(),
    skipped: Type.Integer({ description: 'Deliveries whose body is past its retention' }),
    created_at: Time,
    finished_at: orNull(Time),
  },
  { ...closed, title: 'Replay' },
)

export function viewReplay(row: ReplayRow): Static<typeof ReplaySchema> {
  return {
    id: row.id,
    state: row.state,
    livemode: row.livemode,
    status: row.status,
    from: row.fromAt.toISOString(),
    to: row.toAt.toISOString(),
    total: row.total,
    resent: row.resent,
    skipped: row.skipped,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  }
}
