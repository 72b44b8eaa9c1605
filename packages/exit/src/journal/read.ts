// Reads a folder of journals, those of several machines laid together too.
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type GivenEntry, type JournalEntry, type JournalFile, openFile } from './format.ts'
import { seedIdOf } from './seed.ts'

export interface JournalRead {
  /** Oldest first; an address that was written twice stands here once. */
  entries: JournalEntry[]
  /** Sentences about files that could not be read, or not whole. */
  notes: string[]
}

/** @throws the file system's error where the folder cannot be read. */
export async function readJournal(dir: string, seed: Uint8Array): Promise<JournalRead> {
  const byVault = new Map<string, JournalEntry>()
  const notes: string[] = []
  let count = 0
  for await (const { name, file } of filesIn(dir, seed)) {
    count++
    for (const entry of file.entries) byVault.set(`${entry.chain} ${entry.proof.vault}`, entry)
    notes.push(...notesOf(name, file, seed))
  }
  if (count === 0) notes.push(`There is no file of a journal in ${dir}.`)
  return { entries: [...byVault.values()].sort((a, b) => (a.at < b.at ? -1 : 1)), notes }
}

/**
 * Addresses that were given out beside the routes, oldest first.
 * @param a.since files of earlier days are left out; null: none is
 * @throws the file system's error where the folder cannot be read.
 */
export async function readGiven(
  dir: string,
  seed: Uint8Array,
  a: { since: Date | null },
): Promise<{
  given: GivenEntry[]
  /** How many files there are, of any day. */
  files: number
  notes: string[]
}> {
  const given: GivenEntry[] = []
  const notes: string[] = []
  for await (const { name, file } of filesIn(dir, seed, a.since?.toISOString().slice(0, 10))) {
    given.push(...file.given)
    notes.push(...notesOf(name, file, seed))
  }
  return { given: given.sort((a, b) => (a.at < b.at ? -1 : 1)), files: (await namesIn(dir)).length, notes }
}

const namesIn = async (dir: string): Promise<string[]> =>
  (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.journal')).sort()

/** @param from the first day of the names that are read, as the writer writes them. */
async function* filesIn(dir: string, seed: Uint8Array, from = ''): AsyncGenerator<{ name: string; file: JournalFile }> {
  for (const name of await namesIn(dir)) {
    // A file of another name is of any day.
    const day = /^\d{4}-\d\d-\d\d/.exec(basename(name))?.[0]
    if (day !== undefined && day < from) continue
    const bytes = await readFile(join(dir, name))
    // Made, and nothing written: a crash between the two.
    if (bytes.length > 0) yield { name, file: openFile(seed, bytes) }
  }
}

function notesOf(name: string, { seedId, damaged, torn }: JournalFile, seed: Uint8Array): string[] {
  const notes: string[] = []
  if (seedId === null && torn === 0) notes.push(`${name} is no file of a journal.`)
  else if (seedId !== null && seedId !== seedIdOf(seed))
    notes.push(`${name} is sealed under the recovery seed ${seedId}; the one given is ${seedIdOf(seed)}.`)
  if (damaged > 0) notes.push(`${name}: ${damaged} records are damaged and were left out.`)
  if (torn > 0)
    notes.push(
      `${name}: its last ${torn} bytes are no whole record. A crash leaves that, before the address is shown; so does damage.`,
    )
  return notes
}
