// The page of one invoice: what is owed, how it is shared, what came of it, and what can still be done.
import { INVOICE_MAILS_MAX, type Invoice } from '@florin/protocol'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { ModeBadge } from '../ui/badge.tsx'
import { Act, Card } from '../ui/card.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { counted } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Fact, Facts, Page, Section } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/time.tsx'
import { OrdersOf } from './orders-of.tsx'
import { useInvoice, useSendInvoice, useVoidInvoice } from './queries.ts'
import classes from './selling.module.css'
import { Share } from './share.tsx'
import { InvoiceBadge, money } from './words.tsx'

const route = getRouteApi('/shell/invoices/$id')
const back = { to: '/invoices', label: 'Invoices' } as const

export default function InvoicePage() {
  const { id } = route.useParams()
  const { data: invoice, error, refetch } = useInvoice(id)
  if (invoice === undefined) {
    return (
      <Page title="Invoice" back={back}>
        {error === null ? <Lines n={6} /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  const canPay = invoice.status === 'open' || invoice.status === 'overdue'
  return (
    <Page
      title={`Invoice ${invoice.number}`}
      heading={<span className={classes.wide}>Invoice {invoice.number}</span>}
      back={back}
      lead={
        <>
          <ModeBadge live={invoice.livemode} /> <InvoiceBadge of={invoice} /> {money(invoice.total, invoice.currency)},
          due {invoice.due_date}
        </>
      }
    >
      <Card>
        <Share url={invoice.url} title={`Invoice ${invoice.number}`}>
          <Button
            component="a"
            href={invoice.pdf_url}
            target="_blank"
            rel="noopener"
            variant="default"
            size="sm"
            leftSection={<Icon name="download" size={14} />}
          >
            PDF
          </Button>
        </Share>
      </Card>
      <InvoiceFacts of={invoice} />
      <OrdersOf filter={{ invoice_id: invoice.id }} live={invoice.livemode} />
      {canPay ? <InvoiceActs of={invoice} /> : null}
    </Page>
  )
}

type Row = Invoice['lines'][number] & { n: number; currency: string }
const columns: readonly Column<Row>[] = [
  { key: 'item', label: 'Item', card: 'title', cell: (row) => <bdi className={classes.wide}>{row.description}</bdi> },
  { key: 'quantity', label: 'Quantity', align: 'right', cell: (row) => row.quantity },
  { key: 'unit', label: 'Price', align: 'right', cell: (row) => money(row.unit_price, row.currency) },
  { key: 'amount', label: 'Amount', align: 'right', cell: (row) => money(row.amount, row.currency) },
]

function InvoiceFacts({ of: invoice }: { of: Invoice }) {
  const { currency } = invoice
  const many = (name: string, value: string | null) =>
    value === null ? null : (
      <Fact name={name}>
        <div className={classes.lines} dir="auto">
          {value}
        </div>
      </Fact>
    )
  return (
    <Section title="What is owed">
      <Table
        label="Lines of the invoice"
        columns={columns}
        rows={invoice.lines.map((line, n) => ({ ...line, n, currency }))}
        rowKey={(row) => String(row.n)}
        empty={null}
      />
      <div className={classes.gap} />
      <Card>
        <Facts>
          {invoice.tax_label === null ? null : (
            <>
              <Fact name="Subtotal">{money(invoice.subtotal, currency)}</Fact>
              <Fact name={`${invoice.tax_label}${invoice.tax_percent === null ? '' : ` ${invoice.tax_percent} %`}`}>
                {money(invoice.tax_amount, currency)}
              </Fact>
            </>
          )}
          <Fact name="Total">
            <span className={classes.total}>{money(invoice.total, currency)}</span>
          </Fact>
          {many('Client', invoice.payer_name)}
          {many('Email', invoice.payer_email)}
          {many('Client’s details', invoice.payer_details)}
          {many('Your details', invoice.seller_details)}
          {many('Note', invoice.note)}
          <Fact name="Mailed">
            {invoice.last_sent_at === null ? (
              'Not yet'
            ) : (
              <>
                {counted(invoice.sent_count, 'time')}, last <When at={invoice.last_sent_at} as="relative" />
              </>
            )}
          </Fact>
          {invoice.paid_at === null ? null : (
            <Fact name="Paid">
              <When at={invoice.paid_at} as="full" />
              {invoice.paid_order_nos.length > 1
                ? `, by ${invoice.paid_order_nos.length} orders: refund all but one`
                : null}
            </Fact>
          )}
          {invoice.voided_at === null ? null : (
            <Fact name="Taken back">
              <When at={invoice.voided_at} as="full" />
            </Fact>
          )}
          <Fact name="Made">
            <When at={invoice.created_at} as="full" />
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}

function InvoiceActs({ of: invoice }: { of: Invoice }) {
  const send = useSendInvoice(invoice.id)
  const void_ = useVoidInvoice(invoice.id)
  const [asking, ask] = useDisclosure(false)
  return (
    <Section title="The invoice itself">
      <Card>
        {invoice.payer_email === null ? null : (
          <Act
            title="Mail it"
            text={`To ${invoice.livemode ? invoice.payer_email : 'you, since it is a test'}: once an hour and ${INVOICE_MAILS_MAX} times at most.`}
          >
            <Button
              variant="default"
              loading={send.isPending}
              disabled={invoice.sent_count >= INVOICE_MAILS_MAX}
              onClick={() => send.mutate({})}
            >
              {invoice.sent_count === 0 ? 'Mail it' : 'Mail it again'}
            </Button>
          </Act>
        )}
        <ErrorNote error={send.error} />
        <Act title="Take it back" text="Nobody can pay it any more. It keeps its number.">
          <Button variant="default" c="var(--fl-bad)" onClick={ask.open}>
            Take it back
          </Button>
        </Act>
      </Card>
      <Confirm
        opened={asking}
        onClose={ask.close}
        title={`Take ${invoice.number} back?`}
        action="Take it back"
        isDangerous
        onConfirm={() => void_.mutateAsync({})}
      >
        Its page says from then on that it is not to be paid. A payment that somebody started and that got nothing is
        canceled. This cannot be undone.
      </Confirm>
    </Section>
  )
}
