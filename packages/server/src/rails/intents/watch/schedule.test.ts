// The schedule and its budget: what it costs with ten thousand open orders, and how late a paid one is found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import fc from 'fast-check'
import { sized } from '../../../../../../scripts/sizes.ts'
import { nextFollow, SEEN_SHARE } from '../sight/rules.ts'
import { afterMiss, BY_TIME, nextLook, paced, QUIET_FROM_MS, shared, stretchFor, type Timed } from './schedule.ts'

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
      fc.boolean(),
      fc.boolean(),
      fc.double({ min: 0, max: 1_000, noNaN: true }),
      (stage, status, ageMs, isHot, hasFeed, isLooked, stretch) => {
        const now = at(ageMs)
        const swap = swapAt(0, { stage: stage as Timed['stage'], status, hotUntil: isHot ? at(ageMs + 1) : null })
        const { dueAt, rank } = nextLook({ ...swap, claimedAt: at(0) }, now, { hasFeed, isLooked, stretch })
        assert.ok([1, 2, 3].includes(rank))
        const most = rank === 3 ? 6 * HOUR_MS : HOUR_MS
        if (dueAt !== null) assert.ok(dueAt > now && dueAt.getTime() - now.getTime() <= most)
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
      const part = shared(SEEN_SHARE)
      let [put, given] = [0, 0]
      for (const count of counts) {
        const own = part(count)
        assert.ok(own >= 0 && own <= count)
        put += count
        given += own
        assert.ok(Math.abs(given - SEEN_SHARE * put) < 1)
      }
    }),
    { numRuns: sized({ short: 100, full: 3_000 }) },
  )
})

interface Play {
  orders: number
  seconds: number
  lifeMs: number
  paidPerMinute: number
  /** How many pages are open at a time; theirs are paid. `none`: nobody's is, and payers pay soon or late. */
  pages: number | 'none'
  hasFeed: boolean
  /**
   * Nodes of all payers' chains look at the addresses, and see a payment up to four minutes before the provider knows. `lying`: half of the
   * orders are paid on a chain whose node says that each of them was paid, again and again.
   */
  nodes?: 'honest' | 'lying'
}

const LOOK_EVERY_S = 20

/**
 * Orders as they come and go, at the real pace of the job: one look a second, within the budget, by rank and a fifth by time.
 * @returns questions a second, and how late (s) paid orders were found, the slowest last.
 */
function simulate(a: Play): { perSecond: number; late: number[]; busiest: number } {
  const perS = 5
  let seed = 7
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return seed / 2 ** 31
  }
  const share = a.pages === 'none' ? 0 : a.pages / a.orders
  const make = (ms: number) => ({
    ...swapAt(ms, { hotUntil: random() < share ? at(ms + 5 * MINUTE_MS) : null }),
    ...{ returnsFrom: at(ms + a.lifeMs + 10 * MINUTE_MS) },
    ...{ dueMs: ms + 15 * SECOND_MS, rank: 2, paidMs: null as number | null, seen: false, endMs: ms + a.lifeMs },
    // When a node of its chain tells of it, and when the provider knows.
    ...{ sentMs: null as number | null, seenAt: null as Date | null, followMs: Number.POSITIVE_INFINITY },
    pay: {
      chain: a.nodes === 'lying' && random() < 0.5 ? 'lied about' : 'base',
      asset: '',
      contract: null,
      decimals: 0,
    },
    // Within the next minute is as likely as within the next hour.
    paysMs: ms + 30 * SECOND_MS * 240 ** random(),
  })
  /** A page that is open says so. */
  const attended = <T extends ReturnType<typeof make>>(swap: T, ms: number): T =>
    swap.hotUntil !== null && swap.hotUntil > at(ms) ? { ...swap, rank: 1, dueMs: ms + 5 * SECOND_MS } : swap
  /** The page stays open for a while, or was until a moment ago. */
  const isHot = (until: Date | null, ms: number): boolean => until !== null && until >= at(ms + 90 * SECOND_MS)
  const swaps = Array.from({ length: a.orders }, (_, n) =>
    attended(make(Math.floor((n / a.orders) * a.lifeMs) - a.lifeMs), 0),
  )
  // As after some time: nobody's first look is due now.
  for (const swap of swaps) if (swap.rank === 2) swap.dueMs = random() * Math.min(a.lifeMs, HOUR_MS)
  /** What a liar tells of says nothing. */
  const isTold = ({ pay }: ReturnType<typeof make>): boolean => pay.chain === 'base'
  const [byTimeOf, ofSeen] = [shared(BY_TIME), shared(SEEN_SHARE)]
  const pace = paced(perS)
  const puts: number[] = []
  const late: number[] = []
  const paid = new Set<(typeof swaps)[number]>()
  let stretch = 0
  let isCrowded = false
  for (let s = 0; s < a.seconds; s++) {
    const ms = s * SECOND_MS
    for (let n = 0; n < swaps.length; n++) if ((swaps[n]?.endMs ?? 0) < ms) swaps[n] = attended(make(ms), ms)
    if (a.pages === 'none') {
      for (const swap of swaps)
        if (swap.paidMs === null && swap.createdAt >= at(0) && ms >= swap.paysMs) {
          swap.paidMs = ms
          paid.add(swap)
        }
    } else if (random() < a.paidPerMinute / 60) {
      const payers =
        a.hasFeed || a.nodes !== undefined ? swaps.filter(isTold) : swaps.filter((swap) => isHot(swap.hotUntil, ms))
      const one = payers[Math.floor(random() * payers.length)]
      // Who pays has the page open, or the list of swaps tells of it.
      if (one !== undefined && one.paidMs === null) {
        one.sentMs = ms
        one.paidMs = ms + (a.nodes === undefined ? 0 : random() * 4 * MINUTE_MS)
        one.endMs += a.lifeMs
      }
    }
    const put = (count: number): void => {
      pace.put(start + ms, count)
      puts.push(...Array.from({ length: count }, () => s))
    }
    if (!a.hasFeed && s % 30 === 0) {
      const isLooked = (swap: (typeof swaps)[number]): boolean => a.nodes !== undefined && isTold(swap)
      const quiet = swaps.filter((swap) => swap.rank > 1)
      const looked = quiet.filter(isLooked).length
      const followed = swaps.filter((swap) => swap.followMs < Number.POSITIVE_INFINITY).length
      isCrowded = swaps.some((swap) => !isTold(swap) && swap.followMs < ms - MINUTE_MS)
      const unseen = quiet.filter((swap) => !isLooked(swap))
      const demand = unseen.reduce((sum, { createdAt }) => {
        return sum + SECOND_MS / (QUIET_FROM_MS + at(ms).getTime() - createdAt.getTime())
      }, 0)
      stretch = stretchFor({ demand, moving: swaps.length - quiet.length, looked, seen: followed, perS })
    }
    if (a.hasFeed && s % 10 === 0) {
      put(1)
      for (const swap of swaps)
        if (swap.paidMs !== null && !swap.seen) Object.assign(swap, { rank: 0, dueMs: Math.min(swap.dueMs, ms) })
    }
    if (a.nodes !== undefined && s % LOOK_EVERY_S === 0)
      for (const swap of swaps) {
        const isNew = isTold(swap) ? swap.sentMs !== null && swap.seenAt === null : swap.followMs > 1e15
        if (isNew && !swap.seen) Object.assign(swap, { seenAt: at(ms), followMs: ms })
      }
    const limit = pace.free(start + ms)
    const told = inTurn(swaps.filter((swap) => swap.followMs <= ms)).sort(
      (x, y) => Number(isCrowded && !isTold(x)) - Number(isCrowded && !isTold(y)),
    )
    const own = told.slice(0, ofSeen(limit))
    const due = swaps.filter((swap) => swap.dueMs <= ms && !own.includes(swap))
    const rest = limit - own.length
    const byTime = byTimeOf(rest)
    const first = due.toSorted((x, y) => x.rank - y.rank || x.dueMs - y.dueMs).slice(0, rest - byTime)
    const oldest = due
      .filter((swap) => !first.includes(swap))
      .toSorted((x, y) => x.dueMs - y.dueMs)
      .slice(0, byTime)
    const asked = [...new Set([...own, ...first, ...oldest, ...told.slice(own.length)])].slice(0, limit)
    put(asked.length)
    for (const swap of asked) {
      if (swap.paidMs !== null && swap.paidMs <= ms && !swap.seen) {
        late.push((ms - swap.paidMs) / 1000)
        Object.assign(swap, { seen: true, stage: 'done' })
      }
      const isLooked = a.nodes !== undefined && isTold(swap)
      const next = nextLook(swap, at(ms), { hasFeed: a.hasFeed, isLooked, stretch })
      swap.followMs = (nextFollow(swap, at(ms))?.getTime() ?? Number.POSITIVE_INFINITY) - start
      swap.dueMs = next.dueAt === null ? Number.POSITIVE_INFINITY : next.dueAt.getTime() - start
      swap.rank = next.rank
    }
  }
  // What is known and was not found yet is at least so late.
  if (a.nodes !== undefined)
    for (const swap of swaps)
      if (isTold(swap) && !swap.seen && swap.paidMs !== null && swap.paidMs < a.seconds * SECOND_MS)
        late.push(a.seconds - swap.paidMs / SECOND_MS)
  for (const { seen, paidMs } of paid) if (!seen && paidMs !== null) late.push(a.seconds - paidMs / 1000)
  const windows = Array.from({ length: Math.max(1, a.seconds - 9) }, (_, s) => s)
  const counts = new Map<number, number>()
  for (const s of puts) counts.set(s, (counts.get(s) ?? 0) + 1)
  const inTen = (s: number): number =>
    Array.from({ length: 10 }, (_, n) => counts.get(s + n) ?? 0).reduce((x, y) => x + y)
  return {
    ...{ perSecond: puts.length / a.seconds, late: late.sort((x, y) => x - y) },
    busiest: Math.max(...windows.map(inTen)) / 10,
  }
}

/** One of each chain after the other. */
function inTurn<T extends { followMs: number; pay: { chain: string } }>(told: readonly T[]): T[] {
  const turns = new Map<string, number>()
  return told
    .toSorted((x, y) => x.followMs - y.followMs)
    .map((swap) => {
      const turn = (turns.get(swap.pay.chain) ?? 0) + 1
      turns.set(swap.pay.chain, turn)
      return { swap, turn }
    })
    .sort((x, y) => x.turn - y.turn)
    .map(({ swap }) => swap)
}

const within = (late: readonly number[], s: number): number => late.filter((one) => one <= s).length / late.length
const median = (late: readonly number[]): number => late[Math.floor(late.length / 2)] ?? 0

test('ten thousand open orders cost at most five questions a second, and a paid one is found within a minute', (t) => {
  const [orders, seconds] = [sized({ short: 2_000, full: 10_000 }), sized({ short: 240, full: 3_600 })]
  const played = { orders, seconds, lifeMs: 30 * MINUTE_MS, paidPerMinute: 30 }
  const fed = simulate({ ...played, pages: 0, hasFeed: true })
  // Without the list of swaps those are found whose page is open.
  const open = simulate({ ...played, pages: 60, hasFeed: false })
  for (const one of [fed, open]) {
    assert.ok(one.perSecond <= 5 && one.busiest <= 5, `${one.perSecond} a second, ${one.busiest} in the busiest ten`)
    assert.ok((one.late.at(-1) ?? 0) <= 60, `${one.late.at(-1)} s`)
  }
  const figures = [fed, open].map(
    (one) => `${one.perSecond.toFixed(2)} questions a second, slowest ${one.late.at(-1)} s`,
  )
  t.diagnostic(`${orders} orders, ${seconds} s: with the list ${figures[0]}; without ${figures[1]}`)
})

test('where nodes of the payers’ chains look, a paid order is found within a minute with no list, page or hint, and a liar holds up none', (t) => {
  const [orders, seconds] = [sized({ short: 2_000, full: 10_000 }), sized({ short: 400, full: 3_600 })]
  const played = { orders, seconds, lifeMs: 24 * HOUR_MS, paidPerMinute: 30, pages: 0, hasFeed: false }
  for (const nodes of ['honest', 'lying'] as const) {
    const one = simulate({ ...played, nodes })
    assert.ok(one.perSecond <= 5 && one.busiest <= 5, `${one.perSecond} a second, ${one.busiest} in the busiest ten`)
    const slowest = one.late.at(-1) ?? Number.POSITIVE_INFINITY
    assert.ok(
      one.late.length > 20 && slowest <= 60,
      `${nodes}: ${one.late.length} found, the slowest after ${slowest} s`,
    )
    const figures = `${one.perSecond.toFixed(2)} questions a second, ${one.late.length} found, median ${median(one.late)} s, slowest ${slowest} s`
    t.diagnostic(`${orders} orders, ${nodes} nodes: ${figures}`)
  }
})

test('without the list and with every page closed, who pays soon is found soon', (t) => {
  // As many in a second as ten thousand that live for a day.
  const [orders, lifeMs] = [sized({ short: 1_000, full: 10_000 }), sized({ short: 2.4, full: 24 }) * HOUR_MS]
  const seconds = sized({ short: 1_200, full: 2 * 3_600 })
  const { late, ...one } = simulate({ orders, seconds, lifeMs, paidPerMinute: 0, pages: 'none', hasFeed: false })
  assert.ok(one.perSecond <= 5 && one.busiest <= 5)
  assert.ok(late.length > 20 && median(late) <= 60, `${late.length} paid, median ${median(late)} s`)
  const figures = [60, 300].map((s) => `${Math.round(100 * within(late, s))} % within ${s} s`)
  t.diagnostic(`${orders} orders: ${late.length} paid, median ${median(late)} s, ${figures.join(', ')}`)
})
