// `npm test [-- paths] [--no-check]`: the test files on one throw-away PostgreSQL, whose superuser URL they find in
// FLORIN_TEST_PG, and the checks beside them. The output ends with the test runner's own totals. Paths name files or
// folders, or any part of a path, and are run with their slow tests but for `--quick`. `--faults`, `--soak` and `--system`
// run the other suites (CONTRIBUTING.md). In a whole run, failed files run once more, alone, at the end.
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { startEphemeral } from '@florin/embedded-postgres'
import { type CheckResult, type Kind, runChecks, showCheck } from './check.ts'
import { runFailedAgain } from './run-tests/again.ts'
import { countLeft, listFiles, recordSeconds, root, type Suite } from './run-tests/files.ts'
import { makeRunFolder } from './run-tests/folder.ts'
import { grouped } from './run-tests/groups.ts'
import { endLeftovers } from './run-tests/leftovers.ts'
import { preparePages } from './run-tests/pages.ts'
import { processorSeconds, readRecorded, recording } from './run-tests/processor-time.ts'
import { report, type TestResults } from './run-tests/reporter.ts'
import { processorSecondsOfTree, showTimes } from './run-tests/times.ts'

const MINUTE_MS = 60_000

/**
 * Nothing is vacuumed or analyzed by itself: databases live for a minute or two, and that was a sixth of what their tests
 * cost. A test of what it leads to does it.
 */
const settings = {
  autovacuum_naptime: '1d',
  // Neither a process that writes pages ahead nor one that reads them: all lies in memory.
  ...{ io_method: 'sync', bgwriter_lru_maxpages: '0', checkpoint_timeout: '1h' },
}

/** A file, or a test of it, that hangs is a failure with a name; a run that hangs ends all the same. */
const limits: Record<Suite, { fileMs: number; runMs: number; size: string }> = {
  test: { fileMs: 12 * MINUTE_MS, runMs: 40 * MINUTE_MS, size: 'short' },
  system: { fileMs: 15 * MINUTE_MS, runMs: 40 * MINUTE_MS, size: 'short' },
  faults: { fileMs: 30 * MINUTE_MS, runMs: 90 * MINUTE_MS, size: 'full' },
  soak: { fileMs: 240 * MINUTE_MS, runMs: 720 * MINUTE_MS, size: 'soak' },
}

async function main(): Promise<number> {
  const began = performance.now()
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      faults: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      system: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      times: { type: 'boolean', default: false },
      'no-check': { type: 'boolean', default: false },
    },
  })
  const suite: Suite = values.soak ? 'soak' : values.faults ? 'faults' : values.system ? 'system' : 'test'
  const files = listFiles(suite, positionals)
  if (files.length === 0) {
    print(`no test file matches ${positionals.join(' ') || 'anything'}\n`)
    return 1
  }
  const stop = new AbortController()
  let signalled: NodeJS.Signals | null = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      signalled ??= signal
      stop.abort()
    })
  }
  const folder = makeRunFolder()
  const limit = setTimeout(() => {
    print(`the run was ended after ${limits[suite].runMs / MINUTE_MS} minutes\n`)
    stop.abort()
  }, limits[suite].runMs)
  try {
    // Built once, before test files that start Florin side by side would each build the same folder.
    const needsPages = files.some((file) => /pages\/|checkout\/test\/|e2e\/docs|scripts\/image/.test(file))
    if (needsPages && !(await preparePages(stop.signal))) return 1
    const pagesSeconds = processorSeconds() ?? 0
    const checking = values['no-check'] ? Promise.resolve([]) : runChecks(checksOf(suite, positionals), stop.signal)
    const pages = needsPages ? 'built' : 'perhaps'
    const isAll = suite === 'test' && positionals.length === 0
    const isWhole = positionals.length === 0
    const slow = isAll || values.quick ? 'left out' : isWhole && suite === 'system' ? 'alone' : 'run'
    const running = runTests(files, { suite, folder, pages, slow, times: values.times, again: isWhole }, stop.signal)
    const [tests, checks] = await Promise.all([running, checking])
    if (values.record && tests.passed) recordSeconds(tests.seconds)
    const processor = processorTimes(tests, folder)
    const times = values.times
      ? showTimes(tests, folder, { pages: pagesSeconds, PostgreSQL: tests.postgresSeconds })
      : ''
    const left = await endLeftovers(folder)
    if (signalled !== null) {
      print(`\ninterrupted by ${signalled}; ${left.length} processes were ended\n`)
      return 130
    }
    const passed = tests.passed && checks.every((check) => check.passed)
    conclude({ tests, checks, left, processor, seconds: (performance.now() - began) / 1000 })
    print(times)
    if (isAll) tellLeft()
    for (const line of tests.totals) print(`${line}\n`)
    return passed ? 0 : 1
  } finally {
    clearTimeout(limit)
    await endLeftovers(folder)
  }
}

/** What was found by types is wrong; how it is written, and what nothing uses, may wait for the suite that has more time. */
function checksOf(suite: Suite, wanted: readonly string[]): Kind[] {
  if (suite === 'test') return wanted.length === 0 ? ['types'] : ['types', 'style']
  return suite === 'system' && wanted.length === 0 ? ['style'] : []
}

async function runTests(
  files: readonly string[],
  { suite, folder, pages, slow, times, again }: HowToRun,
  signal: AbortSignal,
): Promise<RunResults> {
  const log = { info: () => undefined, warn: (message: string) => print(`${message}\n`) }
  const database = await startEphemeral({ log, parent: folder, settings })
  const measured = recording(folder, times)
  try {
    const start = (paths: string[], concurrency: number): Promise<TestResults> => {
      const events = run({
        files: paths,
        cwd: root,
        concurrency,
        timeout: limits[suite].fileMs,
        signal,
        execArgv: measured.execArgv,
        env: {
          ...process.env,
          ...measured.env,
          TMPDIR: folder,
          FLORIN_TEST_PG: database.url,
          FLORIN_TEST_SIZE: limits[suite].size,
          FLORIN_TEST_PAGES: pages,
          FLORIN_TEST_SLOW: slow,
        },
      })
      return report(events, print)
    }
    // More than there are cores, as many a test waits for a process or a clock of its own. The runner by itself
    // leaves one core free, which on a machine of two is half of it.
    const first = await start(grouped(files, folder), availableParallelism() + (suite === 'system' ? 2 : 1))
    const { tests: results } =
      again && !signal.aborted ? await runFailedAgain(first, (path) => start([path], 1), print) : { tests: first }
    return { ...results, postgresSeconds: processorSecondsOfTree(database.pid) }
  } finally {
    await database.stop()
  }
}

interface HowToRun {
  suite: Suite
  folder: string
  pages: string
  slow: string
  times: boolean
  /** Whether failed files run once more. */
  again: boolean
}

type RunResults = TestResults & { postgresSeconds: number }

interface Concluded {
  tests: TestResults
  checks: readonly CheckResult[]
  /** Command lines of what tests left running. */
  left: readonly string[]
  processor: ReadonlyMap<string, number>
  seconds: number
}

function conclude({ tests, checks, left, processor, seconds }: Concluded): void {
  print('\n')
  for (const check of checks) showCheck(check)
  const failed = [...tests.failed, ...checks.filter((check) => !check.passed).map((check) => `check: ${check.name}`)]
  if (failed.length > 0) print(`\nfailed:\n${failed.map((name) => `  ${name}\n`).join('')}`)
  if (left.length > 0) print(`\nleft running by tests, and ended:\n${left.map((line) => `  ${line}\n`).join('')}`)
  if (tests.seconds.size > 10) {
    const slowest = [...tests.seconds].sort(([, a], [, b]) => b - a).slice(0, 10)
    print('\nslowest files, and their processor time:\n')
    for (const [file, took] of slowest) {
      print(
        `  ${took.toFixed(1).padStart(6)} s ${processor.get(file)?.toFixed(1).padStart(6) ?? '     –'} s  ${file}\n`,
      )
    }
  }
  const worked = processorSeconds()
  const processors = worked === null ? '' : `, and ${worked.toFixed(0)} s of processor time`
  print(`\nchecks and tests took ${seconds.toFixed(1)} s in all${processors}\n`)
}

/** By file. Of a group it is known for the whole, and shared out by how long its files took. */
function processorTimes(tests: TestResults, folder: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const [path, seconds] of readRecorded(folder)) {
    const members = tests.groups.get(path) ?? [relative(root, path)]
    const took = (file: string): number => tests.seconds.get(file) ?? 0
    const all = members.reduce((sum, file) => sum + took(file), 0)
    for (const file of members) times.set(file, all === 0 ? 0 : (seconds * took(file)) / all)
  }
  return times
}

function tellLeft(): void {
  const { slow, parts, faults, sized } = countLeft()
  print(
    `left to npm run test:system and test:faults: ${slow} slow files and parts of ${parts}; to test:faults alone: ` +
      `${faults} files, and the full length of ${sized}\n`,
  )
}

function print(text: string): void {
  process.stdout.write(text)
}

process.exitCode = await main()
