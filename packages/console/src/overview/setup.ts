// How far a merchant has come with setting up, as their own data says. Nothing is ticked off by hand.
import type { Delivery, Order } from '@florin/protocol'
import { useQuery } from '@tanstack/react-query'
import { type ReceivingAddress, useAddresses } from '../addresses/queries.ts'
import { boss, type Page } from '../api.ts'
import { useTestKeys } from '../keys/queries.ts'
import { useMerchant } from '../login/queries.ts'
import { keys } from '../query-keys.ts'
import { type Setup, setupOf } from './setup-steps.ts'

export { isSetUp, type Setup } from './setup-steps.ts'

/** Null until everything is known: a guide that jumps would be worse than a moment without one. */
export const useSetup = (): Setup | null => useSetupState().setup

/** @returns whether it may still become known: what stands below waits for it, so that nothing moves once it is shown. */
export function useSetupState(): { setup: Setup | null; isWaiting: boolean } {
  const addresses = useAddresses()
  const merchant = useMerchant()
  const testKeys = useTestKeys()
  const orders = useQuery({
    queryKey: keys.orders(false, 'setup'),
    queryFn: ({ signal }) => boss.get<Page<Order>>('/orders', { livemode: false, limit: 1 }, signal),
  })
  const settled = useQuery({
    queryKey: keys.orders(false, 'setup', 'settled'),
    queryFn: ({ signal }) => boss.get<Page<Order>>('/orders', { livemode: false, status: 'success', limit: 1 }, signal),
  })
  const newest = useQuery({
    queryKey: keys.deliveries(false, 'setup', 'newest'),
    queryFn: ({ signal }) => boss.get<Page<Delivery>>('/deliveries', { livemode: false, limit: 1 }, signal),
  })
  const delivered = useQuery({
    queryKey: keys.deliveries(false, 'setup', 'succeeded'),
    queryFn: ({ signal }) =>
      boss.get<Page<Delivery>>('/deliveries', { livemode: false, status: 'succeeded', limit: 1 }, signal),
  })
  const asked = [addresses, merchant, testKeys, orders, settled, newest, delivered]
  if (asked.some(({ data }) => data === undefined)) {
    return { setup: null, isWaiting: asked.every(({ isError }) => !isError) }
  }
  const setup = setupOf({
    name: merchant.data?.name ?? null,
    key: testKeys.data?.[0] ?? null,
    address: preferred(addresses.data?.data ?? [], merchant.data?.default_settle_chain ?? null),
    order: orders.data?.data[0] ?? null,
    hasSettled: (settled.data?.data.length ?? 0) > 0,
    newestDelivery: newest.data?.data[0] ?? null,
    hasDelivered: (delivered.data?.data.length ?? 0) > 0,
  })
  return { setup, isWaiting: false }
}

function preferred(addresses: readonly ReceivingAddress[], chain: string | null): ReceivingAddress | null {
  return addresses.find((address) => address.chain === chain) ?? addresses[0] ?? null
}
