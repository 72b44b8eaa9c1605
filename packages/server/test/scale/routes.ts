// Every list, search, statistic and feed of a merchant, as requests: what `npm run bench -- scale` prints, and what a test holds
// the plans of.
import { only } from '@florin/platform/assert'
import type { Sql } from '@florin/platform/db/pool'
import { DAY_MS, deliveryStatuses, statsMetrics } from '@florin/protocol'
import { everyFilter, type Sample } from './filters.ts'

export interface Route {
  name: string
  url: string
  /** The console's session, or an API key. */
  by: 'session' | 'key'
}

/** A paid order of the merchant, neither its first nor its last. */
export async function sampleOf(sql: Sql, merchantId: string): Promise<Sample> {
  const rows = await sql<Sample[]>`
    select o.order_no, o.external_id, l.address, p.tx_hash as "txHash", o.settle_tx_hash as "settleTxHash", o.created_at as "createdAt"
    from orders o join pay_legs l using (order_no) join payments p using (order_no)
    where o.merchant_id = ${merchantId} and o.status = 'success' order by o.order_no
    offset (select least(500, count(*) / 2) from orders where merchant_id = ${merchantId} and status = 'success') limit 1`
  return only(rows, 'paid order')
}

export function everyRoute(sample: Sample, now: Date): Route[] {
  const session = (name: string, path: string): Route => ({ name, url: `/api/v1/boss/${path}`, by: 'session' })
  const key = (name: string, path: string): Route => ({ name, url: `/v1/${path}`, by: 'key' })
  const days = (n: number): string => `livemode=true&from=${new Date(now.getTime() - n * DAY_MS).toISOString()}`
  return [
    ...Object.entries(everyFilter(sample)).map(([name, query]) => session(name, `orders?livemode=true&${query}`)),
    key('/v1 orders', 'orders'),
    session('statistics, 90 days', `stats/summary?${days(90)}`),
    session('statistics, a day', `stats/summary?${days(1)}`),
    ...statsMetrics.map((metric) =>
      session(`series of ${metric}, 90 days`, `stats/series?${days(90)}&metric=${metric}&bucket=day`),
    ),
    session('series by hour, 7 days', `stats/series?${days(7)}&metric=volume&bucket=hour`),
    key('event feed, from the beginning', 'events'),
    key('event feed, 100 events', 'events?limit=100'),
    session('deliveries', 'deliveries?livemode=true'),
    ...deliveryStatuses.map((status) => session(`deliveries ${status}`, `deliveries?livemode=true&status=${status}`)),
    session('deliveries of an event', 'deliveries?event=order.success'),
    session('deliveries of an order', `deliveries?order_no=${sample.order_no}`),
    session('payment links', 'payment_links?livemode=true'),
    session('invoices', 'invoices?livemode=true'),
    session('attention', 'attention?livemode=true'),
    session('audit log', 'audit'),
    session('timeline of an order', `orders/${sample.order_no}/events?livemode=true`),
  ]
}
