// Every planted bug. Each stands here because merchants or payers would lose something if nobody noticed it.

import type { Mutant } from './plant.ts'
import { accessMutants } from './planted/access.ts'
import { accountMutants } from './planted/accounts.ts'
import { apiMutants } from './planted/api.ts'
import { currencyMutants } from './planted/currencies.ts'
import { dustMutants } from './planted/dust.ts'
import { endpointMutants } from './planted/endpoints.ts'
import { erasureMutants } from './planted/erasure.ts'
import { exitMutants } from './planted/exit.ts'
import { intentsEndedMutants } from './planted/intents/ended.ts'
import { intentsHeldMutants } from './planted/intents/held.ts'
import { intentsOnceMutants } from './planted/intents/once.ts'
import { intentsOwnerMutants } from './planted/intents/owners.ts'
import { intentsPayoutMutants } from './planted/intents/payouts.ts'
import { intentsQuoteMutants } from './planted/intents/quotes.ts'
import { listMutants } from './planted/lists.ts'
import { merchantMutants } from './planted/merchants.ts'
import { moneyMutants } from './planted/money.ts'
import { operationMutants } from './planted/operation.ts'
import { orderRuleMutants } from './planted/order-rules.ts'
import { replacedMutants } from './planted/orders/replaced.ts'
import { toldMutants } from './planted/orders/told.ts'
import { orderMutants } from './planted/orders.ts'
import { ownRefundMutants } from './planted/own-refunds.ts'
import { readAccountMutants } from './planted/packages/accounts.ts'
import { chainMutants } from './planted/packages/chains.ts'
import { platformMutants } from './planted/platform.ts'
import { providerMutants } from './planted/providers.ts'
import { reorgMutants } from './planted/reorgs.ts'
import { routeMutants } from './planted/routes.ts'
import { sellingMutants } from './planted/selling.ts'
import { shopMutants } from './planted/shop.ts'
import { stuckMutants } from './planted/stuck.ts'
import { takeoverMutants } from './planted/takeover.ts'
import { utxoMutants } from './planted/utxo.ts'
import { webhookMutants } from './planted/webhooks.ts'

export const mutants: readonly Mutant[] = [
  ...orderRuleMutants,
  ...orderMutants,
  ...erasureMutants,
  ...operationMutants,
  ...moneyMutants,
  ...reorgMutants,
  ...providerMutants,
  ...accessMutants,
  ...platformMutants,
  ...takeoverMutants,
  ...webhookMutants,
  ...chainMutants,
  ...readAccountMutants,
  ...apiMutants,
  ...endpointMutants,
  ...merchantMutants,
  ...dustMutants,
  ...stuckMutants,
  ...exitMutants,
  ...shopMutants,
  ...utxoMutants,
  ...intentsQuoteMutants,
  ...intentsEndedMutants,
  ...replacedMutants,
  ...toldMutants,
  ...intentsHeldMutants,
  ...intentsOnceMutants,
  ...intentsOwnerMutants,
  ...intentsPayoutMutants,
  ...accountMutants,
  ...ownRefundMutants,
  ...routeMutants,
  ...sellingMutants,
  ...currencyMutants,
  ...listMutants,
]
