// Orders whose number is older than they are: it was given to a request that died, and taken over with its idempotency key.
// A list from a moment on is a range of numbers, and finds these by a row of their own.
import type { Query, Row } from '@florin/platform/db/sql'
import type { Db } from '@florin/platform/db/tx'
import { idTime } from '@florin/platform/ids'
import { EARLY_KEY } from './early.ts'

interface Dated {
  orderNo: string
  createdAt: Date
}

export const isEarly = (order: Dated): boolean => idTime(order.orderNo) < order.createdAt

export const insertEarly = (
  db: Db,
  o: Dated & { merchantNo: number; livemode: boolean },
  condition = db``,
): Query<Row[]> => db`
  insert into order_lookup (merchant_no, livemode, key, order_no)
  select ${o.merchantNo}::int, ${o.livemode}::boolean, ${EARLY_KEY}, ${o.orderNo} ${condition} on conflict do nothing`
