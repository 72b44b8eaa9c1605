// The calls of webhook deliveries and replays.
import type { Delivery } from '@florin/protocol'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'
import type { DeliverySearch } from './search.ts'

export function useDeliveries(search: DeliverySearch, cursor: string | undefined) {
  const live = useLive()
  return useQuery({
    queryKey: keys.deliveries(live, search, cursor),
    queryFn: ({ signal }) =>
      boss.get<Page<Delivery>>('/deliveries', { livemode: live, ...search, cursor, limit: 20 }, signal),
    placeholderData: keepPreviousData,
  })
}

export const useDelivery = (id: string) =>
  useQuery({
    queryKey: keys.delivery(id),
    queryFn: ({ signal }) => boss.get<Delivery>(`/deliveries/${encodeURIComponent(id)}`, {}, signal),
  })

/** Answers with the delivery that is on its way: a new one, or the same with its next attempt now. */
export function useResend() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => boss.post<Delivery>(`/deliveries/${encodeURIComponent(id)}/resend`),
    onSuccess: (delivery) => client.setQueryData(keys.delivery(delivery.id), delivery),
    onSettled: async () => {
      await Promise.all(
        [['delivery'], ['deliveries'], ['order']].map((queryKey) => client.invalidateQueries({ queryKey })),
      )
    },
  })
}

export type ReplayStatus = 'dead' | 'succeeded'

/** How far the sending again of a range has come. */
export interface Replay {
  id: string
  state: 'running' | 'done'
  /** null: both modes. */
  livemode: boolean | null
  status: ReplayStatus
  from: string
  to: string
  /** Deliveries found when it was asked for. */
  total: number
  resent: number
  /** Deliveries whose body is past its retention. */
  skipped: number
  created_at: string
  finished_at: string | null
}

export interface ReplayWish {
  livemode: boolean
  from: string
  to: string
  status: ReplayStatus
}

export const useStartReplay = () =>
  useMutation({ mutationFn: (wish: ReplayWish) => boss.post<Replay>('/deliveries/replay', wish) })

/** Asked for every second until it is done: replays have no event of their own. */
export const useReplay = (id: string | null) =>
  useQuery({
    queryKey: keys.replay(id ?? ''),
    queryFn: ({ signal }) => boss.get<Replay>(`/replays/${encodeURIComponent(id ?? '')}`, {}, signal),
    enabled: id !== null,
    refetchInterval: (query) => (query.state.data?.state === 'done' ? false : 1000),
  })
