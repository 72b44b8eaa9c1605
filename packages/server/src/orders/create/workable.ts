// Whether orders of some terms could be made now, for what makes them later: links and invoices. The same checks in the same
// sequence as for an order, so what cannot work is refused in the same words when it is made, and not before its payers.
import type { Db } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { Money } from '@florin/protocol'
import type { OrderMaker } from '../../callers.ts'
import type { AmountName } from '../../prices/parse.ts'
import { priceOf } from '../../prices/rate.ts'
import { type CreateDeps, railFor, targetOf } from './create.ts'
import type { OrderInput } from './input.ts'

export interface OrderTerms extends Pick<OrderInput, 'settleChain' | 'settleAsset' | 'expiresInS'> {
  currency: string
  /** What its orders may ask for, each with the field that says so. */
  amounts: readonly (AmountName & { money: Money })[]
}

/**
 * Asks the database and what rails carry, never the network. That no rate can be trusted right now passes by itself and
 * is no refusal.
 * @throws AppError as `createOrder` does: receiving_address_missing, settle_chain_required, no_rail, invalid_amount, …
 */
export async function requireWorkable(
  deps: Pick<CreateDeps, 'config' | 'rails'>,
  db: Db,
  maker: Pick<OrderMaker, 'merchantId' | 'livemode'>,
  terms: OrderTerms,
  now: Date,
): Promise<void> {
  const target = await targetOf({ rails: deps.rails, sql: db }, maker, terms, now)
  for (const { money, ...amount } of terms.amounts) {
    try {
      await priceOf({ config: deps.config, sql: db }, { money, merchantId: maker.merchantId, now, amount })
    } catch (error) {
      if (!(error instanceof AppError && error.entry.code === 'no_rate')) throw error
    }
  }
  railFor(deps, target)
}
