// The newest orders that came of a link or an invoice.
import type { Order } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import { OrderBadge } from '../ui/badge.tsx'
import { middle } from '../ui/format.ts'
import { Section } from '../ui/page.tsx'
import { ErrorNote } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useOrdersOf } from './queries.ts'
import classes from './selling.module.css'
import { money } from './words.tsx'

const columns: readonly Column<Order>[] = [
  {
    key: 'order',
    label: 'Order',
    card: 'title',
    cell: (row) => (
      <Link to="/orders/$orderNo" params={{ orderNo: row.order_no }} data-row className={classes.wide}>
        <bdi>{row.payer_name ?? row.payer_email ?? middle(row.order_no, 10, 6)}</bdi>
      </Link>
    ),
  },
  {
    key: 'status',
    label: 'Status',
    card: 'small-end',
    cell: (row) => <OrderBadge status={row.status} detail={row.status_detail} />,
  },
  { key: 'quantity', label: 'Quantity', align: 'right', card: 'hidden', cell: (row) => row.quantity ?? 1 },
  {
    key: 'amount',
    label: 'Amount',
    align: 'right',
    card: 'end',
    cell: (row) => <span className="nums">{money(row.amount, row.currency)}</span>,
  },
  { key: 'created', label: 'Started', align: 'right', card: 'small', cell: (row) => <When at={row.created_at} /> },
]

export function OrdersOf({ filter, live }: { filter: Parameters<typeof useOrdersOf>[0]; live: boolean }) {
  const list = useOrdersOf(filter, live)
  return (
    <Section title="Payments">
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label="Orders that came of it"
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.order_no}
          skeletonRows={3}
          empty={<p className={classes.none}>Nobody has started to pay yet.</p>}
        />
      )}
    </Section>
  )
}
