// `npm run test:mutants [-- part of a name …]`: plants one bug after another in a copy of the repository, and runs the
// tests that have to notice it. Prints those that nobody noticed; fails where there is one.
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'
import { type Copy, copyRepository } from './mutants/copy.ts'
import { mutants } from './mutants/list.ts'
import { type Mutant, withBug } from './mutants/plant.ts'
import { type Outcome, tryTests } from './mutants/try.ts'

const root = join(import.meta.dirname, '..')
const HANGS_AFTER_MS = 120_000

const filters = process.argv.slice(2)
const wanted = mutants.filter(({ name }) => filters.length === 0 || filters.some((part) => name.includes(part)))
if (wanted.length === 0) {
  process.stderr.write(`no planted bug has a name with ${filters.join(' or ')}\n`)
  process.exit(1)
}
for (const mutant of wanted) withBug(readFileSync(join(root, mutant.file), 'utf8'), mutant)

const began = performance.now()
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())

const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
const database = await startEphemeral({ log })
const copies = Array.from({ length: Math.min(2, availableParallelism(), wanted.length) }, () => copyRepository(root))
try {
  process.exitCode = (await plantAll()) ? 0 : 1
} finally {
  for (const copy of copies) copy.remove()
  await database.stop()
}

async function plantAll(): Promise<boolean> {
  // Tests that fail by themselves would notice everything.
  const runs = [...new Map(wanted.map((mutant) => [keyOf(mutant), mutant])).values()]
  const usualMs = new Map<string, number>()
  const broken: string[] = []
  await shareOut(runs, async (copy, mutant) => {
    const outcome = await tried(copy, mutant, 10 * HANGS_AFTER_MS)
    if (outcome.kind === 'passed' && outcome.tests > 0) usualMs.set(keyOf(mutant), outcome.ms)
    else broken.push(`${keyOf(mutant)}: ${outcome.kind === 'failed' ? outcome.test : 'no test ran'}`)
  })
  if (stopped.signal.aborted) return false
  if (broken.length > 0) {
    process.stderr.write(`These do not pass without any bug:\n${broken.map((line) => `  ${line}\n`).join('')}`)
    return false
  }
  process.stdout.write(`${runs.length} sets of tests pass without a bug (${seconds(performance.now() - began)})\n`)

  const survivors: Mutant[] = []
  let killed = 0
  await shareOut(wanted, async (copy, mutant) => {
    const path = join(copy.folder, mutant.file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(path, withBug(source, mutant))
    const outcome = await tried(copy, mutant, HANGS_AFTER_MS + 5 * (usualMs.get(keyOf(mutant)) ?? 0))
    writeFileSync(path, source)
    if (stopped.signal.aborted) return
    if (outcome.kind === 'passed') survivors.push(mutant)
    else killed++
    process.stdout.write(`${lineOf(mutant, outcome)}\n`)
  })
  for (const { name, file, breaks } of survivors) process.stdout.write(`\nSURVIVED ${name} (${file})\n  ${breaks}\n`)
  const left = wanted.length - killed - survivors.length
  process.stdout.write(
    `\n${wanted.length} planted bugs in ${seconds(performance.now() - began)}${left === 0 ? '' : `, ${left} not tried`}\n` +
      `${killed} passed, ${survivors.length} failed\n`,
  )
  return killed === wanted.length
}

function keyOf({ tests, only }: Mutant): string {
  return [...tests, ...(only === undefined ? [] : [`"${only}"`])].join(' ')
}

function tried(copy: Copy, { tests, only }: Mutant, withinMs: number): Promise<Outcome> {
  const environment = { FLORIN_TEST_PG: database.url }
  return tryTests({ folder: copy.folder, tests, only, environment, withinMs, signal: stopped.signal })
}

/** Each copy takes the next one when it is done with the last. */
async function shareOut(work: readonly Mutant[], act: (copy: Copy, mutant: Mutant) => Promise<void>): Promise<void> {
  const waiting = [...work]
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next !== undefined && !stopped.signal.aborted; next = waiting.shift()) {
        await act(copy, next)
      }
    }),
  )
}

function lineOf({ name }: Mutant, outcome: Outcome): string {
  const time = seconds(outcome.ms)
  if (outcome.kind === 'passed') return `SURVIVED  ${name} (${outcome.tests} tests, ${time})`
  return `killed    ${name} (${time}): ${outcome.kind === 'hung' ? 'the tests hung' : outcome.test}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
