// A model-based test of the one decision: random facts in random order, duplicated, never leave the table of contract.md 4.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS, orderMoves } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import fc from 'fast-check'
import { sized } from '../../../scripts/sizes.ts'
import {
  at,
  DUE,
  eth,
  leg,
  newId,
  own,
  PAYER,
  pays,
  pendingOrder,
  start,
  usdc,
  usdt,
} from '../../server/test/order-state.ts'
import { balanceOf, legBalancesOf } from './balance.ts'
import type { Fact } from './facts.ts'
import { wasFinal } from './ledger.ts'
import { decide } from './rules.ts'
import { currentLeg, isSameAsset, isSameTarget, type OrderState } from './state.ts'

const amounts = fc.constantFrom(1n, DUE / 2n, DUE - 250_000n, DUE, DUE + 10_000n, DUE * 2n)
const keys = fc.constantFrom('a', 'b', 'c', 'd')
const moment = fc.constantFrom(
  1,
  MINUTE_MS,
  14 * MINUTE_MS,
  16 * MINUTE_MS,
  29 * MINUTE_MS,
  31 * MINUTE_MS,
  5 * 60 * MINUTE_MS,
  26 * 60 * MINUTE_MS,
)

type Draw = {
  kind: string
  key: string
  amount: bigint
  seen: number
  legRef: string
  pick: number
  asset: typeof usdc | typeof eth
}

const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(
    'seen',
    'seen',
    'seen',
    'confirmed',
    'confirmed',
    'orphaned',
    'final',
    'final',
    'foreign',
    'left',
    'failed',
    'broadcast',
    'undone',
    'refunded',
    'refund_left',
    'refund_failed',
    'proposed',
    'returned',
    'cancel',
    'refund',
    'address',
    'retry',
    'time',
    'deadline',
    'leg',
  ),
  key: keys,
  amount: amounts,
  seen: moment,
  legRef: fc.constantFrom('ref.1', 'ref.1', 'ref.2', 'ref.3'),
  pick: fc.nat(3),
  asset: fc.constantFrom(usdc, usdc, usdc, eth, usdt),
})

/** Each leg settles as it is paid, to an address of its own: three targets in one order. */
const assets = [usdt, eth, usdc]

function factOf(order: OrderState, d: Draw): Fact {
  const settlement = order.settlements[d.pick % Math.max(1, order.settlements.length)]?.id ?? 'set_none'
  const refund = order.refunds[d.pick % Math.max(1, order.refunds.length)]?.id ?? 'ref_none'
  const out = { txHash: `0x${d.pick}`, gross: d.amount, fee: d.amount / 100n, amountOut: d.amount - d.amount / 100n }
  switch (d.kind) {
    case 'seen': {
      // Most payers send what the leg asks for.
      const asked = order.legs.find((one) => one.ref === d.legRef)
      const asset = d.pick === 0 || asked === undefined ? d.asset : assets.find((one) => isSameAsset(one, asked))
      return pays(d.key, d.amount, at(d.seen), asset, d.legRef)
    }
    case 'confirmed':
      return { kind: 'payment_confirmed', key: d.key }
    case 'orphaned':
      return { kind: 'payment_orphaned', key: d.key }
    case 'final': {
      const asked = order.settlements.find((row) => row.id === settlement)
      const gross = asked?.gross ?? d.amount
      // Most rails know which leg they settled.
      const legRef = d.pick === 0 ? d.legRef : (order.legs.find((one) => one.id === asked?.legId)?.ref ?? d.legRef)
      return { kind: 'settlement_final', settlementId: settlement, legRef, ...out, gross, fee: gross / 100n }
    }
    case 'foreign':
      return { kind: 'settlement_final', settlementId: null, legRef: d.legRef, ...out }
    case 'left': {
      const final = order.settlements.filter((row) => row.status === 'final')
      const gone = final[d.pick % Math.max(1, final.length)]
      const legRef = order.legs.find((one) => one.id === gone?.legId)?.ref ?? d.legRef
      return { kind: 'settlement_left', legRef, txHash: gone?.txHash ?? out.txHash }
    }
    case 'failed':
      return { kind: 'settlement_failed', settlementId: settlement, failure: 'blocked' }
    case 'broadcast':
      return { kind: 'settlement_broadcast', settlementId: settlement, txHash: '0xb' }
    case 'undone':
      return { kind: 'settlement_undone', settlementId: settlement }
    case 'refunded':
      return { kind: 'refund_succeeded', refundId: refund, txHash: '0xr' }
    case 'refund_left': {
      const gone = order.refunds.find((row) => row.status === 'succeeded')
      return {
        kind: 'refund_left',
        legRef: order.legs.find((one) => one.id === gone?.legId)?.ref ?? d.legRef,
        txHash: '0xr',
      }
    }
    case 'refund_failed':
      return { kind: 'refund_failed', refundId: refund, failure: 'blocked' }
    case 'proposed':
      return { kind: 'refund_proposed', refundId: refund, txHash: null }
    case 'returned':
      return { kind: 'all_returned', txHash: '0xback', to: null }
    case 'cancel':
      return { kind: 'cancel_asked' }
    case 'refund':
      return { kind: 'refund_asked' }
    case 'address':
      return { kind: 'refund_address_given', refundId: refund, address: PAYER }
    case 'retry':
      return { kind: 'settlement_retried' }
    case 'deadline':
      return { kind: 'deadline_reached' }
    case 'leg': {
      const asset = assets[d.pick % assets.length] ?? usdc
      return {
        kind: 'leg_opened',
        leg: {
          ...leg(order.legs.length + 1, asset, asset !== eth, own(asset)),
          ...(d.pick === 0 ? { holder: 'a1', boundRefundAddress: PAYER } : {}),
        },
      }
    }
    default:
      return { kind: 'time_passed' }
  }
}

test('random facts in random order, duplicated, never leave the table and always add up', () => {
  let decisions = 0
  let settledAmongMany = 0
  let settledElsewhere = 0
  let leftBehind = 0
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          d: draw,
          wait: fc.constantFrom(0, 1, MINUTE_MS, 20 * MINUTE_MS, 13 * 60 * MINUTE_MS),
          twice: fc.constantFrom('no', 'apart', 'at once'),
        }),
        { maxLength: 40, size: 'max' },
      ),
      fc.constantFrom('settle' as const, 'refund' as const),
      fc.constantFrom(null, PAYER),
      fc.constantFrom(1, 2, 3),
      (walk, latePolicy, boundTo, shown) => {
        const legs = [usdc, usdt, eth].slice(0, shown).map((asset, n) => leg(n + 1, asset, asset !== eth, own(asset)))
        const current = legs.at(-1) ?? leg(1, usdc, true, own(usdc))
        const { settle, settleAddress, id: payLegId } = current
        let order = pendingOrder({ latePolicy, boundTo, settle, settleAddress, payLegId, legs })
        let now = start
        for (const { d, wait, twice } of walk) {
          now = new Date(now.getTime() + wait)
          for (let n = 0; n < (twice === 'apart' ? 2 : 1); n++) {
            const before = order
            const fact = factOf(before, d)
            const decision = decide(before, twice === 'at once' ? [fact, fact] : [fact], now, newId)
            decisions++
            if (decision.order === before) continue
            order = decision.order
            checkSteps(before, decision.order, decision.steps)
            checkMoney(order)
            checkTarget(before, order)
            if (order.legs.length > 1 && order.settlements.some((row) => row.status === 'final')) settledAmongMany++
            if (order.amountOut !== null && order.settle !== current.settle) settledElsewhere++
            if (order.detail === 'settlement_left_the_chain') leftBehind++
            if (order.status === 'refunded' && before.status !== 'refunded') checkReturned(order)
            reached.set(order.status, (reached.get(order.status) ?? 0) + 1)
          }
        }
      },
    ),
    // One seed for all who work here; the long runs draw a new one, which a failure prints.
    sized({ short: { numRuns: 4000, seed: 8 }, full: { numRuns: 40_000 }, soak: { numRuns: 4_000_000 } }),
  )
  assert.ok(decisions > 30_000, `only ${decisions} decisions`)
  assert.ok(settledAmongMany > 300, `only ${settledAmongMany} decisions on settled orders with several legs`)
  assert.ok(
    settledElsewhere > 200,
    `only ${settledElsewhere} decisions on orders settled to another than the first target`,
  )
  assert.ok(leftBehind > 100, `only ${leftBehind} successes without their settlement`)
  for (const status of Object.keys(orderMoves))
    assert.ok((reached.get(status) ?? 0) > 50, `${status} was hardly reached: ${reached.get(status)}`)
})

function checkSteps(
  before: OrderState,
  after: OrderState,
  steps: readonly { order: OrderState; isMove: boolean }[],
): void {
  let from = before
  for (const step of steps) {
    if (step.isMove)
      assert.ok(orderMoves[from.status].includes(step.order.status), `${from.status} → ${step.order.status}`)
    else assert.equal(step.order.status, from.status, 'a step that is no move changes the detail only')
    assert.equal(step.order.version, from.version + 1, 'each step is a version')
    from = step.order
  }
  assert.equal(after.status, from.status, 'no change of status without its step')
  assert.equal(after.detail, from.detail, 'no change of detail without its step')
  assert.ok(after.version >= from.version)
}

function checkMoney(order: OrderState): void {
  for (const line of balanceOf(order)) {
    assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
    assert.ok(line.held >= 0n, 'nothing is given out that did not come in')
  }
  for (const line of legBalancesOf(order)) {
    const isLine = (row: AssetRef & { legId: string }): boolean => row.legId === line.legId && isSameAsset(row, line)
    const onLine = order.payments.filter(isLine)
    // What a reorg took away was promised in good faith; what is still promised is decided when it stays away.
    if (onLine.some((row) => row.status === 'orphaned')) continue
    const back = order.refunds.filter((row) => isLine(row) && !['failed', 'succeeded'].includes(row.status))
    const open = order.settlements.filter(
      (row) => row.legId === line.legId && (row.status === 'wanted' || row.status === 'broadcast'),
    )
    const leg = order.legs.find((candidate) => candidate.id === line.legId)
    const toSettle = leg !== undefined && isSameAsset(leg, line) ? open.reduce((sum, row) => sum + row.gross, 0n) : 0n
    const toReturn = back.reduce((sum, row) => sum + row.amount, 0n)
    assert.ok(toReturn + toSettle <= line.held, `${toReturn} + ${toSettle} of ${line.held} held are promised`)
  }
  if (order.status === 'success') assert.ok(order.settlements.some(wasFinal))
  const open = order.settlements.filter((row) => row.status === 'wanted' || row.status === 'broadcast')
  const fresh = open.filter((row) => row.leftAt === null)
  assert.ok(
    fresh.length <= (order.status === 'processing' ? 1 : 0),
    `${fresh.length} open settlements, ${order.status}`,
  )
  if (order.status !== 'success') assert.ok(order.settlements.every((row) => row.leftAt === null))
}

/** What the order says of its target is the leg's that pays, amount and transaction with it. */
function checkTarget(before: OrderState, after: OrderState): void {
  const shown = currentLeg(after)
  assert.ok(shown !== null && isSameTarget(after, shown) && after.rail === shown.rail, 'the target is that of a leg')
  const final = after.settlements.filter(wasFinal)
  const there = final.filter((row) => after.legs.some((one) => one.id === row.legId && isSameTarget(one, after)))
  const sum = there.reduce((total, row) => total + (row.amountOut ?? 0n), 0n)
  assert.equal(after.amountOut, there.length === 0 ? null : sum, 'amounts of different targets are never added')
  const open = after.settlements.find(
    (row) => row.leftAt === null && (row.status === 'wanted' || row.status === 'broadcast'),
  )
  if (open !== undefined) assert.equal(open.legId, shown.id, 'what is being settled goes where the order says')
  if (after.status === 'success') assert.ok(there.length > 0, 'what the order says is where the money went')
  if (before.status === 'success') assert.ok(isSameTarget(before, after), 'success is final')
  if (!isSameTarget(before, after)) assert.ok(after.version > before.version, 'a change of target is a version')
}

function checkReturned(order: OrderState): void {
  const lines = legBalancesOf(order)
  for (const line of lines)
    assert.deepEqual([line.refunded + line.heldBelowCost, line.settled, line.fee], [line.received, 0n, 0n])
  assert.ok(lines.some((line) => line.refunded > 0n))
}
