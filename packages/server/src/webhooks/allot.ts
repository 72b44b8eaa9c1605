// Owns who gets the free slots: classes by share, then lanes in turn. Pure.
import type { Caps, Ticket } from './caps.ts'

/** Classes of work, in the queue's numbers. */
export const FIRST = 0
export const RETRY = 1
export const REPLAY = 2
export const SUSPECT = 3
export type ClassNo = 0 | 1 | 2 | 3
export const classNames = ['first', 'retry', 'replay', 'suspect'] as const

/** A lane that has work. */
export interface ReadyLane {
  class: number
  tenant: number
  lane: bigint
}

export interface Allotment extends ReadyLane {
  /** One for each row to lease of it. */
  tickets: Ticket[]
}

export interface Scan {
  class: number
  /** Start behind this tenant. */
  after: number
  /** Lanes wanted. */
  want: number
}

/** Slots in use by class, indexed by class number. */
export type InUse = readonly [first: number, retry: number, replay: number, suspect: number]

/**
 * How many slots each class may take now. Retries hold at most 35 %, replays 15 %, suspects one, even when nothing else
 * waits: a slot given to a receiver that hangs is gone for ten seconds, and first attempts must find half of them free.
 * First attempts may take all, less what is owed to retries and replays that were waiting at the last look.
 */
export function classRooms(slots: number, inUse: InUse, waiting: readonly boolean[]): readonly number[] {
  const [first, retry, replay, suspect] = inUse
  const free = slots - first - retry - replay - suspect
  const retryMax = Math.max(1, Math.floor(slots * 0.35))
  const replayMax = Math.max(1, Math.floor(slots * 0.15))
  const firstMax = slots - (waiting[RETRY] ? retryMax : 0) - (waiting[REPLAY] ? replayMax : 0)
  // A suspect is sent alone: see reap.ts.
  return [firstMax - first, retryMax - retry, replayMax - replay, 1 - suspect].map((room) =>
    Math.max(0, Math.min(free, room)),
  )
}

/**
 * Shares the slots out over lanes that have work: one each in turn, as far as their caps go, so a short list of lanes
 * gets much of each and a long one little. The caps are charged here; a ticket that finds no row is to be given back.
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
        lane.tickets.push(caps.take(lane.tenant, lane.lane))
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
