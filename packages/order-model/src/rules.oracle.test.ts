// Orders beside an oracle (test/order-oracle.ts) that says independently what must become of every coin: how much is
// settled, what goes back, when and why. Amounts and moments lie on the boundaries; the seed is fixed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import fc from 'fast-check'
import {
  COST_UNITS,
  type Coin,
  DEADLINE,
  DUE_UNITS,
  DUST_UNITS,
  GRACE_END,
  judge,
  QUOTE_END,
  type Return,
  type Scenario,
  type Verdict,
} from '../../server/test/order-oracle.ts'
import {
  at,
  eth,
  leg,
  newId,
  PAYER,
  pays,
  pendingOrder,
  settles,
  start,
  usdc,
  usdt,
} from '../../server/test/order-state.ts'
import type { Fact } from './facts.ts'
import { decide } from './rules.ts'

/** The same story told to the rules: coins as they are told of, the clock when the order asked for it, rails at once. */
function play(scenario: Scenario): Verdict {
  const { stable, toleranceBps, latePolicy, coins, canceledAt } = scenario
  const assets = [stable[0] ? usdc : eth, stable[1] ? usdt : { ...eth, chain: 'arb' }] as const
  const legs = assets.map((asset, n) => leg(n + 1, asset, stable[n] === true))
  let order = pendingOrder({
    legs,
    underpayToleranceBps: toleranceBps,
    latePolicy,
    boundTo: PAYER,
    lookAt: at(DEADLINE),
  })
  const returns: Return[] = []

  const tell = (fact: Fact, now: number): void => {
    const known = new Set(order.refunds.map((row) => row.id))
    order = decide(order, [fact], at(now), newId).order
    for (const row of order.refunds.filter(({ id }) => !known.has(id))) {
      const { amount, reason, createdAt } = row
      const place = order.legs.findIndex(({ id }) => id === row.legId)
      returns.push({ leg: place, amount, reason, at: createdAt.getTime() - start.getTime() })
    }
  }
  const carryOut = (now: number): void => {
    if (order.settlements.some((row) => row.status === 'wanted')) tell(settles(order), now)
    for (const { id, status } of order.refunds) {
      if (status !== 'sending') continue
      tell(
        scenario.refundsFail
          ? { kind: 'refund_failed', refundId: id, failure: 'blocked' }
          : { kind: 'refund_succeeded', refundId: id, txHash: `0x${id}` },
        now,
      )
    }
  }
  const both = (fact: Fact, now: number): void => {
    tell(fact, now)
    carryOut(now)
  }
  /** The clock, at each moment that the order asked for and no sooner. */
  const clockUntil = (now: number): void => {
    for (let asked = order.lookAt; asked !== null && asked.getTime() - start.getTime() < now; asked = order.lookAt) {
      both({ kind: 'time_passed' }, asked.getTime() - start.getTime())
      assert.notEqual(order.lookAt?.getTime(), asked.getTime(), 'an order asks for the same moment once')
    }
  }

  const moments = new Set([...coins.flatMap(({ told, confirmed }) => [told, confirmed]), canceledAt ?? 0])
  for (const now of [...moments].sort((a, b) => a - b)) {
    clockUntil(now)
    if (now === canceledAt) both({ kind: 'cancel_asked' }, now)
    for (const coin of coins) {
      const { ref, ...asset } = { ref: `ref.${coin.leg + 1}`, ...assets[coin.leg] }
      if (coin.told === now) both(pays(coin.key, coin.amount, at(coin.seen), asset, ref), now)
      if (coin.confirmed === now) both({ kind: 'payment_confirmed', key: coin.key }, now)
    }
  }
  clockUntil(Number.POSITIVE_INFINITY)

  const [settlement] = order.settlements
  return {
    status: order.status,
    paidLeg: settlement === undefined ? null : order.legs.findIndex(({ id }) => id === settlement.legId),
    gross: settlement?.gross ?? null,
    returns,
  }
}

const HALF = DUE_UNITS / 2n
const amount = fc.constantFrom(
  ...[1n, COST_UNITS, COST_UNITS + 1n, DUST_UNITS - 1n, DUST_UNITS, DUST_UNITS + 1n, HALF - 250_000n, HALF, HALF + 1n],
  // The tolerance: half a percent, or a dollar where ten percent were asked for.
  ...[DUE_UNITS - 1_000_001n, DUE_UNITS - 1_000_000n, DUE_UNITS - 250_001n, DUE_UNITS - 250_000n],
  ...[DUE_UNITS - 1n, DUE_UNITS, DUE_UNITS, DUE_UNITS + 1n, DUE_UNITS + DUST_UNITS, DUE_UNITS + DUST_UNITS + 1n],
  DUE_UNITS * 2n,
)
const moment = fc.constantFrom(
  1,
  MINUTE_MS,
  ...[QUOTE_END, DEADLINE, GRACE_END].flatMap((edge) => [edge - 1, edge, edge + 1]),
  QUOTE_END + MINUTE_MS,
  DEADLINE + 60 * MINUTE_MS,
  GRACE_END + 60 * MINUTE_MS,
)
const drawn = fc.record({
  leg: fc.constantFrom<0 | 1>(0, 0, 1),
  amount,
  seen: moment,
  toldLater: fc.constantFrom(0, 0, 0, MINUTE_MS, DEADLINE),
  confirmedLater: fc.constantFrom(0, 0, MINUTE_MS, QUOTE_END),
})

const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    stable: fc.tuple(fc.boolean(), fc.boolean()),
    toleranceBps: fc.constantFrom(0, 50, 1_000),
    latePolicy: fc.constantFrom('settle' as const, 'refund' as const),
    isCanceled: fc.constantFrom(false, false, false, true),
    refundsFail: fc.constantFrom(false, false, true),
    drawn: fc.array(drawn, { minLength: 1, maxLength: 5 }),
  })
  .map(({ drawn, isCanceled, ...rest }) => {
    const coins = drawn
      .map((coin): Omit<Coin, 'key'> => {
        const { leg, amount, toldLater, confirmedLater } = coin
        // Money that could not be returned may pay after all, which is a story of its own.
        const seen = rest.refundsFail && coin.seen === GRACE_END ? GRACE_END - 1 : coin.seen
        const told = seen + (rest.refundsFail ? 0 : toldLater)
        return { leg, amount, seen, told, confirmed: told + confirmedLater }
      })
      .sort((a, b) => a.told - b.told)
      .map((coin, n): Coin => ({ ...coin, key: `coin${n}` }))
    return { ...rest, coins, canceledAt: isCanceled ? 0 : null }
  })

test('whatever comes in, and whenever, is settled and returned as the contract says', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(scenarios, (scenario) => {
      const [wanted, got] = [judge(scenario), play(scenario)]
      assert.deepEqual(
        { status: got.status, paidLeg: got.paidLeg, gross: got.gross },
        { status: wanted.status, paidLeg: wanted.paidLeg, gross: wanted.gross },
      )
      assert.deepEqual(inOrder(got.returns, wanted.returns), inOrder(wanted.returns, wanted.returns))
      for (const word of [wanted.status, ...wanted.returns.map(({ reason }) => reason ?? 'none')]) {
        seen.set(word, (seen.get(word) ?? 0) + 1)
      }
    }),
    { seed: 8, numRuns: 4_000 },
  )
  for (const word of ['success', 'expired', 'refunded', 'excess', 'late', 'underpaid', 'canceled'])
    assert.ok((seen.get(word) ?? 0) > 100, `${word} was hardly reached: ${seen.get(word)}`)
})

/** By time and leg. A reason that the contract leaves open is not compared. */
function inOrder(rows: readonly Return[], wanted: readonly Return[]): Return[] {
  const sorted = (some: readonly Return[]) => some.toSorted((a, b) => a.at - b.at || a.leg - b.leg)
  const open = sorted(wanted).map(({ reason }) => reason === null)
  return sorted(rows).map((row, n) => (open[n] ? { ...row, reason: null } : row))
}
