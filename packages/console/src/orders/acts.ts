// Which acts are offered for an order as it stands. Pure. The server decides anew; this only spares a person the
// buttons that cannot work and says why.
import { type AttentionItem, isOnChain, type Order, type SimulateAction } from '@florin/protocol'

type Facts = Pick<Order, 'status' | 'status_detail' | 'payments' | 'refunds' | 'balance' | 'pay' | 'livemode'>

export interface Offered {
  cancel: boolean
  refund: boolean
  /** There is a chain that money can lie on. */
  look: boolean
}

/** Settlements are retried by operators: the inbox offers the act to those who may. */
export function mayRetry(
  order: Pick<Order, 'order_no' | 'status'>,
  inbox: readonly Pick<AttentionItem, 'order_no' | 'actions'>[],
): boolean {
  const isOffered = inbox.some((item) => item.order_no === order.order_no && item.actions.includes('retry-settlement'))
  return order.status === 'failed' && isOffered
}

export function offeredActs(order: Facts): Offered {
  // What costs more to send than it is worth stays, and keeps nobody from canceling.
  const isHeld = order.balance.some((line) => BigInt(line.held) > BigInt(line.held_below_cost))
  const isMoving = order.status === 'processing' && order.status_detail !== 'refund_address_needed'
  return {
    cancel: order.status === 'pending' && order.balance.every((line) => line.received === line.held_below_cost),
    refund: isHeld && !isMoving,
    // A test order on a chain has what its contract is bound to.
    look: order.pay !== null && (order.livemode || order.pay.proof !== null),
  }
}

export interface Step {
  action: SimulateAction
  label: string
  /** What it does, in a few words. */
  text: string
  /** Why it does not apply now; null where it does. */
  why: string | null
}

const texts: Readonly<Record<SimulateAction, readonly [label: string, text: string]>> = {
  pay: ['Pay', 'The exact amount is seen in a block'],
  underpay: ['Underpay', 'Half of the amount is seen'],
  overpay: ['Overpay', 'One and a half times the amount is seen'],
  confirm: ['Confirm', 'All payments get their confirmations'],
  settle: ['Settle', 'Confirmed, and the money reaches your address'],
  fail: ['Fail', 'The settlement turns out impossible'],
  refund: ['Refund', 'Everything goes back to the payer'],
  reorg: ['Reorg', 'The chain drops the newest payment'],
  expire: ['Expire', 'The deadline passes now'],
  pay_late: ['Pay late', 'The amount is seen after the deadline'],
}

/** The simulate buttons of a test order, in the order a person tries them. */
export function simulationSteps(order: Facts): Step[] {
  const actions = Object.keys(texts) as SimulateAction[]
  return actions.map((action) => {
    const [label, text] = texts[action]
    return { action, label, text, why: whyNot(order, action) }
  })
}

function whyNot(order: Facts, action: SimulateAction): string | null {
  const { status, status_detail: detail } = order
  const isHere = order.payments.some(isOnChain)
  const is = `The order is ${status}`
  switch (action) {
    case 'pay':
    case 'underpay':
    case 'overpay':
      return status === 'pending' || (status === 'processing' && detail === 'reorged') ? null : `${is}.`
    case 'confirm':
      return order.payments.some((payment) => payment.status === 'detected')
        ? null
        : 'No payment waits for confirmations.'
    case 'settle':
    case 'fail':
      if (status !== 'processing') return `${is}, not processing.`
      return detail === 'reorged' ? 'Its payment has left the chain.' : null
    case 'refund':
      if (order.refunds.some((refund) => refund.status === 'sending')) return null
      if (status === 'success' || status === 'refunded') return `${is}, and no refund is on its way.`
      return isHere ? null : 'No money has come in.'
    case 'reorg':
      if (status !== 'pending' && status !== 'processing') return `${is}.`
      return isHere ? null : 'No payment is on the chain.'
    case 'expire':
      return status === 'pending' ? null : `${is}.`
    case 'pay_late':
      if (status !== 'expired') return `${is}, not expired.`
      return order.pay === null ? 'The payer was never shown an address.' : null
  }
}
