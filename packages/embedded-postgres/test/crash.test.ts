// Promises of the embedded PostgreSQL over deaths: whatever is killed, the next start recovers by itself, and two
// living owners never meet on one folder.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { slowTest, quickTest as test } from '../../../scripts/sizes.ts'
import { startEmbedded, startEphemeral } from '../src/index.ts'
import { beforeRemoval, connect, emptyFolder, isAlive, silent as log, usedFolder } from './folder.fixture.ts'

const fixture = join(import.meta.dirname, 'owner.fixture.ts')

interface Said {
  owner: number
  pid: number
  url: string
  origin: string
  refused?: string
}

interface Owner {
  child: ChildProcess
  said: Said
  /** The next line it prints. */
  nextLine(): Promise<string>
}

async function owner(dataDir: string): Promise<Owner> {
  // A group of its own, so that a test can signal the whole group as a terminal does.
  const child = spawn(process.execPath, [fixture, dataDir], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => (await lines.next()).value ?? ''
  beforeRemoval(dataDir, async () => {
    if (child.exitCode === null && child.signalCode === null) await kill(child, 'SIGKILL')
  })
  return { child, said: JSON.parse(await nextLine()), nextLine }
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

async function write(url: string, text: string): Promise<void> {
  const client = await connect(url)
  await client.query('create table if not exists note (text text)')
  await client.query('insert into note values ($1)', [text])
  await client.end()
}

async function read(url: string): Promise<string[]> {
  const client = await connect(url)
  const { rows } = await client.query<{ text: string }>('select text from note')
  await client.end()
  return rows.map((row) => row.text)
}

test('Ctrl-C on the group reaches the owner only: it still has its database to drain with', async (t) => {
  const dataDir = await usedFolder(t)
  const { child, said, nextLine } = await owner(dataDir)
  const gone = once(child, 'exit')
  process.kill(-said.owner, 'SIGINT')
  assert.equal(await nextLine(), 'drained')
  assert.deepEqual(await gone, [0, null])
  assert.equal(isAlive(said.pid), false)
})

test('after the owner alone was killed, its PostgreSQL is adopted as it runs', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await owner(dataDir)
  await write(first.said.url, 'kept')
  await kill(first.child, 'SIGKILL')
  assert.equal(isAlive(first.said.pid), true)

  const second = await startEmbedded({ dataDir, log })
  assert.deepEqual([second.origin, second.pid, second.url], ['adopted', first.said.pid, first.said.url])
  assert.deepEqual(await read(second.url), ['kept'])
  await second.stop()
  assert.equal(isAlive(second.pid), false)
})

test('a second owner is refused while the first lives, with its process and what to do', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await owner(dataDir)
  const second = await owner(dataDir)
  assert.match(
    second.said.refused ?? '',
    new RegExp(`process ${first.said.owner}\\).*kill ${first.said.owner}.*the option dataDir`),
  )
  await write(first.said.url, 'undisturbed')
})

slowTest('of eight that start at the same moment one gets the folder', async (t) => {
  const dataDir = await usedFolder(t)
  const all = await Promise.all(Array.from({ length: 8 }, () => owner(dataDir)))
  assert.equal(all.filter(({ said }) => said.refused === undefined).length, 1)
})

test('after everything was killed at once, the next start recovers what was committed', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await owner(dataDir)
  await write(first.said.url, 'committed')
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(first.said.pid)], { encoding: 'utf8' })
  const gone = once(first.child, 'exit')
  for (const pid of [first.said.owner, first.said.pid, ...children.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // A session that had just ended, or followed its parent.
      assert.ok(error instanceof Error && 'code' in error && error.code === 'ESRCH')
    }
  }
  await gone
  assert.ok((await readdir(join(dataDir, 'postgres'))).includes('postmaster.pid'), 'the stale file is there')

  const second = await startEmbedded({ dataDir, log })
  beforeRemoval(dataDir, () => second.stop())
  assert.equal(second.origin, 'started')
  assert.deepEqual(await read(second.url), ['committed'])
})

test('after only the first process of PostgreSQL was killed too, its last sessions are waited for', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await owner(dataDir)
  await write(first.said.url, 'committed')
  await kill(first.child, 'SIGKILL')
  process.kill(first.said.pid, 'SIGKILL')
  const second = await startEmbedded({ dataDir, log })
  beforeRemoval(dataDir, () => second.stop())
  assert.deepEqual(await read(second.url), ['committed'])
})

slowTest('numbers in stale files that other programs have by now mislead nobody', async (t) => {
  const dataDir = await usedFolder(t)
  const first = await owner(dataDir)
  await write(first.said.url, 'kept')
  await kill(first.child, 'SIGKILL')
  const pidFile = join(dataDir, 'postgres/postmaster.pid')
  const stale = await readFile(pidFile, 'utf8')
  const adopted = await startEmbedded({ dataDir, log })
  await adopted.stop()
  // A bystander of the very user that PostgreSQL runs as: PostgreSQL by itself would take it for a rival.
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const asOwner = process.getuid?.() === 0 ? { uid, gid } : {}
  const bystander = spawn('/bin/sleep', ['600'], { stdio: 'ignore', cwd: '/', ...asOwner })
  t.after(() => kill(bystander, 'SIGKILL'))
  await once(bystander, 'spawn')
  await writeFile(pidFile, stale.replace(/^\d+/, String(bystander.pid)))
  if (process.getuid?.() === 0) await chown(pidFile, uid, gid)
  await writeFile(join(dataDir, 'embedded.pid'), `${bystander.pid}\n`)

  const second = await startEmbedded({ dataDir, log })
  beforeRemoval(dataDir, () => second.stop())
  assert.equal(second.origin, 'started')
  assert.deepEqual(await read(second.url), ['kept'])
  assert.equal(bystander.exitCode, null, 'the bystander lives')
})

slowTest('a start that was killed half-way through making the cluster is made good', async (t) => {
  const dataDir = emptyFolder(t)
  const child = spawn(process.execPath, [fixture, dataDir], { stdio: 'ignore', detached: true })
  const isMaking = async (): Promise<boolean> => {
    const [making] = (await readdir(dataDir)).filter((name) => name.startsWith('postgres.making'))
    return making !== undefined && existsSync(join(dataDir, making, 'data/PG_VERSION'))
  }
  while (!(await isMaking())) assert.equal(child.exitCode, null)
  await kill(child, 'SIGKILL')
  const running = await startEmbedded({ dataDir, log })
  beforeRemoval(dataDir, () => running.stop())
  assert.equal(running.origin, 'new')
  await write(running.url, 'usable')
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.startsWith('postgres.making')),
    [],
  )
})

slowTest('what a killed test run left is ended and removed by the next one', async (t) => {
  const parent = emptyFolder(t)
  const script = `
    import { startEphemeral } from ${JSON.stringify(join(import.meta.dirname, '../src/index.ts'))}
    const log = { info() {}, warn() {} }
    console.log((await startEphemeral({ log, parent: ${JSON.stringify(parent)} })).pid)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [pid] = await once(createInterface({ input: child.stdout }), 'line')
  const living = await startEphemeral({ log, parent })
  assert.equal((await readdir(parent)).length, 2, 'a living run is left alone')
  await living.stop()
  await kill(child, 'SIGKILL')
  assert.equal(isAlive(Number(pid)), true)

  const next = await startEphemeral({ log, parent })
  assert.equal(isAlive(Number(pid)), false)
  assert.equal((await readdir(parent)).length, 1)
  await next.stop()
  assert.deepEqual(await readdir(parent), [])

  // A machine that lost its power leaves a cluster that was never synced.
  const damaged = await startEphemeral({ log, parent })
  const [name = ''] = await readdir(parent)
  await cp(join(parent, name), join(parent, `${name}-damaged`), { recursive: true })
  await damaged.stop()
  await rm(join(parent, `${name}-damaged`, 'postgres/global/pg_control'))
  const last = await startEphemeral({ log, parent })
  assert.equal((await readdir(parent)).length, 1, 'one that does not start is removed, too')
  await last.stop()
})
