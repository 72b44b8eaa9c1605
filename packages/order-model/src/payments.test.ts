// Floods of payments: an order keeps few rows and loses no unit, whatever then happens to a transfer that was folded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@florin/protocol'
import fc from 'fast-check'
import {
  at,
  DUE,
  leg,
  newId,
  own,
  pays,
  pendingOrder,
  run,
  settles,
  usdc,
  usdt,
} from '../../server/test/order-state.ts'
import { balanceOf } from './balance.ts'
import type { Fact } from './facts.ts'
import { applyPayments, isPaymentFact, type PaymentFact, SINGLES_MAX } from './payments.ts'
import { decide } from './rules.ts'
import { LEFT_FOLD, type OrderState } from './state.ts'

const key = (n: number): string => `p${String(n).padStart(6, '0')}`
const seen = (n: number, amount: bigint, ms = n, asset = usdc, legRef = 'ref.1'): PaymentFact => {
  const fact = pays(key(n), amount, at(ms), asset, legRef)
  assert.ok(isPaymentFact(fact))
  return fact
}
const confirmed = (n: number): PaymentFact => ({ kind: 'payment_confirmed', key: key(n) })
const orphaned = (n: number): PaymentFact => ({ kind: 'payment_orphaned', key: key(n) })
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n)

/** In commits of 500, as the inbox takes them; nothing folded is forgotten in between. */
function taken(order: OrderState, facts: readonly PaymentFact[], now = at(1)): OrderState {
  let last = order
  for (let from = 0; from < facts.length; from += 500) {
    last = decide(last, facts.slice(from, from + 500), now, newId).order
  }
  return last
}

const received = (order: OrderState): bigint => balanceOf(order).reduce((sum, line) => sum + line.received, 0n)

test('thousands of transfers are a bounded number of rows, and every unit is counted', () => {
  const flood = taken(
    pendingOrder(),
    upTo(3_000).map((n) => seen(n, BigInt((n % 7) + 1))),
  )
  assert.equal(flood.payments.length, SINGLES_MAX + 1)
  assert.equal(
    flood.payments.reduce((sum, row) => sum + row.transfers, 0),
    3_000,
  )
  const total = upTo(3_000).reduce((sum, n) => sum + BigInt((n % 7) + 1), 0n)
  assert.equal(received(flood), total)
  const deep = taken(flood, upTo(3_000).map(confirmed))
  assert.equal(received(deep), total)
  assert.ok(deep.payments.every((row) => row.status === 'confirmed'))
  assert.ok(deep.version < 20, `${deep.version} versions`)
})

test('the payer’s payment keeps its own row, however much dust came before it', () => {
  const dusted = taken(
    pendingOrder(),
    upTo(500).map((n) => seen(n, 1n)),
  )
  const paid = taken(dusted, [seen(900_000, DUE, 2_000)])
  assert.equal(paid.status, 'processing')
  const own = paid.payments.find((row) => row.key === key(900_000))
  assert.deepEqual([own?.amount, own?.use, own?.fold], [DUE, 'counted', null])
  const { order, moves } = run(taken(paid, [confirmed(900_000), ...upTo(500).map(confirmed)]), [])
  assert.deepEqual(moves, [])
  const done = run(order, [[settles(order), at(3)]])
  assert.deepEqual(done.moves, ['success'])
})

test('a folded transfer can leave the chain and come back, before and after its confirmation', () => {
  const facts = upTo(200).map((n) => seen(n, 10n))
  const flood = taken(pendingOrder(), facts)
  const folded = flood.folded.map((transfer) => transfer.key)
  assert.equal(folded.length, 200 - SINGLES_MAX)
  const one = Number(folded[0]?.slice(1))
  const gone = taken(flood, [orphaned(one)])
  assert.equal(received(gone), 1_990n)
  assert.equal(received(taken(gone, [orphaned(one)])), 1_990n, 'it leaves once')
  assert.equal(received(taken(gone, [confirmed(one)])), 1_990n, 'what left is not confirmed')
  const back = taken(gone, [seen(one, 10n), confirmed(one)])
  assert.equal(received(back), 2_000n)
  assert.equal(received(taken(back, [orphaned(one)])), 1_990n)
  const none = taken(back, upTo(200).map(orphaned))
  assert.equal(received(none), 0n)
  const transfers = (order: OrderState): number => order.payments.reduce((sum, row) => sum + row.transfers, 0)
  const shared = (order: OrderState) => order.payments.filter((row) => row.fold !== null)
  assert.deepEqual(
    shared(none).map((row) => [row.status, row.transfers, row.amount]),
    [['orphaned', 200 - SINGLES_MAX, 10n * BigInt(200 - SINGLES_MAX)]],
    'a row that stands for nothing is gone, and what left the chain has one as well',
  )
  const again = taken(none, facts)
  assert.equal(received(again), 2_000n)
  assert.deepEqual(
    [flood, gone, back, none, again].map(transfers),
    [200, 200, 200, 200, 200],
    'no transfer is forgotten',
  )
  assert.deepEqual([...new Set(again.payments.map((row) => row.status))], ['detected'])
})

test('money in time and late money never share a row', () => {
  const facts = upTo(300).map((n) => seen(n, 10n, n % 3 === 0 ? 1 : (n % 3) * 16 * HOUR_MS))
  const order = taken(pendingOrder(), facts, at(48 * HOUR_MS))
  const of = (word: string): bigint =>
    order.payments.filter((row) => row.fold?.endsWith(word) === true).reduce((sum, row) => sum + row.amount, 0n)
  const own = order.payments.filter((row) => row.fold === null).length
  assert.equal(of(':on_time') + of(':in_grace') + of(':late') + BigInt(own * 10), 3_000n)
  for (const word of [':on_time', ':in_grace', ':late']) assert.ok(of(word) >= 500n, word)
  assert.deepEqual(
    order.payments.filter((row) => row.fold !== null).map((row) => row.use),
    order.payments.filter((row) => row.fold !== null).map((row) => (row.fold?.endsWith(':late') ? 'late' : 'counted')),
  )
})

test('what a merchant has is never less than was passed on: such a folded transfer stays, and people are told once', () => {
  const facts = upTo(100).map((n) => seen(n, DUE / 100n))
  const paid = taken(pendingOrder(), [...facts, ...upTo(100).map(confirmed)])
  assert.equal(paid.status, 'processing')
  const done = run(paid, [[settles(paid), at(3)]]).order
  assert.equal(done.status, 'success')
  const undone = applyPayments(done, upTo(100).map(orphaned), at(4), newId)
  assert.equal(new Set(undone.attention.map((item) => item.cause)).size, SINGLES_MAX + 1)
  const [line] = balanceOf(undone.order)
  assert.deepEqual([line?.received, line?.held], [DUE, 0n])
  assert.ok(undone.order.payments.every((row) => row.leftAt !== null && row.status === 'confirmed'))
  // Half of it comes back, and half is paid anew: what stands in the place of which is nobody's to tell.
  const back = upTo(50).map((n) => seen(n, DUE / 100n))
  const half = taken(undone.order, back)
  assert.equal(balanceOf(half)[0]?.received, DUE)
  const whole = taken(half, [seen(1_000, DUE / 2n), confirmed(1_000)])
  assert.deepEqual([balanceOf(whole)[0]?.received, whole.payments.some((row) => row.leftAt !== null)], [DUE, false])
  assert.ok(whole.folded.every((transfer) => !transfer.fold.endsWith(LEFT_FOLD)))
})

test('facts taken together and one by one lead to the same money', () => {
  const legs = [leg(1, usdc, true, own(usdc)), leg(2, usdt, true, own(usdt))]
  const drawn = fc.record({
    kind: fc.constantFrom<('payment_seen' | 'payment_confirmed' | 'payment_orphaned')[]>(
      'payment_seen',
      'payment_seen',
      'payment_confirmed',
      'payment_orphaned',
    ),
    n: fc.nat(150),
    amount: fc.constantFrom(1n, 5n, 1_000n, DUE / 3n),
  })
  let folds = 0
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 200, maxLength: 400, size: 'max' }), (draws) => {
      const facts = draws.map(({ kind, n, amount }): PaymentFact => {
        if (kind !== 'payment_seen') return { kind, key: key(n) }
        // A key is one transfer: of one leg and amount.
        return seen(n, [amount, 3n, 7n][n % 3] ?? 1n, n, n % 4 === 0 ? usdt : usdc, n % 8 === 0 ? 'ref.2' : 'ref.1')
      })
      const order = pendingOrder({ legs })
      const [together, single] = [taken(order, facts), facts.reduce((last, fact) => taken(last, [fact]), order)]
      const shape = (o: OrderState) =>
        balanceOf(o).map(({ chain, asset, received, held }) => ({ chain, asset, received, held }))
      const sorted = (o: OrderState) => shape(o).sort((a, b) => (a.asset < b.asset ? -1 : 1))
      assert.deepEqual(sorted(together), sorted(single))
      const truth = new Map<string, { amount: bigint; isOn: boolean }>()
      for (const fact of facts) {
        const known = truth.get(fact.key)
        if (fact.kind === 'payment_seen') truth.set(fact.key, { amount: known?.amount ?? fact.amount, isOn: true })
        if (fact.kind === 'payment_orphaned' && known !== undefined) truth.set(fact.key, { ...known, isOn: false })
      }
      const on = [...truth.values()].filter(({ isOn }) => isOn).reduce((sum, { amount }) => sum + amount, 0n)
      assert.equal(received(together), on, 'what is on the chain is what the order has')
      if (together.folded.length > 0) folds++
    }),
    { seed: 8, numRuns: 60 },
  )
  assert.ok(folds > 10, `only ${folds} runs folded anything`)
})

test('the cost is linear: ten thousand facts of one order cost about what they cost ten orders', () => {
  const cost = (count: number): number => {
    const facts: Fact[] = upTo(count).flatMap((n) => [seen(n, BigInt((n % 7) + 1))])
    const began = process.threadCpuUsage()
    let order = pendingOrder()
    for (let from = 0; from < facts.length; from += 500) {
      const part = facts.slice(from, from + 500)
      // The store gives back the folded transfers that the facts name, and no others.
      order = decide({ ...order, folded: [] }, part, at(1), newId).order
    }
    assert.equal(
      received(order),
      facts.reduce((sum, fact) => sum + (fact.kind === 'payment_seen' ? fact.amount : 0n), 0n),
    )
    const spent = process.threadCpuUsage(began)
    return spent.user + spent.system
  }
  cost(2_000)
  // The system counts in steps of up to 10 ms, so each side is long and one step is given.
  const spread = upTo(10).reduce((sum) => sum + cost(1_000), 0)
  const many = cost(10_000)
  assert.ok(many < spread * 4 + 10_000, `10 times 1,000 facts cost ${spread} µs, 10,000 cost ${many} µs`)
})
