// The calls of the comparison of books and chain, and of fees that are owed.
import type { FeesOwed, Reconciliation } from '@florin/protocol'
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

/** @param month left out: this one. */
export function useFeesOwed(month: string | undefined) {
  const live = useLive()
  return useQuery({
    queryKey: keys.feesOwed(live, month),
    queryFn: ({ signal }) => boss.get<FeesOwed>('/fees-owed', { livemode: live, month }, signal),
    placeholderData: keepPreviousData,
  })
}
