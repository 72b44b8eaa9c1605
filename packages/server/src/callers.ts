// Who a request may come from. The guards put these on the request; no feature imports a guard for it.
import type { Scope } from '@florin/protocol'

/** A signed-in merchant (console). */
export interface MerchantCaller {
  id: string
  /** Small integer: the tenant of webhook fairness. */
  no: number
  email: string
  sessionId: string
  isOperator: boolean
}

/** A merchant's server (/v1). */
export interface KeyCaller {
  id: string
  merchantId: string
  merchantNo: number
  livemode: boolean
  scopes: readonly Scope[]
  feeBps: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by login/guard on every console route. */
    merchant: MerchantCaller
    /** Set by keys/guard on every /v1 route. */
    apiKey: KeyCaller
  }
}
