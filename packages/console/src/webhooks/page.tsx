// The list of deliveries, with its filter by status, event and order.
import type { Delivery } from '@florin/protocol'
import { deliveryStatuses, eventKinds, WEBHOOK_ATTEMPTS_MAX } from '@florin/protocol'
import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useLive } from '../mode.ts'
import { DeliveryBadge, deliveryLabel } from '../ui/badge.tsx'
import { middle } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { NextAttemptNote } from './next-attempt.tsx'
import { useDeliveries } from './queries.ts'
import { type DeliverySearch, parseDeliverySearch } from './search.ts'
import { WebhookTabs } from './tabs.tsx'
import classes from './webhooks.module.css'

const route = getRouteApi('/shell/webhooks')

/** Host and path: the query may hold a secret of the merchant's and says little. */
export function shortUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname === '/' ? '' : pathname}`
  } catch {
    return url
  }
}

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
    key: 'order',
    label: 'Order',
    cell: (row) => (
      <Link to="/orders/$orderNo" params={{ orderNo: row.order_no }} className={classes.mono} title={row.order_no}>
        {middle(row.order_no, 10, 6)}
      </Link>
    ),
  },
  { key: 'url', label: 'To', cell: (row) => <span className={classes.url}>{shortUrl(row.url)}</span> },
  {
    key: 'attempts',
    label: 'Attempts',
    cell: (row) => (
      <span className="nums">
        {row.attempt_count} of {WEBHOOK_ATTEMPTS_MAX}
        {row.next_attempt_at === null ? null : <NextAttemptNote of={row} at={row.next_attempt_at} />}
      </span>
    ),
  },
  { key: 'created', label: 'Made', align: 'right', cell: (row) => <When at={row.created_at} /> },
]

export default function WebhooksPage() {
  const live = useLive()
  const search = route.useSearch()
  const navigate = useNavigate()
  const paging = usePaging(JSON.stringify([live, search]))
  const list = useDeliveries(search, paging.cursor)
  const filter = (next: DeliverySearch) => void navigate({ to: '/webhooks', search: next, replace: true })
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page
      title="Webhooks"
      lead="Each change of an order’s status, sent to the order’s webhook URL, signed, in up to five attempts."
    >
      <WebhookTabs />
      <Filters search={search} onChange={filter} />
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label={`Deliveries, ${live ? 'live' : 'test'} mode`}
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.id}
          isStale={list.isPlaceholderData}
          skeletonRows={8}
          empty={
            isFiltered ? (
              <Empty
                icon="filter"
                title="No delivery fits the filter"
                action={
                  <Button variant="default" size="sm" onClick={() => filter({})}>
                    Clear the filter
                  </Button>
                }
              />
            ) : (
              <Empty
                icon="webhook"
                title="No webhooks yet"
                action={
                  <LinkButton to="/setup" variant="default" size="sm">
                    How to receive one
                  </LinkButton>
                }
              >
                An order that is created with a webhook_url sends one at each change of its status.
              </Empty>
            )
          }
        />
      )}
      <Pager paging={paging} page={list.data} />
    </Page>
  )
}

function Filters({ search, onChange }: { search: DeliverySearch; onChange: (search: DeliverySearch) => void }) {
  const change = (part: Record<string, unknown>) => onChange(parseDeliverySearch({ ...search, ...part }))
  const byOrder = useDebouncedCallback((order_no: string) => change({ order_no }), 300)
  return (
    <search className={classes.filters} aria-label="Filter">
      <Select
        aria-label="Status"
        placeholder="Any status"
        clearable
        data={deliveryStatuses.map((status) => ({ value: status, label: deliveryLabel(status) }))}
        value={search.status ?? null}
        onChange={(status) => change({ status })}
      />
      <Select
        aria-label="Event"
        placeholder="Any event"
        clearable
        data={[...eventKinds]}
        value={search.event ?? null}
        onChange={(event) => change({ event })}
      />
      <TextInput
        // Emptied when the filter is cleared from elsewhere.
        key={search.order_no === undefined ? 'any' : 'one'}
        type="search"
        aria-label="Order number"
        placeholder="Order number"
        leftSection={<Icon name="search" size={15} />}
        defaultValue={search.order_no ?? ''}
        onChange={(event) => byOrder(event.currentTarget.value)}
        className={classes.grow}
      />
      {Object.keys(search).length === 0 ? null : (
        <Button variant="subtle" color="gray" size="sm" onClick={() => onChange({})}>
          Clear
        </Button>
      )}
    </search>
  )
}
