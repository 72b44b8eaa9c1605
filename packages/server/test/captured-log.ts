// A log that a test can read: the real logger at its most talkative, written into memory.
import { makeLog } from '@florin/platform/log'
import type { Logger } from 'pino'

export interface CapturedLog {
  log: Logger
  /** Everything logged so far, as the lines that would be printed. */
  text(): string
}

export function capturedLog(): CapturedLog {
  const lines: string[] = []
  return { log: makeLog('trace', { write: (line) => void lines.push(line) }), text: () => lines.join('') }
}
