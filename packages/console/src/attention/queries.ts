// The calls of the inbox of what a person must decide.
import type { AttentionItem, Order } from '@florin/protocol'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'

export function useAttention(show: 'open' | 'resolved', cursor?: string) {
  const live = useLive()
  return useQuery({
    queryKey: keys.attention(live, show, cursor),
    queryFn: ({ signal }) =>
      boss.get<Page<AttentionItem>>('/attention', { livemode: live, status: show, cursor, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  })
}

/** The newest open items; none until known. */
export function useOpenAttention(): readonly AttentionItem[] {
  const live = useLive()
  const { data } = useQuery({
    queryKey: keys.attention(live, 'newest'),
    queryFn: ({ signal }) =>
      boss.get<Page<AttentionItem>>('/attention', { livemode: live, status: 'open', limit: 100 }, signal),
    staleTime: 60_000,
  })
  return data?.data ?? []
}

/** What is open about one order; none until known. */
export function useAttentionOf(order: Pick<Order, 'order_no' | 'livemode'>): readonly AttentionItem[] {
  const { order_no, livemode } = order
  const { data } = useQuery({
    queryKey: keys.attention(livemode, 'of', order_no),
    queryFn: ({ signal }) =>
      boss.get<Page<AttentionItem>>('/attention', { livemode, status: 'open', order_no, limit: 20 }, signal),
    staleTime: 60_000,
  })
  return data?.data ?? []
}

export function useDecide() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, action, address }: { id: string; action: string; address?: string }) =>
      boss.post<AttentionItem>(
        `/attention/${encodeURIComponent(id)}/${encodeURIComponent(action)}`,
        address === undefined ? undefined : { address },
      ),
    onSettled: (_item, _error, _asked) => client.invalidateQueries({ queryKey: ['attention'] }),
  })
}
