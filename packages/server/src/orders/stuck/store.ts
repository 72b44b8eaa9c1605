// SQL of what waits while a rail is in trouble. Each reads only orders that are under way, by a partial index.
import type { Db } from '@florin/platform/db/tx'
import type { HeldUp } from '@florin/rail-kit/interface/rail'

/** A merchant whose money waits. */
export interface Waiting {
  merchantId: string
  orders: number
  /** The order that was made first. */
  oldest: string
}

export interface Place {
  rail: string
  chain: string
  livemode: boolean
}

const MERCHANTS_MAX = 1_000

export function listWaiting(db: Db, work: HeldUp, a: Place): Promise<Waiting[]> {
  const under =
    work === 'settlements'
      ? db`settlements w join pay_legs l on l.id = w.pay_leg_id
          join orders o on o.order_no = w.order_no and w.status in ('wanted', 'broadcast') and l.chain = ${a.chain}`
      : work === 'refunds'
        ? db`refunds w join pay_legs l on l.id = w.pay_leg_id
            join orders o on o.order_no = w.order_no and w.status in ('sending', 'proposed') and w.chain = ${a.chain}`
        : db`payments w join pay_legs l on l.id = w.pay_leg_id
            join orders o on o.order_no = w.order_no and w.status = 'detected' and w.chain = ${a.chain}
              and o.look_at is not null`
  return db<Waiting[]>`
    select o.merchant_id as "merchantId", count(distinct o.order_no)::int as orders, min(o.order_no) as oldest
    from ${under} where l.rail = ${a.rail} and o.livemode = ${a.livemode}
    group by o.merchant_id order by o.merchant_id limit ${MERCHANTS_MAX}`
}
