// The call of the audit log.
import type { AuditItem } from '@florin/protocol'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { boss, type Page } from '../api.ts'
import { keys } from '../query-keys.ts'

export const useAudit = (cursor: string | undefined) =>
  useQuery({
    queryKey: keys.audit(cursor),
    queryFn: ({ signal }) => boss.get<Page<AuditItem>>('/audit', { cursor, limit: 25 }, signal),
    placeholderData: keepPreviousData,
  })
