// Promises of the embedded PostgreSQL within one life: made, opened again, shut tight, stopped without a trace.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { driver } from './driver.ts'
import { type EmbeddedOptions, EmbeddedRefused, startEmbedded } from './embedded.ts'
import { startEphemeral } from './embedded-ephemeral.ts'
import { beforeRemoval, emptyFolder, isAlive, silent as log, usedFolder } from './embedded-folder.fixture.ts'

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}) {
  const running = await startEmbedded({ dataDir, log, ...more })
  beforeRemoval(dataDir, () => running.stop())
  const sql = driver(running.url, { max: 1, onnotice: () => undefined })
  beforeRemoval(dataDir, () => sql.end())
  return { running, sql }
}

test('the first start makes a UTF-8 cluster, the second opens it sooner and with what was written', async (t) => {
  const dataDir = join(emptyFolder(t), 'data')
  const began = performance.now()
  const first = await start(dataDir)
  const firstMs = performance.now() - began
  assert.equal(first.running.origin, 'new')
  const [settings] = await first.sql`
    select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
           current_setting('jit') as jit, current_setting('server_version_num')::int / 10000 as major`
  assert.deepEqual({ ...settings }, { encoding: 'UTF8', fsync: 'on', jit: 'off', major: 18 })
  await first.sql`create table note as select 'grüße 🪙' as text`
  await first.sql.end()
  await first.running.stop()

  const again = performance.now()
  const second = await start(dataDir)
  const secondMs = performance.now() - again
  assert.equal(second.running.origin, 'started')
  assert.equal(second.running.port, first.running.port, 'the port is kept where it is free')
  assert.deepEqual([...(await second.sql`select text from note`)], [{ text: 'grüße 🪙' }])
  assert.ok(secondMs < firstMs, `second start ${secondMs} ms, first ${firstMs} ms`)
  t.diagnostic(`first start ${Math.round(firstMs)} ms, second ${Math.round(secondMs)} ms`)
})

test('a stop leaves neither a process nor a claim on the folder', async (t) => {
  const dataDir = await usedFolder(t)
  const { running, sql } = await start(dataDir)
  await sql.end()
  await Promise.all([running.stop(), running.stop()])
  assert.equal(isAlive(running.pid), false)
  assert.deepEqual((await readdir(dataDir)).sort(), ['florin.lock', 'postgres', 'postgres.json', 'postgres.log'])
  assert.equal((await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'), false)
})

test('only the generated password opens it, and only on the loopback address', async (t) => {
  const dataDir = await usedFolder(t)
  const { running } = await start(dataDir)
  for (const wrong of ['', 'postgres']) {
    const url = new URL(running.url)
    url.password = wrong
    const sql = driver(url.href, { max: 1, password: wrong })
    await assert.rejects(
      sql`select 1`,
      (error: Error) => 'code' in error && /^(28P01|SASL_|28000)/.test(String(error.code)),
    )
    await sql.end()
  }
  const access = await stat(join(dataDir, 'postgres.json'))
  assert.equal(access.mode & 0o777, 0o600)
  if (process.platform === 'linux') {
    const tables = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
    )
    const port = running.port.toString(16).toUpperCase().padStart(4, '0')
    const listening = tables.join('\n').match(new RegExp(`[0-9A-F]+:${port} 0+:0000 0A`, 'g'))
    assert.deepEqual(listening, [`0100007F:${port} 00000000:0000 0A`])
  }
})

test('a port that was taken meanwhile is replaced by another one', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await start(dataDir)
  await first.sql.end()
  await first.running.stop()
  const squatter = createServer().listen(first.running.port, '127.0.0.1')
  await once(squatter, 'listening')
  t.after(() => squatter.close())
  const second = await start(dataDir)
  assert.notEqual(second.running.port, first.running.port)
  await second.sql`select 1`
})

test('a second start on the same folder in one process is refused', async (t) => {
  const dataDir = await usedFolder(t)
  await start(dataDir)
  await assert.rejects(startEmbedded({ dataDir, log }), (error: Error) => {
    assert.ok(error instanceof EmbeddedRefused)
    assert.match(error.message, new RegExp(`process ${process.pid}\\).*${dataDir}.*DATA_DIR`))
    return true
  })
})

test('a cluster of another major version is refused with what to do', async (t) => {
  const dataDir = await usedFolder(t)
  const { running, sql } = await start(dataDir)
  await sql.end()
  await running.stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await assert.rejects(startEmbedded({ dataDir, log }), /made by PostgreSQL 17, and this release brings 18.*backup/)
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
  assert.equal((await start(dataDir)).running.origin, 'started', 'a refusal does not keep the folder')
})

test('the caller hears when PostgreSQL ends by itself', async (t) => {
  const dataDir = await usedFolder(t)
  const heard = Promise.withResolvers<string>()
  const { running, sql } = await start(dataDir, { onExit: heard.resolve })
  await sql.end()
  process.kill(running.pid, 'SIGKILL')
  assert.match(await heard.promise, /ended by itself/)
})

test('a folder that cannot be made is named with the reason', async () => {
  await assert.rejects(startEmbedded({ dataDir: '/dev/null/data', log }), /\/dev\/null\/data cannot be made.*DATA_DIR/)
})

test('an ephemeral one waits for no disk and is gone after its stop', async (t) => {
  const parent = emptyFolder(t)
  const running = await startEphemeral({ log, parent })
  const sql = driver(running.url, { max: 1 })
  assert.deepEqual([...(await sql`show fsync`)], [{ fsync: 'off' }])
  await sql.end()
  await running.stop()
  assert.equal(isAlive(running.pid), false)
  assert.deepEqual(await readdir(parent), [])
})
