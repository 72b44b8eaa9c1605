// `npm run test:mutants [-- part of a name …]`: plants one bug after another in a copy of the repository, and runs the
// tests that have to notice it. Prints those that nobody noticed; fails where there is one. All of them take hours:
// `--keep FILE` writes down each result and passes over what stands there, `--for SECONDS` begins nothing more after that
// time, `--copies N` tries so many at once (two, where the machine has as many cores).
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEphemeral } from '../packages/embedded-postgres/src/index.ts'
import { type Copy, copyRepository } from './mutants/copy.ts'
import { keptIn } from './mutants/kept.ts'
import { mutants } from './mutants/list.ts'
import { type Mutant, withBug } from './mutants/plant.ts'
import { type Outcome, tryTests } from './mutants/try.ts'
import { makeRunFolder } from './run-tests/folder.ts'
import { endLeftovers } from './run-tests/leftovers.ts'
import { preparePages } from './run-tests/pages.ts'

const root = join(import.meta.dirname, '..')
const HANGS_AFTER_MS = 120_000

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, for: { type: 'string' }, copies: { type: 'string' } },
})
const wanted = mutants.filter(({ name }) => filters.length === 0 || filters.some((part) => name.includes(part)))
if (wanted.length === 0) {
  process.stderr.write(`no planted bug has a name with ${filters.join(' or ')}\n`)
  process.exit(1)
}
for (const mutant of wanted) withBug(readFileSync(join(root, mutant.file), 'utf8'), mutant)

const kept = keptIn(options.keep, root)
const survivors = wanted.filter((mutant) => kept.noticed(mutant) === false)
const untried = wanted.filter((mutant) => kept.noticed(mutant) === null)
let killed = wanted.length - survivors.length - untried.length

const began = performance.now()
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
const until = options.for === undefined ? Number.POSITIVE_INFINITY : began + Number(options.for) * 1_000

// Tests of pages would fail in the copies without any bug.
if (!(await preparePages(stopped.signal))) process.exit(1)
const log = { info: () => undefined, warn: (message: string) => process.stderr.write(`${message}\n`) }
const database = await startEphemeral({ log })
const atOnce = Math.min(Number(options.copies ?? 2), availableParallelism(), untried.length)
const temporary = makeRunFolder()
const copies = Array.from({ length: atOnce }, () => copyRepository(root))
try {
  process.exitCode = (await plantAll()) ? 0 : 1
} finally {
  for (const copy of copies) copy.remove()
  await database.stop()
  await endLeftovers(temporary)
}

async function plantAll(): Promise<boolean> {
  const broken: string[] = []
  const runs = [...Map.groupBy(untried, keyOf).entries()]
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = runs.shift(); next !== undefined && !isOver(); next = runs.shift()) {
        const [key, bugs] = next
        const usual = await withoutBug(copy, bugs)
        if (typeof usual === 'string') broken.push(`${key}: ${usual}`)
        else for (const mutant of bugs) if (!isOver()) await plantOne(copy, mutant, usual.ms)
      }
    }),
  )
  if (broken.length > 0 && !stopped.signal.aborted) {
    process.stderr.write(`These do not pass without any bug:\n${broken.map((line) => `  ${line}\n`).join('')}`)
  }
  for (const { name, file, breaks } of survivors) process.stdout.write(`\nSURVIVED ${name} (${file})\n  ${breaks}\n`)
  const left = wanted.length - killed - survivors.length
  process.stdout.write(
    `\n${wanted.length} planted bugs in ${seconds(performance.now() - began)}${left === 0 ? '' : `, ${left} not tried`}\n` +
      `${killed} passed, ${survivors.length} failed\n`,
  )
  return killed === wanted.length
}

/** Tests that fail by themselves would notice everything. */
async function withoutBug(copy: Copy, [mutant]: readonly Mutant[]): Promise<{ ms: number } | string> {
  if (mutant === undefined) return 'no test ran'
  const outcome = await tried(copy, mutant, 10 * HANGS_AFTER_MS)
  if (outcome.kind === 'passed' && outcome.tests > 0) return { ms: outcome.ms }
  return outcome.kind === 'failed' ? outcome.test : 'no test ran'
}

async function plantOne(copy: Copy, mutant: Mutant, usualMs: number): Promise<void> {
  const path = join(copy.folder, mutant.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, withBug(source, mutant))
  const outcome = await tried(copy, mutant, HANGS_AFTER_MS + 5 * usualMs)
  writeFileSync(path, source)
  if (stopped.signal.aborted) return
  if (outcome.kind === 'passed') survivors.push(mutant)
  else killed++
  const line = lineOf(mutant, outcome)
  kept.add(mutant, outcome.kind !== 'passed', line)
  process.stdout.write(`${line}\n`)
}

function isOver(): boolean {
  return stopped.signal.aborted || performance.now() > until
}

function keyOf({ tests, only }: Mutant): string {
  return [...tests, ...(only === undefined ? [] : [`"${only}"`])].join(' ')
}

function tried(copy: Copy, { tests, only }: Mutant, withinMs: number): Promise<Outcome> {
  const environment = { FLORIN_TEST_PG: database.url }
  return tryTests({ folder: copy.folder, temporary, tests, only, environment, withinMs, signal: stopped.signal })
}

function lineOf({ name }: Mutant, outcome: Outcome): string {
  const time = seconds(outcome.ms)
  if (outcome.kind === 'passed') return `SURVIVED  ${name} (${outcome.tests} tests, ${time})`
  return `killed    ${name} (${time}): ${outcome.kind === 'hung' ? 'the tests hung' : outcome.test}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
