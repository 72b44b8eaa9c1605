// What a test run prints while it runs: a line for each file, and each failure in full where it happens.
import { join, relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

const root = join(import.meta.dirname, '../..')

export interface TestResults {
  passed: boolean
  /** The names of the tests and files that failed. */
  failed: string[]
  /** Absolute paths of the files, or groups of files, that failed: what can be run again. */
  brokenPaths: Set<string>
  /** The runner's own. */
  totals: string[]
  seconds: Map<string, number>
  /** By the file that stands for a group: the files of it. */
  groups: Map<string, string[]>
  /** By the name of a test: its file, or the files that have one of this name. */
  filesOf: Map<string, string[]>
}

/** @param print gets whole lines. */
export async function report(events: AsyncIterable<TestEvent>, print: (text: string) => void): Promise<TestResults> {
  const printed = new Map<string, string>()
  const results: TestResults = {
    ...{ passed: false, failed: [], brokenPaths: new Set(), totals: [] },
    ...{ seconds: new Map(), groups: new Map(), filesOf: new Map() },
  }
  const broken = new Set<string>()
  /** What ran of each file so far. */
  const ran = new Map<string, { tests: number; ms: number }>()
  const tell = (file: string, tests: number, ms: number): void => {
    // What a passing file prints helps nobody; what a failing one prints may say why.
    if (broken.has(file)) print(indent(printed.get(file) ?? ''))
    results.seconds.set(file, ms / 1000)
    print(`${broken.has(file) ? 'FAIL ' : 'ok   '} ${file} (${tests} tests, ${(ms / 1000).toFixed(1)} s)\n`)
    ran.delete(file)
  }
  for await (const { type, data } of events) {
    const file = data !== undefined && 'file' in data && data.file !== undefined ? relative(root, data.file) : null
    if ((type === 'test:pass' || type === 'test:fail') && file !== null && data.nesting === 0) {
      const so = ran.get(file) ?? { tests: 0, ms: 0 }
      ran.set(file, { tests: so.tests + 1, ms: so.ms + data.details.duration_ms })
      results.filesOf.set(data.name, [...(results.filesOf.get(data.name) ?? []), file])
    }
    if (type === 'test:stdout' || type === 'test:stderr') {
      printed.set(file ?? '', (printed.get(file ?? '') ?? '') + data.message)
    } else if (type === 'test:diagnostic') {
      if (file === null) results.totals.push(`# ${data.message}`)
      else print(`      ${data.message}\n`)
    } else if (type === 'test:fail') {
      const { error } = data.details
      if (file !== null) broken.add(file)
      // Its failed parts have been told already.
      if ('failureType' in error && error.failureType === 'subtestsFailed') continue
      const isFile = file !== null && data.name.endsWith(file)
      // A file that ended early has no summary of its own; the runner reports it under its path.
      if (data.file !== undefined && resolve(root, data.name) === data.file) results.brokenPaths.add(data.file)
      results.failed.push(isFile ? file : `${file} › ${data.name}`)
      if (isFile) print(`FAIL  ${file} ended before its tests did\n${indent(printed.get(file) ?? '')}`)
      else print(`FAIL  ${data.name}\n${indent(inspect(error.cause ?? error))}`)
    } else if (type === 'test:summary') {
      if (file === null) {
        results.passed = data.success
        continue
      }
      // A test may be declared in a module that the file imports: only the file that was started can be run again.
      if (!data.success && data.file !== undefined) results.brokenPaths.add(data.file)
      if (!/group-\d+\.mjs$/.test(file)) {
        tell(file, data.counts.tests, data.duration_ms)
        continue
      }
      // Reports come file by file in their order: all that is not told yet is the group's.
      const members = [...ran].filter(([member]) => member !== file)
      for (const [member, { tests, ms }] of members) tell(member, tests, ms)
      results.groups.set(
        data.file ?? '',
        members.map(([member]) => member),
      )
      ran.delete(file)
      if (broken.has(file)) print(indent(printed.get(file) ?? ''))
    }
  }
  return results
}

function indent(text: string): string {
  return text === '' ? '' : `${text.trimEnd().replaceAll(/^/gm, '        ')}\n`
}
