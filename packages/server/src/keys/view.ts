// The wire shape of a key: masked. The secrets themselves appear only in the answer that creates them.
import { keyModes, scopes } from '@florin/protocol'
import { type Static, Type } from 'typebox'
import type { ApiKey } from './store.ts'

const Time = Type.String({ description: 'ISO 8601, UTC' })
const TimeOrNull = Type.Union([Time, Type.Null()])
export const Mode = Type.Enum([...keyModes])
export const ScopeName = Type.Enum([...scopes])

export const keyFields = {
  id: Type.String(),
  name: Type.String(),
  mode: Mode,
  prefix: Type.String({ description: 'How the key begins' }),
  last4: Type.String({ description: 'How it ends' }),
  scopes: Type.Array(ScopeName),
  fee_bps: Type.Integer({ description: "The operator's fee on orders of this key, in basis points" }),
  created_at: Time,
  expires_at: TimeOrNull,
  last_used_at: TimeOrNull,
  revoked_at: TimeOrNull,
}

export const KeyView = Type.Object(keyFields, { additionalProperties: false, title: 'ApiKey' })

export function viewKey(key: ApiKey): Static<typeof KeyView> {
  return {
    id: key.id,
    name: key.name,
    mode: key.livemode ? 'live' : 'test',
    prefix: key.prefix,
    last4: key.last4,
    scopes: key.scopes,
    fee_bps: key.feeBps,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  }
}
