// `npm test [-- paths] [--faults] [--no-check]`: the checks, then the test files on one throw-away PostgreSQL, whose
// superuser URL they find in FLORIN_TEST_PG. The output ends with the test runner's own totals.
// Paths name files or folders, or any part of a path. `--faults` runs the long `*.faults.ts` files instead.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'
import { runChecks } from './check.ts'

const TESTS_WITHIN_MS = 8 * 60_000
const FAULTS_WITHIN_MS = 45 * 60_000

const root = join(import.meta.dirname, '..')

function listFiles(kind: 'test' | 'faults', wanted: readonly string[]): string[] {
  const places = ['packages', 'e2e', 'scripts', 'examples']
  const files = places
    .flatMap((place) => globSync(`${place}/**/*.${kind}.ts`, { cwd: root, exclude: (name) => isOutside(name) }))
    .sort()
  if (wanted.length === 0) return files
  const parts = wanted.map((path) => relative(root, resolve(path)))
  return files.filter((file) => parts.some((part, n) => file.startsWith(part) || file.includes(wanted[n] ?? part)))
}

const isOutside = (name: string): boolean => /(^|[\\/])(node_modules|dist)$/.test(name)

async function main(): Promise<number> {
  const began = Date.now()
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { faults: { type: 'boolean', default: false }, 'no-check': { type: 'boolean', default: false } },
  })
  const files = listFiles(values.faults ? 'faults' : 'test', positionals)
  if (files.length === 0) {
    process.stderr.write(`no test file matches ${positionals.join(' ') || 'anything'}\n`)
    return 1
  }
  // Built once, before test files that start Florin side by side would each build the same folder.
  if (files.some((file) => file.includes('pages')) && !(await preparePages())) return 1
  if (!values['no-check'] && !(await runChecks())) return 1

  const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
  const database = await startEphemeral({ log })
  try {
    return await runTests(files, values.faults ? FAULTS_WITHIN_MS : TESTS_WITHIN_MS, {
      FLORIN_TEST_PG: database.url,
      FLORIN_TEST_BEGAN: String(began),
    })
  } finally {
    await database.stop()
  }
}

/** What `npm start` would do before it starts. Nothing where the pages are as their sources. */
function preparePages(): Promise<boolean> {
  const child = spawn(process.execPath, [join(root, 'scripts/prepare.mjs')], { cwd: root, stdio: 'inherit' })
  return new Promise((settle) => child.once('exit', (code) => settle(code === 0)))
}

function runTests(files: readonly string[], timeoutMs: number, environment: Record<string, string>): Promise<number> {
  const args = [
    '--test',
    // A test, or a file of them, that hangs is a failure with a name.
    `--test-timeout=${timeoutMs}`,
    // The runner leaves one core free by itself, which on a machine of two is half of it.
    `--test-concurrency=${availableParallelism()}`,
    `--test-reporter=${join(root, 'scripts/reporter.ts')}`,
    ...files,
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((settle) => child.once('exit', (code) => settle(code ?? 1)))
}

process.exitCode = await main()
