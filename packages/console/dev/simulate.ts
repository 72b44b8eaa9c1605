// Invented steps of a test order: enough to see the page follow, not the rules of the real service.
import type { OrderStatus, SimulateAction, StatusDetail } from '@florin/protocol'
import { eventOf } from '@florin/protocol'
import type { StoredOrder } from './orders.ts'
import type { Random } from './random.ts'

const becomes: Readonly<Record<SimulateAction, readonly [OrderStatus, StatusDetail]>> = {
  pay: ['processing', 'confirming'],
  underpay: ['pending', 'partially_paid'],
  overpay: ['processing', 'confirming'],
  confirm: ['processing', 'settling'],
  settle: ['success', 'paid'],
  fail: ['failed', 'settlement_failed'],
  refund: ['refunded', 'refunded'],
  reorg: ['processing', 'reorged'],
  expire: ['expired', 'unpaid'],
  pay_late: ['processing', 'settling'],
}

export function move(order: StoredOrder, status: OrderStatus, detail: StatusDetail, random: Random): void {
  const at = new Date().toISOString()
  order.version++
  order.timeline.push({
    id: `evt_${random.text(26)}`,
    event: status === order.status ? null : eventOf[status],
    status,
    status_detail: detail,
    version: order.version,
    created_at: at,
  })
  order.status = status
  order.status_detail = detail
  order.updated_at = at
}

export function simulate(order: StoredOrder, action: SimulateAction, random: Random): void {
  const [status, detail] = becomes[action]
  const pay = order.pay
  if (pay !== null && ['pay', 'underpay', 'overpay', 'pay_late'].includes(action)) {
    const due = BigInt(pay.amount_due)
    const amount =
      action === 'underpay' ? due / 2n : action === 'overpay' ? (due * 3n) / 2n : BigInt(pay.amount_remaining)
    pay.amount_received = String(BigInt(pay.amount_received) + amount)
    const left = due - BigInt(pay.amount_received)
    pay.amount_remaining = String(left > 0n ? left : 0n)
    order.payments.unshift({
      id: `pay_${random.text(26)}`,
      pay_leg: pay.id,
      tx_hash: `0x${random.text(64).toLowerCase()}`,
      output_index: 0,
      chain: pay.chain,
      asset: pay.asset,
      contract: null,
      decimals: pay.decimals,
      amount: String(amount),
      transfers: 1,
      from: null,
      confirmations: 1,
      confirmations_required: 12,
      status: 'detected',
      use: 'counted',
      detected_at: new Date().toISOString(),
      mined_at: new Date().toISOString(),
    })
    order.payments_total = order.payments.length
  }
  if (action === 'confirm' || action === 'settle' || action === 'fail') {
    for (const payment of order.payments) Object.assign(payment, { status: 'confirmed', confirmations: 12 })
  }
  if (action === 'reorg' && order.payments[0] !== undefined) order.payments[0].status = 'orphaned'
  if (action === 'settle' && pay !== null) {
    order.amount_out = pay.amount_due
    order.settle_tx_hash = `0x${random.text(64).toLowerCase()}`
    order.settled_at = new Date().toISOString()
  }
  const received = pay?.amount_received ?? '0'
  const zero = { settled: '0', fee: '0', refunded: '0', held: '0', held_below_cost: '0' }
  const where =
    action === 'settle' ? { settled: received } : action === 'refund' ? { refunded: received } : { held: received }
  if (received !== '0') order.balance = [{ chain: 'base', asset: 'USDC', received, ...zero, ...where }]
  move(order, status, detail, random)
}
