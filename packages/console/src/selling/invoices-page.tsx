// The list of invoices in the present mode.
import { type Invoice, type InvoiceStatus, invoiceStatuses } from '@florin/protocol'
import { Select } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useLive } from '../mode.ts'
import { Empty } from '../ui/state.tsx'
import { type Column, usePaging } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { useInvoices } from './queries.ts'
import classes from './selling.module.css'
import { SoldList } from './sold-list.tsx'
import { InvoiceBadge, invoiceWords, money } from './words.tsx'

const route = getRouteApi('/shell/invoices')

const columns: readonly Column<Invoice>[] = [
  {
    key: 'number',
    label: 'Number',
    card: 'title',
    cell: (row) => (
      <Link to="/invoices/$id" params={{ id: row.id }} data-row className={classes.wide}>
        {row.number}
      </Link>
    ),
  },
  {
    key: 'client',
    label: 'Client',
    card: 'small',
    cell: (row) => <bdi className={classes.wide}>{row.payer_name ?? row.payer_email ?? '–'}</bdi>,
  },
  { key: 'status', label: 'Status', card: 'small-end', cell: (row) => <InvoiceBadge of={row} /> },
  {
    key: 'total',
    label: 'Total',
    align: 'right',
    card: 'end',
    cell: (row) => <span className="nums">{money(row.total, row.currency)}</span>,
  },
  { key: 'due', label: 'Due', align: 'right', card: 'hidden', cell: (row) => row.due_date },
  { key: 'created', label: 'Made', align: 'right', card: 'hidden', cell: (row) => <When at={row.created_at} /> },
]

export default function InvoicesPage() {
  const live = useLive()
  const navigate = useNavigate()
  const { status = null } = route.useSearch()
  const paging = usePaging(`invoices ${live} ${status}`)
  return (
    <SoldList
      title="Invoices"
      lead="What your clients owe, what they paid, and what is late."
      label={`Invoices, ${live ? 'live' : 'test'} mode`}
      columns={columns}
      list={useInvoices(status, paging.cursor)}
      paging={paging}
      way="invoice"
      make="New invoice"
      empty={(make) =>
        status === null ? (
          <Empty icon="orders" title={`No ${live ? 'live' : 'test'} invoices yet`} action={make}>
            Lines, tax and a due date, mailed to your client, with a page to pay on and a PDF.
          </Empty>
        ) : (
          <Empty icon="filter" title="No invoice has this status" />
        )
      }
      filters={
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          maw={200}
          mb={14}
          data={invoiceStatuses.map((value) => ({ value, label: invoiceWords[value][1] }))}
          value={status}
          onChange={(value) =>
            void navigate({
              to: '/invoices',
              search: value === null ? {} : { status: value as InvoiceStatus },
              replace: true,
            })
          }
        />
      }
    />
  )
}
