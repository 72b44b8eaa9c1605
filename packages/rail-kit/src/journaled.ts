// The journal as rails use it: what a payer is about to be shown is on disk outside the database first (decision 27).
import { AppError } from '@florin/platform/errors'
import type { RailTrouble } from './interface/health.ts'

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

/** Where the journal cannot be written now, on any host. */
export type JournalTroubles = readonly { host: string; note: string; since: Date }[]

/** Without a journal no address is shown on any chain: it is said once for each mode, of the first of these chains. */
export function journalTroubles(
  chains: readonly { id: string; livemode: boolean }[],
  told: JournalTroubles,
): RailTrouble[] {
  const firsts = new Map(chains.toReversed().map(({ id, livemode }) => [livemode, id]))
  return told.flatMap(({ host, note, since }) =>
    [...firsts].map(
      ([livemode, chain]): RailTrouble => ({
        ...{ kind: 'journal_out', chain, livemode, subject: host, note, since, holdsUp: [] },
        cure: 'Make room on that disk, or give the folder back to the user that Florin runs as: addresses are shown again by themselves.',
      }),
    ),
  )
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
