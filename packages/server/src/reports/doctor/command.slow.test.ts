// The doctor as an operator runs it, beside a Florin that is well, one whose mail server is gone, and none.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Check } from '@florin/platform/check'
import { startFlorin } from '../../../../../e2e/florin.ts'
import { masterKeyOf } from '../../../test/deploy/master-keys.ts'

const command = join(import.meta.dirname, 'command.ts')

async function doctor(env: Record<string, string>, ...args: string[]): Promise<{ code: number; out: string }> {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  const [code] = (await once(child, 'exit')) as [number]
  return { code, out }
}

test('it says that all is well, which mail server is gone, and that nobody runs', async (t) => {
  const florin = await startFlorin()
  t.after(() => florin.close())
  const env = { DATA_DIR: florin.dataDir, PORT: new URL(florin.url).port, FX_SOURCES: 'fixed' }
  const json = async (more: Record<string, string> = {}) => {
    const { code, out } = await doctor({ ...env, ...more }, '--json')
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Check[] }
    assert.equal(code, ok ? 0 : 1, out)
    return checks.filter(({ status }) => status === 'fault').map(({ id }) => id)
  }
  const well = await doctor(env)
  assert.equal(well.code, 0, well.out)
  for (const says of [
    'They are complete',
    'PostgreSQL 18',
    'jobs succeed at their pace',
    'is ready',
    'It opens what is sealed',
  ])
    assert.ok(well.out.includes(says), `${says}:\n${well.out}`)
  assert.deepEqual(await json({ SMTP_URL: 'smtp://127.0.0.1:1' }), ['mail'])
  assert.deepEqual(await json({ BACKUP_DIR: '/nowhere/at/all' }), ['disk'])
  assert.deepEqual(await json({ MASTER_KEY: masterKeyOf('another install') }), ['master_key'])
  assert.deepEqual(await json({ PORT: 'x', FEE_BPS: 'y' }), ['settings', 'settings'])
  await florin.stop()
  assert.deepEqual(await json(), ['postgresql', 'process'])
})
