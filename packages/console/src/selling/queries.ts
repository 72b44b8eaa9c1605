// The calls of selling: orders from the console, payment links, invoices.
import type { Invoice, InvoiceStatus, Order, PaymentLink } from '@florin/protocol'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page, withQuery } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'

/** Makes a thing in the present mode and reads the lists anew. */
function useMake<Wish extends object, Made>(noun: string) {
  const live = useLive()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wish: Wish) => boss.post<Made>(withQuery(`/${noun}`, { livemode: live }), wish),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.selling(live) })
      void client.invalidateQueries({ queryKey: keys.orders(live) })
    },
  })
}

export const useSellOrder = () => useMake<object, Order>('orders')
export const useMakeLink = () => useMake<object, PaymentLink>('payment_links')
export const useMakeInvoice = () => useMake<object, Invoice>('invoices')

export function useLinks(cursor: string | undefined) {
  const live = useLive()
  return useQuery({
    queryKey: keys.selling(live, 'links', cursor),
    queryFn: ({ signal }) =>
      boss.get<Page<PaymentLink>>('/payment_links', { livemode: live, cursor, limit: 20 }, signal),
    placeholderData: keepPreviousData,
  })
}

export function useInvoices(status: InvoiceStatus | null, cursor: string | undefined) {
  const live = useLive()
  return useQuery({
    queryKey: keys.selling(live, 'invoices', status, cursor),
    queryFn: ({ signal }) =>
      boss.get<Page<Invoice>>('/invoices', { livemode: live, status, cursor, limit: 20 }, signal),
    placeholderData: keepPreviousData,
  })
}

function useOne<T>(noun: string, id: string) {
  return useQuery({
    queryKey: keys.sold(id),
    queryFn: ({ signal }) => boss.get<T>(`/${noun}/${encodeURIComponent(id)}`, {}, signal),
  })
}
export const useLink = (id: string) => useOne<PaymentLink>('payment_links', id)
export const useInvoice = (id: string) => useOne<Invoice>('invoices', id)

/** The newest orders that came of it. */
export function useOrdersOf(filter: { payment_link_id: string } | { invoice_id: string }, live: boolean) {
  return useQuery({
    queryKey: keys.orders(live, 'of', filter),
    queryFn: ({ signal }) => boss.get<Page<Order>>('/orders', { livemode: live, limit: 20, ...filter }, signal),
  })
}

function useAct<In extends object, Made>(noun: string, id: string, act: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: In) => boss.post<Made>(`/${noun}/${encodeURIComponent(id)}${act}`, body),
    onSuccess: (made) => {
      client.setQueryData(keys.sold(id), made)
      void client.invalidateQueries({ queryKey: ['selling'] })
    },
  })
}
export const useChangeLink = (id: string) => useAct<Partial<PaymentLink>, PaymentLink>('payment_links', id, '')
export const useSendInvoice = (id: string) => useAct<object, Invoice>('invoices', id, '/send')
export const useVoidInvoice = (id: string) => useAct<object, Invoice>('invoices', id, '/void')
