// Failed test files run once more, each alone, when all others are done. A file that passes then is flaky: the run counts
// it as passed and prints it, and three flaky files fail the run.
import { relative } from 'node:path'
import { root } from './files.ts'
import type { TestResults } from './reporter.ts'

/** This many flaky files are no accident. */
const MAX_FLAKY = 3
/** So many failed files have one cause, and running them again would only take time. */
const MAX_RUN_AGAIN = 10

/**
 * @param first results of the whole run
 * @param runAlone runs one file, given by its absolute path, with nothing beside it
 * @returns the results of the whole run after the second attempts, and the flaky files
 */
export async function runFailedAgain(
  first: TestResults,
  runAlone: (path: string) => Promise<TestResults>,
  print: (text: string) => void,
): Promise<{ tests: TestResults; flaky: string[] }> {
  const paths = [...first.brokenPaths]
  if (first.passed || paths.length > MAX_RUN_AGAIN) return { tests: first, flaky: [] }
  const flaky: string[] = []
  for (const path of paths) {
    const file = relative(root, path)
    print(`once more, alone: ${file}\n`)
    const again = await runAlone(path)
    if (again.passed) flaky.push(file)
  }
  for (const file of flaky) print(`FLAKY ${file}\n`)
  const isForgiven = flaky.length < MAX_FLAKY
  if (!isForgiven) print(`${flaky.length} files are flaky, and ${MAX_FLAKY} fail the run\n`)
  if (!isForgiven || flaky.length < paths.length) return { tests: first, flaky }
  return { tests: { ...first, passed: true, failed: [], totals: allPassed(first.totals) }, flaky }
}

/** The runner's totals once every test passed, some of them in the second attempt. */
function allPassed(totals: readonly string[]): string[] {
  const count = (name: string): number =>
    Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(totals.join('\n'))?.[1] ?? 0)
  const passed = count('tests') - count('skipped') - count('todo')
  return totals.map((line) =>
    line.replace(/^# pass \d+$/, `# pass ${passed}`).replace(/^# (fail|cancelled) \d+$/, '# $1 0'),
  )
}
