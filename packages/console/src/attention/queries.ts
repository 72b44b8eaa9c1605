// Owns the calls of the inbox of what a person must decide.
import type { AttentionItem } from '@florin/protocol'
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

/** How many items are open, for the badge in the menu; 0 until known. */
export function useAttentionCount(): number {
  const live = useLive()
  const { data } = useQuery({
    queryKey: keys.attention(live, 'count'),
    queryFn: ({ signal }) =>
      boss.get<Page<AttentionItem>>('/attention', { livemode: live, status: 'open', limit: 100 }, signal),
    staleTime: 60_000,
  })
  return data?.data.length ?? 0
}

export function useDecide() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: string }) =>
      boss.post<AttentionItem>(`/attention/${encodeURIComponent(id)}/${encodeURIComponent(action)}`),
    onSettled: (_item, _error, _asked) => client.invalidateQueries({ queryKey: ['attention'] }),
  })
}
