// Whose money a refund returns, in random order: payments of several wallets, settlements, refunds that are announced, sent,
// refused by the chain, approved or signed for. Every unit is settled, fee, refunded or held; no wallet's signature moves
// another wallet's money; and what is to go back has its row as soon as the contract says (docs/refunds.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import { sized } from '../../../../scripts/sizes.ts'
import { at, DUE, leg, newId, PAYER, pays, pendingOrder, settles, usdc } from '../../../server/test/order-state.ts'
import { legBalancesOf } from '../balance.ts'
import type { Fact } from '../facts.ts'
import { decide } from '../rules.ts'
import type { OrderState, RefundState } from '../state.ts'

const COST = 20_000n
const DUST = 40_000n
const wallets = ['0xA1', '0xb2', '0xC3'] as const
const NAMED = '0xde709f2102306220921060314615729080e2fb77'

const draw = fc.record({
  kind: fc.constantFrom(
    ...['pay', 'pay', 'pay', 'pay', 'confirm', 'settle', 'sent', 'sent', 'failed', 'proposed'],
    ...['sign', 'sign', 'sign', 'give', 'ask', 'cancel', 'orphan'],
  ),
  wallet: fc.constantFrom(...wallets, null),
  amount: fc.constantFrom(1n, COST, COST + 1n, DUST + 1n, 3_000_000n, DUE / 2n, DUE, DUE + 7_000_000n),
  pick: fc.nat(20),
  wait: fc.constantFrom(0, 0, MINUTE_MS, 20 * MINUTE_MS, DAY_MS),
})
type Draw = typeof draw extends fc.Arbitrary<infer T> ? T : never

function factsOf(order: OrderState, d: Draw, n: number, now: Date): Fact[] {
  const row = order.refunds[d.pick % Math.max(1, order.refunds.length)]
  const refundId = row?.id ?? 'ref_none'
  const payment = order.payments[d.pick % Math.max(1, order.payments.length)]?.key ?? 'none'
  switch (d.kind) {
    case 'pay': {
      const seen: Fact = { ...pays(`p${n}`, d.amount, now), from: d.wallet } as Fact
      return d.pick % 4 === 0 ? [seen] : [seen, { kind: 'payment_confirmed', key: `p${n}` }]
    }
    case 'confirm':
      return [{ kind: 'payment_confirmed', key: payment }]
    case 'orphan':
      return d.pick % 3 === 0 ? [{ kind: 'payment_orphaned', key: payment }] : []
    case 'settle':
      return order.settlements.some(({ status }) => status === 'wanted') ? [settles(order)] : []
    case 'sent':
      return row?.status === 'sending' || row?.status === 'proposed'
        ? [{ kind: 'refund_succeeded', refundId, txHash: `0x${refundId}` }]
        : []
    case 'failed':
      return [{ kind: 'refund_failed', refundId, failure: 'blocked' }]
    case 'proposed':
      return [{ kind: 'refund_proposed', refundId, txHash: null }]
    case 'sign':
      return [
        { kind: 'refund_address_signed', legId: 'leg_1', from: (d.wallet ?? wallets[0]).toLowerCase(), address: PAYER },
      ]
    case 'give':
      return [{ kind: 'refund_address_given', refundId, address: NAMED }]
    case 'ask':
      return [{ kind: 'refund_asked' }]
    default:
      return [{ kind: 'cancel_asked' }]
  }
}

const total = (rows: readonly { amount: bigint }[]): bigint => rows.reduce((sum, row) => sum + row.amount, 0n)
const isOpen = ({ status }: RefundState): boolean => ['waiting', 'sending', 'proposed'].includes(status)

function checkParts(order: OrderState): void {
  const of = new Map<string, bigint>()
  for (const row of order.refunds) {
    if (row.parts === null) continue
    assert.equal(total(row.parts), row.amount, 'a refund knows all that it returns')
    if (row.status === 'failed') continue
    for (const { payment, amount } of row.parts) of.set(payment, (of.get(payment) ?? 0n) + amount)
  }
  for (const [id, amount] of of) {
    const payment = order.payments.find((one) => one.id === id)
    assert.ok(payment !== undefined && amount <= payment.amount, 'no payment goes back twice')
  }
}

/** What signatures moved of a wallet's came from that wallet, and was not settled: nobody else's share is short of it. */
function checkSigned(order: OrderState): void {
  for (const row of order.refunds) {
    if (row.signedBy === null) continue
    for (const { payment } of row.parts ?? []) {
      const from = order.payments.find((one) => one.id === payment)?.from ?? ''
      assert.equal(from.toLowerCase(), row.signedBy, 'a signature moves what its wallet sent')
    }
    assert.ok(row.amount > COST, 'and nothing that costs more to send')
  }
}

/** What is free to go back now, as the contract says it, has a row: only a refund that is being sent is waited for. */
function checkBegun(order: OrderState): void {
  const isOver =
    order.status === 'success' || order.status === 'refunded' || (order.status === 'expired' && order.canceled)
  const payments = order.payments.filter((one) => one.status === 'confirmed')
  // What left the chain after it was settled is made up for by what comes next.
  if (!isOver || order.payments.some((one) => one.status === 'orphaned' || one.leftAt !== null)) return
  const settled = order.settlements.filter((row) => row.status !== 'failed').reduce((sum, row) => sum + row.gross, 0n)
  const free = total(payments) - settled - total(order.refunds)
  const open = order.refunds.filter(isOpen)
  const going = total(open.filter((row) => row.status === 'sending'))
  const kept = order.settlements.some((row) => row.status === 'final') ? DUST : COST
  assert.ok(
    free <= kept || free <= going || (open.length >= 10 && free <= total(open)),
    `${free} has no refund beside ${open.map((row) => `${row.amount} ${row.status}`)}`,
  )
}

test('whatever is paid, sent, refused, approved and signed: each unit has its place and each refund its payers', () => {
  const seen = { signed: 0, beside: 0, rests: 0, checked: 0 }
  fc.assert(
    fc.property(fc.array(draw, { maxLength: 40, size: 'max' }), (walk) => {
      let order = pendingOrder({ legs: [leg(1, usdc, true)] })
      let now = at(1)
      for (const [n, d] of walk.entries()) {
        now = new Date(now.getTime() + d.wait)
        for (const fact of [...factsOf(order, d, n, now), { kind: 'time_passed' } as Fact]) {
          const before = order
          const decision = decide(before, [fact], now, newId)
          if (decision.order === before) continue
          order = decision.order
          for (const line of legBalancesOf(order)) {
            assert.equal(line.received, line.settled + line.fee + line.refunded + line.held)
            assert.ok(line.held >= 0n)
          }
          checkParts(order)
          checkSigned(order)
          checkBegun(order)
          seen.checked++
          if (fact.kind === 'refund_address_signed') seen.signed++
          if (order.refunds.length > before.refunds.length && before.refunds.some((row) => row.status === 'waiting')) {
            if (fact.kind === 'refund_address_signed') seen.rests++
            else seen.beside++
          }
        }
      }
    }),
    sized({ short: { numRuns: 600, seed: 8 }, full: { numRuns: 30_000 }, soak: { numRuns: 1_000_000 } }),
  )
  assert.ok(seen.checked > 3_000 && seen.signed > 150 && seen.beside > 150 && seen.rests > 20, JSON.stringify(seen))
})
