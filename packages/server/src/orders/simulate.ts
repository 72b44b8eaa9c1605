// What can be simulated on a test order, and when each step applies (contract.md 4.4).
import { progressOn } from '@florin/order-model/ledger'
import { shownLeg, type Viewer } from '@florin/order-model/shown'
import { currentLeg, type LegState, type OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { isOnChain, type SimulateAction, simulateActions } from '@florin/protocol'
import { isSandboxRail } from '@florin/rail-kit/interface/leg'
import { actInSandbox } from '@florin/rail-kit/sandbox/simulate'
import { advanceOrder, type OrderDeps } from './advance.ts'
import { chooseLeg } from './payer.ts'
import { settleOrder } from './rail-outbox.ts'
import { getOrder } from './store.ts'

/**
 * Makes something happen to a test order on the sandbox rail (contract.md 4.4) and answers with what became of it.
 * @param amount in the leg's smallest unit; null: the action's own amount.
 * @param viewer the browser that plays its payer; left out: whichever leg the order is about is paid.
 * @throws AppError simulation_not_applicable
 */
export async function simulate(
  deps: OrderDeps,
  order: OrderState,
  action: SimulateAction,
  amount: bigint | null,
  viewer?: Viewer,
): Promise<OrderState> {
  let current = order
  const legOf = (of: OrderState): LegState | null => (viewer === undefined ? currentLeg(of) : shownLeg(of, viewer))
  if (
    legOf(current) === null &&
    current.status === 'pending' &&
    (action === 'pay' || action === 'underpay' || action === 'overpay')
  ) {
    current = await chooseLeg(deps, current, { chain: current.settle.chain, asset: current.settle.asset }, viewer)
  }
  const leg = legOf(current)
  if (leg !== null && !isSandboxRail(leg.rail)) {
    throw new AppError('simulation_not_applicable', { message: 'This order is on a real test chain: pay it there.' })
  }
  const now = deps.clock.now()
  const why = notApplicable(current, action)
  if (why !== null) {
    throw new AppError('simulation_not_applicable', { message: `"${action}" does not apply: ${why}.`, param: 'action' })
  }
  const act = async (step: Parameters<typeof actInSandbox>[2]): Promise<void> => {
    await actInSandbox(deps.sql, current.orderRef, step, deps.clock.now())
    await settleOrder(deps, current)
  }
  const transfer = async (units: bigint, seenAt = now): Promise<void> => {
    if (leg !== null) await act({ kind: 'transfer', legRef: leg.ref, amount: units, seenAt })
  }
  const due = leg?.amountDue ?? 0n
  switch (action) {
    case 'pay': {
      const remaining = leg === null ? 0n : progressOn(current, leg).remaining
      await transfer(amount ?? (remaining > 0n ? remaining : due))
      break
    }
    case 'underpay':
      await transfer(amount ?? due / 2n)
      break
    case 'overpay':
      await transfer(amount ?? (due * 3n) / 2n)
      break
    case 'pay_late':
      // Also late if the deadline was brought forward to exactly now.
      await transfer(amount ?? due, new Date(Math.max(now.getTime(), current.expiresAt.getTime() + 1)))
      break
    case 'confirm':
      await act({ kind: 'confirm' })
      break
    case 'settle':
      await act({ kind: 'confirm' })
      await act({ kind: 'settle' })
      break
    case 'fail':
      await act({ kind: 'confirm' })
      await act({ kind: 'fail', failure: 'The receiving address refused the money (simulated).' })
      break
    case 'refund':
      await act({ kind: 'confirm' })
      await act(current.refunds.some((row) => row.status === 'sending') ? { kind: 'refund' } : { kind: 'return_all' })
      break
    case 'reorg':
      await act({ kind: 'reorg' })
      break
    case 'expire':
      await advanceOrder(deps, current.orderNo, [{ kind: 'deadline_reached' }])
      await settleOrder(deps, current)
      break
  }
  return getOrder(deps.sql, current.orderNo)
}

/** The steps that apply to a test order now; none where a real test chain carries it. */
export function listSteps(order: OrderState): SimulateAction[] {
  const leg = currentLeg(order)
  if (order.livemode || (leg !== null && !isSandboxRail(leg.rail))) return []
  return simulateActions.filter((action) => notApplicable(order, action) === null)
}

/** Why a step does not apply to the order now, or null. */
function notApplicable(order: OrderState, action: SimulateAction): string | null {
  const onChain = order.payments.filter(isOnChain)
  switch (action) {
    case 'pay':
    case 'underpay':
    case 'overpay':
      return order.status === 'pending' || (order.status === 'processing' && order.detail === 'reorged')
        ? null
        : `the order is ${order.status}`
    case 'confirm':
      return onChain.some((payment) => payment.status === 'detected') ? null : 'no payment waits for confirmations'
    case 'settle':
    case 'fail':
      if (order.status !== 'processing') return `the order is ${order.status}, not processing`
      return order.detail === 'reorged' ? 'its payment has left the chain' : null
    case 'refund':
      if (order.refunds.some((row) => row.status === 'sending')) return null
      if (order.status === 'success' || order.status === 'refunded')
        return `the order is ${order.status} and no refund is on its route`
      return onChain.length > 0 ? null : 'no money has come in'
    case 'reorg':
      if (order.status !== 'pending' && order.status !== 'processing') return `the order is ${order.status}`
      return onChain.length > 0 ? null : 'no payment is on the chain'
    case 'expire':
      return order.status === 'pending' ? null : `the order is ${order.status}`
    case 'pay_late':
      if (order.status !== 'expired') return `the order is ${order.status}, not expired`
      return order.legs.length > 0 ? null : 'the payer was never shown an address'
  }
}
