// The page of one payment link: how it is shared, what it sells, what came of it.
import type { PaymentLink } from '@florin/protocol'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { ModeBadge } from '../ui/badge.tsx'
import { Act, Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { Fact, Facts, Page, Section } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { OrdersOf } from './orders-of.tsx'
import { useChangeLink, useLink } from './queries.ts'
import classes from './selling.module.css'
import { Share } from './share.tsx'
import { LinkBadge, priceOf } from './words.tsx'

const route = getRouteApi('/shell/links/$id')
const back = { to: '/links', label: 'Payment links' } as const

export default function LinkPage() {
  const { id } = route.useParams()
  const { data: link, error, refetch } = useLink(id)
  if (link === undefined) {
    return (
      <Page title="Payment link" back={back}>
        {error === null ? <Lines n={6} /> : <ErrorNote error={error} onRetry={() => void refetch()} />}
      </Page>
    )
  }
  return (
    <Page
      title={link.title}
      heading={<bdi className={classes.wide}>{link.title}</bdi>}
      back={back}
      lead={
        <>
          <ModeBadge live={link.livemode} /> <LinkBadge of={link} /> {priceOf(link)}
        </>
      }
    >
      {link.state === 'open' ? (
        <Card>
          <Share url={link.url} title={link.title}>
            <Button
              component="a"
              href={`${link.url}/qr`}
              target="_blank"
              rel="noopener"
              variant="default"
              size="sm"
              leftSection={<Icon name="qr" size={14} />}
            >
              Sheet to print
            </Button>
          </Share>
        </Card>
      ) : null}
      <LinkFacts of={link} />
      <OrdersOf filter={{ payment_link_id: link.id }} live={link.livemode} />
      <TurnOff of={link} />
    </Page>
  )
}

function LinkFacts({ of: link }: { of: PaymentLink }) {
  const asked = (['email', 'name', 'note'] as const).flatMap((field) => {
    const how = link[`ask_${field}`]
    return how === 'no' ? [] : [`${field}${how === 'required' ? '' : ' (optional)'}`]
  })
  return (
    <Section title="What it sells">
      <Card>
        <Facts>
          <Fact name="Price">{priceOf(link)}</Fact>
          {link.description === null ? null : (
            <Fact name="Description">
              <div className={classes.lines} dir="auto">
                {link.description}
              </div>
            </Fact>
          )}
          <Fact name="Stock">
            {link.stock === null ? 'No end' : `${link.stock_taken} of ${link.stock} sold or being paid`}
          </Fact>
          {link.quantity_max === 1 ? null : <Fact name="At once">Up to {link.quantity_max}</Fact>}
          <Fact name="Asks for">{asked.length === 0 ? 'Nothing' : asked.join(', ')}</Fact>
          <Fact name="Ends">{link.ends_at === null ? 'Never' : <When at={link.ends_at} as="full" />}</Fact>
          {link.success_text === null ? null : (
            <Fact name="After the payment">
              <span className={classes.lines}>{link.success_text}</span>
            </Fact>
          )}
          <Fact name="Paid orders">{link.orders_paid}</Fact>
          <Fact name="Made">
            <When at={link.created_at} as="full" />
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}

function TurnOff({ of: link }: { of: PaymentLink }) {
  const change = useChangeLink(link.id)
  return (
    <Section title="The link itself">
      <Card>
        <Act
          title={link.active ? 'Turn it off' : 'Turn it on'}
          text={
            link.active
              ? 'Nobody can start a payment from then on. Payments that were started go on.'
              : 'The same address works again.'
          }
        >
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate({ active: !link.active })}>
            {link.active ? 'Turn off' : 'Turn on'}
          </Button>
        </Act>
        <ErrorNote error={change.error} />
      </Card>
    </Section>
  )
}
