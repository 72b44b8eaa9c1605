// The timeline of an order: every arrival and every change of detail, the newest first, with the event it sent.
import type { Order, TimelineEntry } from '@florin/protocol'
import { Card } from '../ui/card.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import classes from './orders.module.css'
import { useTimeline } from './queries.ts'
import { detailWords, statusWords } from './words.ts'

export function Timeline({ order }: { order: Order }) {
  const { data, error, refetch } = useTimeline(order.order_no)
  if (error !== null && data === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      {data === undefined ? (
        <Lines n={4} />
      ) : (
        <ol className={classes.timeline}>
          {data.data.toReversed().map((entry) => (
            <Entry key={entry.id} of={entry} />
          ))}
          {data.data.length === 0 && order.version > 1 ? (
            <li data-tone="calm" data-quiet>
              <span className={classes.entryText}>What happened in between is no longer kept</span>
            </li>
          ) : null}
          <li data-tone="calm">
            <span className={classes.entryText}>Order made</span>
            <When at={order.created_at} as="full" />
          </li>
        </ol>
      )}
    </Card>
  )
}

function Entry({ of: entry }: { of: TimelineEntry }) {
  const { label, tone } = statusWords[entry.status]
  const words = detailWords[entry.status_detail]
  return (
    <li data-tone={tone} data-quiet={entry.event === null ? true : undefined}>
      <span className={classes.entryText}>
        {entry.event === null ? (
          <>Now {words}</>
        ) : (
          <>
            {label}
            {words === label.toLowerCase() ? null : <span className={classes.dim}> · {words}</span>}{' '}
            <code>{entry.event}</code>
          </>
        )}
      </span>
      <When at={entry.created_at} as="full" />
    </li>
  )
}
