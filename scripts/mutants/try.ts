// One run of test files in a copy of the repository, ended at the first failure.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { FAILED, TESTS } from './first-failure.ts'

export type Outcome =
  | { kind: 'passed'; tests: number; ms: number }
  | { kind: 'failed'; test: string; ms: number }
  | { kind: 'hung'; ms: number }

export interface Wish {
  folder: string
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
  // A group of its own, so that what the tests started ends with them.
  const child = spawn(process.execPath, args, {
    cwd: input.folder,
    env: { ...process.env, ...input.environment },
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
    child.once('close', (code) => {
      clearTimeout(timer)
      input.signal.removeEventListener('abort', end)
      end()
      const ms = Math.round(performance.now() - began)
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
