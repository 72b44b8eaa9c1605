// `npm run check`: types, lint and format, unused code and dependencies. All run, side by side, and the output of
// those that fail is shown. `npm test` has the types beside its tests, `npm run test:system` the others.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tool = (path: string): string => join(root, 'node_modules', path)

export type Kind = 'types' | 'style'

interface Check {
  kind: Kind
  name: string
  args: string[]
  env?: Record<string, string>
}

/** The compiler collects garbage for a quarter of its time by Go's own measure of it. By this one it takes a little more memory. */
const seldomCollected = { GOGC: '400', GOMEMLIMIT: '2500MiB' }

function listChecks(): Check[] {
  const tsc = tool('typescript/bin/tsc')
  // The pages have settings of their own: they run in browsers.
  const projects = [
    'tsconfig.json',
    'packages/console/tsconfig.json',
    'packages/checkout/tsconfig.json',
    'packages/exit/page/tsconfig.json',
    'packages/docs/browser/tsconfig.json',
  ]
  // One thread each: they run side by side, and several threads would each work out the same types again.
  return [
    ...projects
      .filter((project) => existsSync(join(root, project)))
      .map((project) => ({
        kind: 'types' as const,
        name: `types (${project})`,
        args: [tsc, '--noEmit', '--singleThreaded', '-p', project],
        env: seldomCollected,
      })),
    {
      kind: 'style',
      name: 'lint and format',
      args: [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'],
    },
    { kind: 'style', name: 'unused code', args: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'] },
  ]
}

export interface CheckResult {
  name: string
  passed: boolean
  output: string
  seconds: number
}

/** @param kinds those to run; all unless said. */
export function runChecks(kinds?: readonly Kind[], signal?: AbortSignal): Promise<CheckResult[]> {
  const checks = listChecks().filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  return Promise.all(checks.map((check) => run(check, signal)))
}

export function showCheck({ name, passed, output, seconds }: CheckResult): void {
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)\n`)
  if (!passed) process.stdout.write(`${output.trimEnd()}\n\n`)
}

async function run(check: Check, signal?: AbortSignal): Promise<CheckResult> {
  const began = performance.now()
  const child = spawn(process.execPath, check.args, {
    ...{ cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal },
    env: { ...process.env, ...check.env },
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  return { name: check.name, passed: code === 0, output, seconds: (performance.now() - began) / 1000 }
}

if (import.meta.main) {
  const results = await runChecks()
  for (const result of results) showCheck(result)
  process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
}
