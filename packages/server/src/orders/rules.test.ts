// A model-based test of the one decision: random facts in random order, duplicated, never leave the table of api.md 4.3.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS, orderMoves } from '@florin/protocol'
import fc from 'fast-check'
import type { Fact } from './facts.ts'
import { balanceOf } from './ledger.ts'
import { decide } from './rules.ts'
import type { LegState, OrderState } from './state.ts'

const start = new Date('2026-03-01T12:00:00Z')
const at = (ms: number): Date => new Date(start.getTime() + ms)
const usdc = { chain: 'base', asset: 'USDC', contract: '0xusdc', decimals: 6 }
const eth = { chain: 'base', asset: 'ETH', contract: null, decimals: 18 }
const usdt = { chain: 'eth', asset: 'USDT', contract: '0xusdt', decimals: 6 }
const DUE = 50_000_000n
const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

function leg(n: number, asset: typeof usdc | typeof eth, isStable: boolean): LegState {
  return {
    ...asset,
    id: `leg_${n}`,
    n,
    ref: `ref.${n}`,
    rail: 'sandbox',
    address: 'nowhere',
    memo: null,
    uri: 'florin-test:',
    amountDue: DUE,
    amountOut: DUE,
    dust: 40_000n,
    isStable,
    rate: '1',
    rateSource: 'sandbox',
    rateExpiresAt: isStable ? at(30 * MINUTE_MS) : at(15 * MINUTE_MS),
    confirmationsRequired: 3,
    boundRefundAddress: null,
    proof: null,
    createdAt: start,
  }
}

export function pendingOrder(overrides: Partial<OrderState> = {}): OrderState {
  const expiresAt = at(30 * MINUTE_MS)
  return {
    orderNo: 'ord_1',
    orderRef: 'ref',
    merchantId: 'mer_1',
    merchantNo: 1,
    apiKeyId: 'key_1',
    livemode: false,
    externalId: null,
    status: 'pending',
    detail: 'awaiting_payment',
    amountUsdMicros: 50_000_000n,
    feeBps: 100,
    amountOut: null,
    settle: usdc,
    settleAddress: '0xmerchant',
    settleTxHash: null,
    rail: 'sandbox',
    payLegId: 'leg_1',
    refundAddress: null,
    checkoutToken: 't',
    webhookUrl: null,
    successUrl: null,
    cancelUrl: null,
    title: null,
    description: null,
    metadata: {},
    underpayToleranceBps: 50,
    latePolicy: 'settle',
    canceled: false,
    version: 1,
    createdAt: start,
    updatedAt: start,
    expiresAt,
    lookAt: expiresAt,
    settledAt: null,
    legs: [leg(1, usdc, true)],
    payments: [],
    settlements: [],
    refunds: [],
    ...overrides,
  }
}

let counter = 0
const newId = (prefix: string): string => `${prefix}_${String(++counter).padStart(8, '0')}`

/** Applies facts one after another; returns the last order and the statuses that were passed through. */
function run(order: OrderState, facts: readonly [Fact, Date][]): { order: OrderState; moves: string[] } {
  const moves: string[] = []
  for (const [fact, now] of facts) {
    const decision = decide(order, fact, now, newId)
    if (decision.kind === 'stay') continue
    for (const step of decision.steps) if (step.isMove) moves.push(step.order.status)
    order = decision.order
  }
  return { order, moves }
}

const pays = (
  key: string,
  amount: bigint,
  seenAt: Date,
  asset: typeof usdc | typeof eth = usdc,
  legRef = 'ref.1',
): Fact => ({
  kind: 'payment_seen',
  key,
  legRef,
  txHash: `0x${key}`,
  outputIndex: 0,
  asset,
  amount,
  from: null,
  height: null,
  seenAt,
})

const settles = (order: OrderState): Fact => {
  const row = order.settlements.find((s) => s.status === 'wanted' || s.status === 'broadcast')
  const gross = row?.gross ?? 0n
  return {
    kind: 'settlement_final',
    settlementId: row?.id ?? 'none',
    legRef: 'ref.1',
    txHash: '0xsettle',
    gross,
    fee: (gross * 100n) / 10_000n,
    amountOut: gross - (gross * 100n) / 10_000n,
  }
}

test('the exact amount goes pending, processing, success and the balance adds up', () => {
  const paid = run(pendingOrder(), [[pays('a', DUE, at(MINUTE_MS)), at(MINUTE_MS)]])
  assert.equal(paid.order.status, 'processing')
  assert.equal(paid.order.detail, 'confirming')
  const confirmed = run(paid.order, [[{ kind: 'payment_confirmed', key: 'a' }, at(2 * MINUTE_MS)]])
  assert.equal(confirmed.order.detail, 'settling')
  assert.equal(confirmed.order.settlements[0]?.gross, DUE)
  const done = run(confirmed.order, [[settles(confirmed.order), at(3 * MINUTE_MS)]])
  assert.deepEqual(done.moves, ['success'])
  assert.equal(done.order.amountOut, 49_500_000n)
  assert.equal(done.order.settleTxHash, '0xsettle')
  assert.deepEqual(
    balanceOf(done.order).map(({ received, settled, fee, held }) => ({ received, settled, fee, held })),
    [{ received: DUE, settled: 49_500_000n, fee: 500_000n, held: 0n }],
  )
})

test('money within the tolerance is enough, a unit less is not', () => {
  const enough = run(pendingOrder(), [[pays('a', DUE - 250_000n, at(1)), at(1)]])
  assert.equal(enough.order.status, 'processing')
  const short = run(pendingOrder(), [[pays('a', DUE - 250_001n, at(1)), at(1)]])
  assert.equal(short.order.status, 'pending')
  assert.equal(short.order.detail, 'partially_paid')
})

test('the tolerance is never more than a dollar', () => {
  const order = pendingOrder({ amountUsdMicros: 50_000_000n, underpayToleranceBps: 1000 })
  assert.equal(run(order, [[pays('a', DUE - 1_000_000n, at(1)), at(1)]]).order.status, 'processing')
  assert.equal(run(order, [[pays('a', DUE - 1_000_001n, at(1)), at(1)]]).order.status, 'pending')
})

test('an excess beyond dust is refunded to the refund address after success, and waits for one if there is none', () => {
  for (const refundAddress of [null, PAYER]) {
    const paid = run(pendingOrder({ refundAddress }), [
      [pays('a', DUE * 2n, at(1)), at(1)],
      [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
    ])
    assert.equal(paid.order.settlements[0]?.gross, DUE)
    const done = run(paid.order, [[settles(paid.order), at(3)]])
    assert.equal(done.order.status, 'success')
    assert.equal(done.order.refunds[0]?.amount, DUE)
    assert.equal(done.order.refunds[0]?.status, refundAddress === null ? 'waiting' : 'sending')
    assert.equal(done.order.detail, refundAddress === null ? 'refund_address_needed' : 'refunding')
  }
})

test('dust beyond the quote goes to the merchant with the settlement', () => {
  const paid = run(pendingOrder(), [
    [pays('a', DUE + 40_000n, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
  ])
  assert.equal(paid.order.settlements[0]?.gross, DUE + 40_000n)
})

test('the whole amount late settles under the settle policy and is refunded under the refund policy', () => {
  const late = at(40 * MINUTE_MS)
  const facts: [Fact, Date][] = [
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
    [pays('a', DUE, late), late],
    [{ kind: 'payment_confirmed', key: 'a' }, late],
  ]
  const settle = run(pendingOrder(), facts)
  assert.deepEqual(settle.moves, ['expired', 'processing'])
  const done = run(settle.order, [[settles(settle.order), late]])
  assert.equal(done.order.detail, 'paid_late')
  const refund = run(pendingOrder({ latePolicy: 'refund', refundAddress: PAYER }), facts)
  assert.deepEqual(refund.moves, ['expired'])
  assert.equal(refund.order.refunds[0]?.reason, 'late')
  const id = refund.order.refunds[0]?.id ?? ''
  const returned = run(refund.order, [[{ kind: 'refund_succeeded', refundId: id, txHash: '0xr' }, late]])
  assert.deepEqual(returned.moves, ['refunded'])
})

test('late money of a volatile leg is never settled at the old rate', () => {
  const order = pendingOrder({ legs: [leg(1, eth, false)], refundAddress: PAYER })
  const lapsed = run(order, [[pays('a', DUE, at(16 * MINUTE_MS), eth), at(16 * MINUTE_MS)]])
  assert.equal(lapsed.order.status, 'pending')
  const later = run(lapsed.order, [
    [{ kind: 'payment_confirmed', key: 'a' }, at(20 * MINUTE_MS)],
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
  ])
  assert.equal(later.order.status, 'expired')
  assert.equal(later.order.refunds[0]?.amount, DUE)
})

test('partial money waits a day for a top-up and is then refunded', () => {
  const partial = run(pendingOrder({ refundAddress: PAYER }), [
    [pays('a', DUE / 2n, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
    [{ kind: 'time_passed' }, at(31 * MINUTE_MS)],
  ])
  assert.equal(partial.order.detail, 'underpaid')
  assert.equal(partial.order.refunds.length, 0)
  const topped = run(partial.order, [[pays('b', DUE / 2n, at(60 * MINUTE_MS)), at(60 * MINUTE_MS)]])
  assert.deepEqual(topped.moves, ['processing'])
  const waited = run(partial.order, [[{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)]])
  assert.equal(waited.order.refunds[0]?.reason, 'underpaid')
})

test('a reorged payment keeps the order processing until it returns, or fails it a day after expiry', () => {
  const gone = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_orphaned', key: 'a' }, at(2)],
  ])
  assert.equal(gone.order.status, 'processing')
  assert.equal(gone.order.detail, 'reorged')
  const back = run(gone.order, [[pays('a2', DUE, at(1)), at(3)]])
  assert.equal(back.order.detail, 'confirming')
  const never = run(gone.order, [[{ kind: 'time_passed' }, at(30 * MINUTE_MS + DAY_MS)]])
  assert.deepEqual(never.moves, ['failed'])
})

test('a failed settlement fails the order, a retry settles it', () => {
  const paid = run(pendingOrder(), [
    [pays('a', DUE, at(1)), at(1)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(2)],
  ])
  const id = paid.order.settlements[0]?.id ?? ''
  const failed = run(paid.order, [[{ kind: 'settlement_failed', settlementId: id, failure: 'blocked' }, at(3)]])
  assert.deepEqual(failed.moves, ['failed'])
  const retried = run(failed.order, [[{ kind: 'settlement_retried' }, at(4)]])
  assert.deepEqual(retried.moves, ['processing'])
  assert.deepEqual(run(retried.order, [[settles(retried.order), at(5)]]).moves, ['success'])
})

test('somebody else pushing the money to the merchant is a success, both steps in one decision', () => {
  const paid = run(pendingOrder(), [[pays('a', DUE, at(1)), at(1)]])
  const pushed: Fact = { ...settles(paid.order), settlementId: null, gross: DUE, fee: 0n, amountOut: DUE } as Fact
  assert.deepEqual(run(paid.order, [[pushed, at(2)]]).moves, ['success'])
})

test('a canceled order leaves expired only for refunded', () => {
  const order = run(pendingOrder({ refundAddress: PAYER }), [
    [{ kind: 'cancel_asked' }, at(1)],
    [pays('a', DUE, at(2)), at(2)],
    [{ kind: 'payment_confirmed', key: 'a' }, at(3)],
  ])
  assert.deepEqual(order.moves, ['expired'])
  assert.equal(order.order.refunds[0]?.reason, 'canceled')
})

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
    'failed',
    'broadcast',
    'undone',
    'refunded',
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
  legRef: fc.constantFrom('ref.1', 'ref.1', 'ref.2'),
  pick: fc.nat(3),
  asset: fc.constantFrom(usdc, usdc, usdc, eth, usdt),
})

function factOf(order: OrderState, d: Draw): Fact {
  const settlement = order.settlements[d.pick % Math.max(1, order.settlements.length)]?.id ?? 'set_none'
  const refund = order.refunds[d.pick % Math.max(1, order.refunds.length)]?.id ?? 'ref_none'
  const out = { txHash: `0x${d.pick}`, gross: d.amount, fee: d.amount / 100n, amountOut: d.amount - d.amount / 100n }
  switch (d.kind) {
    case 'seen':
      return pays(d.key, d.amount, at(d.seen), d.asset, d.legRef)
    case 'confirmed':
      return { kind: 'payment_confirmed', key: d.key }
    case 'orphaned':
      return { kind: 'payment_orphaned', key: d.key }
    case 'final': {
      const gross = order.settlements.find((row) => row.id === settlement)?.gross ?? d.amount
      return { kind: 'settlement_final', settlementId: settlement, legRef: d.legRef, ...out, gross, fee: gross / 100n }
    }
    case 'foreign':
      return { kind: 'settlement_final', settlementId: null, legRef: d.legRef, ...out }
    case 'failed':
      return { kind: 'settlement_failed', settlementId: settlement, failure: 'blocked' }
    case 'broadcast':
      return { kind: 'settlement_broadcast', settlementId: settlement, txHash: '0xb' }
    case 'undone':
      return { kind: 'settlement_undone', settlementId: settlement }
    case 'refunded':
      return { kind: 'refund_succeeded', refundId: refund, txHash: '0xr' }
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
      return { kind: 'refund_address_given', address: PAYER }
    case 'retry':
      return { kind: 'settlement_retried' }
    case 'deadline':
      return { kind: 'deadline_reached' }
    case 'leg':
      return {
        kind: 'leg_opened',
        leg: leg(order.legs.length + 1, d.pick % 2 === 0 ? usdc : eth, d.pick % 2 === 0),
        refundAddress: d.pick % 3 === 0 ? PAYER : null,
      }
    default:
      return { kind: 'time_passed' }
  }
}

test('random facts in random order, duplicated, never leave the table and always add up', () => {
  let decisions = 0
  const reached = new Map<string, number>()
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          d: draw,
          wait: fc.constantFrom(0, 1, MINUTE_MS, 20 * MINUTE_MS, 13 * 60 * MINUTE_MS),
          twice: fc.boolean(),
        }),
        { maxLength: 40, size: 'max' },
      ),
      fc.constantFrom('settle' as const, 'refund' as const),
      fc.constantFrom(null, PAYER),
      (walk, latePolicy, refundAddress) => {
        let order = pendingOrder({ latePolicy, refundAddress })
        let now = start
        for (const { d, wait, twice } of walk) {
          now = new Date(now.getTime() + wait)
          for (let n = 0; n < (twice ? 2 : 1); n++) {
            const before = order
            const decision = decide(before, factOf(before, d), now, newId)
            decisions++
            if (decision.kind === 'stay') continue
            order = decision.order
            checkSteps(before, decision.order, decision.steps)
            checkMoney(order)
            if (order.status === 'refunded' && before.status !== 'refunded') checkReturned(order)
            reached.set(order.status, (reached.get(order.status) ?? 0) + 1)
          }
        }
      },
    ),
    { numRuns: 4000 },
  )
  assert.ok(decisions > 30_000, `only ${decisions} decisions`)
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
    assert.ok(step.isMove || step.order.detail !== from.detail, 'no step without a change')
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
  const promised = order.refunds.filter((row) => row.status !== 'failed').reduce((sum, row) => sum + row.amount, 0n)
  const passedOn = order.settlements.filter((row) => row.status === 'final').reduce((sum, row) => sum + row.gross, 0n)
  const received = order.payments.filter((row) => row.status !== 'orphaned').reduce((sum, row) => sum + row.amount, 0n)
  if (order.status === 'success') assert.ok(passedOn > 0n)
  assert.ok(
    promised + passedOn <= received || order.payments.some((row) => row.status === 'orphaned'),
    'no unit is promised twice',
  )
  assert.ok(order.settlements.filter((row) => row.status === 'wanted' || row.status === 'broadcast').length <= 1)
}

function checkReturned(order: OrderState): void {
  for (const line of balanceOf(order))
    assert.deepEqual([line.refunded, line.settled, line.fee], [line.received, 0n, 0n])
}
