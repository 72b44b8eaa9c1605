// Promises: `npm run backup` saves the embedded database of a Florin that runs, without disturbing it; into an empty folder
// it is restored, and Florin starts on it with the master key of then; an upgrade saves first and says how to go back.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const main = join(import.meta.dirname, '../main.ts')
const command = join(import.meta.dirname, 'command.ts')

const environment = (dataDir: string) => ({
  ...{ PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), FX_SOURCES: 'fixed' },
  ...{ PORT: '0', HOST: '127.0.0.1', BASE_URL: 'http://127.0.0.1', DATA_DIR: dataDir },
})

async function florin(t: TestContext, dataDir: string): Promise<{ origin: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  assert.ok(child.stdout)
  let port: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    port ??= /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (line.includes('Florin is ready')) break
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

const backup = async (dataDir: string, ...args: string[]): Promise<string> =>
  (await execute(process.execPath, [command, ...args], { env: environment(dataDir) })).stdout

test('a Florin that runs is saved, restored elsewhere with its key, and upgraded with a way back', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-drill-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const [one, other] = [join(dir, 'one'), join(dir, 'other')]
  const running = await florin(t, one)
  assert.match(await backup(one), /backups\/florin-\w+\.backup holds \d+ tables.*A restore of it was tried/)
  assert.equal((await fetch(`${running.origin}/readyz`)).status, 200)
  await assert.rejects(backup(one, 'restore', join(one, 'nothing')), /is using the data folder|in use|stop/i)
  await running.stop()
  const [name = '', record] = (await readdir(join(one, 'backups'))).toSorted()
  assert.equal(record, `${name}.drilled`)
  const path = join(one, 'backups', name)
  assert.match(await backup(one, 'verify', path), /is whole/)
  await mkdir(other, { mode: 0o700 })
  await copyFile(join(one, 'master.key'), join(other, 'master.key'))
  assert.match(await backup(other, 'restore', path), /Every table reads back as it was saved.*activate/)
  await assert.rejects(execute(process.execPath, [main], { env: environment(other) }), /is a copy of another Florin's/)
  await assert.rejects(backup(one, '--out', path), /is there already/)
  assert.match(await backup(other, 'activate'), /Start Florin/)
  const again = await florin(t, other)
  assert.equal((await fetch(`${again.origin}/readyz`)).status, 200)
  await again.stop()
  assert.match(
    await backup(other, 'upgrade', '--no-drill'),
    /No restore was tried, so it does not count yet.*The schema is of this release already\.\nTo go back: .*restore.* --replace/s,
  )
  await assert.rejects(backup(other, 'restore', path), /in use: merchants would be lost/)
})

test('a Florin that runs on its embedded database: erase and recovery work beside it, rekey is refused', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-beside-'))
  t.after(() => rm(dataDir, { recursive: true, force: true }))
  const running = await florin(t, dataDir)
  const say = (path: string, ...args: string[]) =>
    execute(process.execPath, [join(import.meta.dirname, '..', path), ...args], { env: environment(dataDir) })
  const erase = 'reports/erase/command.ts'
  const byEmail = await say(erase, '--email', 'payer@mail.example', '--with-invoices', '--with-texts')
  assert.match(byEmail.stdout, /Payers of 0 orders were erased/)
  assert.match((await say(erase, '--before', '2026-01-31')).stdout, /Payers of 0 orders were erased/)
  const seed = (await say('recovery/command.ts', 'export')).stdout
  assert.match(seed, /\S/)
  const path = join(dataDir, 'seed')
  await writeFile(path, seed)
  await assert.rejects(say('recovery/command.ts', 'import', path), /is using the data folder|in use|stop/i)
  await assert.rejects(say('rekey.ts'), /is using the data folder|in use|stop/i)
  assert.equal((await fetch(`${running.origin}/readyz`)).status, 200)
  await running.stop()
  // What was exported beside it is the seed that it has.
  assert.equal((await say('recovery/command.ts', 'export')).stdout, seed)
})
