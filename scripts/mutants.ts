// `npm run test:mutants [-- part of a name …]`: for each planted bug, runs the one test that has to notice it with the bug
// in the source as it is loaded. No file is changed. Names the bugs that nobody noticed, and fails where there is one.
import { join } from 'node:path'
import { run } from 'node:test'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'
import { planted } from './mutants/list.ts'
import { type PlantedBug, placeOf, testOf } from './mutants/planted-bug.ts'
import { makeRunFolder } from './run-tests/folder.ts'
import { endLeftovers } from './run-tests/leftovers.ts'

const root = join(import.meta.dirname, '..')
const HANGS_AFTER_MS = 180_000

interface Outcome {
  passed: number
  /** The first test that failed. */
  failed: string | null
}

const filters = process.argv.slice(2)
const wanted = planted.filter(({ name }) => filters.length === 0 || filters.some((part) => name.includes(part)))
if (wanted.length === 0) {
  process.stderr.write(`no planted bug has a name with ${filters.join(' or ')}\n`)
  process.exit(1)
}
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())

const folder = makeRunFolder()
const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
const database = await startEphemeral({ log, parent: folder })
try {
  process.exitCode = (await tryAll()) ? 0 : 1
} finally {
  await database.stop()
  await endLeftovers(folder)
}

async function tryAll(): Promise<boolean> {
  const began = performance.now()
  const bad: string[] = []
  let killed = 0
  for (const [test, bugs] of Map.groupBy(wanted, (bug) => bug.test)) {
    // A test that fails by itself would notice everything.
    const usual = bugs[0] === undefined ? null : await tried(bugs[0], false)
    if (stopped.signal.aborted) return false
    if (usual === null || usual.failed !== null || usual.passed === 0) {
      bad.push(`${usual?.failed ?? 'NOT RUN'}: ${test} does not pass without any bug`)
      continue
    }
    for (const bug of bugs) {
      if (stopped.signal.aborted) return false
      const { failed } = await tried(bug, true)
      if (failed === null) bad.push(`SURVIVED ${bug.name} (${placeOf(bug).file}: ${bug.in})`)
      else killed++
      process.stdout.write(`${failed === null ? 'SURVIVED' : 'killed  '} ${bug.name}\n`)
    }
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  process.stdout.write(
    `\n${bad.map((line) => `${line}\n`).join('')}${killed} of ${wanted.length} killed in ${seconds} s\n`,
  )
  return killed === wanted.length
}

async function tried(bug: PlantedBug, isPlanted: boolean): Promise<Outcome> {
  const { file, test } = testOf(bug)
  const hook = isPlanted
    ? {
        NODE_OPTIONS: `--import=${join(import.meta.dirname, 'mutants/hook.mjs')}`,
        FLORIN_PLANTED: JSON.stringify(placeOf(bug)),
      }
    : {}
  const events = run({
    files: [join(root, file)],
    cwd: root,
    testNamePatterns: test.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
    timeout: HANGS_AFTER_MS,
    signal: stopped.signal,
    env: { ...process.env, ...hook, TMPDIR: folder, FLORIN_TEST_PG: database.url },
  })
  const outcome: Outcome = { passed: 0, failed: null }
  for await (const { type, data } of events) {
    if (type === 'test:fail') outcome.failed ??= data.name
    // A file is reported like a test of its name.
    if (type === 'test:pass' && data.skip === undefined && !data.name.endsWith('.ts')) outcome.passed++
  }
  return outcome
}
