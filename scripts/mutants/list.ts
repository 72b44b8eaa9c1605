// Every planted bug. Each stands here because merchants or payers would lose something if nobody noticed it.
import { accessMutants } from './access.ts'
import { accountMutants } from './accounts.ts'
import { apiMutants } from './api.ts'
import { currencyMutants } from './currencies.ts'
import { dustMutants } from './dust.ts'
import { endpointMutants } from './endpoints.ts'
import { exitMutants } from './exit.ts'
import { intentsMutants } from './intents.ts'
import { merchantMutants } from './merchants.ts'
import { moneyMutants } from './money.ts'
import { orderRuleMutants } from './order-rules.ts'
import { orderMutants } from './orders.ts'
import type { Mutant } from './plant.ts'
import { providerMutants } from './providers.ts'
import { reorgMutants } from './reorgs.ts'
import { routeMutants } from './routes.ts'
import { sellingMutants } from './selling.ts'
import { shopMutants } from './shop.ts'
import { stuckMutants } from './stuck.ts'
import { takeoverMutants } from './takeover.ts'
import { utxoMutants } from './utxo.ts'
import { webhookMutants } from './webhooks.ts'

export const mutants: readonly Mutant[] = [
  ...orderRuleMutants,
  ...orderMutants,
  ...moneyMutants,
  ...reorgMutants,
  ...providerMutants,
  ...accessMutants,
  ...takeoverMutants,
  ...webhookMutants,
  ...apiMutants,
  ...endpointMutants,
  ...merchantMutants,
  ...dustMutants,
  ...stuckMutants,
  ...exitMutants,
  ...shopMutants,
  ...utxoMutants,
  ...intentsMutants,
  ...accountMutants,
  ...routeMutants,
  ...sellingMutants,
  ...currencyMutants,
]
