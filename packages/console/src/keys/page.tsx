// The list of API keys in the present mode.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useLive } from '../mode.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { useNow, When } from '../ui/time.tsx'
import { keyDialog } from './dialog.ts'
import { type ApiKey, type KeyState, keyState, maskedKey, useKeys } from './queries.ts'

export const stateWords: Readonly<Record<KeyState, readonly ['good' | 'calm', string]>> = {
  active: ['good', 'Active'],
  expired: ['calm', 'Expired'],
  revoked: ['calm', 'Revoked'],
}

export function KeyBadge({ of }: { of: ApiKey }) {
  const [tone, label] = stateWords[keyState(of, useNow())]
  return <Badge tone={tone}>{label}</Badge>
}

const columns: readonly Column<ApiKey>[] = [
  {
    key: 'name',
    label: 'Name',
    card: 'title',
    cell: (row) => (
      <Link to="/keys/$id" params={{ id: row.id }} data-row>
        <bdi>{row.name}</bdi>
      </Link>
    ),
  },
  { key: 'key', label: 'Key', cell: (row) => <code>{maskedKey(row)}</code> },
  { key: 'state', label: 'State', cell: (row) => <KeyBadge of={row} /> },
  {
    key: 'used',
    label: 'Last used',
    cell: (row) => (row.last_used_at === null ? 'Never' : <When at={row.last_used_at} as="relative" />),
  },
  {
    key: 'expires',
    label: 'Expires',
    cell: (row) => (row.expires_at === null ? 'Never' : <When at={row.expires_at} />),
  },
  { key: 'created', label: 'Created', align: 'right', cell: (row) => <When at={row.created_at} /> },
]

export default function KeysPage() {
  const live = useLive()
  const paging = usePaging(`keys ${live}`)
  const list = useKeys(paging.cursor)
  const mode = live ? 'live' : 'test'
  const make = (
    <Button size="sm" leftSection={<Icon name="plus" size={15} />} onClick={keyDialog.open}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="API keys"
      lead="Your server uses a key to create and read orders. Keep it on the server: whoever holds it can read your orders."
      actions={make}
    >
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label={`API keys, ${mode} mode`}
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          skeletonRows={3}
          empty={
            <Empty icon="key" title={`No ${mode} keys yet`} action={make}>
              {live
                ? 'A live key creates orders that real money pays.'
                : 'A test key creates orders that you pay with a button, so you can try everything before real money moves.'}
            </Empty>
          }
        />
      )}
      <Pager paging={paging} page={list.data} />
    </Page>
  )
}
