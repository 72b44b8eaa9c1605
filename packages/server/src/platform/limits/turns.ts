// How much work a process does at a time: a bounded amount for each holder, such as a merchant, and for all of them. The
// rest waits, and the holders that wait take turns, so that a long queue of one delays no other.
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
   * @throws AppError rate_limited where too many wait already, or where the turn did not come in time.
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>
}

export function makeTurns(clock: Pick<Clock, 'sleep'>, terms: TurnTerms): Turns {
  const atWork = new Map<string, number>()
  let allAtWork = 0
  /** By holder; the holder whose turn is next comes first. */
  const queues = new Map<string, Set<() => void>>()

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
      const [start] = queue
      if (start === undefined || !isFree(next)) continue
      drop(next, queue, start)
      // Its next one waits behind every other holder's.
      if (queues.delete(next)) queues.set(next, queue)
      begin(next)
      start()
    }
  }

  function drop(holder: string, queue: Set<() => void>, start: () => void): void {
    queue.delete(start)
    if (queue.size === 0) queues.delete(holder)
  }

  async function turnOf(holder: string): Promise<void> {
    if (isFree(holder)) return begin(holder)
    const queue = queues.get(holder) ?? new Set()
    if (queue.size >= terms.waitingPerHolder) throw refusal()
    queues.set(holder, queue)
    const started = new AbortController()
    const start = (): void => started.abort()
    queue.add(start)
    await clock.sleep(terms.waitMs, started.signal)
    if (started.signal.aborted) return
    drop(holder, queue, start)
    throw refusal()
  }

  const refusal = (): AppError =>
    new AppError('rate_limited', { message: terms.message, retryAfterS: terms.retryAfterS })

  return {
    async run(holder, work) {
      await turnOf(holder)
      try {
        return await work()
      } finally {
        end(holder)
      }
    },
  }
}
