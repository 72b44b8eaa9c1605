// Bugs in what operators are shown: metrics, alerts, the log.
import { plant } from '../plant.ts'

const server = 'packages/server/src'
const measure = 'packages/platform/src/measure'
const tests = [`${measure}/board.test.ts`]

export const operationMutants = [
  ...plant({ file: 'deploy/prometheus/alerts.yml', tests }, [
    {
      name: 'operation: an alert asks for a metric that nobody has',
      find: 'max(florin_reconcile_differences) > 0',
      put: 'max(florin_reconcile_difference) > 0',
      breaks: 'Money is missing, and nobody is called.',
      unseen: true,
    },
    {
      name: 'operation: an alert asks for a label that its metric lacks',
      find: 'max by (chain) (florin_check_failing{id="out_of_gas"}) > 0\n        for: 1m',
      put: 'max by (chain) (florin_check_failing{why="out_of_gas"}) > 0\n        for: 1m',
      breaks: 'A relayer has no gas, and nobody is called.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${measure}/requests.ts`, tests }, [
    {
      name: 'operation: requests are counted by their address',
      find: 'route: url }',
      put: 'route: request.url }',
      breaks: 'Whoever reads /metrics reads checkout links, and strangers fill the memory with series.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/db/migrate.ts', tests: ['packages/platform/src/db/migrate.test.ts'] }, [
    {
      name: 'operation: a migration takes its locks one after the other',
      find: '  await takeLocks(tx, migration.text)\n',
      put: '',
      breaks: 'An upgrade under load ends payments as deadlocks.',
    },
    {
      name: 'operation: a late starter makes indexes again',
      find: '  if (recorded.length > 0) return false\n',
      put: '',
      breaks: 'Two processes that start at once leave an index twice, and every order is written to both.',
    },
    {
      name: 'operation: the turn to change indexes has the isolation of the database',
      file: 'packages/platform/src/db/locks/turn.ts',
      find: "  await tx.unsafe('set transaction isolation level read committed')\n",
      put: '',
      breaks: 'An upgrade waits for itself for ever where the database was set to repeatable read.',
    },
  ]),
  ...plant(
    { file: 'packages/platform/src/db/migration-locks.ts', tests: ['packages/platform/src/db/migrate.test.ts'] },
    [
      {
        name: 'operation: a dropped foreign key locks the table it points to afterwards',
        find: "  for (const name of await pointedTo(tx, text, [...touched.keys()])) touched.set(name, 'access exclusive')\n",
        put: '',
        breaks: 'An upgrade under load ends what reads orders as deadlocks.',
      },
    ],
  ),
  ...plant({ file: 'packages/platform/src/db/pool.ts', tests: ['packages/platform/src/db/driver.test.ts'] }, [
    {
      name: 'operation: connections to a demoted server are kept',
      find: 'if (!isReadOnly(error)) return false',
      put: 'if (error !== null) return false',
      breaks: 'After a failover calls are refused for as long as a connection to the former primary lives.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/trace/subjects.ts', tests: ['packages/platform/src/trace/trace.test.ts'] }, [
    {
      name: 'operation: a trace ends with its request',
      find: '.get(subject) ?? scopeNow()',
      put: '.get(name) ?? scopeNow()',
      breaks: 'Nobody finds out which request a webhook came of.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/platform/src/from-files.ts', tests: [`${server}/config.test.ts`] }, [
    {
      name: 'operation: of a setting and its file one wins in silence',
      find: "if ((value?.trim() ?? '') !== '')",
      put: "if ((value?.trim() ?? '') === 'both')",
      breaks: 'A master key that was changed in one place is not the one that seals.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/deps.ts`, tests: [`${server}/backup/backup.test.ts`] }, [
    {
      name: 'operation: a copy that was restored for practice works',
      find: "if (config.mode === 'all' || config.mode === 'worker') refuseAsleep(installation)",
      put: '',
      breaks: 'Two Florins send webhooks of the same orders, one of them of a time that is past, and both settle.',
    },
  ]),
  ...plant({ file: `${server}/backup/rows.ts`, tests: [`${server}/backup/rows.test.ts`] }, [
    {
      name: 'operation: a restore looks only at how many rows there are',
      find: 'for (let n = 1; n < WORDS; n++) words[at + n]',
      put: 'for (let n = 1; n < 1; n++) words[at + n]',
      breaks: 'A restored table whose rows are others than the saved ones is taken for whole.',
    },
  ]),
  ...plant({ file: `${server}/backup/restore.ts`, tests: [`${server}/backup/backup.test.ts`] }, [
    {
      name: 'operation: a restore overwrites a database in use',
      find: 'if (await connected(url, store.isUsed))',
      put: 'if ((await connected(url, store.isUsed)) && head.format > 1)',
      breaks: 'Orders since the backup are gone, and with them whose money it is.',
    },
    {
      name: 'operation: partitions of old days are not made again',
      find: 'if (widthDays !== undefined) await',
      put: 'if (widthDays === undefined) await',
      breaks: 'A backup that is needed cannot be restored.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/backup/file.ts`, tests: [`${server}/backup/backup.test.ts`] }, [
    {
      name: 'operation: a backup that everybody on the machine can read',
      find: 'mode: 0o600',
      put: 'mode: 0o644',
      breaks: 'Whoever has an account there reads every merchant, payer and order.',
      unseen: true,
    },
  ]),
  ...plant({ file: 'packages/rail-kit/src/heads.ts', tests }, [
    {
      name: 'operation: a watcher that hangs looks well',
      find: 'ageMs + performance.now() - at',
      put: 'ageMs',
      breaks: 'A chain is read no more, and its newest block never gets older on the board.',
      unseen: true,
    },
  ]),
]
