// How much work a process does at a time: a bounded amount for each holder, such as a merchant, and for all of them. The
// rest waits. Holders take turns, and so do the parts of a holder, such as its keys: a long queue of one delays no other.
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'

export interface TurnTerms {
  /** Pieces of work at a time: of one holder, and of all holders together. */
  perHolder: number
  atOnce: number
  /** How many more of one holder may wait, and for how long. */
  waitingPerHolder: number
  waitMs: number
  /** What a refused holder is told, and when to try again. */
  message: string
  retryAfterS: number
}

export interface Turns {
  /**
   * Runs the work when it is this holder's turn.
   * @param part of the holder. Where all places to wait are taken, the part that has most of them gives up its newest one
   * to a part that has fewer.
   * @throws AppError rate_limited where too many wait already, or where the turn did not come in time.
   */
  run<T>(holder: string, work: () => Promise<T>, part?: string): Promise<T>
}

interface Waiting {
  start(): void
  refuse(): void
}
/** What waits of one holder, by part; the part whose turn is next comes first. */
type Queue = Map<string, Set<Waiting>>

export function makeTurns(clock: Pick<Clock, 'sleep'>, terms: TurnTerms): Turns {
  const atWork = new Map<string, number>()
  let allAtWork = 0
  /** By holder; the holder whose turn is next comes first. */
  const queues = new Map<string, Queue>()

  const isFree = (holder: string): boolean => allAtWork < terms.atOnce && (atWork.get(holder) ?? 0) < terms.perHolder

  function begin(holder: string): void {
    allAtWork += 1
    atWork.set(holder, (atWork.get(holder) ?? 0) + 1)
  }

  function end(holder: string): void {
    allAtWork -= 1
    const left = (atWork.get(holder) ?? 1) - 1
    if (left === 0) atWork.delete(holder)
    else atWork.set(holder, left)
    for (const [next, queue] of queues) {
      if (!isFree(next)) continue
      const [part, waiting] = firstOf(queue)
      drop(next, part, waiting)
      // Its next one waits behind every other holder's, and that of the part behind every other part's.
      moveBack(queue, part)
      moveBack(queues, next)
      begin(next)
      waiting.start()
    }
  }

  function drop(holder: string, part: string, waiting: Waiting): void {
    const queue = queues.get(holder)
    const own = queue?.get(part)
    if (queue === undefined || own === undefined) return
    own.delete(waiting)
    if (own.size === 0) queue.delete(part)
    if (queue.size === 0) queues.delete(holder)
  }

  async function turnOf(holder: string, part: string): Promise<void> {
    if (isFree(holder)) return begin(holder)
    const queue: Queue = queues.get(holder) ?? new Map()
    const ahead = queue.get(part)?.size ?? 0
    const all = [...queue.values()].reduce((sum, own) => sum + own.size, 0)
    if (all >= terms.waitingPerHolder && !giveUpOne(queue, ahead)) throw refusal()
    const woken = new AbortController()
    let isStarted = false
    const waiting: Waiting = {
      start() {
        isStarted = true
        woken.abort()
      },
      refuse() {
        drop(holder, part, waiting)
        woken.abort()
      },
    }
    queues.set(holder, queue.set(part, (queue.get(part) ?? new Set()).add(waiting)))
    await clock.sleep(terms.waitMs, woken.signal)
    if (isStarted) return
    drop(holder, part, waiting)
    throw refusal()
  }

  const refusal = (): AppError =>
    new AppError('rate_limited', { message: terms.message, retryAfterS: terms.retryAfterS })

  return {
    async run(holder, work, part = '') {
      await turnOf(holder, part)
      try {
        return await work()
      } finally {
        end(holder)
      }
    },
  }
}

function firstOf(queue: Queue): [part: string, Waiting] {
  for (const [part, [waiting]] of queue) if (waiting !== undefined) return [part, waiting]
  throw new Error('a queue without anybody who waits')
}

function moveBack<T>(map: Map<string, T>, key: string): void {
  const value = map.get(key)
  if (value !== undefined && map.delete(key)) map.set(key, value)
}

/** @returns false where no part has two places more than the newcomer's: it takes none from an equal. */
function giveUpOne(queue: Queue, ahead: number): boolean {
  const longest = [...queue.values()].reduce((most, own) => (own.size > most.size ? own : most), new Set<Waiting>())
  if (longest.size <= ahead + 1) return false
  ;[...longest].at(-1)?.refuse()
  return true
}
