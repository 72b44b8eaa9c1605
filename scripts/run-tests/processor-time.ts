// How much processor time test files took, with all the programs that they started: what a busy machine does not change.
// Loaded into each process of the runner before its file, it writes down what Linux says at the end of the process.
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const TICKS_PER_SECOND = 100
/** Names the run's folder, for the processes of its test files alone. */
const VARIABLE = 'FLORIN_TEST_PROCESSOR_TIMES'

/** What makes a test file's process write down its time. */
export function recording(folder: string): { execArgv: string[]; env: Record<string, string> } {
  if (process.platform !== 'linux') return { execArgv: [], env: {} }
  return { execArgv: [`--import=${import.meta.filename}`], env: { [VARIABLE]: join(folder, 'processor-times') } }
}

/** By file. Nothing where it is not known. */
export function readRecorded(folder: string): Map<string, number> {
  const text = read(join(folder, 'processor-times'))
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => JSON.parse(line) as [string, number]))
}

/** Of a process and of all that it started and saw the end of, so far. `null` where it is not known. */
export function processorSeconds(pid: number | 'self' = 'self'): number | null {
  const stat = read(`/proc/${pid}/stat`)
  // The name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return stat === '' ? null : ticks / TICKS_PER_SECOND
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const [, file] = process.argv
const record = process.env[VARIABLE]
// Programs that a test starts inherit this, and are counted by the test's own process.
if (record !== undefined && file !== undefined && isMainThread && process.env.NODE_TEST_CONTEXT === 'child-v8') {
  if (/\.(test|slow|faults|system)\.ts$|^group-\d+\.mjs$/.test(basename(file))) {
    process.once('exit', () => appendFileSync(record, `${JSON.stringify([file, processorSeconds()])}\n`))
  }
}
