// One round over the queue: scan, distribute the free slots, lease. All that a round remembers of the one before is the
// tenant of each class where its scan ended, which the next scan forgets again. Lanes are read from a random one on and
// get slots in random order, so none of them is left out by what this process remembers, or by the rhythm of the others.
import { randomBytes } from 'node:crypto'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { untilNoConflict } from '@florin/platform/db/tx'
import { randomBelow } from '@florin/platform/ids'
import { type Allotment, allot, type ReadyLane, type Scan } from './allot.ts'
import type { Caps, Ticket } from './caps.ts'
import { type ClaimedDelivery, claimRows, findReadyLanes } from './claim.ts'
import { type ClassNo, classNames, classRooms, FIRST } from './classes.ts'
import { forClaims } from './indexed.store.ts'

export interface Claimed extends ClaimedDelivery {
  ticket: Ticket
  token: bigint
  leaseUntil: Date
}

export interface Round {
  rows: Claimed[]
  /** Whether another round right away may find more. */
  more: boolean
}

export interface Rounds {
  take(): Promise<Round>
  /** Whether the last round saw work that it had no slot for. */
  leftWork(): boolean
}

/** Lanes wanted in one scan: 128 lanes are 500 pages or 1 ms, and at least as many rows. */
const WANT_MAX = 128
const LANES_EACH = 4
const LANES_EACH_MAX = 128

export function makeRounds(
  deps: { sql: Sql; clock: Clock },
  a: { slots: number; leaseMs: number; caps: Caps },
): Rounds {
  const claims = forClaims(deps.sql)
  const waiting: boolean[] = classNames.map(() => false)
  const after: number[] = classNames.map(() => 0)
  let lanesEach = LANES_EACH
  let hadNoSlot = false

  /** Moves the cursors. @returns whether a scan from their new place may find more. */
  const moveOn = (ready: readonly ReadyLane[], wants: readonly number[], claimedSome: boolean): boolean => {
    let inMidCircle = false
    wants.forEach((want, kind) => {
      if (want === 0) return
      const found = ready.filter((lane) => lane.class === kind)
      inMidCircle ||= found.length >= want || (after[kind] ?? 0) > 0
      after[kind] = found.length < want ? 0 : (found.at(-1)?.tenant ?? 0)
    })
    const perTenant = Map.groupBy(ready, (lane) => `${lane.class} ${lane.tenant}`)
    const isCut = [...perTenant.values()].some((lanes) => lanes.length >= lanesEach)
    if (inMidCircle || !isCut) {
      lanesEach = LANES_EACH
      return inMidCircle
    }
    // All tenants were seen and some have more lanes than the limit: few tenants, so the limit may be raised.
    const couldGrow = lanesEach < LANES_EACH_MAX
    lanesEach = Math.min(LANES_EACH_MAX, lanesEach * 4)
    return claimedSome || couldGrow
  }

  return {
    leftWork: () => hadNoSlot || waiting.includes(true),
    async take() {
      const inUse = a.caps.inUse()
      const free = a.slots - inUse.reduce((sum, n) => sum + n, 0)
      const rooms = classRooms(a.slots, inUse, waiting)
      const wants = rooms.map((room) => Math.min(room, WANT_MAX))
      const scans = wants.flatMap((want, kind): Scan[] =>
        want > 0 ? [{ class: kind as ClassNo, after: after[kind] ?? 0, want }] : [],
      )
      hadNoSlot = wants[FIRST] === 0
      if (scans.length === 0) return { rows: [], more: false }
      const token = BigInt(randomBelow(2 ** 47)) + 1n
      const leaseUntil = new Date(deps.clock.now().getTime() + a.leaseMs)
      let lanes: Allotment[] = []
      try {
        const full = a.caps.full()
        const fromLane = randomBytes(8).readBigInt64BE()
        const ready = await findReadyLanes(claims, { scans, lanesEach, fromLane, full })
        lanes = allot(shuffled(ready), rooms, free, a.caps)
        const claimed =
          lanes.length === 0 ? [] : await untilNoConflict(() => claimRows(claims, { lanes, leaseUntil, token }))
        const more = moveOn(ready, wants, claimed.length > 0)
        const rows = pair(claimed, lanes, token, leaseUntil)
        for (const { class: kind } of scans) waiting[kind] = leavesWork(kind, ready, lanes)
        return { rows, more }
      } finally {
        giveBack(a.caps, lanes)
      }
    },
  }
}

function shuffled<T>(all: readonly T[]): T[] {
  return all
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
}

/** Every row gets one of its lane's tickets; the tickets left over stay in the list. */
function pair(
  rows: readonly ClaimedDelivery[],
  lanes: readonly Allotment[],
  token: bigint,
  leaseUntil: Date,
): Claimed[] {
  return rows.flatMap((row) => {
    const ticket = lanes[row.at - 1]?.tickets.pop()
    return ticket === undefined ? [] : [{ ...row, ticket, token, leaseUntil }]
  })
}

/** A lane that was given nothing, or took all it was given, presumably has more waiting. */
function leavesWork(kind: number, ready: readonly ReadyLane[], lanes: readonly Allotment[]): boolean {
  const given = new Set(lanes.filter((lane) => lane.class === kind).map((lane) => lane.lane))
  return (
    ready.some((lane) => lane.class === kind && !given.has(lane.lane)) ||
    lanes.some((lane) => lane.class === kind && lane.tickets.length === 0)
  )
}

function giveBack(caps: Caps, lanes: Allotment[]): void {
  for (const lane of lanes) for (const ticket of lane.tickets.splice(0)) caps.give(ticket, null, 0)
}
