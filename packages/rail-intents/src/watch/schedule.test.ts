// The schedule and its budget: what it costs with ten thousand open orders, and how late a paid one is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import fc from 'fast-check'
import { sized } from '../../../../scripts/sizes.ts'
import { afterMiss, BY_TIME, nextLook, paced, shared, type Timed } from './schedule.ts'

const start = Date.UTC(2026, 2, 1)
const at = (ms: number): Date => new Date(start + ms)

const swapAt = (ms: number, more: Partial<Timed> = {}): Timed => ({
  ...{ stage: 'waiting', status: 'PENDING_DEPOSIT', createdAt: at(ms), payUntil: at(ms + 30 * MINUTE_MS) },
  ...{ returnsFrom: at(ms + 40 * MINUTE_MS), watchUntil: at(ms + 3 * DAY_MS), hotUntil: null, claimedAt: null },
  ...{ endedAt: null, isProven: false, proofKey: null },
  ...more,
})

test('every state has a next look that lies ahead, and only an end has none', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('waiting', 'paid', 'claimed', 'done', 'returned', 'failed'),
      fc.constantFrom('PENDING_DEPOSIT', 'KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT', 'SOMETHING_NEW'),
      fc.integer({ min: 0, max: 20 * DAY_MS }),
      fc.boolean(),
      (stage, status, ageMs, isHot) => {
        const now = at(ageMs)
        const swap = swapAt(0, { stage: stage as Timed['stage'], status, hotUntil: isHot ? at(ageMs + 1) : null })
        const { dueAt, rank } = nextLook({ ...swap, claimedAt: at(0) }, now)
        assert.ok([1, 2, 3].includes(rank))
        if (dueAt !== null) assert.ok(dueAt > now && dueAt.getTime() - now.getTime() <= HOUR_MS)
        // Money under way is asked about for as long as it is.
        if (stage === 'paid') assert.ok(dueAt !== null && rank === 1)
        if (stage === 'claimed') {
          assert.ok(dueAt !== null && dueAt.getTime() - now.getTime() <= 10 * MINUTE_MS)
          assert.equal(rank, ageMs < 2 * MINUTE_MS ? 1 : 2)
        }
        if (stage === 'done' || stage === 'returned') assert.equal(dueAt, null)
        if (stage === 'waiting' && ageMs < 3 * DAY_MS) assert.ok(dueAt !== null)
      },
    ),
    { numRuns: sized({ short: 300, full: 10_000 }) },
  )
})

test('no second sees more questions than the budget has, so no ten seconds do, whoever asks and however late a look is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 30 })), { maxLength: 200 }),
      fc.integer({ min: 1, max: 20 }),
      (looks, perS) => {
        const pace = paced(perS)
        const puts: number[] = []
        let now = start
        for (const [wait, wanted] of looks) {
          now += wait
          const count = Math.min(wanted, pace.free(now))
          pace.put(now, count)
          puts.push(...Array.from({ length: count }, () => now))
        }
        for (const at of puts) {
          assert.ok(puts.filter((one) => one >= at && one < at + SECOND_MS).length <= perS)
          assert.ok(puts.filter((one) => one >= at && one < at + 10 * SECOND_MS).length <= 10 * perS)
        }
      },
    ),
    { numRuns: sized({ short: 100, full: 3_000 }) },
  )
  assert.deepEqual([0, 1, 2, 30].map(afterMiss), [5_000, 10_000, 20_000, 300_000])
})

test('a share is kept whole over time, however few questions may be put at once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 300 }), (counts) => {
      const part = shared(BY_TIME)
      let [put, given] = [0, 0]
      for (const count of counts) {
        const own = part(count)
        assert.ok(own >= 0 && own <= count)
        put += count
        given += own
        assert.ok(Math.abs(given - BY_TIME * put) < 1)
      }
    }),
    { numRuns: sized({ short: 100, full: 3_000 }) },
  )
})

interface Play {
  orders: number
  seconds: number
  paidPerMinute: number
  /** How many pages are open at a time. Where the list is silent, theirs are paid. */
  pages: number
  isListRead: boolean
}

const LIFE_MS = 30 * MINUTE_MS

/**
 * Orders that are created and end, at the real pace of the job: one look a second, within the budget, by rank and a fifth by time.
 * @returns questions a second, and how late (s) paid orders were found, the slowest last.
 */
function simulate(a: Play): { perSecond: number; late: number[]; busiest: number } {
  const perS = 5
  let seed = 7
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
  const make = (ms: number) => {
    const isOpen = random() < a.pages / a.orders
    return {
      ...swapAt(ms, { hotUntil: isOpen ? at(ms + 5 * MINUTE_MS) : null }),
      ...{ returnsFrom: at(ms + LIFE_MS + 10 * MINUTE_MS), endMs: ms + LIFE_MS },
      // A page that is open is noted within seconds.
      ...{
        dueMs: ms + (isOpen ? 5 : 15) * SECOND_MS,
        rank: isOpen ? 1 : 2,
        paidMs: null as number | null,
        seen: false,
      },
    }
  }
  const swaps = Array.from({ length: a.orders }, (_, n) => make(Math.floor((n / a.orders) * LIFE_MS) - LIFE_MS))
  // As after some time: no first look is due now.
  for (const swap of swaps) if (swap.rank === 2) swap.dueMs = random() * LIFE_MS
  const byTimeOf = shared(BY_TIME)
  const pace = paced(perS)
  const puts: number[] = []
  const late: number[] = []
  for (let s = 0; s < a.seconds; s++) {
    const ms = s * SECOND_MS
    const put = (count: number): void => {
      pace.put(start + ms, count)
      puts.push(...Array.from({ length: count }, () => s))
    }
    for (let n = 0; n < swaps.length; n++) if ((swaps[n]?.endMs ?? 0) < ms) swaps[n] = make(ms)
    if (random() < a.paidPerMinute / 60) {
      const isOpen = ({ hotUntil }: Timed): boolean => hotUntil !== null && hotUntil >= at(ms + 90 * SECOND_MS)
      const payers = a.isListRead ? swaps : swaps.filter(isOpen)
      const one = payers[Math.floor(random() * payers.length)]
      if (one !== undefined && one.paidMs === null) Object.assign(one, { paidMs: ms, endMs: one.endMs + LIFE_MS })
    }
    if (s % 10 === 0) {
      put(1)
      for (const swap of a.isListRead ? swaps : [])
        if (swap.paidMs !== null && !swap.seen) Object.assign(swap, { rank: 0, dueMs: Math.min(swap.dueMs, ms) })
    }
    const limit = pace.free(start + ms)
    const due = swaps.filter((swap) => swap.dueMs <= ms)
    const byTime = byTimeOf(limit)
    const first = due.toSorted((x, y) => x.rank - y.rank || x.dueMs - y.dueMs).slice(0, limit - byTime)
    const rest = due.filter((swap) => !first.includes(swap)).toSorted((x, y) => x.dueMs - y.dueMs)
    const asked = [...first, ...rest.slice(0, byTime)]
    put(asked.length)
    for (const swap of asked) {
      if (swap.paidMs !== null && !swap.seen) {
        late.push((ms - swap.paidMs) / 1000)
        Object.assign(swap, { seen: true, stage: 'done' })
      }
      const next = nextLook(swap, at(ms))
      swap.dueMs = next.dueAt === null ? Number.POSITIVE_INFINITY : next.dueAt.getTime() - start
      swap.rank = next.rank
    }
  }
  const counts = new Map<number, number>()
  for (const s of puts) counts.set(s, (counts.get(s) ?? 0) + 1)
  const inTen = (s: number): number =>
    Array.from({ length: 10 }, (_, n) => counts.get(s + n) ?? 0).reduce((x, y) => x + y)
  const windows = Array.from({ length: Math.max(1, a.seconds - 9) }, (_, s) => inTen(s))
  return {
    ...{ perSecond: puts.length / a.seconds, late: late.sort((x, y) => x - y) },
    busiest: Math.max(...windows) / 10,
  }
}

test('ten thousand open orders cost at most five questions a second, and a paid one is found within a minute', (t) => {
  const [orders, seconds] = [sized({ short: 2_000, full: 10_000 }), sized({ short: 240, full: 3_600 })]
  const played = { orders, seconds, paidPerMinute: 30 }
  const read = simulate({ ...played, pages: 0, isListRead: true })
  // While the list is not read, orders are found whose page is open.
  const silent = simulate({ ...played, pages: 60, isListRead: false })
  for (const one of [read, silent]) {
    assert.ok(one.perSecond <= 5 && one.busiest <= 5, `${one.perSecond} a second, ${one.busiest} in the busiest ten`)
    assert.ok(one.late.length > 5 && (one.late.at(-1) ?? 0) <= 60, `${one.late.length} found, ${one.late.at(-1)} s`)
  }
  const figures = [read, silent].map(
    (one) => `${one.perSecond.toFixed(2)} questions a second, slowest ${one.late.at(-1)} s`,
  )
  t.diagnostic(`${orders} orders, ${seconds} s: with the list ${figures[0]}; with a silent list ${figures[1]}`)
})
