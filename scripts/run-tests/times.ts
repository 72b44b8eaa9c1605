// What `-- --times` prints at the end of a run: where the processor time went, by part of the run, by process, by file and
// by test. What PostgreSQL does for a test is counted once for all.
import { readdirSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { root } from './files.ts'
import { processorSeconds, readRecorded, readTests } from './processor-time.ts'
import type { TestResults } from './reporter.ts'

const DEAREST_TESTS = 60

/** Of a process and of all below it that still run, with those whose end they saw. */
export function processorSecondsOfTree(pid: number): number {
  const parents = new Map(running().map((one) => [one, parentOf(one)]))
  const below = (of: number): number[] => [...parents].flatMap(([one, parent]) => (parent === of ? [one] : []))
  const sum = (of: number): number => below(of).reduce((all, one) => all + sum(one), processorSeconds(of) ?? 0)
  return sum(pid)
}

function running(): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

/** @param parts processor seconds of what is no test, by name. */
export function showTimes(tests: TestResults, folder: string, parts: Readonly<Record<string, number>>): string {
  // A test knows the file that stands for its group, and the reporter the file that it stands in.
  const measured = readTests(folder).map((test) => {
    const members = tests.groups.get(test.file) ?? []
    const own = tests.filesOf.get(test.name)?.find((file) => members.includes(file))
    return { ...test, file: own ?? relative(root, test.file) }
  })
  const files = new Map<string, { processor: number; wall: number; tests: number }>()
  for (const { file, processorSeconds, seconds } of measured) {
    const { processor, wall, tests } = files.get(file) ?? { processor: 0, wall: 0, tests: 0 }
    files.set(file, { processor: processor + processorSeconds, wall: wall + seconds, tests: tests + 1 })
  }
  const processes = [...readRecorded(folder)].map(([path, processor]) => {
    const members = tests.groups.get(path) ?? [relative(root, path)]
    const inTests = members.reduce((sum, file) => sum + (files.get(file)?.processor ?? 0), 0)
    const name = members.length === 1 ? members[0] : `${members.length} files, such as ${members[0]}`
    return { processor, line: `${cell(processor)} ${cell(processor - inTests)}  ${name}` }
  })
  const known = { ...parts, tests: processes.reduce((sum, { processor }) => sum + processor, 0) }
  const rest = (processorSeconds() ?? 0) - Object.values(known).reduce((sum, processor) => sum + processor, 0)
  const all = Object.entries({ ...known, 'checks and the runner itself': rest })
  const sections = [
    ['processor seconds', all.map(([name, processor]) => ({ processor, line: `${cell(processor)}  ${name}` }))],
    ['processes: processor seconds, those outside of tests', processes],
    [
      'files: processor and wall seconds of their tests, how many tests',
      [...files].map(([file, { processor, wall, tests }]) => ({
        processor,
        line: `${cell(processor)} ${cell(wall)} ${String(tests).padStart(4)}  ${file}`,
      })),
    ],
    [
      `the ${DEAREST_TESTS} dearest tests: processor and wall seconds`,
      measured
        .map(({ file, name, processorSeconds: processor, seconds }) => ({
          processor,
          line: `${cell(processor)} ${cell(seconds)}  ${file} › ${name}`,
        }))
        .sort((a, b) => b.processor - a.processor)
        .slice(0, DEAREST_TESTS),
    ],
  ] as const
  return sections
    .map(([title, rows]) => {
      const sorted = rows.toSorted((a, b) => b.processor - a.processor)
      return `\n${title}:\n${sorted.map(({ line }) => `${line}\n`).join('')}`
    })
    .join('')
}

const cell = (seconds: number): string => seconds.toFixed(2).padStart(8)
