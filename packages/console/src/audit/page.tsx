// The audit log: who did what to keys, addresses and refunds. Nothing in it can be changed, here or anywhere.
import type { AuditItem } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useChains } from '../chains.ts'
import { middle } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useAudit } from './queries.ts'
import { actionText, actorText, detailText } from './words.ts'

function Subject({ of }: { of: string }): ReactNode {
  const chains = useChains()
  if (of.startsWith('ord_')) {
    return (
      <Link to="/orders/$orderNo" params={{ orderNo: of }} title={of}>
        {middle(of, 10, 6)}
      </Link>
    )
  }
  if (of.startsWith('key_')) {
    return (
      <Link to="/keys/$id" params={{ id: of }} title={of}>
        {middle(of, 10, 6)}
      </Link>
    )
  }
  return <bdi>{chains.name(of)}</bdi>
}

const columns: readonly Column<AuditItem>[] = [
  {
    key: 'action',
    label: 'What',
    card: 'title',
    cell: (row) => <strong title={row.action}>{actionText(row.action)}</strong>,
  },
  { key: 'subject', label: 'To', cell: (row) => <Subject of={row.subject} /> },
  {
    key: 'detail',
    label: 'Particulars',
    // The name of a key may be one long word.
    cell: (row) => <bdi style={{ overflowWrap: 'anywhere' }}>{detailText(row.detail) || '–'}</bdi>,
  },
  { key: 'actor', label: 'By', cell: (row) => <bdi>{actorText(row.actor)}</bdi> },
  { key: 'at', label: 'When', align: 'right', cell: (row) => <When at={row.created_at} /> },
]

export default function AuditPage() {
  const paging = usePaging('audit')
  const list = useAudit(paging.cursor)
  return (
    <Page
      title="Audit log"
      lead="Who did what to keys, addresses and refunds. Entries are only ever added; no one can change or remove one."
    >
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label="Audit log"
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          empty={
            <Empty icon="audit" title="Nothing yet">
              The first entry appears when a key is made or an address is set.
            </Empty>
          }
        />
      )}
      <Pager paging={paging} page={list.data} />
    </Page>
  )
}
