// The calls of orders. What an act answers with is put into the cache, so the page changes before the stream says so.
import type { Delivery, Order, OrderLook, OrderOnChain, SimulateAction, TimelineEntry } from '@florin/protocol'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'
import { useZone } from '../zone.ts'
import { type OrderSearch, orderQuery } from './search.ts'

const at = (orderNo: string, act = '') => `/orders/${encodeURIComponent(orderNo)}${act}`

export function useOrders(search: OrderSearch, cursor: string | undefined) {
  const live = useLive()
  const zone = useZone()
  return useQuery({
    queryKey: keys.orders(live, 'list', search, cursor, (search.from ?? search.to) ? zone : null),
    queryFn: ({ signal }) =>
      boss.get<Page<Order>>('/orders', { ...orderQuery(search, { live, zone }), cursor, limit: 20 }, signal),
    placeholderData: keepPreviousData,
  })
}

export const useOrder = (orderNo: string) =>
  useQuery({
    queryKey: keys.order(orderNo, 'order'),
    queryFn: ({ signal }) => boss.get<Order>(at(orderNo), {}, signal),
  })

export const useTimeline = (orderNo: string) =>
  useQuery({
    queryKey: keys.order(orderNo, 'timeline'),
    queryFn: ({ signal }) => boss.get<Page<TimelineEntry>>(at(orderNo, '/events'), {}, signal),
  })

export const useOrderDeliveries = (order: Pick<Order, 'order_no' | 'livemode'>) =>
  useQuery({
    queryKey: keys.orderDeliveries(order.order_no),
    queryFn: ({ signal }) =>
      boss.get<Page<Delivery>>(
        '/deliveries',
        { livemode: order.livemode, order_no: order.order_no, limit: 50 },
        signal,
      ),
  })

/** Of payments to the merchant's own wallet; null: there is nothing of that kind. */
export const useOnChain = ({
  order_no,
  pay,
  payments,
  version,
}: Pick<Order, 'order_no' | 'pay' | 'payments' | 'version'>) =>
  useQuery({
    queryKey: [...keys.order(order_no, 'on-chain'), version],
    queryFn: ({ signal }) => boss.get<OrderOnChain>(at(order_no, '/on-chain'), {}, signal),
    enabled: pay !== null || payments.length > 0,
    placeholderData: keepPreviousData,
  })

function useOrderMutation<In>(orderNo: string, mutationFn: (input: In) => Promise<Order>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (order) => client.setQueryData(keys.order(orderNo, 'order'), order),
    onSettled: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.order(orderNo) }),
        client.invalidateQueries({ queryKey: ['orders'] }),
      ])
    },
  })
}

export const useCancelOrder = (orderNo: string) =>
  useOrderMutation(orderNo, () => boss.post<Order>(at(orderNo, '/cancel')))

export const useRefundOrder = (orderNo: string) =>
  useOrderMutation(orderNo, (reason: string) =>
    boss.post<Order>(at(orderNo, '/refund'), reason === '' ? {} : { reason }),
  )

export const useRetrySettlement = (orderNo: string) =>
  useOrderMutation(orderNo, () => boss.post<Order>(at(orderNo, '/retry-settlement')))

export const useLookAgain = (orderNo: string) =>
  useMutation({ mutationFn: () => boss.post<OrderLook>(at(orderNo, '/look-again')) })

export const useSimulate = (orderNo: string) =>
  useOrderMutation(orderNo, (step: { action: SimulateAction; amount?: string }) =>
    boss.post<Order>(`/test${at(orderNo, '/simulate')}`, step),
  )

export type TestOrderWish = ({ amount_usd: string } | { amount: string; currency: string }) & {
  title?: string
  external_id?: string
  settle_chain?: string
  webhook_url?: string
}

export function useCreateTestOrder() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: TestOrderWish) => boss.post<Order>('/test/orders', wish),
    // Not waited for: what follows the making, going to the order's page, must not depend on what a list reads anew.
    onSuccess: (order) => {
      client.setQueryData(keys.order(order.order_no, 'order'), order)
      void client.invalidateQueries({ queryKey: keys.orders(false) })
    },
  })
}
