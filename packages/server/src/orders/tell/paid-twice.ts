// Tells the merchant of an invoice that was paid before, in the commit in which another order of it succeeds.
import type { OrderState } from '@florin/order-model/state'
import type { Tx } from '@florin/platform/db/tx'
import type { Secrets } from '@florin/platform/secrets'
import type { Config } from '../../settings.ts'
import { findOthersPaid } from './paid-twice.store.ts'
import { paidTwice } from './paid-twice-item.ts'
import { raise } from './raise.ts'

export async function raisePaidTwice(
  deps: { config: Config; secrets: Secrets },
  tx: Tx,
  { before, after }: { before: OrderState; after: OrderState },
  now: Date,
): Promise<void> {
  const { invoiceId, orderNo, status } = after
  if (invoiceId === null || status !== 'success' || before.status === 'success') return
  const { number, others } = await findOthersPaid(tx, { invoiceId, orderNo })
  if (others.length > 0) await raise(deps, tx, after, paidTwice(after, { number, others }), now)
}
