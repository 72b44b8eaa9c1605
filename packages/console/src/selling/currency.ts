// The currency that a form of selling begins with: the one that this merchant used last in this browser, else the merchant's own.
import { listCurrencies } from '@florin/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../session.ts'
import { currencyQuery } from '../settings/currency-queries.ts'

const names = new Intl.DisplayNames('en', { type: 'currency' })
export const currencyChoices = listCurrencies(new Date().toISOString()).map(({ code }) => ({
  value: code,
  label: `${code} · ${names.of(code) ?? code}`,
}))

const keyOf = (email: string | undefined): string => `florin.currency.${email ?? ''}`

/** A browser that forbids storage remembers none. */
function remembered(email: string | undefined): string | null {
  try {
    const code = localStorage.getItem(keyOf(email))
    return currencyChoices.some(({ value }) => value === code) ? code : null
  } catch {
    return null
  }
}

/** @param code null: the merchant's default counts again. */
export function rememberCurrency(email: string | undefined, code: string | null): void {
  try {
    if (code === null) localStorage.removeItem(keyOf(email))
    else localStorage.setItem(keyOf(email), code)
  } catch {
    // It then lasts as long as the form.
  }
}

export function useSellingCurrency(): [currency: string, choose: (code: string) => void] {
  const email = useSession()?.email
  const own = useQuery(currencyQuery).data?.settings.default_currency
  const [chosen, setChosen] = useState(() => remembered(email))
  return [
    chosen ?? own ?? 'USD',
    (code) => {
      rememberCurrency(email, code)
      setChosen(code)
    },
  ]
}
