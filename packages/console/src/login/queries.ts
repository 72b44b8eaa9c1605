// The calls of sign-in, sessions and the merchant itself.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, open, type Page } from '../api.ts'
import { keys } from '../query-keys.ts'
import { type Merchant, session } from '../session.ts'

export interface CodeSent {
  sent: true
  /** Seconds. */
  expires_in: number
  resend_after: number
  /** 6 digits, or 12 letters and digits while strangers try codes. */
  code_length: number
}

/**
 * What this browser is told apart by: codes that it asked for are its own, whatever strangers try meanwhile. It lasts
 * as long as the tab, so a reload between the code and the sign-in changes nothing.
 */
function signInNonce(): string {
  lastNonce = keptNonce() ?? lastNonce ?? newNonce()
  try {
    sessionStorage.setItem('florin.sign-in', lastNonce)
  } catch {
    // Where site data are blocked, the nonce lasts until the page is reloaded.
  }
  return lastNonce
}

let lastNonce: string | null = null

function keptNonce(): string | null {
  try {
    return sessionStorage.getItem('florin.sign-in')
  } catch {
    return null
  }
}

const newNonce = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const requestCode = (email: string): Promise<CodeSent> =>
  open.post<CodeSent>('/auth/code', { email, nonce: signInNonce() })

interface Entered {
  token: string
  merchant: Merchant
  expires_at: string
}

const enter = ({ token, merchant, expires_at }: Entered): void =>
  session.begin({ token, email: merchant.email, expiresAt: expires_at })

export async function signIn(email: string, code: string): Promise<void> {
  enter(await open.post<Entered>('/auth/login', { email, code, nonce: signInNonce() }))
}

/** By the link of a mail, which works once. */
export async function signInByLink(token: string): Promise<void> {
  enter(await open.post<Entered>('/auth/link', { token }))
}

export const requestConfirmation = (): Promise<CodeSent> => boss.post<CodeSent>('/confirmation/code')

/** From here on the session is fresh for a while. */
export const confirm = (code: string): Promise<unknown> => boss.post('/confirmation', { code })

export interface Freshness {
  is_fresh: boolean
  fresh_until: string
  is_known_browser: boolean
  is_operator: boolean
}

const freshnessQuery = queryOptions({
  queryKey: keys.freshness(),
  queryFn: ({ signal }) => boss.get<Freshness>('/confirmation', {}, signal),
})

export const useFreshness = () => useQuery({ ...freshnessQuery, staleTime: 0 })

/** False until it is known. The server decides each time; this only spares others the way there. */
export const useIsOperator = (): boolean =>
  useQuery({ ...freshnessQuery, staleTime: Number.POSITIVE_INFINITY }).data?.is_operator === true

/** The session ends here whether or not the server could be told. */
export async function signOut(): Promise<void> {
  await boss.post('/logout').catch(() => undefined)
  session.end('asked')
}

export interface SessionItem {
  id: string
  user_agent: string | null
  ip: string | null
  created_at: string
  last_seen_at: string
  expires_at: string
  current: boolean
}

export const sessionsQuery = queryOptions({
  queryKey: keys.sessions(),
  queryFn: ({ signal }) => boss.get<Page<SessionItem>>('/sessions', { limit: 100 }, signal),
})

export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => boss.delete(`/sessions/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions() }),
  })
}

/** Ends all sessions, this one too. */
export async function signOutEverywhere(): Promise<void> {
  await boss.delete('/sessions')
  session.end('asked')
}

export const useMerchant = () =>
  useQuery({
    queryKey: keys.merchant(),
    queryFn: ({ signal }) => boss.get<Merchant>('/merchant', {}, signal),
    staleTime: 60_000,
  })

export type MerchantChange = Partial<Pick<Merchant, 'name' | 'default_settle_chain' | 'time_zone'>>

export function useChangeMerchant() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (change: MerchantChange) => boss.patch<Merchant>('/merchant', change),
    async onSuccess(merchant, change) {
      client.setQueryData(keys.merchant(), merchant)
      // Days of statistics, invoices and fees follow it.
      if (change.time_zone !== undefined) await client.invalidateQueries()
    },
  })
}
