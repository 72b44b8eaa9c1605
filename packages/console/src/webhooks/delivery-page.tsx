// The page of one delivery: what was to be told to whom, every attempt with what came back, and sending it again.
import type { Attempt, Delivery } from '@florin/protocol'
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_TIMEOUT_MS } from '@florin/protocol'
import { Button, Skeleton } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { setLive } from '../mode.ts'
import { Badge, DeliveryBadge, ModeBadge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Mono } from '../ui/copy.tsx'
import { latency } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { notify } from '../ui/notify.ts'
import { Fact, Facts, Page, Section } from '../ui/page.tsx'
import { Empty, ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { NextAttempt } from './next-attempt.tsx'
import { useDelivery, useResend } from './queries.ts'
import classes from './webhooks.module.css'
import { attemptErrorText } from './words.ts'

const route = getRouteApi('/shell/webhooks/$id')
const back = { to: '/webhooks', label: 'Webhooks' } as const

export default function DeliveryPage() {
  const { id } = route.useParams()
  const { data: delivery, error, refetch } = useDelivery(id)
  const livemode = delivery?.livemode
  useEffect(() => {
    if (livemode !== undefined) setLive(livemode)
  }, [livemode])
  if (error !== null && delivery === undefined) {
    return (
      <Page title="Delivery" back={back}>
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (delivery === undefined) {
    return (
      <Page
        title="Delivery"
        heading={
          <Skeleton height={26} width={220}>
            Delivery
          </Skeleton>
        }
        back={back}
      >
        <Card>
          <Lines n={5} />
        </Card>
      </Page>
    )
  }
  return <Known delivery={delivery} />
}

function Known({ delivery }: { delivery: Delivery }) {
  const navigate = useNavigate()
  const resend = useResend()
  const isFresh = delivery.status === 'pending'
  return (
    <Page
      title={delivery.event}
      back={back}
      heading={
        <span className={classes.heading}>
          {delivery.event}
          <DeliveryBadge status={delivery.status} />
          {delivery.livemode ? null : <ModeBadge live={false} />}
        </span>
      }
      lead={<Mono value={delivery.id} what="delivery id" />}
      actions={
        <Button
          size="sm"
          variant="default"
          loading={resend.isPending}
          disabled={isFresh}
          leftSection={<Icon name="refresh" size={15} />}
          onClick={() =>
            resend.mutate(delivery.id, {
              onSuccess: (next) => {
                notify(
                  next.id === delivery.id ? 'The next attempt is made now.' : 'It is sent again, as a new delivery.',
                )
                if (next.id !== delivery.id) void navigate({ to: '/webhooks/$id', params: { id: next.id } })
              },
            })
          }
        >
          {delivery.status === 'retrying' ? 'Try now' : 'Resend'}
        </Button>
      }
    >
      <ErrorNote error={resend.error} />
      <Card>
        <Facts>
          <Fact name="Order">
            <Link to="/orders/$orderNo" params={{ orderNo: delivery.order_no }} className={classes.mono}>
              {delivery.order_no}
            </Link>
          </Fact>
          <Fact name="To">
            <Mono value={delivery.url} what="URL" />
          </Fact>
          <Fact name="Event id">
            <Mono value={delivery.event_id} what="event id" />
          </Fact>
          <Fact name="Made">
            <When at={delivery.created_at} as="full" />
          </Fact>
          <Fact name="Attempts">
            <span className="nums">
              {delivery.attempt_count} of {WEBHOOK_ATTEMPTS_MAX}
            </span>
          </Fact>
          {delivery.next_attempt_at === null ? null : (
            <Fact name="Next attempt">
              <NextAttempt at={delivery.next_attempt_at} />
            </Fact>
          )}
          {delivery.resent_from === null ? null : (
            <Fact name="Resent from">
              <Link to="/webhooks/$id" params={{ id: delivery.resent_from }} className={classes.mono}>
                {delivery.resent_from}
              </Link>
            </Fact>
          )}
        </Facts>
      </Card>
      <Section title="Attempts">
        {delivery.attempts.length === 0 ? (
          <Card>
            <Empty isSmall icon="clock" title="Not tried yet">
              The first attempt is made at once; this page shows it as it happens.
            </Empty>
          </Card>
        ) : (
          <ol className={classes.attempts}>
            {delivery.attempts.toReversed().map((attempt) => (
              <AttemptItem key={`${attempt.n} ${attempt.at}`} of={attempt} />
            ))}
          </ol>
        )}
      </Section>
    </Page>
  )
}

function AttemptItem({ of: attempt }: { of: Attempt }) {
  const isGood = attempt.error === null
  const share = Math.min(100, ((attempt.latency_ms ?? 0) / WEBHOOK_TIMEOUT_MS) * 100)
  return (
    <li className={classes.attempt}>
      <div className={classes.attemptHead}>
        <span className={classes.attemptNo}>Attempt {attempt.n}</span>
        <Badge tone={isGood ? 'good' : 'bad'}>
          {attempt.http_status === null ? 'No answer' : `HTTP ${attempt.http_status}`}
        </Badge>
        <When at={attempt.at} as="full" />
        {attempt.latency_ms === null ? null : (
          <span className={classes.latency} title={`${latency(attempt.latency_ms)} of ${latency(WEBHOOK_TIMEOUT_MS)}`}>
            <span className={classes.bar} aria-hidden="true">
              <span style={{ width: `${Math.max(2, share)}%` }} data-slow={share > 50 ? true : undefined} />
            </span>
            <span className="nums">{latency(attempt.latency_ms)}</span>
          </span>
        )}
      </div>
      {isGood ? null : (
        <p className={classes.attemptText}>
          {attemptErrorText(attempt.error)} <code className={classes.dim}>{attempt.error}</code>
        </p>
      )}
      {attempt.response_excerpt === null || attempt.response_excerpt === '' ? null : (
        // What the receiver wrote, as text and nothing else; isolated, so that it cannot turn the direction of the page.
        <pre className={classes.excerpt} dir="ltr">
          <bdi>{attempt.response_excerpt}</bdi>
        </pre>
      )}
    </li>
  )
}
