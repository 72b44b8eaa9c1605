// Rules of API keys (contract.md 2). Pure: times are arguments.
import { AppError } from '@florin/platform/errors'
import { defaultScopes, type KeyMode, type Scope, scopes, WEBHOOK_SECRETS_LIVE_MAX } from '@florin/protocol'

/** Omitted, a key is live where live money can be taken at all. */
export function livemodeOf(mode: KeyMode | undefined, hasLiveRail: boolean): boolean {
  return mode === undefined ? hasLiveRail : mode === 'live'
}

/**
 * A live key would be shown once, put on a server, and then make no order.
 * @throws AppError no_live_rail
 */
export function requireLiveRail(mode: KeyMode | undefined, hasLiveRail: boolean): void {
  if (mode === 'live' && !hasLiveRail) throw new AppError('no_live_rail', { param: 'mode' })
}

/** In the table's order, so that equal sets of scopes are equal lists. */
export function scopesOf(asked: readonly Scope[] | undefined): Scope[] {
  return scopes.filter((scope) => (asked ?? defaultScopes).includes(scope))
}

/**
 * When a key ends, as ISO 8601 in UTC; null: never.
 * @throws AppError validation_failed for another form, a day that does not exist, or a time that is past.
 */
export function parseExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const isFormed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text)
  const time = new Date(isFormed ? Date.parse(text) : Number.NaN)
  // The engine reads 30 February as 2 March; converting back shows it.
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === text.slice(0, 19)
  if (isReal && time > now) return time
  throw new AppError('validation_failed', {
    param: 'expires_at',
    message: 'The field "expires_at" takes a time in the future such as 2030-01-31T00:00:00Z, or null for never.',
  })
}

/** Whether another webhook secret may go live while the current ones stay live. */
export function mayOverlap(liveSecrets: number): boolean {
  return liveSecrets < WEBHOOK_SECRETS_LIVE_MAX
}
