// The words of API keys as they cross the wire (contract.md 2).

export const keyModes = ['live', 'test'] as const
export type KeyMode = (typeof keyModes)[number]

export const scopes = ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write', 'refunds:write'] as const
export type Scope = (typeof scopes)[number]

/** What a key gets when nothing is asked for: everything but refunds, which are asked for by name. */
export const defaultScopes: readonly Scope[] = ['orders:read', 'orders:write', 'webhooks:read', 'webhooks:write']
