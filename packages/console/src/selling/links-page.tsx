// The list of payment links in the present mode.
import type { PaymentLink } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import { useLive } from '../mode.ts'
import { CopyIcon } from '../ui/copy.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useLinks } from './queries.ts'
import classes from './selling.module.css'
import { LinkBadge, priceOf } from './words.tsx'

const columns: readonly Column<PaymentLink>[] = [
  {
    key: 'title',
    label: 'Title',
    card: 'title',
    cell: (row) => (
      <Link to="/links/$id" params={{ id: row.id }} data-row className={classes.wide}>
        {row.title}
      </Link>
    ),
  },
  { key: 'state', label: 'State', cell: (row) => <LinkBadge of={row} /> },
  { key: 'price', label: 'Price', align: 'right', cell: (row) => <span className="nums">{priceOf(row)}</span> },
  {
    key: 'sold',
    label: 'Paid',
    align: 'right',
    cell: (row) =>
      row.stock === null ? row.orders_paid : `${row.orders_paid} · ${row.stock_taken} of ${row.stock} taken`,
  },
  { key: 'copy', label: 'Link', cell: (row) => <CopyIcon value={row.url} label={`Copy the link of ${row.title}`} /> },
  { key: 'created', label: 'Made', align: 'right', card: 'hidden', cell: (row) => <When at={row.created_at} /> },
]

export default function LinksPage() {
  const live = useLive()
  const paging = usePaging(`links ${live}`)
  const list = useLinks(paging.cursor)
  const make = (
    <LinkButton to="/sell" search={{ way: 'link' }} size="sm">
      New link
    </LinkButton>
  )
  return (
    <Page title="Payment links" lead="Pages that many payers use. Each payment becomes an order." actions={make}>
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label={`Payment links, ${live ? 'live' : 'test'} mode`}
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          skeletonRows={4}
          empty={
            <Empty icon="send" title={`No ${live ? 'live' : 'test'} links yet`} action={make}>
              A product, a ticket, a donation: one page to share or to print, paid by whoever opens it.
            </Empty>
          }
        />
      )}
      <Pager paging={paging} page={list.data} />
    </Page>
  )
}
