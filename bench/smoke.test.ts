// Promise: every benchmark runs. One short round each; no figure is judged.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { quickTest, slowTest } from '../scripts/sizes.ts'

/** One over HTTP and one over the database; what is wrong with all of them shows there. */
const quick = ['orders.bench.ts', 'webhooks-claim.bench.ts']

for (const file of globSync('*.bench.ts', { cwd: import.meta.dirname }).sort()) {
  const how = quick.includes(file) ? quickTest : slowTest
  how(file, async (t) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, file)], {
      // The runner of this test is not the benchmark's.
      env: { ...process.env, BENCH_SMOKE: '1', NODE_TEST_CONTEXT: undefined },
      signal: t.signal,
    })
    assert.match(stdout, /\d/, 'it shows its figures')
  })
}
