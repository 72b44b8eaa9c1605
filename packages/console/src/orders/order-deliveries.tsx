// The webhooks that told of this order.
import type { Delivery, Order } from '@florin/protocol'
import { WEBHOOK_ATTEMPTS_MAX } from '@florin/protocol'
import { Link } from '@tanstack/react-router'
import { DeliveryBadge } from '../ui/badge.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useOrderDeliveries } from './queries.ts'

const columns: readonly Column<Delivery>[] = [
  {
    key: 'event',
    label: 'Event',
    card: 'title',
    cell: (row) => (
      <Link to="/webhooks/$id" params={{ id: row.id }} data-row>
        {row.event}
      </Link>
    ),
  },
  { key: 'status', label: 'Status', cell: (row) => <DeliveryBadge status={row.status} /> },
  {
    key: 'attempts',
    label: 'Attempts',
    cell: (row) => (
      <span className="nums">
        {row.attempt_count} of {WEBHOOK_ATTEMPTS_MAX}
      </span>
    ),
  },
  { key: 'created', label: 'Made', align: 'right', cell: (row) => <When at={row.created_at} /> },
]

export function OrderDeliveries({ order }: { order: Order }) {
  const { data, error, refetch } = useOrderDeliveries(order)
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return (
    <Table
      label="Webhooks of this order"
      columns={columns}
      rows={data?.data}
      rowKey={(row) => row.id}
      skeletonRows={2}
      empty={
        order.webhook_url === null ? (
          <Empty isSmall icon="webhook" title="This order has no webhook URL">
            Give a webhook_url when you create an order, and each change of its status is sent there, signed.
          </Empty>
        ) : (
          <Empty isSmall icon="webhook" title="Nothing sent yet">
            The first webhook goes out when the order leaves pending.
          </Empty>
        )
      }
    />
  )
}
