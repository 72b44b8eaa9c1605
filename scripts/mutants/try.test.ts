// Promise: a trial that is ended leaves nothing running, also what left its group.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { processesOf } from '../run-tests/leftovers.ts'
import { tryTests } from './try.ts'

const leaving = (then: string): string => `
const { spawn } = require('node:child_process')
const { test } = require('node:test')
const { tmpdir } = require('node:os')
test('it', async () => {
  spawn('sleep', ['3600'], { cwd: tmpdir(), env: {}, detached: true, stdio: 'ignore' }).unref()
  ${then}
})`

test('what a failed and a hung trial have started ends with them', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-try-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const tried = async (then: string, withinMs: number): Promise<string> => {
    writeFileSync(join(folder, 'it.test.cjs'), leaving(then))
    const wish = { folder, temporary: folder, tests: ['it.test.cjs'], only: undefined, signal: t.signal }
    const outcome = await tryTests({ ...wish, environment: {}, withinMs })
    assert.deepEqual(processesOf(folder), [])
    return outcome.kind
  }
  assert.equal(await tried("throw new Error('planted')", 60_000), 'failed')
  assert.equal(await tried('await new Promise(() => setInterval(() => undefined, 1_000))', 1_500), 'hung')
})
