import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aBacklog, anEvent, aShop, someDue } from '../../../test/deliveries.ts'
import { testDeps } from '../../../test/harness.ts'
import { type Caps, makeCaps, type Pace } from './caps.ts'
import { forClaims } from './indexed.store.ts'
import { type Claimed, makeRounds } from './round.ts'

const SLOTS = 128

test('a merchant with fifty thousand hosts takes little from the others, whether its hosts hang or answer', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const url = 'https://shop.example/hook'
  const shop = await aShop(deps)
  const event = { ...(await anEvent(deps, shop, url)), shop, url }
  const runAt = clock.now()
  const small = { firstTenant: 1_000, tenants: 50, lanesEach: 2, runAt }
  await aBacklog(sql, { rows: 50_000, firstTenant: 10, tenants: 1, lanesEach: 50_000, runAt }, event)
  await aBacklog(sql, { rows: 2_000, ...small }, event)
  await sql`analyze delivery_queue, deliveries`

  const caps = makeCaps(SLOTS)
  const rounds = makeRounds({ sql, clock }, { slots: SLOTS, leaseMs: 600_000, caps })
  let [theirs, others, nowMs] = [0, 0, 0]
  const ended: { ticket: Parameters<typeof caps.give>[0]; pace: Pace }[] = []
  const settle = (): void => {
    nowMs += 10_000
    for (const { ticket, pace } of ended.splice(0)) caps.give(ticket, pace, nowMs)
  }
  for (let round = 0; others < 2_000 && round < 500; round++) {
    const { rows } = await rounds.take()
    for (const row of rows) {
      const isTheirs = row.ticket.tenant === 10
      if (isTheirs) theirs += 1
      else if (row.ticket.tenant >= 1_000) others += 1
      // Theirs hang until ten rounds later, the others answer at once.
      if (isTheirs) ended.push({ ticket: row.ticket, pace: 'hung' })
      else caps.give(row.ticket, 'quick', nowMs)
    }
    if (round % 10 === 9) settle()
  }
  assert.equal(others, 2_000, 'the others were all served')
  const share = others / (others + theirs)
  assert.ok(share >= 0.9, `the others had ${(share * 100).toFixed(0)} % of the slots`)
  t.diagnostic(`${theirs} of 50,000 beside ${others} of 2,000`)

  // Alone, the same merchant is served without end, a bounded number at a time.
  settle()
  const { rows } = await rounds.take()
  assert.ok(rows.length > 0 && rows.length <= Math.ceil(SLOTS / 5))
})

test('queue: every host of a merchant hangs and has more waiting → each of them has its turn', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const shop = await aShop(deps)
  const url = 'https://shop.example/hook'
  const event = { ...(await anEvent(deps, shop, url)), shop, url }
  await sql`truncate delivery_queue`
  const rows = Array.from({ length: 1_500 }, (_, no) => ({ no: no + 1, class: 0, tenant: 1, host: no % 5 }))
  await someDue(sql, rows, { event, runAt: clock.now() })
  // One slot for all hosts that hang, each request as long as the next round.
  const caps = makeCaps(32)
  const rounds = makeRounds({ sql, clock }, { slots: 32, leaseMs: 600_000, caps })
  const served = new Map<bigint, number>()
  let held: Claimed[] = []
  for (let round = 0; round < 400; round++) {
    if (round % 2 === 0) for (const row of held.splice(0)) caps.give(row.ticket, 'hung', round * 10_000)
    const { rows: claimed } = await rounds.take()
    held = [...held, ...claimed]
    for (const { ticket } of claimed) served.set(ticket.lane, (served.get(ticket.lane) ?? 0) + 1)
  }
  assert.equal(served.size, 5)
  assert.ok(Math.min(...served.values()) >= 10, `requests by host: ${[...served.values()]}`)
})

/** Rows that became due together: `count` to each of these hosts of a tenant; and the rounds before the next burst. */
interface Burst {
  class: number
  tenant: number
  hosts: number[]
  count: number
  rounds: number
}

const hosts = [1, 2, 3, 4, 5, 6]
const bursts: fc.Arbitrary<Burst[]> = fc.array(
  fc.record({
    class: fc.constantFrom(0, 0, 1, 2, 3),
    tenant: fc.integer({ min: 1, max: 3 }),
    hosts: fc.oneof(fc.subarray(hosts, { minLength: 1 }), fc.constant(hosts.slice(0, 4)), fc.constant(hosts)),
    count: fc.integer({ min: 1, max: 3 }),
    rounds: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
)
const atOnce = { class: 0, tenant: 1, hosts: hosts.slice(0, 4), count: 1, rounds: 2 }
/** How requests end, in turn, and after how many rounds of their worker. */
const endings = fc.array(
  fc.record({ pace: fc.constantFrom<Pace[]>('quick', 'plain', 'slow', 'hung'), after: fc.integer({ min: 0, max: 2 }) }),
  { minLength: 1, maxLength: 8 },
)

test('queue: any bursts, lanes, classes and workers → whatever is due is claimed within bounded rounds', async (t) => {
  const { deps, clock } = await testDeps(t)
  const { sql } = deps
  const url = 'https://shop.example/hook'
  const shop = await aShop(deps)
  const event = { ...(await anEvent(deps, shop, url)), shop, url }
  const runAt = clock.now()
  // Each worker has a connection for its claims; a new one for each case would be too many.
  const lines = [1, 2, 3].map(() => {
    const line = forClaims(sql)
    return Object.assign(line, { apart: () => line })
  })

  await fc.assert(
    fc.asyncProperty(
      bursts,
      endings,
      fc.constantFrom(4, 8, 32, 512),
      fc.integer({ min: 1, max: 3 }),
      async (waves, ends, slots, workers) => {
        await sql`truncate delivery_queue`
        await sql`delete from deliveries`
        let [made, begun] = [0, 0]
        const claimed = new Set<bigint>()
        const crew = lines.slice(0, workers).map((line) => {
          const caps = makeCaps(slots)
          return {
            caps,
            rounds: makeRounds({ sql: line, clock }, { slots, leaseMs: 600_000, caps }),
            held: [] as Held[],
          }
        })
        const round = async (): Promise<void> => {
          for (const worker of crew) {
            worker.held = worker.held.filter((held) => !ended(held, worker.caps))
            const { rows } = await worker.rounds.take()
            for (const row of rows) {
              assert.ok(!claimed.has(row.no), 'each is claimed once')
              claimed.add(row.no)
              const { pace, after } = ends[begun++ % ends.length] ?? { pace: 'quick', after: 0 }
              worker.held.push({ row, pace, left: after })
            }
          }
        }
        for (const wave of waves) {
          const rows = wave.hosts.flatMap((host) =>
            Array.from({ length: wave.count }, () => ({ ...wave, host, no: ++made })),
          )
          await someDue(sql, rows, { event, runAt })
          for (let n = 0; n < wave.rounds; n++) await round()
        }
        // Each request ends within three rounds, and each round with a free slot claims a row or comes nearer to one.
        const most = 20 + 6 * made
        for (let n = 0; n < most && claimed.size < made; n++) await round()
        assert.equal(
          claimed.size,
          made,
          `${made - claimed.size} of ${made} are due and not claimed after ${most} rounds`,
        )
      },
    ),
    // What stopped a merchant for ever: four hosts, each with one row, and again once these were claimed.
    { numRuns: 40, examples: [[[atOnce, atOnce, atOnce], [{ pace: 'quick', after: 0 }], 512, 1]] },
  )
})

interface Held {
  row: Claimed
  pace: Pace
  /** Rounds until it ends. */
  left: number
}

function ended(held: Held, caps: Caps): boolean {
  held.left -= 1
  if (held.left >= 0) return false
  caps.give(held.row.ticket, held.pace, performance.now())
  return true
}
