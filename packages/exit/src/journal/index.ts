// What a lost database is recovered from: the seed and the journal. For Node.
export type { GivenEntry, JournalEntry, JournalRecord } from './format.ts'
export { type JournalRead, readGiven, readJournal } from './read.ts'
export { readSeed, refOf, SEED_BYTES, seedIdOf, writeSeed } from './seed.ts'
export { type JournalWriter, journalWriter } from './write.ts'
