// The history of receiving addresses: every change, newest first.
import { Mono } from '../ui/copy.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { AccountCell } from './account-view.tsx'
import { ChainName } from './address-list.tsx'
import { type AddressChange, useAddressHistory } from './queries.ts'

const columns: readonly Column<AddressChange>[] = [
  { key: 'chain', label: 'Chain', card: 'title', cell: (row) => <ChainName id={row.chain} /> },
  {
    key: 'address',
    label: 'Address',
    cell: (row) =>
      row.account !== null ? (
        <AccountCell of={row.account} />
      ) : row.address === null ? (
        'Removed'
      ) : (
        <Mono value={row.address} what="address" ends={[10, 8]} />
      ),
  },
  { key: 'label', label: 'Label', cell: (row) => <bdi>{row.label ?? '–'}</bdi> },
  { key: 'by', label: 'Changed by', cell: (row) => row.changed_by },
  { key: 'at', label: 'When', align: 'right', cell: (row) => <When at={row.changed_at} /> },
]

export function AddressHistory() {
  const paging = usePaging('history')
  const list = useAddressHistory(paging.cursor)
  if (list.isError) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      <Table
        label="Changes of receiving addresses"
        columns={columns}
        rows={list.data?.data}
        rowKey={(row) => row.id}
        isStale={list.isPlaceholderData}
        skeletonRows={2}
        empty={
          <Empty isSmall icon="clock" title="No change yet">
            Every change stands here, with who made it and when.
          </Empty>
        }
      />
      <Pager paging={paging} page={list.data} />
    </>
  )
}
