// Who a request may come from. The guards put these on the request; no feature imports a guard for it.
import { AppError } from '@florin/platform/errors'
import type { Scope } from '@florin/protocol'

/** A signed-in merchant (console). */
export interface MerchantCaller {
  id: string
  /** Small integer: the tenant of webhook fairness. */
  no: number
  email: string
  sessionId: string
  isOperator: boolean
  /** The session signed in, or was confirmed by a mailed code, within FRESH_SIGN_IN_S. */
  isFresh: boolean
  /** The request carries the cookie of a browser that signed in 24 h ago or earlier. */
  isKnownBrowser: boolean
  /** The hash of that cookie, known or not; null: there was none. */
  browser: Uint8Array | null
}

/** Whose session a change is asked in. */
export type Asker = Pick<MerchantCaller, 'id' | 'email' | 'sessionId' | 'isFresh' | 'isKnownBrowser' | 'browser'>

/** @throws AppError confirmation_required */
export function requireFresh(caller: Pick<MerchantCaller, 'isFresh'>): void {
  if (!caller.isFresh) throw new AppError('confirmation_required')
}

/** @throws AppError merchant_suspended, merchant_closed: what every call of such an account is answered. */
export function requireOpen(merchant: { suspendedAt: Date | null; closedAt: Date | null }): void {
  if (merchant.closedAt !== null) throw new AppError('merchant_closed')
  if (merchant.suspendedAt !== null) throw new AppError('merchant_suspended')
}

/**
 * What a console route that writes can do to money. `harmless`: nothing. `bound`: it moves money only to where that is
 * bound already. `fresh`: it is refused from an old sign-in. `judged`: the act looks at what is asked and says.
 */
export type ConsoleAct = 'harmless' | 'bound' | 'fresh' | 'judged'

/** A merchant's server (/v1). */
export interface KeyCaller {
  id: string
  merchantId: string
  merchantNo: number
  livemode: boolean
  scopes: readonly Scope[]
  feeBps: number
}

/** For whom an order is made, and in which mode. `id` is null where no API key makes it. */
export type OrderMaker = Omit<KeyCaller, 'id' | 'scopes'> & { id: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by login/guard on every console route. */
    merchant: MerchantCaller
    /** Set by keys/guard on every /v1 route. */
    apiKey: KeyCaller
    /** The hash of the key that the request carries. A rotated key has two that open it for a while. */
    keyHash: Uint8Array
  }
}
