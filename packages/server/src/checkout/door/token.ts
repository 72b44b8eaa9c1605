// Finds the order of a checkout token. Whatever is wrong with a token, the answer is the same 404. Created once per
// process: acts over the API and over the plain page's forms count together.
import type { OrderState } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { AppError } from '@florin/platform/errors'
import { findOrderByToken } from '../../orders/store.ts'
import type { Config } from '../../settings.ts'
import { ACTS_PER_MINUTE, type Actor, LOOKS_PER_MINUTE, makeBrowserLimit, makeShares } from './limit.ts'

export interface TokenDoor {
  /** @throws AppError checkout_not_found */
  read(token: string): Promise<OrderState>
  /** @throws AppError rate_limited */
  countAct(order: OrderState, actor: Actor): void
  /** @throws AppError rate_limited */
  countLook(order: OrderState, actor: Actor): void
  /** A browser is about to bind a refund address. @throws AppError rate_limited */
  countBrowser(order: OrderState, actor: Actor): void
}

export function tokenDoor(deps: { sql: Sql; clock: Clock; config: Config }): TokenDoor {
  const none = () => undefined
  const countAct = deps.config.rateLimits ? makeShares(deps.clock, ACTS_PER_MINUTE) : none
  const countLook = deps.config.rateLimits ? makeShares(deps.clock, LOOKS_PER_MINUTE) : none
  return {
    async read(token) {
      const order = /^[0-9A-Za-z]{32}$/.test(token) ? await findOrderByToken(deps.sql, token) : null
      if (order === null) throw new AppError('checkout_not_found')
      return order
    },
    countAct,
    countLook,
    countBrowser: deps.config.rateLimits ? makeBrowserLimit(deps.clock) : none,
  }
}
