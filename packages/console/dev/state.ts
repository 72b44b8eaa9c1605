// What the playground knows of one invented merchant.
import type { AttentionItem, AuditItem, BookDifference, Delivery } from '@florin/protocol'
import type { Account } from '../src/accounts/queries.ts'
import type { AddressChange, ReceivingAddress } from '../src/addresses/queries.ts'
import type { ApiKey } from '../src/keys/queries.ts'
import type { SessionItem } from '../src/login/queries.ts'
import type { Merchant } from '../src/session.ts'
import type { Brand } from '../src/settings/brand-queries.ts'
import type { EmailChange } from '../src/settings/email-queries.ts'
import type { Replay } from '../src/webhooks/queries.ts'
import type { StoredOrder } from './orders.ts'
import type { Random } from './random.ts'

export interface World {
  random: Random
  merchant: Merchant
  sessions: SessionItem[]
  appkeys: ApiKey[]
  /** A sign-in of long ago asks for a code. */
  isFresh: boolean
  isOperator: boolean
  accounts: Account[]
  emailChange: EmailChange | null
  addresses: ReceivingAddress[]
  history: AddressChange[]
  /** Chains that NEAR Intents may carry to. */
  throughLive: Set<string>
  throughTest: Set<string>
  orders: StoredOrder[]
  deliveries: Delivery[]
  attention: AttentionItem[]
  audit: AuditItem[]
  differences: BookDifference[]
  brand: Brand
  replays: Map<string, Replay>
  listeners: Set<(change: string) => void>
}

/** An address with no change that waits. */
export const settled = {
  ...{ effective_at: null, until_then: null, is_default: false, is_removal: false },
  ...{ account: null, until_then_account: null },
} as const
