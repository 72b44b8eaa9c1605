// The wire shapes of sign-in: merchant and session (contract.md 1).
import { type Static, Type } from 'typebox'
import type { Merchant, Session } from './store.ts'

const Time = Type.String({ description: 'ISO 8601, UTC' })
const OrNull = <T extends ReturnType<typeof Type.String>>(type: T) => Type.Union([type, Type.Null()])

export const MerchantView = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: OrNull(Type.String()),
    default_settle_chain: OrNull(Type.String()),
    time_zone: OrNull(Type.String({ description: 'IANA, such as Europe/Berlin; null: never set, days are of UTC' })),
    created_at: Time,
  },
  { additionalProperties: false, title: 'Merchant' },
)

export function viewMerchant(merchant: Merchant): Static<typeof MerchantView> {
  return {
    id: merchant.id,
    email: merchant.email,
    name: merchant.name,
    default_settle_chain: merchant.defaultSettleChain,
    time_zone: merchant.timeZone,
    created_at: merchant.createdAt.toISOString(),
  }
}

export const SessionView = Type.Object(
  {
    id: Type.String(),
    user_agent: OrNull(Type.String()),
    ip: OrNull(Type.String()),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
    current: Type.Boolean({ description: 'The session of this very request' }),
  },
  { additionalProperties: false, title: 'Session' },
)

export function viewSession(session: Session, currentId: string): Static<typeof SessionView> {
  return {
    id: session.id,
    user_agent: session.userAgent,
    ip: session.ip,
    created_at: session.createdAt.toISOString(),
    last_seen_at: session.lastSeenAt.toISOString(),
    expires_at: session.expiresAt.toISOString(),
    current: session.id === currentId,
  }
}
