// The journal as rails use it: what a payer is about to be shown is on disk outside the database first (decision 27).
import type { Check } from '@florin/platform/check'
import { AppError } from '@florin/platform/errors'
import type { RailCheck } from './interface/rail.ts'

export interface Journal<Entry> {
  /** Resolves once the entry is on disk. @throws when it cannot be written; what it holds must not be shown then. */
  write(entry: Entry): Promise<void>
}

/** Something that is given out once, in words that its rail reads again after a restore. */
export interface GivenRecord {
  /** Names the form of `what`. */
  given: string
  what: Record<string, unknown>
  at: string
}

/** Without a journal no address is shown on any chain: one check for each mode, of the first of these chains. */
export function journalChecks(
  chains: readonly { id: string; livemode: boolean }[],
  checks: readonly Check[],
): RailCheck[] {
  const firsts = new Map(chains.toReversed().map(({ id, livemode }) => [livemode, id]))
  return checks.flatMap((check) => [...firsts].map(([livemode, chain]) => ({ ...check, chain, livemode, holdsUp: [] })))
}

/** @throws AppError rail_unavailable while the journal cannot be written. */
export async function inJournal<Entry>(journal: Journal<Entry>, entry: Entry): Promise<void> {
  try {
    await journal.write(entry)
  } catch (cause) {
    throw new AppError('rail_unavailable', {
      message:
        'No pay address can be shown now, because it could not be written to the journal first. The operator has to make ' +
        'room in JOURNAL_DIR or let Florin write there; then send this again.',
      retryAfterS: 5,
      cause,
    })
  }
}
