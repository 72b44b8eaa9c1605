// The schedule and its budget: what it costs with ten thousand open orders, and how late a paid one is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import fc from 'fast-check'
import { sized } from '../../../../../../scripts/sizes.ts'
import { afterMiss, type Budget, nextLook, refilled, type Timed } from './schedule.ts'

const start = Date.UTC(2026, 2, 1)
const at = (ms: number): Date => new Date(start + ms)

const swapAt = (ms: number, more: Partial<Timed> = {}): Timed => ({
  ...{ stage: 'waiting', status: 'PENDING_DEPOSIT', createdAt: at(ms), payUntil: at(ms + 30 * MINUTE_MS) },
  ...{ returnsFrom: at(ms + 40 * MINUTE_MS), watchUntil: at(ms + 3 * DAY_MS), hotUntil: null, claimedAt: null },
  ...more,
})

test('every state has a next look that lies ahead, and only an end has none', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('waiting', 'paid', 'claimed', 'done', 'returned', 'failed'),
      fc.constantFrom('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT', 'SOMETHING_NEW'),
      fc.integer({ min: 0, max: 20 * DAY_MS }),
      fc.boolean(),
      fc.boolean(),
      (stage, status, ageMs, isHot, hasFeed) => {
        const now = at(ageMs)
        const swap = swapAt(0, { stage: stage as Timed['stage'], status, hotUntil: isHot ? at(ageMs + 1) : null })
        const { dueAt, rank } = nextLook({ ...swap, claimedAt: at(0) }, now, hasFeed)
        assert.ok([0, 1, 2].includes(rank))
        if (dueAt !== null) assert.ok(dueAt > now && dueAt.getTime() - now.getTime() <= HOUR_MS)
        // Money under way is asked about for as long as it is.
        if (stage === 'paid' || stage === 'claimed') assert.ok(dueAt !== null && rank === 1)
        if (stage === 'done' || stage === 'returned') assert.equal(dueAt, null)
        if (stage === 'waiting' && ageMs < 3 * DAY_MS) assert.ok(dueAt !== null)
      },
    ),
    { numRuns: sized({ short: 300, full: 10_000 }) },
  )
})

test('the budget gives out no more than its rate, and never more than a second’s worth at once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (waits, perS) => {
        let budget: Budget = { tokens: perS, at: start }
        let now = start
        let spent = 0
        for (const wait of waits) {
          now += wait
          budget = refilled(budget, now, perS)
          const take = Math.floor(budget.tokens)
          assert.ok(take <= perS)
          budget.tokens -= take
          spent += take
          assert.ok(spent <= perS + ((now - start) * perS) / 1000 + 1e-6)
        }
      },
    ),
    { numRuns: sized({ short: 200, full: 5_000 }) },
  )
  assert.deepEqual([0, 1, 2, 30].map(afterMiss), [5_000, 10_000, 20_000, 300_000])
})

/**
 * Orders as they come and go, at the real pace of the job: one look a second, within the budget, by rank and a fifth by time.
 * @returns questions a second, and how late (s) the slowest paid order was found.
 */
function simulate(a: { orders: number; seconds: number; paidPerMinute: number; hotShare: number; hasFeed: boolean }) {
  const perS = 5
  const lifeMs = 30 * MINUTE_MS
  let seed = 7
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const make = (ms: number) => ({
    ...swapAt(ms, { hotUntil: random() < a.hotShare ? at(ms + 5 * MINUTE_MS) : null }),
    ...{ dueMs: ms + 15 * SECOND_MS, rank: 2, paidMs: null as number | null, seen: false, endMs: ms + lifeMs },
  })
  /** A page that is open says so. */
  const attended = <T extends ReturnType<typeof make>>(swap: T, ms: number): T =>
    swap.hotUntil !== null && swap.hotUntil > at(ms) ? { ...swap, rank: 1, dueMs: ms + 5 * SECOND_MS } : swap
  /** The page stays open for a while, or was until a moment ago. */
  const isHot = (until: Date | null, ms: number): boolean => until !== null && until >= at(ms + 90 * SECOND_MS)
  const swaps = Array.from({ length: a.orders }, (_, n) =>
    attended(make(Math.floor((n / a.orders) * lifeMs) - lifeMs), 0),
  )
  let budget: Budget = { tokens: perS, at: start }
  let asked = 0
  let slowest = 0
  for (let s = 0; s < a.seconds; s++) {
    const ms = s * SECOND_MS
    for (let n = 0; n < swaps.length; n++) if ((swaps[n]?.endMs ?? 0) < ms) swaps[n] = attended(make(ms), ms)
    if (random() < a.paidPerMinute / 60) {
      const payers = a.hasFeed ? swaps : swaps.filter((swap) => isHot(swap.hotUntil, ms))
      const one = payers[Math.floor(random() * payers.length)]
      // Who pays has the page open, or the list of swaps tells of it.
      if (one !== undefined && one.paidMs === null) {
        one.paidMs = ms
        one.endMs += lifeMs
      }
    }
    budget = refilled(budget, start + ms, perS)
    if (a.hasFeed && s % 10 === 0 && budget.tokens >= 1) {
      budget.tokens--
      asked++
      for (const swap of swaps)
        if (swap.paidMs !== null && !swap.seen) Object.assign(swap, { rank: 0, dueMs: Math.min(swap.dueMs, ms) })
    }
    const limit = Math.floor(budget.tokens)
    const due = swaps.filter((swap) => swap.dueMs <= ms)
    const byTime = Math.floor(limit / 5)
    const first = due.toSorted((x, y) => x.rank - y.rank || x.dueMs - y.dueMs).slice(0, limit - byTime)
    const oldest = due
      .filter((swap) => !first.includes(swap))
      .toSorted((x, y) => x.dueMs - y.dueMs)
      .slice(0, byTime)
    for (const swap of [...first, ...oldest]) {
      budget.tokens--
      asked++
      if (swap.paidMs !== null && !swap.seen) {
        slowest = Math.max(slowest, (ms - swap.paidMs) / 1000)
        Object.assign(swap, { seen: true, stage: 'done' })
      }
      const next = nextLook(swap, at(ms), a.hasFeed)
      swap.dueMs = next.dueAt === null ? Number.POSITIVE_INFINITY : next.dueAt.getTime() - start
      swap.rank = next.rank
    }
  }
  return { perSecond: asked / a.seconds, slowest }
}

test('ten thousand open orders cost at most five questions a second, and a paid one is found within a minute', (t) => {
  const [orders, seconds] = [sized({ short: 2_000, full: 10_000 }), sized({ short: 240, full: 3_600 })]
  const fed = simulate({ orders, seconds, paidPerMinute: 30, hotShare: 0, hasFeed: true })
  assert.ok(fed.perSecond <= 5, `${fed.perSecond} a second`)
  assert.ok(fed.slowest <= 60, `${fed.slowest} s`)
  // Without the list of swaps those are found whose page is open.
  const hotShare = 60 / orders
  const open = simulate({ orders, seconds, paidPerMinute: 30, hotShare, hasFeed: false })
  assert.ok(open.perSecond <= 5, `${open.perSecond} a second`)
  assert.ok(open.slowest <= 60, `${open.slowest} s`)
  const figures = [fed, open].map((one) => `${one.perSecond.toFixed(2)} questions a second, slowest ${one.slowest} s`)
  t.diagnostic(`${orders} orders, ${seconds} s: with the list ${figures[0]}; without ${figures[1]}`)
})
