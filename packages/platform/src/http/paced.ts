// Long answers that are no event streams, such as exports: how many may be open, and their end with the right that opened
// them or with a client that reads no more. This file does not know what is sent.
import { Readable } from 'node:stream'
import { SECOND_MS } from '@florin/protocol'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import { makeTurns } from '../limits/turns.ts'
import type { Log } from '../worker/job.ts'

/** The client has this long to take each piece. A client that reads slower than 2 KiB a second is cut off. */
const TAKEN_WITHIN_MS = 30 * SECOND_MS
/** The turn to read a page; the statement of a page may take eight seconds. */
const TURN_WITHIN_MS = 60 * SECOND_MS
const PIECE_BYTES = 64 * 1024

export interface PacedTerms {
  perHolder: number
  perProcess: number
  /** A holder gets a second answer only while fewer than this many are open, so that every other holder finds room for a first one. */
  secondBelow: number
  /** Pages that are read at a time, in turn by holder. */
  readAtOnce: number
}

export interface PacedAnswers {
  /**
   * Takes a slot, which is free again when the returned body is closed.
   * @param a.pages each is read only after the client took the page before it; a page may be empty.
   * @param a.isAllowed asked after each page is read, and before any of it is sent.
   * @throws AppError rate_limited
   */
  open(a: { holder: string; pages: AsyncGenerator<string | Uint8Array>; isAllowed(): Promise<boolean> }): Readable
}

export function makePacedAnswers(deps: { clock: Clock; log: Log }, terms: PacedTerms): PacedAnswers {
  const open = new Map<string, number>()
  const busy = (message: string): AppError => new AppError('rate_limited', { message, retryAfterS: 10 })
  const turns = makeTurns(deps.clock, {
    ...{ perHolder: 1, atOnce: terms.readAtOnce, waitingPerHolder: terms.perHolder, waitMs: TURN_WITHIN_MS },
    ...{ message: 'Many exports are running. Try again shortly.', retryAfterS: 10 },
  })

  function refuse(own: number): void {
    const all = [...open.values()].reduce((sum, n) => sum + n, 0)
    if (own >= terms.perHolder) throw busy(`${own} exports are running already. Wait for one to end.`)
    if (own > 0 && all >= terms.secondBelow) {
      throw busy('Many exports are running, and one of them is yours. Wait for it to end.')
    }
    if (all >= terms.perProcess) throw busy('Many exports are running. Try again shortly.')
  }

  return {
    open({ holder, pages, isAllowed }) {
      const own = open.get(holder) ?? 0
      refuse(own)
      open.set(holder, own + 1)
      const body: Readable = Readable.from(pieces(), { objectMode: false, highWaterMark: PIECE_BYTES })
      body.once('error', (error) => {
        if (!(error instanceof AppError)) deps.log.error({ err: error }, 'a long answer failed')
      })
      body.once('close', () => {
        const left = (open.get(holder) ?? 1) - 1
        if (left === 0) open.delete(holder)
        else open.set(holder, left)
      })
      return body

      async function* pieces(): AsyncGenerator<Uint8Array> {
        for (;;) {
          const page = await turns.run(holder, () => pages.next())
          if (page.done === true || body.destroyed) return
          // Thrown, so that the client sees that the answer is not whole.
          if (!(await isAllowed())) throw new AppError('invalid_token')
          const bytes = Buffer.from(page.value)
          for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
            const taken = new AbortController()
            void cutOff(taken.signal)
            try {
              yield bytes.subarray(at, at + PIECE_BYTES)
            } finally {
              taken.abort()
            }
          }
        }
      }

      async function cutOff(taken: AbortSignal): Promise<void> {
        await deps.clock.sleep(TAKEN_WITHIN_MS, taken)
        if (!taken.aborted) body.destroy()
      }
    },
  }
}
