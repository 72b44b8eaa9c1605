// Bugs in what all else stands on: the master key, transactions, leases, settings.
import { type Mutant, plant } from '../plant.ts'

const server = 'packages/server/src'

export const platformMutants: readonly Mutant[] = [
  ...plant({ file: 'packages/platform/src/db/master-key.ts', tests: ['packages/platform/src/db/master-key.test.ts'] }, [
    {
      name: 'master key: a wrong one starts',
      find: "secrets.open(row, 'master-key-check')",
      put: '',
      breaks: 'Secrets are sealed under a key that nobody has written down.',
    },
    {
      name: 'master key: the check value stays under the old one',
      find: 'if (row.keyId !== secrets.keyId) {',
      put: 'if (row.keyId === secrets.keyId) {',
      breaks: 'MASTER_KEY_OLD can never be left out again.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/db/pool.ts', tests: ['packages/platform/src/db/tx.test.ts'] }, [
    {
      name: 'transactions: a conflict that a later statement hides is not tried again',
      find: 'isAborted(thrown) ? (failed ?? thrown) : thrown',
      put: 'thrown',
      breaks: 'A payment waits for half a minute because another one was applied in the same moment.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/db/tx.ts', tests: ['packages/platform/src/db/tx.test.ts'] }, [
    {
      name: 'database: a deadlock is an error',
      find: 'attempt >= 3 ||',
      put: 'attempt >= 1 ||',
      breaks: 'A request fails that would have passed a moment later.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/db/lease.ts', tests: ['packages/platform/src/db/lease.test.ts'] }, [
    {
      name: 'leases: the token does not grow',
      find: 'leases.token + 1 end',
      put: 'leases.token end',
      breaks: 'A holder that lost its lease and has it again writes what it began before.',
    },
    {
      name: 'leases: a living holder is pushed out',
      find: 'or leases.until <= ${a.now}',
      put: 'or leases.until <> ${a.now}',
      breaks: 'Two processes send with one key.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/platform/src/secret-settings.ts', tests: ['packages/server/src/config.test.ts'] }, [
    {
      name: 'settings: a master key of zeros is taken',
      find: "name === 'MASTER_KEY' && isGuessableKey(value)",
      put: "name === 'MASTER_KEY' && value === ''",
      breaks: 'Whoever read the sample opens every secret and signs console tokens.',
    },
    {
      name: 'settings: every client is taken for a proxy',
      file: 'packages/platform/src/http/setting.ts',
      find: '!isLoopbackInstall && isEverybody(range)',
      put: "!isLoopbackInstall && range === ''",
      breaks: 'Each request names the address that limits count: codes are guessed without end.',
    },
  ]),
  ...plant(
    {
      file: 'packages/platform/src/db/locks/advisory-locks.ts',
      tests: ['packages/platform/src/db/locks/starts.test.ts'],
    },
    [
      {
        name: 'locks: of two names the same',
        find: '`florin ${name}\\n${subject}`',
        put: '`florin ${subject}`',
        breaks: 'A migration and a worker that starts wait for each other for ever.',
      },
    ],
  ),
  ...plant({ file: `${server}/config.ts`, tests: [`${server}/config.test.ts`] }, [
    {
      name: 'settings: short waits on a public install',
      file: `${server}/webhooks/setting.ts`,
      find: '!isLoopbackInstall && parsed.some(',
      put: '!isLoopbackInstall && parsed.length === 0 && parsed.some(',
      breaks: 'Receivers are asked again within seconds, against the contract.',
    },
    {
      name: 'settings: no limits on a public install',
      find: 'if (!rateLimits && !isLoopbackInstall)',
      put: 'if (!rateLimits && isLoopbackInstall)',
      breaks: 'A public install takes any number of requests.',
      unseen: true,
    },
    {
      name: 'settings: no master key on a public install',
      find: 'databaseUrl !== null && masterKey === null && !isLoopbackInstall',
      put: 'databaseUrl === null && masterKey === null && !isLoopbackInstall',
      breaks: 'Each replica makes a key of its own.',
      unseen: true,
    },
  ]),
]
