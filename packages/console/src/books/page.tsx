// How what orders have booked compares with what lies on their addresses: since when, and what differs. Operators see
// the orders of every merchant.
import type { BookDifference } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import { useChains } from '../chains.ts'
import { useIsOperator } from '../login/queries.ts'
import { middle } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { FeesOwedSection } from './fees-owed.tsx'
import { useBooks } from './queries.ts'
import { amountText, coverageText, gapText } from './words.ts'

function useColumns(): readonly Column<BookDifference>[] {
  const chains = useChains()
  const isOperator = useIsOperator()
  return [
    {
      key: 'gap',
      label: 'Difference',
      card: 'title',
      cell: (row) => (
        <strong>
          {gapText(row)} on {chains.name(row.chain)}
        </strong>
      ),
    },
    {
      key: 'order',
      label: 'Order',
      // Another merchant's order has no page here.
      cell: (row) =>
        row.merchant === null ? (
          <Link to="/orders/$orderNo" params={{ orderNo: row.order_no }} title={row.order_no}>
            {middle(row.order_no, 10, 6)}
          </Link>
        ) : (
          <span title={row.order_no}>{middle(row.order_no, 10, 6)}</span>
        ),
    },
    ...(isOperator
      ? [{ key: 'merchant', label: 'Merchant', cell: (row: BookDifference) => row.merchant ?? 'you' }]
      : []),
    { key: 'booked', label: 'Booked', cell: (row) => amountText(row.booked, row) },
    { key: 'found', label: 'On the chain', cell: (row) => amountText(row.found, row) },
    { key: 'block', label: 'Since block', cell: (row) => row.block ?? '–' },
    {
      key: 'state',
      label: 'State',
      cell: (row) =>
        row.resolved_at === null ? (
          'open'
        ) : (
          <>
            ended <When at={row.resolved_at} />
          </>
        ),
    },
    { key: 'at', label: 'Told', align: 'right', cell: (row) => <When at={row.told_at} /> },
  ]
}

export default function BooksPage() {
  const paging = usePaging('books')
  const books = useBooks(paging.cursor)
  const columns = useColumns()
  const coverage = books.data === undefined ? null : coverageText(books.data)
  return (
    <Page
      title="Books and chain"
      lead="Whether what orders have booked is what lies on their addresses. Busy orders are compared every few minutes, closed ones daily for 90 days; what differs at two final blocks is listed here and ends by itself when it is gone."
    >
      {coverage === null ? null : (
        <p>
          {coverage.before}
          {books.data?.compared_since ? <When at={books.data.compared_since} /> : null}
          {coverage.after}
        </p>
      )}
      {books.isError ? (
        <ErrorNote error={books.error} onRetry={() => void books.refetch()} />
      ) : (
        <Table
          label="Differences between books and chain"
          columns={columns}
          rows={books.data?.differences.data}
          rowKey={(row) => row.id}
          isStale={books.isPlaceholderData}
          empty={
            <Empty icon="check" title="Books and chain agree">
              Nothing has differed at two final blocks.
            </Empty>
          }
        />
      )}
      <Pager paging={paging} page={books.data?.differences} />
      <FeesOwedSection />
    </Page>
  )
}
