// Promises of the embedded PostgreSQL within one life: made, opened again, shut tight, stopped without a trace.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { type App, type EmbeddedOptions, EmbeddedRefused, startEmbedded, startEphemeral } from '../src/index.ts'
import { beforeRemoval, connect, emptyFolder, isAlive, silent as log, usedFolder } from './folder.fixture.ts'

async function start(dataDir: string, more: Partial<EmbeddedOptions> = {}) {
  const running = await startEmbedded({ dataDir, log, ...more })
  beforeRemoval(dataDir, () => running.stop())
  const client = await connect(running.url)
  beforeRemoval(dataDir, () => client.end())
  return { running, client }
}

test('the first start makes a UTF-8 cluster, the second opens it with what was written', async (t) => {
  const dataDir = join(emptyFolder(t), 'data')
  const began = performance.now()
  const first = await start(dataDir)
  const firstMs = performance.now() - began
  assert.equal(first.running.origin, 'new')
  const { rows: settings } = await first.client.query(`
    select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
           current_setting('jit') as jit, current_setting('server_version_num')::int / 10000 as major`)
  assert.deepEqual(settings[0], { encoding: 'UTF8', fsync: 'on', jit: 'off', major: 18 })
  await first.client.query(`create table note as select 'grüße 🪙' as text`)
  await first.client.end()
  await first.running.stop()

  const again = performance.now()
  const second = await start(dataDir)
  const secondMs = performance.now() - again
  assert.equal(second.running.origin, 'started')
  assert.equal(second.running.port, first.running.port, 'the port is kept where it is free')
  assert.deepEqual((await second.client.query('select text from note')).rows, [{ text: 'grüße 🪙' }])
  t.diagnostic(`first start ${Math.round(firstMs)} ms, second ${Math.round(secondMs)} ms`)
})

test('a stop leaves neither a process nor a claim on the folder', async (t) => {
  const dataDir = await usedFolder(t)
  const { running, client } = await start(dataDir)
  await client.end()
  await Promise.all([running.stop(), running.stop()])
  assert.equal(isAlive(running.pid), false)
  assert.deepEqual((await readdir(dataDir)).sort(), ['embedded.lock', 'postgres', 'postgres.json', 'postgres.log'])
  assert.equal((await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'), false)
})

test('only the generated password opens it, and only on the loopback address', async (t) => {
  const dataDir = await usedFolder(t)
  const { running } = await start(dataDir)
  for (const wrong of ['', 'postgres']) {
    const url = new URL(running.url)
    url.password = wrong
    const client = new pg.Client({ connectionString: url.href, password: wrong })
    await assert.rejects(client.connect(), /password authentication failed|client password must be a string/)
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

slowTest('a port that was taken meanwhile is replaced by another one', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await start(dataDir)
  await first.client.end()
  await first.running.stop()
  const squatter = createServer().listen(first.running.port, '127.0.0.1')
  await once(squatter, 'listening')
  t.after(() => squatter.close())
  const second = await start(dataDir)
  assert.notEqual(second.running.port, first.running.port)
  await second.client.query('select 1')
})

test('a second start on the same folder in one process is refused', async (t) => {
  const dataDir = await usedFolder(t)
  await start(dataDir)
  await assert.rejects(startEmbedded({ dataDir, log }), (error: Error) => {
    assert.ok(error instanceof EmbeddedRefused)
    assert.match(error.message, new RegExp(`process ${process.pid}\\).*${dataDir}.*the option dataDir`))
    return true
  })
})

test('a cluster of another major version is refused with what to do', async (t) => {
  const dataDir = await usedFolder(t)
  const { running, client } = await start(dataDir)
  await client.end()
  await running.stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await assert.rejects(
    startEmbedded({ dataDir, log }),
    /made by PostgreSQL 17, and this release brings 18.*load the dump/,
  )
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
  assert.equal((await start(dataDir)).running.origin, 'started', 'a refusal does not keep the folder')
})

/** Nothing of a running PostgreSQL keeps this process alive, so the wait for its end has to. */
async function awake<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 1_000)
  return promise.finally(() => clearInterval(timer))
}

test('the caller hears when PostgreSQL ends by itself', async (t) => {
  const dataDir = await usedFolder(t)
  const heard = Promise.withResolvers<string>()
  const { running, client } = await start(dataDir, { onExit: heard.resolve })
  await client.end()
  process.kill(running.pid, 'SIGKILL')
  assert.match(await awake(heard.promise), /ended by itself/)
})

slowTest('one that is to be kept is started again at the same address, and a stop still ends it', async (t) => {
  // Of a new cluster no earlier port is known that it could come back to by chance.
  const dataDir = join(emptyFolder(t), 'data')
  const again = Promise.withResolvers<void>()
  const said = (text: string): void => {
    if (text.includes('runs again')) again.resolve()
  }
  const { running, client } = await start(dataDir, { isKept: true, log: { info: said, warn: said } })
  await client.query('create table kept (n int); insert into kept values (7)')
  await client.end()
  const { url, pid } = running
  process.kill(pid, 'SIGKILL')
  await awake(again.promise)
  assert.equal(running.url, url)
  assert.notEqual(running.pid, pid)
  const next = await connect(url)
  assert.deepEqual((await next.query('select n from kept')).rows, [{ n: 7 }])
  await next.end()
  await running.stop()
  assert.equal(isAlive(running.pid), false)
})

test('a folder that cannot be made is named with the reason', async () => {
  await assert.rejects(
    startEmbedded({ dataDir: '/dev/null/data', log }),
    /\/dev\/null\/data cannot be made.*the option dataDir/,
  )
})

slowTest('an ephemeral one waits for no disk and is gone after its stop', async (t) => {
  const parent = emptyFolder(t)
  const running = await startEphemeral({ log, parent })
  const client = await connect(running.url)
  assert.deepEqual((await client.query('show fsync')).rows, [{ fsync: 'off' }])
  await client.end()
  await running.stop()
  assert.equal(isAlive(running.pid), false)
  assert.deepEqual(await readdir(parent), [])
})

slowTest('the owner’s name stands on what it leaves and in what it says', async (t) => {
  const dataDir = emptyFolder(t)
  const app: App = {
    id: 'shop',
    title: 'Shop',
    otherFolder: 'with SHOP_DIR',
    instead: 'Set SHOP_DB instead.',
    upgrade: (dir) => `Ask the shop about ${dir}.`,
  }
  const { running, client } = await start(dataDir, { app })
  assert.equal(new URL(running.url).username, 'shop')
  assert.deepEqual((await client.query('show cluster_name')).rows, [{ cluster_name: 'shop' }])
  await assert.rejects(startEmbedded({ dataDir, log, app }), /^EmbeddedRefused: Another Shop .*with SHOP_DIR\.$/)
  await client.end()
  await running.stop()
  assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.json', 'postgres.log', 'shop.lock'])
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await assert.rejects(startEmbedded({ dataDir, log, app }), {
    message: new RegExp(`Ask the shop about ${dataDir}\\.$`),
  })
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '18\n')
})
