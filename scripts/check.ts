// `npm run check`: types, lint and format, unused code and dependencies. All run, side by side, and the output of
// those that fail is shown. `npm test` runs it first.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const tool = (path: string): string => join(root, 'node_modules', path)

interface Check {
  name: string
  args: string[]
}

function listChecks(): Check[] {
  const tsc = tool('typescript/bin/tsc')
  // The pages and their tests have settings of their own: they run in browsers.
  const projects = [
    'tsconfig.json',
    'packages/console/tsconfig.json',
    'packages/checkout/tsconfig.json',
    'e2e/pages/tsconfig.json',
  ]
  return [
    ...projects
      .filter((project) => existsSync(join(root, project)))
      .map((project) => ({ name: `types (${project})`, args: [tsc, '--noEmit', '-p', project] })),
    { name: 'lint and format', args: [tool('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
    { name: 'unused code', args: [tool('knip/bin/knip.js'), '--no-progress', '--no-config-hints'] },
  ]
}

/** @returns true when every check passed. */
export async function runChecks(): Promise<boolean> {
  const results = await Promise.all(listChecks().map(run))
  for (const { name, passed, output, seconds } of results) {
    process.stdout.write(`${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)\n`)
    if (!passed) process.stdout.write(`${output.trimEnd()}\n\n`)
  }
  return results.every(({ passed }) => passed)
}

async function run(check: Check): Promise<{ name: string; passed: boolean; output: string; seconds: number }> {
  const began = performance.now()
  const child = spawn(process.execPath, check.args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { name: check.name, passed: code === 0, output, seconds: (performance.now() - began) / 1000 }
}

if (import.meta.main) process.exitCode = (await runChecks()) ? 0 : 1
