// Who is signed in. The token lies in localStorage, so that a tab opened from a link is signed in too and a sign-out
// in one tab ends all of them. Script of others cannot read it: the page's policy runs no script but its own.
import { useSyncExternalStore } from 'react'

export interface Merchant {
  id: string
  email: string
  name: string | null
  default_settle_chain: string | null
  /** IANA; null: never set. */
  time_zone: string | null
  created_at: string
}

export interface Session {
  token: string
  email: string
  /** ISO 8601. */
  expiresAt: string
}

/** What an operator did to the account that was refused. */
export type Standing = 'merchant_suspended' | 'merchant_closed'
export type SignedOut = 'asked' | 'expired' | Standing

const storageKey = 'florin.session'
const listeners = new Set<() => void>()
let current: Session | null = read()
let reason: SignedOut | null = null

/** What storage holds is parsed like any other input: another version of the console may have written it. */
export function parseSession(text: string | null, now: number): Session | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { token, email, expiresAt } = value as Record<string, unknown>
    if (typeof token !== 'string' || typeof email !== 'string' || typeof expiresAt !== 'string') return null
    return Date.parse(expiresAt) > now ? { token, email, expiresAt } : null
  } catch {
    return null
  }
}

function read(): Session | null {
  try {
    return parseSession(localStorage.getItem(storageKey), Date.now())
  } catch {
    return null
  }
}

function set(next: Session | null): void {
  current = next
  try {
    if (next === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(next))
  } catch {
    // Without storage the session lives as long as the page.
  }
  for (const listener of listeners) listener()
}

export const session = {
  get: (): Session | null => current,
  /** Why the last session ended, for the sign-in page. */
  endedBecause: (): SignedOut | null => reason,
  begin(next: Session): void {
    reason = null
    set(next)
  },
  end(because: SignedOut): void {
    if (current === null) return
    reason = because
    set(null)
  },
  /** Also where nobody is signed in yet, as a right code is refused too. */
  refuse(standing: Standing): void {
    reason = standing
    set(null)
  },
  forgetReason(): void {
    reason = null
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey && event.key !== null) return
    current = read()
    for (const listener of listeners) listener()
  })
}

export const useSession = (): Session | null => useSyncExternalStore(session.subscribe, session.get)

export const useEndedBecause = (): SignedOut | null => useSyncExternalStore(session.subscribe, session.endedBecause)
