// What every part of the page needs: the words, the locale, the acts, and the voice for screen readers.

import type { Say } from '@florin/checkout-core'
import type { Checkout } from '@florin/protocol'
import { createContext, useContext } from 'react'
import type { Api } from '../api.ts'

export interface Shared {
  api: Api
  locale: string
  say: Say
  /** Tells a screen reader, politely. */
  announce(text: string): void
  /** Takes the server's answer to an act over. */
  accept(checkout: Checkout): void
}

const Context = createContext<Shared | null>(null)

export const SharedProvider = Context.Provider

export function useShared(): Shared {
  const shared = useContext(Context)
  if (shared === null) throw new Error('This part stands outside the page.')
  return shared
}
