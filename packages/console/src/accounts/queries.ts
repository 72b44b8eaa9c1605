// The operator's calls over accounts.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { keys } from '../query-keys.ts'
import type { EmailChange } from '../settings/email-queries.ts'

export interface Account {
  id: string
  email: string
  name: string | null
  created_at: string
  suspended_at: string | null
  closed_at: string | null
  /** The one that is open. */
  email_change: EmailChange | null
}

/** As the path of the call ends. */
export type AccountAct = 'suspend' | 'resume' | 'close' | 'email' | 'email/cancel'

export interface Asked {
  id: string
  act: AccountAct
  reason: string
  /** The new one, where the act is `email`. */
  email?: string
}

export const useAccounts = (q: string, cursor: string | undefined) =>
  useQuery({
    queryKey: keys.accounts(q, cursor),
    queryFn: ({ signal }) => boss.get<Page<Account>>('/merchants', { q, cursor, limit: 25 }, signal),
    placeholderData: keepPreviousData,
  })

export function useAccountAct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, act, ...body }: Asked) => boss.post(`/merchants/${encodeURIComponent(id)}/${act}`, body),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.accounts() }),
  })
}
