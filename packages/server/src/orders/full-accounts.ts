// Which accounts of wallets that an order could be paid to give out no address now: their coin is not offered. Whether one is
// given out is decided where it is (addresses/accounts/assign.ts); this only keeps a payer from choosing in vain.
import { isAccountRef } from '../account-ref.ts'
import { canReuse, hasRoom } from '../addresses/accounts/rules.ts'
import { listAccounts } from '../addresses/accounts/store.ts'
import type { Deps } from '../deps.ts'
import { defaultTarget } from './create/target.ts'
import type { OrderState } from './model/state.ts'

/** @returns their references. */
export async function listFullAccounts(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  order: OrderState,
): Promise<ReadonlySet<string>> {
  const places = [defaultTarget(order).settleAddress, ...Object.values(order.open?.addresses ?? {})]
  const asked = places.filter(isAccountRef)
  if (asked.length === 0) return new Set()
  const accounts = await listAccounts(sql, asked)
  const now = clock.now()
  return new Set(
    [...accounts.values()]
      .filter((row) => row.examinedAt === null || !(hasRoom(row) || canReuse(row, now)))
      .map(({ id }) => id),
  )
}
