// How an order is shown to a person. Amounts are written in whole coins with their asset.
import { formatUnits, type Order } from './sdk.ts'
import { columns, type Paint } from './terminal.ts'

/** What was asked for; dollars beside it where it was another currency. */
export const amountText = (order: Order): string =>
  order.fx == null ? `$${order.amount_usd}` : `${order.amount} ${order.currency}`

export const orderRow = (order: Order): string[] => [
  order.created_at,
  order.order_no,
  order.status,
  order.status_detail,
  amountText(order),
  order.external_id ?? '',
]

export function paintStatus(status: string, paint: Paint): string {
  if (status === 'success' || status === 'succeeded') return paint.green(status)
  if (status === 'failed' || status === 'dead') return paint.red(status)
  return status === 'processing' || status === 'retrying' ? paint.yellow(status) : status
}

export function orderLines(order: Order, paint: Paint): string[] {
  const settle = `${order.settle_asset} on ${order.settle_chain}`
  const coins = (units: string) => `${formatUnits(units, order.settle_decimals)} ${settle}`
  const rows: [string, string | null][] = [
    ['order', `${order.order_no}${order.livemode ? '' : ' (test)'}`],
    ['status', `${order.status}, ${order.status_detail} (version ${order.version})`],
    ['amount', amountText(order)],
    ['in dollars', order.fx == null ? null : `$${order.amount_usd}, at ${order.fx.rate} ${order.currency} for 1 USD`],
    ['external id', order.external_id],
    ['settles to', order.settle_address],
    ['settled', order.amount_out === null ? null : coins(order.amount_out)],
    ['expected', order.amount_out_expected === null ? null : coins(order.amount_out_expected)],
    ['settle tx', order.settle_tx_hash],
    ...payRows(order),
    ['refund to', order.refund_address],
    ...order.refunds.map((refund): [string, string] => [
      refund.by === 'merchant' ? 'own refund' : 'refund',
      `${refund.status}, ${refund.asset} on ${refund.chain}, ${refund.reason}`,
    ]),
    ['checkout', order.checkout_url],
    ['webhooks to', order.webhook_url],
    ['created', order.created_at],
    ['expires', order.expires_at],
  ]
  const told = rows.filter((row): row is [string, string] => row[1] !== null)
  return columns(told, (text, column) => {
    if (column === 0) return paint.dim(text)
    return text.startsWith(`${order.status},`)
      ? paintStatus(order.status, paint) + text.slice(order.status.length)
      : text
  })
}

function payRows({ pay }: Order): [string, string][] {
  if (pay === null) return []
  const coins = (units: string) => formatUnits(units, pay.decimals)
  return [
    ['pay', `${coins(pay.amount_due)} ${pay.asset} on ${pay.chain} to ${pay.address}`],
    ['received', `${coins(pay.amount_received)}, remaining ${coins(pay.amount_remaining)}`],
  ]
}
