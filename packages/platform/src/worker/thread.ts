// Work that keeps a processor busy, such as drawing, in a thread of its own, so that requests go on being answered. The
// thread starts with the first work; one that dies is replaced.
import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { makeTurns } from '../limits/turns.ts'
import type { Log } from './job.ts'

/** What a thread posts for each message that it was sent. */
export type ThreadAnswer<Out> = { done: Out } | { failed: string }

export interface Thread<In, Out> {
  /**
   * @param holder whose work it is, such as a merchant: those that wait take turns.
   * @throws AppError rate_limited where too much of this holder's waits, unavailable where the thread died or took too long.
   */
  run(holder: string, work: In): Promise<Out>
  close(): Promise<void>
}

const WORK_WITHIN_MS = 20_000
const WAITING = { perHolder: 1, atOnce: 1, waitingPerHolder: 8, waitMs: 10_000 }
const MEMORY_MAX_MB = 512

/** @param file a module that answers each message with a `ThreadAnswer`, one after the other. */
export function makeThread<In, Out>(parts: { clock: Clock; log: Log }, file: URL): Thread<In, Out> {
  const turns = makeTurns(parts.clock, {
    ...WAITING,
    message: 'Too much is being drawn here. Try again shortly.',
    retryAfterS: 2,
  })
  let thread: Worker | null = null

  function start(): Worker {
    const started = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MAX_MB } })
    // It keeps no process alive by itself.
    started.unref()
    started.on('error', (error) => parts.log.error({ err: error }, 'a thread died'))
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function once(work: In): Promise<Out> {
    thread ??= start()
    const worker = thread
    const answered = Promise.withResolvers<ThreadAnswer<Out> | null>()
    const died = (): void => answered.resolve(null)
    worker.once('message', answered.resolve).once('exit', died)
    const over = new AbortController()
    void parts.clock
      .sleep(WORK_WITHIN_MS, over.signal)
      .then(() => (over.signal.aborted ? undefined : worker.terminate()))
    worker.ref()
    try {
      worker.postMessage(work)
      const answer = await answered.promise
      if (answer === null) throw new AppError('unavailable', { retryAfterS: 2 })
      if ('failed' in answer) throw new Error(answer.failed)
      return answer.done
    } finally {
      over.abort()
      worker.off('message', answered.resolve).off('exit', died)
      worker.unref()
    }
  }

  return {
    run: (holder, work) => turns.run(holder, () => once(work)),
    async close() {
      await thread?.terminate()
    },
  }
}
