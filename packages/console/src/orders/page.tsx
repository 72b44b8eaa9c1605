// The list of orders: filter, search, pages, export, and making a test order.
import type { Order } from '@florin/protocol'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useChains } from '../chains.ts'
import { setLive, useLive } from '../mode.ts'
import { OrderBadge } from '../ui/badge.tsx'
import { asked, middle } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, ErrorNote } from '../ui/state.tsx'
import { type Column, Pager, Table, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { CreateOrder } from './create-order.tsx'
import { ExportOrders } from './export/export-orders.tsx'
import { OrderFilters } from './filters.tsx'
import classes from './orders.module.css'
import { useOrders } from './queries.ts'
import { isFiltered } from './search.ts'

const route = getRouteApi('/shell/orders')

export default function OrdersPage() {
  const live = useLive()
  const search = route.useSearch()
  const navigate = useNavigate()
  const paging = usePaging(JSON.stringify([live, search]))
  const list = useOrders(search, paging.cursor)
  const [isCreating, create] = useDisclosure(false)
  const [isExporting, exporting] = useDisclosure(false)
  const columns = useColumns()
  const filtered = isFiltered(search)
  const searchedUntil = list.data?.searched_until ?? null
  const further = list.data?.next_cursor ?? null
  return (
    <Page
      title="Orders"
      actions={
        <>
          <Button size="sm" variant="default" leftSection={<Icon name="download" size={15} />} onClick={exporting.open}>
            Export
          </Button>
          <Button size="sm" leftSection={<Icon name="plus" size={15} />} onClick={create.open}>
            Test order
          </Button>
        </>
      }
    >
      <OrderFilters
        search={search}
        onChange={(next) => void navigate({ to: '/orders', search: next, replace: true })}
      />
      {list.isError ? (
        <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <Table
          label={`Orders, ${live ? 'live' : 'test'} mode`}
          columns={columns}
          rows={list.data?.data}
          rowKey={(row) => row.order_no}
          isStale={list.isPlaceholderData}
          skeletonRows={10}
          empty={
            searchedUntil !== null ? (
              <Empty
                icon="filter"
                title="None so far"
                action={
                  further === null ? null : (
                    <Button variant="default" size="sm" onClick={() => paging.next(further)}>
                      Look further back
                    </Button>
                  )
                }
              >
                No order since <When at={searchedUntil} as="full" /> fits the filter.
              </Empty>
            ) : filtered ? (
              <Empty
                icon="filter"
                title="No order fits the filter"
                action={
                  <Button variant="default" size="sm" onClick={() => void navigate({ to: '/orders', search: {} })}>
                    Clear the filter
                  </Button>
                }
              >
                The search takes words of the title or reference, or a whole order number, address or transaction.
              </Empty>
            ) : (
              <NoOrders live={live} onCreate={create.open} />
            )
          }
        />
      )}
      {searchedUntil !== null && list.data?.data.length !== 0 ? (
        <Text size="xs" c="dimmed" mt={8}>
          Looked back to <When at={searchedUntil} as="full" />. The next page looks further.
        </Text>
      ) : null}
      <Pager paging={paging} page={list.data} />
      <CreateOrder opened={isCreating} onClose={create.close} />
      <ExportOrders opened={isExporting} onClose={exporting.close} search={search} />
    </Page>
  )
}

function NoOrders({ live, onCreate }: { live: boolean; onCreate: () => void }) {
  return live ? (
    <Empty
      icon="orders"
      title="No live orders yet"
      action={
        <Button variant="default" size="sm" onClick={() => setLive(false)}>
          Look at test data
        </Button>
      }
    >
      Orders that your server makes with a live key appear here as they happen.
    </Empty>
  ) : (
    <Empty
      icon="orders"
      title="No test orders yet"
      action={
        <>
          <Button size="sm" onClick={onCreate}>
            Create a test order
          </Button>
          <LinkButton to="/setup" variant="default" size="sm">
            Set-up guide
          </LinkButton>
        </>
      }
    >
      Make one here, or from your server with a test key, and drive it with the simulate buttons on its page.
    </Empty>
  )
}

function useColumns(): readonly Column<Order>[] {
  const chains = useChains()
  return [
    {
      key: 'order',
      label: 'Order',
      card: 'title',
      cell: (row) => (
        <span className={classes.name}>
          <Link to="/orders/$orderNo" params={{ orderNo: row.order_no }} data-row>
            <bdi>{row.title ?? row.external_id ?? middle(row.order_no, 10, 6)}</bdi>
          </Link>
          <small>
            {row.title !== null && row.external_id !== null ? (
              <>
                <bdi>{row.external_id}</bdi>
                {' · '}
              </>
            ) : null}
            <code title={row.order_no}>{middle(row.order_no, 10, 6)}</code>
          </small>
        </span>
      ),
    },
    {
      key: 'status',
      label: 'Status',
      card: 'small',
      cell: (row) => <OrderBadge status={row.status} detail={row.status_detail} />,
    },
    {
      key: 'amount',
      label: 'Amount',
      align: 'right',
      card: 'end',
      cell: (row) => <span className="nums">{asked(row)}</span>,
    },
    {
      key: 'pay',
      label: 'Pays with',
      card: 'hidden',
      cell: (row) => (row.pay === null ? '–' : `${row.pay.asset} on ${chains.name(row.pay.chain)}`),
    },
    {
      key: 'settle',
      label: 'Settles as',
      card: 'hidden',
      cell: (row) => `${row.settle_asset} on ${chains.name(row.settle_chain)}`,
    },
    {
      key: 'created',
      label: 'Created',
      align: 'right',
      card: 'small-end',
      cell: (row) => <When at={row.created_at} />,
    },
  ]
}
