// Selling from the console: one payment, a link that many use, or an invoice.
import { SegmentedControl } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useAddresses } from '../addresses/queries.ts'
import { useLive } from '../mode.ts'
import { ModeBadge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/link.tsx'
import { Page } from '../ui/page.tsx'
import { Empty } from '../ui/state.tsx'
import { InvoiceForm } from './invoice-form.tsx'
import { LinkForm } from './link-form.tsx'
import { OrderForm } from './order-form.tsx'
import { type Way, ways } from './search.ts'
import classes from './selling.module.css'

const route = getRouteApi('/shell/sell')
const labels: Readonly<Record<Way, string>> = { order: 'One payment', link: 'Payment link', invoice: 'Invoice' }
const leads: Readonly<Record<Way, string>> = {
  order: 'One payment by one person: send its link or have its code scanned.',
  link: 'A page that many use: a product, a ticket, a donation. Each payment becomes an order.',
  invoice: 'Lines, tax and a due date, mailed to your client, with a page to pay on and a PDF.',
}

export default function SellPage() {
  const live = useLive()
  const navigate = useNavigate()
  const { way = 'order' } = route.useSearch()
  const addresses = useAddresses().data
  return (
    <Page
      title="Sell"
      lead={
        <>
          <ModeBadge live={live} /> {leads[way]}
        </>
      }
    >
      <div className={classes.form}>
        <SegmentedControl
          fullWidth
          mb={18}
          aria-label="What to make"
          value={way}
          data={ways.map((value) => ({ value, label: labels[value] }))}
          onChange={(value) => void navigate({ to: '/sell', search: { way: value as Way }, replace: true })}
        />
        {addresses?.data.length === 0 ? (
          <Empty
            icon="wallet"
            title="Set a receiving address first"
            action={
              <LinkButton to="/addresses" size="sm">
                Set an address
              </LinkButton>
            }
          >
            It is where the money arrives.
          </Empty>
        ) : way === 'order' ? (
          <OrderForm />
        ) : way === 'link' ? (
          <LinkForm />
        ) : (
          <InvoiceForm />
        )}
      </div>
    </Page>
  )
}
