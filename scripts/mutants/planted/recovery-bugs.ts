// Planted bugs that are noticed only when the database is lost: journal, seed, backups.
import type { PlantedBug } from '../planted-bug.ts'

export const recoveryBugs: readonly PlantedBug[] = [
  {
    name: 'journal: an address is shown that is not in the journal',
    in: 'inJournal',
    replace: [
      "throw new AppError('rail_unavailable', {",
      "if (cause === null) throw new AppError('rail_unavailable', {",
    ],
    test: 'open.test.ts › while the journal cannot be written no address',
  },
  {
    name: 'journal: an entry counts as written before it is',
    in: 'journalWriter',
    replace: [
      'waiting.push({ record, resolve, reject })',
      'waiting.push({ record, resolve, reject })\n        resolve()',
    ],
    test: 'journal.test.ts › where it cannot be written the entry is refused',
  },
  {
    name: 'journal: a mistyped recovery seed is accepted',
    in: 'readSeed',
    replace: ['if (!checkOf(seed).equals(bytes.subarray(SEED_BYTES)))', 'if (seed.length !== SEED_BYTES)'],
    test: 'journal.test.ts › a seed is read as people type it, and a mistyped one is refused',
  },
  {
    name: 'restore: an address that was given out after the backup is given out again',
    in: 'markGiven',
    replace: ['a.restore(sql, given)', 'a.restore(sql, given.slice(0, 1))'],
    test: 'recovery/given.test.ts › after a restore no order gets an address of a lost one',
  },
  {
    name: 'restore: money of a lost order is booked to another order of its address',
    in: 'ownerOf',
    file: 'watch/owners.ts',
    replace: ['legs.findLast((leg) => leg.isLost)', 'legs.findLast((leg) => leg.isLost && leg === first)'],
    test: 'owners.test.ts › money at an address that an order had which a restore lost',
  },
  {
    name: 'restore: every refund that was announced before is taken for one that is due',
    in: 'isExpected',
    replace: ['(isOlder === true && isPayersMoney(leg))', 'isOlder === true'],
    test: 'returned.test.ts › refunds: announced before a restore and carried out after it',
  },
  {
    name: 'backups: a practice restore sends and settles',
    in: 'openDeps',
    replace: ["if (config.mode === 'all' || config.mode === 'worker') refuseAsleep(installation)", ''],
    test: 'backup.test.ts › a restored copy sends and settles nothing',
  },
  {
    name: 'backups: a restore checks only the number of rows',
    in: 'rowSums',
    replace: ['for (let n = 1; n < WORDS; n++) words[at + n]', 'for (let n = 1; n < 1; n++) words[at + n]'],
    test: 'rows.test.ts › rows: two rows of one bucket → told apart',
  },
  {
    name: 'backups: a restore overwrites a database in use',
    in: 'restore',
    replace: [
      'if (await connected(url, store.isUsed))',
      'if ((await connected(url, store.isUsed)) && head.format > 1)',
    ],
    test: 'backup.test.ts › saved while orders come and restored: orders',
  },
  {
    name: 'backups: everybody on the machine can read a backup',
    in: 'writeBackup',
    replace: ['mode: 0o600', 'mode: 0o644'],
    test: 'backup.test.ts › saved while orders come and restored: orders',
  },
]
