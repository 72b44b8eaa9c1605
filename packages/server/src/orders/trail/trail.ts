// Tells the log and the metrics what became of an order, after the commit: who greps for an order reads its story.
import type { OrderState } from '@florin/order-model/state'
import type { Log } from '@florin/platform/worker/job'
import { changesOf } from './changes.ts'
import { measureChanges, measureMade } from './metrics.ts'

const whose = ({ orderNo, merchantId, livemode }: OrderState) => ({
  order: orderNo,
  merchant: merchantId,
  mode: livemode ? 'live' : 'test',
})

export function tellOf(log: Log, before: OrderState, after: OrderState): void {
  const changes = changesOf(before, after)
  for (const { what, fields } of changes) log.info({ ...whose(after), ...fields }, `${what} ${fields.status}`)
  measureChanges(before, after, changes)
}

export function tellOfNew(log: Log, order: OrderState): void {
  const { amountUsdMicros, status } = order
  log.info({ ...whose(order), status, amount_usd_micros: String(amountUsdMicros) }, 'order made')
  measureMade(order)
}
