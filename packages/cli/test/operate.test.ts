// Promises: the operator's words reach the server's own programs with the environment, say how they ended, and are refused in one
// sentence where no server stands.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { aPlace, builtProgram } from './program.ts'

slowTest('doctor, backup, restore, upgrade and rekey are the server’s own', async (t) => {
  const place = await aPlace(t)
  const settings = { DATA_DIR: join(tmpdir(), 'no-florin-is-here'), PORT: '1', HOST: '127.0.0.1' }
  const doctor = await place.run(['doctor', '--json'], settings)
  assert.equal(doctor.code, 1, doctor.stderr)
  const said = JSON.parse(doctor.stdout) as { ok: boolean; checks: { id: string; status: string }[] }
  assert.equal(said.ok, false)
  assert.ok(said.checks.some(({ id, status }) => id === 'postgresql' && status === 'fault'))
  const backup = await place.run(['backup', 'nothing.backup', '--verify', '--json'], settings)
  assert.deepEqual([backup.code, backup.stdout], [1, ''])
  assert.match(backup.stderr, /nothing\.backup is no whole backup/)
  for (const words of [['backup', '--verify'], ['backup', 'x', '--activate'], ['restore']])
    assert.equal((await place.run(words)).code, 2, words.join(' '))
})

test('where there is no server it says so', async (t) => {
  await builtProgram()
  const dir = await mkdtemp(join(tmpdir(), 'florin-alone-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const program = join(dir, 'florin.mjs')
  await copyFile(join(import.meta.dirname, '../dist/florin.js'), program)
  await assert.rejects(promisify(execFile)(process.execPath, [program, 'backup'], { cwd: dir }), {
    code: 1,
    stderr: /There is no Florin in this folder/,
  })
})
