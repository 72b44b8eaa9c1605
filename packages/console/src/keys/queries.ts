// The calls of API keys. A secret stands in the answer that made it and is never put into the cache.
import type { KeyMode, Scope } from '@florin/protocol'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'

export interface ApiKey {
  id: string
  name: string
  mode: KeyMode
  prefix: string
  last4: string
  scopes: Scope[]
  fee_bps: number
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  revoked_at: string | null
}

export type NewKey = ApiKey & { api_key: string; webhook_secret: string }
export type RotatedKey = ApiKey & { api_key: string; old_key_ends_at: string }
export type RotatedSecret = ApiKey & { webhook_secret: string; old_secret_ends_at: string }

export type KeyState = 'active' | 'expired' | 'revoked'

export function keyState(key: Pick<ApiKey, 'expires_at' | 'revoked_at'>, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'active'
}

/** The part of a key that may be shown again. */
export const maskedKey = (key: Pick<ApiKey, 'prefix' | 'last4'>): string => `${key.prefix}…${key.last4}`

const at = (id: string, act = '') => `/appkeys/${encodeURIComponent(id)}${act}`

export function useKeys(cursor?: string) {
  const live = useLive()
  return useQuery({
    queryKey: keys.appkeys(live, cursor),
    queryFn: ({ signal }) => boss.get<Page<ApiKey>>('/appkeys', { livemode: live, cursor, limit: 50 }, signal),
    placeholderData: keepPreviousData,
  })
}

/** The test keys that work now, newest first, whatever the present mode. */
export const useTestKeys = () =>
  useQuery({
    queryKey: keys.appkeys('working test keys'),
    queryFn: async ({ signal }) => {
      const page = await boss.get<Page<ApiKey>>('/appkeys', { livemode: false, limit: 100 }, signal)
      return page.data.filter((key) => keyState(key, Date.now()) === 'active')
    },
  })

export const useKey = (id: string) =>
  useQuery({ queryKey: keys.appkey(id), queryFn: ({ signal }) => boss.get<ApiKey>(at(id), {}, signal) })

function useKeyMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    // Answers with secrets would otherwise stay in memory for minutes.
    gcTime: 0,
    onSettled: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.appkeys() }),
        client.invalidateQueries({ queryKey: ['appkey'] }),
      ])
    },
  })
}

export interface KeyWish {
  name: string
  mode: KeyMode
  scopes: Scope[]
  expires_at: string | null
}

export const useCreateKey = () => useKeyMutation((wish: KeyWish) => boss.post<NewKey>('/appkeys', wish))

export const useChangeKey = (id: string) =>
  useKeyMutation((change: { name?: string; scopes?: Scope[] }) => boss.patch<ApiKey>(at(id), change))

export const useRotateKey = (id: string) =>
  useKeyMutation((graceS: number) => boss.post<RotatedKey>(at(id, '/rotate'), { grace_seconds: graceS }))

export const useRotateSecret = (id: string) =>
  useKeyMutation((overlapS: number) =>
    boss.post<RotatedSecret>(at(id, '/webhook-secret/rotate'), { overlap_seconds: overlapS }),
  )

export const useRevokeKey = (id: string) => useKeyMutation(() => boss.delete<ApiKey>(at(id)))

/** What was sent, and what came back. */
export interface TestEventAnswer {
  ok: boolean
  http_status: number | null
  latency_ms: number | null
  error: string | null
  /** What happened, in a sentence. */
  message: string
  response_excerpt: string | null
  sent: { url: string; headers: Record<string, string>; body: string }
}

export const useSendTestEvent = (id: string) =>
  useMutation({
    mutationFn: (sample: { url: string; event: string }) => boss.post<TestEventAnswer>(at(id, '/test-event'), sample),
  })
