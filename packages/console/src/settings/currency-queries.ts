// The currencies, their rates, and what the merchant chose about them.
import type { CurrencyList } from '@florin/protocol'
import { queryOptions } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { keys } from '../query-keys.ts'

export const currencyQuery = queryOptions({
  queryKey: keys.currencies(),
  queryFn: ({ signal }) => boss.get<CurrencyList>('/currencies', {}, signal),
})
