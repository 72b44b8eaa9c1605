// The calls of webhook endpoints. A secret stands in the answer that made it and is never put into the cache.
import type { WebhookEndpoint, WebhookKind } from '@florin/protocol'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'

export type NewEndpoint = WebhookEndpoint & { secret: string }

export interface EndpointSample {
  ok: boolean
  http_status: number | null
  latency_ms: number
  message: string
}

const at = (id: string, act = '') => `/webhook_endpoints/${encodeURIComponent(id)}${act}`

export function useEndpoints() {
  const live = useLive()
  return useQuery({
    queryKey: keys.endpoints(live),
    queryFn: ({ signal }) =>
      boss.get<Page<WebhookEndpoint>>('/webhook_endpoints', { livemode: live, limit: 50 }, signal),
  })
}

function useEndpointMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['endpoints'] }) })
}

export interface EndpointWish {
  url: string
  description: string | null
  events: WebhookKind[]
}

export function useCreateEndpoint() {
  const live = useLive()
  return useEndpointMutation((wish: EndpointWish) =>
    boss.post<NewEndpoint>('/webhook_endpoints', { ...wish, mode: live ? 'live' : 'test' }),
  )
}

export const useChangeEndpoint = (id: string) =>
  useEndpointMutation((change: Partial<EndpointWish> & { enabled?: boolean }) =>
    boss.patch<WebhookEndpoint>(at(id), change),
  )

export const useDeleteEndpoint = (id: string) =>
  useEndpointMutation((_: undefined) => boss.delete<WebhookEndpoint>(at(id)))

export const useRotateEndpoint = (id: string) =>
  useEndpointMutation((overlap_seconds: number) =>
    boss.post<NewEndpoint>(at(id, '/secret/rotate'), { overlap_seconds }),
  )

export const useTestEndpoint = (id: string) =>
  useMutation({ mutationFn: () => boss.post<EndpointSample>(at(id, '/test'), {}) })
