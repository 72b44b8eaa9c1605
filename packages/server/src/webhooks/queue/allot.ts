// Which lanes get the free slots: classes by their share, then lanes in turn. Pure.
import type { Caps, Ticket } from './caps.ts'
import { type ClassNo, FIRST, REPLAY, RETRY, SUSPECT } from './classes.ts'

/** A lane that has work. */
export interface ReadyLane {
  class: ClassNo
  tenant: number
  lane: bigint
}

export interface Allotment extends ReadyLane {
  /** One for each row to lease. */
  tickets: Ticket[]
}

export interface Scan {
  class: ClassNo
  /** Start after this tenant. */
  after: number
  /** Number of lanes wanted. */
  want: number
}

/**
 * Distributes the slots over lanes that have work: one each in turn, up to their caps, so a short list of lanes gets
 * many slots each and a long one few. The caps are charged here; a ticket that finds no row must be returned.
 */
export function allot(ready: readonly ReadyLane[], rooms: readonly number[], free: number, caps: Caps): Allotment[] {
  const given: Allotment[] = []
  let left = free
  for (const kind of [FIRST, SUSPECT, RETRY, REPLAY]) {
    const lanes: Allotment[] = []
    for (const lane of ready) if (lane.class === kind) lanes.push({ ...lane, tickets: [] })
    let ofClass = Math.min(rooms[kind] ?? 0, left)
    left -= ofClass
    for (let open = lanes; ofClass > 0 && open.length > 0; ) {
      const wider: Allotment[] = []
      for (const lane of open) {
        if (ofClass === 0) break
        if (!caps.hasRoom(lane.tenant, lane.lane)) continue
        lane.tickets.push(caps.take(lane.class, lane.tenant, lane.lane))
        ofClass -= 1
        wider.push(lane)
      }
      open = wider
    }
    left += ofClass
    for (const lane of lanes) if (lane.tickets.length > 0) given.push(lane)
  }
  return given
}
