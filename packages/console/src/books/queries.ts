// The call of the comparison of books and chain.
import type { Reconciliation } from '@florin/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { useLive } from '../mode.ts'
import { keys } from '../query-keys.ts'

export function useBooks(cursor: string | undefined) {
  const live = useLive()
  return useQuery({
    queryKey: keys.books(live, cursor),
    queryFn: ({ signal }) => boss.get<Reconciliation>('/reconciliation', { livemode: live, cursor, limit: 25 }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
}
