// Promises, for any rails in any state: what goes as it is goes so; no third party holds money that the merchant did not
// let it hold; nobody is sent where payments are not seen; of the rest the cheapest carries, and a rail that is well again
// is chosen again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseRoute, type RouteOption } from './choose-route.ts'

const well: Omit<RouteOption, 'rail'> = {
  ...{ custody: 'none', isDirect: true, isPretended: false, isAllowed: false },
  ...{ state: 'well', priceUsdMicros: 50_000_000n, expectedS: 30 },
}
const direct = (a: Partial<RouteOption> = {}): RouteOption => ({ rail: 'direct', ...well, ...a })
const swap = (a: Partial<RouteOption> = {}): RouteOption => ({
  ...{ rail: 'swap', ...well, custody: 'third-party', isDirect: false, isAllowed: true, priceUsdMicros: 50_200_000n },
  ...a,
})
const told = (...options: RouteOption[]) => {
  const choice = chooseRoute(options)
  return choice === null ? null : [choice.option.rail, choice.reason, ...choice.others.map(({ why }) => why)]
}

test('what goes as it is goes so, whatever a swap would cost', () => {
  assert.deepEqual(told(swap({ priceUsdMicros: 1n }), direct()), ['direct', 'direct', 'converts'])
  assert.deepEqual(told(direct()), ['direct', 'direct'])
})

test('of two that convert the cheaper carries, and of equals the one that nobody holds, then the faster', () => {
  assert.deepEqual(told(swap({ rail: 'a' }), swap({ rail: 'b', priceUsdMicros: 50_100_000n })), [
    ...['b', 'cheapest', 'dearer'],
  ])
  const own = swap({ rail: 'own', custody: 'none', expectedS: 900 })
  assert.deepEqual(told(swap(), own), ['own', 'cheapest', 'slower'])
  assert.deepEqual(told(swap({ rail: 'a' }), swap({ rail: 'b', expectedS: 5 })), ['b', 'cheapest', 'slower'])
  assert.deepEqual(told(swap({ rail: 'a', priceUsdMicros: null }), swap({ rail: 'b' })), ['b', 'cheapest', 'dearer'])
})

test('a rail in trouble is passed over and comes back', () => {
  assert.deepEqual(told(direct({ state: 'down' }), swap()), ['swap', 'others_out', 'in_trouble'])
  assert.deepEqual(told(direct({ state: 'slow' }), swap()), ['swap', 'others_out', 'in_trouble'])
  assert.deepEqual(told(direct(), swap()), ['direct', 'direct', 'converts'])
  assert.deepEqual(told(direct({ state: 'slow' })), ['direct', 'direct'], 'what comes late comes')
  assert.equal(told(direct({ state: 'down' })), null)
})

test('no third party without the merchant’s word, also where nothing else is left', () => {
  assert.equal(told(swap({ isAllowed: false })), null)
  assert.equal(told(direct({ state: 'down' }), swap({ isAllowed: false })), null)
  assert.deepEqual(told(direct({ state: 'slow' }), swap({ isAllowed: false })), [
    ...['direct', 'direct', 'custody_not_allowed'],
  ])
})

test('the sandbox carries what nothing real does', () => {
  const sandbox = direct({ rail: 'sandbox', isPretended: true })
  assert.deepEqual(told(sandbox, swap()), ['swap', 'only', 'no_real_money'])
  assert.deepEqual(told(sandbox, swap({ state: 'slow' })), ['swap', 'only', 'no_real_money'])
  assert.equal(told(sandbox, swap({ isAllowed: false }))?.[0], 'sandbox')
  assert.equal(told(sandbox, swap({ state: 'down' })), null, 'nor instead of a rail that is out')
})

const anOption: fc.Arbitrary<RouteOption> = fc.record({
  rail: fc.string({ minLength: 1, maxLength: 3 }),
  custody: fc.constantFrom('none', 'third-party'),
  isDirect: fc.boolean(),
  isPretended: fc.boolean(),
  isAllowed: fc.boolean(),
  state: fc.constantFrom('well', 'slow', 'down'),
  priceUsdMicros: fc.option(fc.bigInt(1n, 100n), { nil: null }),
  expectedS: fc.option(fc.nat(50), { nil: null }),
})

test('whatever the rails, the promises hold', () => {
  fc.assert(
    fc.property(fc.array(anOption, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 6 }), (options, order) => {
      const choice = chooseRoute(options)
      const allowed = options.filter((one) => one.custody === 'none' || one.isAllowed)
      const isReal = allowed.some((one) => !one.isPretended)
      const usable = allowed.filter((one) => one.isPretended !== isReal && one.state !== 'down')
      assert.equal(choice === null, usable.length === 0)
      if (choice === null) return
      const { option } = choice
      assert.ok(usable.includes(option))
      assert.equal(choice.others.length, options.length - 1)
      const level = usable.filter((one) => one.state === option.state)
      if (option.state === 'slow') assert.equal(level.length, usable.length)
      const asItIs = level.filter((one) => one.isDirect && one.custody === 'none')
      assert.ok(asItIs.length === 0 || asItIs.includes(option))
      const same = asItIs.length > 0 ? asItIs : level
      const prices = same.flatMap((one) => one.priceUsdMicros ?? [])
      if (prices.length > 0) assert.equal(option.priceUsdMicros, prices.toSorted((a, b) => (a < b ? -1 : 1))[0])
      // Configuration order decides between equals alone.
      const key = options.map((one, n) => ({ one, at: order[n] ?? 0 }))
      const shuffled = key.toSorted((a, b) => a.at - b.at).map(({ one }) => one)
      const again = chooseRoute(shuffled)
      const terms = ({ rail: _, isAllowed: __, ...rest }: RouteOption) => rest
      assert.equal(again?.option.priceUsdMicros, option.priceUsdMicros)
      assert.equal(terms(again?.option ?? option).custody, option.custody)
    }),
  )
})
