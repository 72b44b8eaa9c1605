// Which lines of a log are new. Whoever asks several times a second meets the same fault several times a second: it is one line when it
// begins or changes, and one a minute while it lasts.
import { MINUTE_MS } from '@florin/protocol'
import { stopwatch } from '../clock.ts'

/** Messages of one subject that are remembered: two that alternate are two lines a minute. */
const MESSAGES_MAX = 20

interface Repeats {
  /** @returns how often it was left out since its last line, 0 for a new one; null: leave it out now. */
  unsaid(subject: string, message: string): number | null
  /** The subject is well again: its next fault is new. */
  forget(subject: string): void
}

/** @param repeatMs for how long a line that was said is only counted. */
export function makeRepeats(repeatMs = MINUTE_MS): Repeats {
  const said = new Map<string, Map<string, { sinceMs: () => number; unsaid: number }>>()
  return {
    unsaid(subject, message) {
      const own = said.get(subject) ?? new Map()
      said.set(subject, own)
      const known = own.get(message)
      if (known !== undefined && known.sinceMs() < repeatMs) {
        known.unsaid++
        return null
      }
      own.delete(message)
      own.set(message, { sinceMs: stopwatch(), unsaid: 0 })
      for (const oldest of own.keys()) if (own.size > MESSAGES_MAX) own.delete(oldest)
      return known?.unsaid ?? 0
    },
    forget: (subject) => void said.delete(subject),
  }
}
