// Payments to an address that was given out again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ownerOf } from './owners.ts'

const leg = (ref: string, orderRef: string, amountDue: bigint, day: number, isLost = false) => ({
  ...{ ref, orderRef, amountDue, createdAt: new Date(day * 86_400_000), isLost },
})

test('a payment is never the newer order’s unless its amount says so to the satoshi, and a doubt is a person’s', () => {
  const aLeg = fc.record({ order: fc.nat(3), due: fc.bigInt(1n, 6n), day: fc.nat(200) })
  fc.assert(
    fc.property(fc.array(aLeg, { minLength: 1, maxLength: 6 }), fc.bigInt(1n, 7n), fc.nat(220), (made, amount, day) => {
      const legs = made
        .toSorted((a, b) => a.order - b.order || a.day - b.day)
        .map(({ order, due }, n) => leg(`leg${n}`, `order${order}`, due, n * 40))
      const owner = ownerOf(legs, { amount, seenAt: new Date(day * 86_400_000) })
      assert.ok(owner !== null)
      const orders = [...new Set(legs.map((one) => one.orderRef))]
      const fitting = [...new Set(legs.filter((one) => one.amountDue === amount).map((one) => one.orderRef))]
      if (orders.length === 1) assert.equal(owner.doubt, null)
      else if (fitting.length === 1) assert.deepEqual([owner.leg.orderRef, owner.doubt], [fitting[0], null])
      else {
        assert.equal(owner.leg.orderRef, orders[0])
        assert.equal(owner.doubt?.orderRef, orders.at(-1))
      }
    }),
    { numRuns: 500 },
  )
  assert.equal(ownerOf([], { amount: 1n, seenAt: new Date() }), null)
})

test('money at an address that an order had which a restore lost is another order’s to the satoshi alone', () => {
  const aLeg = fc.record({ order: fc.nat(3), due: fc.bigInt(1n, 6n) })
  fc.assert(
    fc.property(
      fc.array(aLeg, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      fc.bigInt(1n, 7n),
      (made, gone, amount) => {
        const legs = made
          .toSorted((a, b) => a.order - b.order)
          .map(({ order, due }, n) => leg(`leg${n}`, `order${order}`, due, n, gone.includes(order)))
        const owner = ownerOf(legs, { amount, seenAt: new Date(86_400_000_000) })
        const fitting = [...new Set(legs.filter((one) => one.amountDue === amount).map((one) => one.orderRef))]
        const isExact = fitting.length === 1 && owner?.leg.orderRef === fitting[0]
        if (legs.some((one) => one.isLost) && !isExact) assert.equal(owner?.leg.isLost, true)
      },
    ),
    { numRuns: 500 },
  )
})

test('of one order’s quotes the one that held when the money came is paid', () => {
  const legs = [leg('a', 'one', 5n, 1), leg('b', 'one', 6n, 3)]
  const at = (day: number) => ownerOf(legs, { amount: 6n, seenAt: new Date(day * 86_400_000) })?.leg.ref
  assert.deepEqual([at(0), at(2), at(3)], ['a', 'a', 'b'])
})
