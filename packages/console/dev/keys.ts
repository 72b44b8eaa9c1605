// Invented API keys: made, changed and rotated in memory.
import type { Scope } from '@florin/protocol'
import type { ApiKey } from '../src/keys/queries.ts'
import { Refusal } from './answer.ts'
import type { World } from './state.ts'

const base62 = (world: World, length: number) => world.random.text(length)

export function createKey(world: World, body: Record<string, unknown>) {
  const name = typeof body.name === 'string' ? body.name : ''
  if (name === 'refused')
    throw new Refusal('validation_failed', 'The field "name" takes one line of 1 to 100 characters.', { param: 'name' })
  const mode = body.mode === 'live' ? 'live' : 'test'
  const secret = base62(world, 38)
  const key: ApiKey = {
    id: `key_${world.random.text(26)}`,
    name,
    mode,
    prefix: `florin_${mode}_${secret.slice(0, 4)}`,
    last4: secret.slice(-4),
    scopes: Array.isArray(body.scopes) ? (body.scopes as Scope[]) : [],
    fee_bps: 50,
    created_at: new Date().toISOString(),
    expires_at: typeof body.expires_at === 'string' ? body.expires_at : null,
    last_used_at: null,
    revoked_at: null,
  }
  world.appkeys.unshift(key)
  return { ...key, api_key: `florin_${mode}_${secret}`, webhook_secret: `whsec_${base62(world, 32)}` }
}

export function changeKey(key: ApiKey, body: Record<string, unknown>): ApiKey {
  if (key.revoked_at !== null) throw new Refusal('key_revoked')
  return Object.assign(key, body)
}

export function rotateKey(world: World, key: ApiKey, act: string, body: Record<string, unknown>) {
  const seconds = Number(body.grace_seconds ?? body.overlap_seconds ?? 0)
  const ends = new Date(Date.now() + seconds * 1000).toISOString()
  if ('overlap_seconds' in body || act === '') {
    return { ...key, webhook_secret: `whsec_${base62(world, 32)}`, old_secret_ends_at: ends }
  }
  const secret = base62(world, 38)
  key.last4 = secret.slice(-4)
  return { ...key, api_key: `florin_${key.mode}_${secret}`, old_key_ends_at: ends }
}
