// How many requests may be open to whom, learned from how receivers answer. No lane is refused: one that hangs is held
// to one request at a time, and all that hang together to a quarter of the slots. Pure: time is an argument.
import { SECOND_MS } from '@florin/protocol'
import type { ClassNo, InUse } from './classes.ts'

/** How an attempt ended, as far as slots are concerned. */
export type Pace = 'quick' | 'plain' | 'slow' | 'hung'

/** An answer within this time lets a lane grow; one after more than SLOW_MS, or none, makes it a slow lane. */
export const QUICK_MS = SECOND_MS
export const SLOW_MS = 3 * SECOND_MS

const LANE_START = 4
export const LANE_MAX = 64
const TENANT_MIN = 4
/** Lanes remembered; the longest idle ones are evicted first and start over. */
const REMEMBERED_MAX = 20_000

interface Lane {
  cap: number
  inUse: number
  /** The last answer was slow or missing: its requests count against the slow shares. */
  slow: boolean
  quickRun: number
}

interface Tenant {
  /** For lanes not known to be slow. */
  cap: number
  inUse: number
  slowInUse: number
  quickRun: number
  lastCutMs: number
}

/** What a started request holds; released exactly once. */
export interface Ticket {
  readonly class: ClassNo
  readonly tenant: number
  readonly lane: bigint
  readonly slow: boolean
}

export interface Caps {
  /** Slots held by each class. */
  inUse(): InUse
  /** Whether one more request may start on this lane. */
  hasRoom(tenant: number, lane: bigint): boolean
  take(kind: ClassNo, tenant: number, lane: bigint): Ticket
  /** @param pace null: nothing was sent, nothing is learned. */
  give(ticket: Ticket, pace: Pace | null, nowMs: number): void
  /** Tenants that may start nothing: the scan skips them. */
  full(): number[]
  /** A receiver's cap is shared by all workers. */
  setWorkers(live: number): void
  stats(): { lanes: number; slowLanes: number; slowInUse: number }
}

export function makeCaps(slots: number): Caps {
  const tenantMax = Math.max(TENANT_MIN, Math.ceil(slots / 5))
  // 16 of 512: a merchant whose hosts hang keeps most of its share for those that answer.
  const tenantSlowMax = Math.max(1, Math.ceil(slots / 32))
  const slowMax = Math.max(1, Math.ceil(slots / 4))
  const lanes = new Map<bigint, Lane>()
  const tenants = new Map<number, Tenant>()
  const held: [number, number, number, number] = [0, 0, 0, 0]
  let slowInUse = 0
  let laneMax = LANE_MAX

  const tenantOf = (no: number): Tenant => {
    let tenant = tenants.get(no)
    if (tenant === undefined) {
      tenant = { cap: tenantMax, inUse: 0, slowInUse: 0, quickRun: 0, lastCutMs: Number.NEGATIVE_INFINITY }
      tenants.set(no, tenant)
    }
    return tenant
  }
  const laneOf = (hash: bigint): Lane => {
    const found = lanes.get(hash)
    if (found !== undefined) return found
    const lane = { cap: LANE_START, inUse: 0, slow: false, quickRun: 0 }
    lanes.set(hash, lane)
    return lane
  }

  return {
    inUse: () => held,
    hasRoom(tenantNo, hash) {
      const tenant = tenants.get(tenantNo)
      const lane = lanes.get(hash)
      if ((lane?.inUse ?? 0) >= Math.min(lane?.cap ?? LANE_START, laneMax)) return false
      return lane?.slow
        ? (tenant?.slowInUse ?? 0) < tenantSlowMax && slowInUse < slowMax
        : (tenant?.inUse ?? 0) < (tenant?.cap ?? tenantMax)
    },
    take(kind, tenantNo, hash) {
      const tenant = tenantOf(tenantNo)
      const lane = laneOf(hash)
      held[kind] += 1
      lane.inUse += 1
      if (lane.slow) {
        tenant.slowInUse += 1
        slowInUse += 1
      } else tenant.inUse += 1
      return { class: kind, tenant: tenantNo, lane: hash, slow: lane.slow }
    },
    give(ticket, pace, nowMs) {
      const tenant = tenantOf(ticket.tenant)
      const lane = laneOf(ticket.lane)
      held[ticket.class] -= 1
      lane.inUse -= 1
      if (ticket.slow) {
        tenant.slowInUse -= 1
        slowInUse -= 1
      } else tenant.inUse -= 1

      if (pace === 'quick') {
        lane.slow = false
        grow(lane, laneMax)
        grow(tenant, tenantMax)
      } else if (pace === 'slow' || pace === 'hung') {
        lane.slow = true
        lane.quickRun = 0
        // A slow answer is still an answer: such a receiver keeps the few requests it started with.
        lane.cap = Math.max(pace === 'hung' ? 1 : LANE_START, Math.floor(lane.cap / 2))
        // Many requests of one burst end together and count as one sign, not many.
        if (!ticket.slow && nowMs - tenant.lastCutMs >= SECOND_MS) {
          tenant.lastCutMs = nowMs
          tenant.cap = Math.max(TENANT_MIN, Math.floor(tenant.cap / 2))
        }
      }
      // Moved to the end: the map is ordered by last use.
      lanes.delete(ticket.lane)
      lanes.set(ticket.lane, lane)
      forgetIdle(lanes, (l) => l.inUse === 0)
      if (tenant.inUse + tenant.slowInUse === 0 && tenant.cap === tenantMax) tenants.delete(ticket.tenant)
    },
    full() {
      const found: number[] = []
      for (const [no, tenant] of tenants) {
        if (tenant.inUse >= tenant.cap && tenant.slowInUse >= tenantSlowMax) found.push(no)
      }
      return found
    },
    setWorkers(live) {
      laneMax = Math.max(1, Math.floor(LANE_MAX / Math.max(1, live)))
    },
    stats() {
      let slowLanes = 0
      for (const lane of lanes.values()) if (lane.slow) slowLanes += 1
      return { lanes: lanes.size, slowLanes, slowInUse }
    },
  }
}

/** Grows by one after as many quick answers as it is wide, at most 20: from 1 to 10 in 55 answers, then linearly. */
function grow(what: { cap: number; quickRun: number }, max: number): void {
  what.quickRun += 1
  if (what.quickRun < Math.min(20, what.cap)) return
  what.quickRun = 0
  what.cap = Math.min(max, what.cap + 1)
}

function forgetIdle(lanes: Map<bigint, Lane>, idle: (lane: Lane) => boolean): void {
  if (lanes.size <= REMEMBERED_MAX) return
  for (const [hash, lane] of lanes) {
    if (idle(lane)) {
      lanes.delete(hash)
      return
    }
  }
}
