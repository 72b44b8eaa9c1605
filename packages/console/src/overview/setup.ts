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
export function useSetup(): Setup | null {
  const addresses = useAddresses().data
  const merchant = useMerchant().data
  const testKeys = useTestKeys().data
  const orders = useQuery({
    queryKey: keys.orders(false, 'setup'),
    queryFn: ({ signal }) => boss.get<Page<Order>>('/orders', { livemode: false, limit: 1 }, signal),
  }).data
  const settled = useQuery({
    queryKey: keys.orders(false, 'setup', 'settled'),
    queryFn: ({ signal }) => boss.get<Page<Order>>('/orders', { livemode: false, status: 'success', limit: 1 }, signal),
  }).data
  const newest = useQuery({
    queryKey: keys.deliveries(false, 'setup', 'newest'),
    queryFn: ({ signal }) => boss.get<Page<Delivery>>('/deliveries', { livemode: false, limit: 1 }, signal),
  }).data
  const delivered = useQuery({
    queryKey: keys.deliveries(false, 'setup', 'succeeded'),
    queryFn: ({ signal }) =>
      boss.get<Page<Delivery>>('/deliveries', { livemode: false, status: 'succeeded', limit: 1 }, signal),
  }).data
  const known = [addresses, merchant, testKeys, orders, settled, newest, delivered]
  if (known.includes(undefined)) return null
  return setupOf({
    name: merchant?.name ?? null,
    key: testKeys?.[0] ?? null,
    address: preferred(addresses?.data ?? [], merchant?.default_settle_chain ?? null),
    order: orders?.data[0] ?? null,
    hasSettled: (settled?.data.length ?? 0) > 0,
    newestDelivery: newest?.data[0] ?? null,
    hasDelivered: (delivered?.data.length ?? 0) > 0,
  })
}

function preferred(addresses: readonly ReceivingAddress[], chain: string | null): ReceivingAddress | null {
  return addresses.find((address) => address.chain === chain) ?? addresses[0] ?? null
}
