// Reads a folder of journals, those of several machines laid together too.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type JournalEntry, openFile } from './format.ts'
import { seedIdOf } from './seed.ts'

export interface JournalRead {
  /** Oldest first; an address that was written twice stands here once. */
  entries: JournalEntry[]
  /** Sentences about files that could not be read, or not whole. */
  notes: string[]
}

/** @throws the file system's error where the folder cannot be read. */
export async function readJournal(dir: string, seed: Uint8Array): Promise<JournalRead> {
  const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith('.journal')).sort()
  const byVault = new Map<string, JournalEntry>()
  const notes: string[] = names.length === 0 ? [`There is no file of a journal in ${dir}.`] : []
  for (const name of names) {
    const bytes = await readFile(join(dir, name))
    // Made, and nothing written: a crash between the two.
    if (bytes.length === 0) continue
    const { seedId, entries, damaged, torn } = openFile(seed, bytes)
    for (const entry of entries) byVault.set(`${entry.chain} ${entry.proof.vault}`, entry)
    if (seedId === null && torn === 0) notes.push(`${name} is no file of a journal.`)
    else if (seedId !== null && seedId !== seedIdOf(seed)) {
      notes.push(`${name} is sealed under the recovery seed ${seedId}; the one given is ${seedIdOf(seed)}.`)
    }
    if (damaged > 0) notes.push(`${name}: ${damaged} records are damaged and were left out.`)
    if (torn > 0) {
      notes.push(
        `${name}: its last ${torn} bytes are no whole record. A crash leaves that, before the address is shown; so does damage.`,
      )
    }
  }
  return { entries: [...byVault.values()].sort((a, b) => (a.at < b.at ? -1 : 1)), notes }
}
