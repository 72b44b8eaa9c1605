// The list of payment links in the present mode.
import type { PaymentLink } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import { useLive } from '../mode.ts'
import { CopyIcon } from '../ui/copy.tsx'
import { Empty } from '../ui/state.tsx'
import { type Column, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useLinks } from './queries.ts'
import classes from './selling.module.css'
import { SoldList } from './sold-list.tsx'
import { LinkBadge, priceOf } from './words.tsx'

const columns: readonly Column<PaymentLink>[] = [
  {
    key: 'title',
    label: 'Title',
    card: 'title',
    cell: (row) => (
      <Link to="/links/$id" params={{ id: row.id }} data-row className={classes.wide}>
        <bdi>{row.title}</bdi>
      </Link>
    ),
  },
  { key: 'state', label: 'State', card: 'small-end', cell: (row) => <LinkBadge of={row} /> },
  {
    key: 'price',
    label: 'Price',
    align: 'right',
    card: 'end',
    cell: (row) => <span className="nums">{priceOf(row)}</span>,
  },
  {
    key: 'sold',
    label: 'Sold',
    align: 'right',
    card: 'small',
    cell: (row) =>
      row.stock === null
        ? `${row.orders_paid} paid`
        : `${row.orders_paid} paid · ${row.stock_taken} of ${row.stock} taken`,
  },
  {
    key: 'copy',
    label: 'Link',
    card: 'hidden',
    cell: (row) => <CopyIcon value={row.url} label={`Copy the link of ${row.title}`} />,
  },
  { key: 'created', label: 'Made', align: 'right', card: 'hidden', cell: (row) => <When at={row.created_at} /> },
]

export default function LinksPage() {
  const live = useLive()
  const paging = usePaging(`links ${live}`)
  return (
    <SoldList
      title="Payment links"
      lead="Pages that many payers use. Each payment becomes an order."
      label={`Payment links, ${live ? 'live' : 'test'} mode`}
      columns={columns}
      list={useLinks(paging.cursor)}
      paging={paging}
      way="link"
      make="New link"
      empty={(make) => (
        <Empty icon="send" title={`No ${live ? 'live' : 'test'} links yet`} action={make}>
          A product, a ticket, a donation: one page to share or to print, paid by whoever opens it.
        </Empty>
      )}
    />
  )
}
