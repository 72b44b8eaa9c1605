// Promises: a test file that failed runs once more, alone, after all others; one that passes then is printed as flaky and
// counts as passed; three flaky files fail the run; the totals stay those of the runner.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './files.ts'

const imports = "import { test } from 'node:test'; import { existsSync, writeFileSync } from 'node:fs'"
/** Fails when it first runs, and passes when it finds what it wrote then. */
const flaky = `${imports}
test('passes', () => {})
test('group', async (t) => { await t.test('passes the second time', () => {
  const mark = import.meta.filename + '.ran'
  if (existsSync(mark)) return
  writeFileSync(mark, '')
  throw new Error('the first time')
}) })`
const broken = `${imports}\ntest('fails', () => { throw new Error('always') })`
/** Ends before its tests do, the first time. */
const crashing = `${imports}
const mark = import.meta.filename + '.ran'
if (!existsSync(mark)) { writeFileSync(mark, ''); process.exit(3) }
test('passes', () => {})`
const sound = `${imports}\ntest('passes', () => {})\ntest('is left out', { skip: true }, () => {})`

async function runAll(t: TestContext, texts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'florin-again-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = texts.map((text, n) => {
    const path = join(folder, `file-${n}.mjs`)
    writeFileSync(path, text)
    return path
  })
  // The inner runner would otherwise report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const fixture = join(import.meta.dirname, 'again.fixture.ts')
  const { stdout: printed } = await promisify(execFile)(process.execPath, [fixture, ...files], { env })
  const said = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Said
  return { ...said, printed, files, names: files.map((path) => relative(root, path)) }
}

interface Said {
  passed: boolean
  failed: string[]
  totals: string[]
  flaky: string[]
  ranAgain: string[]
}

const totalsOf = ({ totals }: Said): Record<string, number> =>
  Object.fromEntries(
    totals.map((line) => /^# (\w+) (\d+)/.exec(line)?.slice(1) ?? []).map(([name, n]) => [name, Number(n)]),
  )

test('tests: a file fails once → FLAKY, and the run passes', async (t) => {
  const said = await runAll(t, [sound, flaky, crashing])
  assert.deepEqual(said.ranAgain.toSorted(), said.files.slice(1), 'files that passed do not run again')
  assert.deepEqual(said.flaky.toSorted(), said.names.slice(1))
  for (const name of said.names.slice(1)) assert.match(said.printed, new RegExp(`^FLAKY ${name}$`, 'm'))
  assert.deepEqual([said.passed, said.failed], [true, []])
  const totals = totalsOf(said)
  assert.deepEqual([totals.fail, totals.cancelled, totals.skipped], [0, 0, 1])
  assert.equal(totals.pass, (totals.tests ?? 0) - 1)
})

test('tests: a file fails twice → the run fails', async (t) => {
  const said = await runAll(t, [flaky, broken])
  assert.equal(said.passed, false)
  assert.equal(said.flaky.length, 1)
  assert.match(said.printed, /^FLAKY /m)
  assert.ok((totalsOf(said).fail ?? 0) > 0)
})

test('tests: a test of an imported module fails → the file that imports it runs again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-again-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const module = join(folder, 'module.mjs')
  writeFileSync(module, `${imports}\nexport const walk = () => test('fails', () => { throw new Error('always') })`)
  const said = await runAll(t, [sound, `import { walk } from '${module}'\nwalk()`])
  assert.deepEqual(said.ranAgain, said.files.slice(1))
  assert.deepEqual([said.passed, said.flaky], [false, []])
})

test('tests: three files are flaky → the run fails', async (t) => {
  const said = await runAll(t, [flaky, flaky, flaky])
  assert.equal(said.flaky.length, 3)
  assert.equal(said.passed, false)
  assert.ok((totalsOf(said).fail ?? 0) > 0)
  assert.match(said.printed, /3 files are flaky/)
})

test('tests: all files pass → none runs again', async (t) => {
  const said = await runAll(t, [sound])
  assert.deepEqual([said.passed, said.ranAgain], [true, []])
  assert.ok(!said.printed.includes('FLAKY'))
})
