// One run of test files in a copy of the repository, ended at the first failure.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { endLeftovers } from '../run-tests/leftovers.ts'
import { FAILED, TESTS } from './first-failure.ts'

export type Outcome =
  | { kind: 'passed'; tests: number; ms: number }
  | { kind: 'failed'; test: string; ms: number }
  | { kind: 'hung'; ms: number }

export interface Wish {
  folder: string
  /** For the temporary files of what is tried: what still runs afterwards is known by it. */
  temporary: string
  tests: readonly string[]
  only: string | undefined
  environment: Record<string, string>
  /** After this long it hangs. */
  withinMs: number
  signal: AbortSignal
}

export function tryTests(input: Wish): Promise<Outcome> {
  const args = [
    '--test',
    '--test-concurrency=1',
    ...(input.only === undefined ? [] : [`--test-name-pattern=${escaped(input.only)}`]),
    `--test-reporter=${join(import.meta.dirname, 'first-failure.ts')}`,
    ...input.tests,
  ]
  const began = performance.now()
  const trial = mkdtempSync(join(input.temporary, 'trial-'))
  // A PostgreSQL that root starts is another user's.
  chmodSync(trial, 0o755)
  // Started by a test, it would report to that one's runner.
  const { NODE_TEST_CONTEXT: _, ...outside } = process.env
  // A group of its own, so that most of what the tests started ends with them.
  const child = spawn(process.execPath, args, {
    cwd: input.folder,
    env: { ...outside, ...input.environment, TMPDIR: trial },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let output = ''
  let hung = false
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  const timer = setTimeout(() => {
    hung = true
    end()
  }, input.withinMs)
  input.signal.addEventListener('abort', end, { once: true })
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (failureIn(output) !== undefined) end()
  })
  return new Promise((resolve) =>
    child.once('close', async (code) => {
      clearTimeout(timer)
      input.signal.removeEventListener('abort', end)
      end()
      const ms = Math.round(performance.now() - began)
      // An anvil or a PostgreSQL is in a group, or a session, of its own.
      await endLeftovers(trial)
      const test = failureIn(output)
      const tests = Number(new RegExp(`^${TESTS}(\\d+)$`, 'm').exec(output)?.[1] ?? 0)
      if (test !== undefined) resolve({ kind: 'failed', test, ms })
      else if (hung) resolve({ kind: 'hung', ms })
      else if (code === 0) resolve({ kind: 'passed', tests, ms })
      else resolve({ kind: 'failed', test: `the run ended with code ${code}`, ms })
    }),
  )
}

const failureIn = (output: string): string | undefined => new RegExp(`^${FAILED}(.*)\n`, 'm').exec(output)?.[1]

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
