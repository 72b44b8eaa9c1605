// The page of one order: where it is and why, what came in, what was sent, and everything that can be done.
import type { Order } from '@florin/protocol'
import { Button, Skeleton } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useAttentionOf } from '../attention/queries.ts'
import { kindText } from '../attention/words.ts'
import { setLive } from '../mode.ts'
import { ModeBadge, OrderBadge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { CodeBlock, Mono } from '../ui/copy.tsx'
import { asked } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, Section } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { useNow, When } from '../ui/time.tsx'
import { OrderActs } from './order-acts.tsx'
import { OrderDeliveries } from './order-deliveries.tsx'
import { MetadataFacts, OrderFacts, PayLegFacts, SettlementFacts } from './order-facts.tsx'
import { Balance, Payments, Refunds } from './order-money.tsx'
import { Timeline } from './order-timeline.tsx'
import classes from './orders.module.css'
import { MerchantRefunds } from './own-refunds/merchant-refunds.tsx'
import { useOrder } from './queries.ts'
import { SimulatePanel } from './simulate-panel.tsx'
import { explainOrder } from './words.ts'

const route = getRouteApi('/shell/orders/$orderNo')
const back = { to: '/orders', label: 'Orders' } as const

export default function OrderPage() {
  const { orderNo } = route.useParams()
  const { data: order, error, refetch } = useOrder(orderNo)
  const livemode = order?.livemode
  // A link may lead to the other mode; the whole console follows, so that nothing beside the order is of another one.
  useEffect(() => {
    if (livemode !== undefined) setLive(livemode)
  }, [livemode])
  if (error !== null && order === undefined) {
    return (
      <Page title="Order" back={back}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (order === undefined) return <Loading />
  return (
    <Page
      title={`Order ${asked(order)}`}
      back={back}
      heading={
        <span className={classes.heading}>
          {asked(order)}
          <OrderBadge status={order.status} />
          {order.livemode ? null : <ModeBadge live={false} />}
        </span>
      }
      lead={
        <span className={classes.lead}>
          <Mono value={order.order_no} what="order number" ends={[12, 8]} />
          <When at={order.created_at} as="full" />
        </span>
      }
      actions={<OrderActs order={order} />}
    >
      <Why order={order} />
      <Open order={order} />
      <div className={classes.columns}>
        <div className={classes.wide}>
          {order.livemode ? null : <SimulatePanel order={order} />}
          <Payments order={order} />
          <Refunds order={order} />
          <MerchantRefunds order={order} />
          <Balance order={order} />
        </div>
        <div className={classes.narrow}>
          <PayLegFacts order={order} />
          <SettlementFacts order={order} />
          <OrderFacts order={order} />
          <MetadataFacts order={order} />
        </div>
        <div className={classes.history}>
          <Section title="Timeline">
            <Timeline order={order} />
          </Section>
          <Section title="Webhooks of this order">
            <OrderDeliveries order={order} />
          </Section>
          <Raw order={order} />
        </div>
      </div>
    </Page>
  )
}

function Why({ order }: { order: Order }) {
  const { title, text, tone } = explainOrder(order, useNow())
  return (
    <section className={classes.why} data-tone={tone} aria-label="Where it is">
      {/* The sentence counts the time down; only a new state is worth being announced. */}
      <strong aria-live="polite">{title}</strong>
      <span>{text}</span>
    </section>
  )
}

/** What needs a person about this order, in the words of the inbox. */
function Open({ order }: { order: Order }) {
  const items = useAttentionOf(order)
  return items.map((item) => (
    // No landmark: several may be alike.
    <div key={item.id} className={classes.why} data-tone="warn" role="note" aria-label={kindText(item.kind)}>
      <strong>{kindText(item.kind)}</strong>
      <bdi>{item.summary}</bdi>
      <Link to="/attention" className={classes.open}>
        {item.actions.some((action) => action !== 'dismiss')
          ? 'Decide under “Needs attention”'
          : 'Show under “Needs attention”'}
      </Link>
    </div>
  ))
}

function Raw({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Raw"
      aside={
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isOpen}
          rightSection={<Icon name={isOpen ? 'down' : 'right'} size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide the JSON' : 'Show the JSON'}
        </Button>
      }
    >
      {isOpen ? <CodeBlock label="order JSON" code={JSON.stringify(order, null, 2)} maxHeight={480} /> : null}
    </Section>
  )
}

function Loading() {
  return (
    <Page
      title="Order"
      heading={
        <Skeleton height={26} width={220}>
          Order
        </Skeleton>
      }
      back={back}
    >
      <Skeleton height={48} mb={20} />
      <div className={classes.columns}>
        <div className={classes.wide}>
          <Card>
            <Lines n={8} />
          </Card>
        </div>
        <div className={classes.narrow}>
          <Card>
            <Lines n={6} />
          </Card>
        </div>
      </div>
    </Page>
  )
}
