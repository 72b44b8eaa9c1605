// The share of each status among the orders of a range: a bar, and the numbers that lead to the orders.
import { orderStatuses, type StatsSummary } from '@florin/protocol'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { statusWords } from '../orders/words.ts'
import { count, counted } from '../ui/format.ts'
import classes from './overview.module.css'

interface OrdersByStatusProps {
  summary: StatsSummary | undefined
  isStale: boolean
}

export function OrdersByStatus({ summary, isStale }: OrdersByStatusProps) {
  const total = summary?.orders_total ?? 0
  return (
    <section className={classes.card} aria-label="Orders by status" data-stale={isStale ? true : undefined}>
      <header className={classes.cardHead}>
        <h2 className={classes.cardTitle}>Orders by status</h2>
        <span className={classes.cardTotal}>
          {summary === undefined ? <Skeleton height={16} width={70} /> : counted(total, 'order')}
        </span>
      </header>
      <div className={classes.bar} aria-hidden="true">
        {summary === undefined
          ? null
          : orderStatuses.map((status) => {
              const n = summary.orders_by_status[status]
              return n === 0 ? null : <span key={status} data-status={status} style={{ flexGrow: n }} />
            })}
      </div>
      <ul className={classes.legend}>
        {orderStatuses.map((status) => (
          <li key={status}>
            <Link to="/orders" search={{ status: [status] }}>
              <span className={classes.swatch} data-status={status} />
              {statusWords[status].label}
              <strong>{summary === undefined ? '–' : count(summary.orders_by_status[status])}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
