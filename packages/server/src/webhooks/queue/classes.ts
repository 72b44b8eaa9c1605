// The classes of work and their shares of the slots. Pure.

/** Classes of work, in the queue's numbers. */
export const FIRST = 0
export const RETRY = 1
export const REPLAY = 2
export const SUSPECT = 3
export type ClassNo = 0 | 1 | 2 | 3
/** A suspect is sent alone: see reap.store.ts. */
const SUSPECT_MAX = 1
export const classNames = ['first', 'retry', 'replay', 'suspect'] as const

/** Slots in use by class, indexed by class number. */
export type InUse = readonly [first: number, retry: number, replay: number, suspect: number]

/**
 * How many slots each class may take now. Retries hold at most 35 %, replays 15 %, suspects one, even when nothing else
 * waits: a slot given to a receiver that hangs is gone for ten seconds, and first attempts must find half of them free.
 * First attempts may take all, less what is reserved for the other classes that were waiting at the last scan.
 */
export function classRooms(slots: number, inUse: InUse, waiting: readonly boolean[]): readonly number[] {
  const [first, retry, replay, suspect] = inUse
  const free = slots - first - retry - replay - suspect
  const retryMax = Math.max(1, Math.floor(slots * 0.35))
  const replayMax = Math.max(1, Math.floor(slots * 0.15))
  const firstMax =
    slots - (waiting[RETRY] ? retryMax : 0) - (waiting[REPLAY] ? replayMax : 0) - (waiting[SUSPECT] ? SUSPECT_MAX : 0)
  return [firstMax - first, retryMax - retry, replayMax - replay, SUSPECT_MAX - suspect].map((room) =>
    Math.max(0, Math.min(free, room)),
  )
}
