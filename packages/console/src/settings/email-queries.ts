// The calls of the change of email that is open.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { boss } from '../api.ts'
import { keys } from '../query-keys.ts'

export interface EmailChange {
  new_email: string
  /** The merchant's email, or `operator:` and who. */
  asked_by: string
  /** It has said yes, or need not. */
  old_mailbox: boolean
  new_mailbox: boolean
  /** null: a mailbox has not said yes yet. */
  effective_at: string | null
}

/** Read again whenever the page is come back to: the yes is said elsewhere, in a mail. */
export const emailChangeQuery = queryOptions({
  queryKey: keys.emailChange(),
  queryFn: ({ signal }) => boss.get<EmailChange | null>('/email', {}, signal),
  staleTime: 0,
})

export function useAskEmailChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (email: string) => boss.post<EmailChange>('/email', { email }),
    onSuccess: (change) => client.setQueryData(keys.emailChange(), change),
  })
}

export function useCancelEmailChange() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => boss.delete('/email'),
    // Also where it failed: a change that is done or gone is not to be shown as open.
    onSettled: () => client.invalidateQueries({ queryKey: keys.emailChange() }),
  })
}
