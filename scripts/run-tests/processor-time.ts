// How much processor time test files took, with all the programs that they started: what a busy machine does not change.
// Loaded into each process of the runner before its file, it writes down what Linux says at the end of the process, and for
// `--times` after each test.
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach } from 'node:test'
import { isMainThread } from 'node:worker_threads'

const TICKS_PER_SECOND = 100
/** Names the run's folder, for the processes of its test files alone. */
const VARIABLE = 'FLORIN_TEST_PROCESSOR_TIMES'
/** Set where each test is measured. */
const EACH = 'FLORIN_TEST_TIMES_OF_EACH'

/** What makes a test file's process write down its time, and that of each of its tests where it is asked for. */
export function recording(folder: string, ofEach = false): { execArgv: string[]; env: Record<string, string> } {
  if (process.platform !== 'linux') return { execArgv: [], env: {} }
  return {
    execArgv: [`--import=${import.meta.filename}`],
    env: { [VARIABLE]: join(folder, 'processor-times'), ...(ofEach ? { [EACH]: 'yes' } : {}) },
  }
}

/** By the file, or the group of files, that a process ran. Nothing where it is not known. */
export function readRecorded(folder: string): Map<string, number> {
  return new Map(readLines<[string, number]>(join(folder, 'processor-times')))
}

export interface TestTime {
  file: string
  name: string
  processorSeconds: number
  seconds: number
}

/** Of each test that ended, where it was asked for. */
export function readTests(folder: string): TestTime[] {
  return readLines<TestTime>(join(folder, 'processor-times-of-tests'))
}

/** Of a process and of all that it started and saw the end of, so far. `null` where it is not known. */
export function processorSeconds(pid: number | 'self' = 'self'): number | null {
  const fields = ticksOf(pid)
  return fields.length < 4 ? null : fields.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

/** In its programs and in the system's, its own and of those whose end it saw. */
function ticksOf(pid: number | 'self'): number[] {
  const stat = read(`/proc/${pid}/stat`)
  // The name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map(Number)
}

function readLines<T>(path: string): T[] {
  const lines = read(path).split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Finer than ticks for the process itself: many a test takes less than one. */
function soFar(): number {
  const { user, system } = process.cpuUsage()
  const [, , ...ofOthers] = ticksOf('self')
  return (user + system) / 1e6 + ofOthers.reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND
}

/** From its begin to that of the next: what a test gave to `after` runs last of all. */
function measureEach(record: string): void {
  let end = (): void => undefined
  beforeEach((t) => {
    // Those within a test are part of it.
    if ('fullName' in t && String(t.fullName).includes(' > ')) return
    end()
    const began = { processor: soFar(), ms: performance.now() }
    const file = 'filePath' in t ? String(t.filePath) : ''
    end = () => {
      const took = { processorSeconds: soFar() - began.processor, seconds: (performance.now() - began.ms) / 1000 }
      appendFileSync(`${record}-of-tests`, `${JSON.stringify({ file, name: t.name, ...took })}\n`)
    }
  })
  process.once('exit', () => end())
}

const [, file] = process.argv
const record = process.env[VARIABLE]
// Programs that a test starts inherit this, and are counted by the test's own process.
if (record !== undefined && file !== undefined && isMainThread && process.env.NODE_TEST_CONTEXT === 'child-v8') {
  if (/\.(test|slow|faults|system)\.ts$|^group-\d+\.mjs$/.test(basename(file))) {
    if (process.env[EACH] !== undefined) measureEach(record)
    process.once('exit', () => appendFileSync(record, `${JSON.stringify([file, processorSeconds()])}\n`))
  }
}
