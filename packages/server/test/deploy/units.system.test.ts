// The systemd units as systemd itself reads them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { needsDebian } from '../debian.ts'

const execute = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')
const folder = join(root, 'deploy/systemd')

before(() => needsDebian('systemd'))

test('systemd finds nothing wrong with the units', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-units-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const units = await readdir(folder)
  for (const unit of units) {
    const text = await readFile(join(folder, unit), 'utf8')
    // On this machine there is no /opt/florin.
    await writeFile(join(dir, unit), text.replaceAll('/opt/florin', root))
  }
  const { stdout, stderr } = await execute('systemd-analyze', ['verify', ...units.map((unit) => join(dir, unit))], {
    env: { PATH: process.env.PATH ?? '', SYSTEMD_UNIT_PATH: `${dir}:` },
  })
  assert.equal(stdout + stderr, '')
})
