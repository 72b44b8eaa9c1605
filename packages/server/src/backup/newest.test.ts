import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { HOUR_MS } from '@florin/protocol'
import { verify } from './backup.ts'
import { recordDrill } from './drilled.ts'
import { writeBackup } from './file.ts'
import { findBackups as find, isForeignBackup } from './newest.ts'

const OURS = 'ins_ours'
const findBackups = (dir: string) => find(dir, OURS)
const newestBackup = async (dir: string): Promise<number | null> => (await findBackups(dir)).drilled
const newestIn = async (dir: string): Promise<number | null> => (await findBackups(dir)).newest

async function aFolder(t: TestContext) {
  const dir = await mkdtemp(join(tmpdir(), 'florin-newest-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  let second = 1_700_000_000
  return {
    dir,
    /** Each file is written a second after the one before. @returns when, ms. */
    async put(name: string, body: string | Buffer): Promise<number> {
      const path = join(dir, name)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, body)
      second += 1
      await utimes(path, second, second)
      return second * 1_000
    },
  }
}

const sql = 'create table a ();\n--\n-- PostgreSQL database dump complete\n--\n\n'
const custom = Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(6_000, 7), Buffer.alloc(5)])
const tar = Buffer.alloc(10_240)
tar.write('data/', 0)
tar.write('ustar', 257)

async function florinBackup(dir: string, head: { at?: string; installation?: string } = {}): Promise<Buffer> {
  const path = join(dir, 'made')
  const writer = writeBackup(path)
  const nothing = { migrations: [], partitions: [], sequences: [], totals: {} }
  await writer.fact({ format: 1, release: '1', at: '2023-12-01T00:00:00Z', installation: OURS, ...nothing, ...head })
  await writer.fact({ begin: true, name: 'orders', columns: ['id'] })
  const rows = Buffer.alloc(20_000, 'row')
  await writer.data(rows)
  const sha256 = createHash('sha256').update(rows).digest('hex')
  await writer.fact({ end: true, name: 'orders', bytes: rows.length, sha256 })
  await writer.end()
  const body = await readFile(path)
  await rm(path)
  return body
}

/** As pg_dump -Fc begins: of archive version 1.16, with the time of its clock. */
function archiveOf(at: Date): Buffer {
  const integer = (value: number): number[] => [0, value & 0xff, value >> 8, 0, 0]
  const day = [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth()]
  const time = [...day, at.getUTCFullYear() - 1900, 0].flatMap(integer)
  const head = [...Buffer.from('PGDMP'), 1, 16, 0, 4, 8, 1, 1, ...time]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(6_000, 7), Buffer.alloc(5)])
}

function tarOf(at: Date): Buffer {
  const body = Buffer.alloc(10_240)
  body.write('toc.dat', 0)
  body.write(
    Math.floor(at.getTime() / 1_000)
      .toString(8)
      .padStart(11, '0'),
    136,
  )
  body.write('ustar', 257)
  return body
}

test('newest backup: each kind counts when it is whole, and not when its end is missing', async (t) => {
  const { dir, put } = await aFolder(t)
  const kinds = {
    'a.backup': await florinBackup(dir),
    'b.sql': Buffer.from(sql),
    'c.sql.gz': gzipSync(sql),
    'd.dump': custom,
    'e.tar.gz': gzipSync(tar),
    'f/backup_manifest': Buffer.from(`{ "Files": [],\n"Manifest-Checksum": "${'0a'.repeat(32)}"}\n`),
  }
  assert.equal(await newestIn(dir), null)
  for (const [name, body] of Object.entries(kinds)) {
    const before = await newestIn(dir)
    await put(`half-${name}`, body.subarray(0, Math.floor(body.length * 0.9)))
    await put(`${name}.part`, body)
    assert.equal(await newestIn(dir), before, `half of ${name}`)
    const at = await put(name, body)
    assert.equal(await newestIn(dir), at, name)
  }
  await put('empty.dump', '')
  await put('blank.dump', Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(20_000)]))
  await put('notes.txt', 'The backup failed.')
  const last = await newestIn(dir)
  const deep = await put('2026/11/g.dump', custom)
  assert.ok(last !== null && last < deep)
  assert.equal(await newestIn(dir), deep)
})

test('newest backup: a file that is replaced is judged again', async (t) => {
  const { dir, put } = await aFolder(t)
  await put('a.sql', sql)
  assert.notEqual(await newestIn(dir), null)
  await put('half', sql.slice(0, -30))
  await rename(join(dir, 'half'), join(dir, 'a.sql'))
  assert.equal(await newestIn(dir), null)
})

for (const isSealed of [false, true]) {
  test(`newest backup: pgBackRest, ${isSealed ? 'encrypted' : 'plain'} → its finished backups count`, async (t) => {
    const { dir, put } = await aFolder(t)
    const [done, later] = ['20261120-010000F', '20261120-010000F_20261121-010000D']
    const lines = (labels: string[]): string =>
      `[backup:current]\n${labels.map((label) => `${label}={"backup-type":"full"}`).join('\n')}\n`
    const info = (labels: string[]) =>
      put('repo/backup/florin/backup.info', isSealed ? `Salted__${'x'.repeat(99)}` : lines(labels))
    await put('repo/archive/florin/archive.info', '[db]')
    await put('repo/archive/florin/15-1/000000010000000000000001-ab.gz', gzipSync(sql))
    await info([])
    await put(`repo/backup/florin/${done}/pg_data/base/1.gz`, gzipSync(sql))
    await put(`repo/backup/florin/${done}/backup.manifest.copy`, 'x')
    assert.equal(await newestIn(dir), null)
    const at = await put(`repo/backup/florin/${done}/backup.manifest`, 'x')
    await info([done])
    assert.equal(await newestIn(dir), at)
    await put(`repo/backup/florin/${later}/backup.manifest.copy`, 'x')
    assert.equal(await newestIn(dir), at)
  })
}

test('newest backup: of another program → counts for a month after a restore of one beside it', async (t) => {
  const { dir, put } = await aFolder(t)
  await put('a/1.dump', custom)
  const older = await put('a/2.dump', custom)
  const newer = await put('b/1.dump', custom)
  assert.deepEqual(await findBackups(dir), { newest: newer, drilled: null })
  const made = async (record: string, text: string, daysAgo: number): Promise<void> => {
    await put(record, text)
    const at = Date.now() / 1000 - daysAgo * 86_400
    await utimes(join(dir, record), at, at)
  }
  // An operator's own job needs no more than an empty file, which is of the backup that it is named after.
  await made('a/1.dump.drilled', '', 32)
  assert.equal(await newestBackup(dir), null)
  await made('a/1.dump.drilled', '', 30)
  assert.equal(await newestBackup(dir), older - 1_000)
  await made('a/2.dump.drilled', '', 0)
  assert.equal(await newestBackup(dir), older)
  await rm(join(dir, 'a/2.dump.drilled'))
  const ofAll = JSON.stringify({ contents: null })
  await made('a/1.dump.drilled', ofAll, 32)
  assert.equal(await newestBackup(dir), null)
  await made('a/1.dump.drilled', ofAll, -1)
  assert.equal(await newestBackup(dir), null, 'its time is still to come')
  await made('a/1.dump.drilled', ofAll, 30)
  assert.equal(await newestBackup(dir), older)
  await rm(join(dir, 'a/1.dump.drilled'))
  await made('a/1.dump.drilled', 'half a reco', 0)
  assert.equal(await newestBackup(dir), null)
  // A folder that is a backup has its record beside it.
  const base = await put('base/backup_manifest', `{ "Manifest-Checksum": "${'0a'.repeat(32)}"}\n`)
  await recordDrill(join(dir, 'base'), { name: 'base', contents: null, installation: OURS, at: '', orders: '5' })
  assert.equal(await newestBackup(dir), base)
  assert.equal(await isForeignBackup(join(dir, 'base')), true)
  assert.equal(await isForeignBackup(join(dir, 'a/1.dump')), true)
  for (const other of ['a', 'a/3.dump', 'a/1.dump.drilled'])
    assert.equal(await isForeignBackup(join(dir, other)), false, other)
})

test('newest backup: of Florin → counts by its own record alone, and only as it was restored', async (t) => {
  const { dir, put } = await aFolder(t)
  const body = await florinBackup(dir)
  const at = await put('one.backup', body)
  const { contents } = await verify(join(dir, 'one.backup'))
  const record = (name: string, hash: string | null) =>
    recordDrill(join(dir, name), { name, contents: hash, installation: OURS, at: '', orders: null })
  await record('other.backup', contents)
  await record('dump', null)
  await record('one.backup', 'ab'.repeat(32))
  assert.deepEqual(await findBackups(dir), { newest: at, drilled: null })
  await record('one.backup', contents)
  assert.equal(await newestBackup(dir), at)
  assert.equal(await isForeignBackup(join(dir, 'one.backup')), false)
})

test('newest backup: a copy of an old backup → as old as what is in it', async (t) => {
  const { dir, put } = await aFolder(t)
  const made = new Date('2023-01-02T03:04:05Z')
  const [at, latest] = [made.getTime(), made.getTime() + 12 * HOUR_MS]
  const manifest = `{ "PostgreSQL-Backup-Manifest-Version": 1,\n"Files": [\n{ "Path": "backup_label", "Size": 226, "Last-Modified": "2023-01-02 03:04:05 GMT" }],\n"Manifest-Checksum": "${'0a'.repeat(32)}"}\n`
  const kinds: [string, string | Buffer, number][] = [
    ['a.backup', await florinBackup(dir, { at: made.toISOString() }), at],
    ['b.dump', archiveOf(made), latest],
    ['c/toc.dat', archiveOf(made), latest],
    ['d.tar', tarOf(made), at],
    ['e.tar.gz', gzipSync(tarOf(made)), at],
    ['f/backup_manifest', manifest, at],
    ['g.sql.gz', gzipSync(`-- Started on 2023-01-02 03:04:05 CET\n${sql}`), latest],
  ]
  for (const [name, body, expected] of kinds) {
    await put(name, body)
    assert.equal(await newestIn(dir), expected, name)
    await rm(join(dir, name.split('/')[0] ?? ''), { recursive: true })
  }
  const label = 'repo/backup/florin/20230101-010000F_20230102-030405I'
  await put('repo/backup/florin/backup.info', `[backup:current]\n20230101-010000F_20230102-030405I={}\n`)
  await put(`${label}/backup.manifest`, 'x')
  assert.equal(await newestIn(dir), latest)
  // Another one, older by its file and newer by what is in it, is the newest.
  const file = await put('old.sql', sql)
  await utimes(join(dir, 'old.sql'), file / 1_000 - 60, file / 1_000 - 60)
  assert.equal(await newestIn(dir), file - 60_000)
  // The record of a drill that was copied is as old as what it says.
  await put('old.sql.drilled', JSON.stringify({ contents: null, at: made.toISOString() }))
  assert.equal(await newestBackup(dir), null)
})

test('newest backup: dated in the future → its age is not known, and it does not count', async (t) => {
  const { dir, put } = await aFolder(t)
  const old = await put('old.sql', sql)
  const future = new Date(Date.now() + 2 * 24 * HOUR_MS)
  await put('a.backup', await florinBackup(dir, { at: future.toISOString() }))
  await put('b.dump', archiveOf(future))
  await put('c.tar', tarOf(future))
  await put('d.sql', sql)
  for (const name of ['a.backup', 'b.dump', 'd.sql']) await utimes(join(dir, name), future, future)
  assert.equal(await newestIn(dir), old)
  // Copied on a machine whose clock is right.
  const now = new Date()
  for (const name of ['a.backup', 'b.dump']) await utimes(join(dir, name), now, now)
  assert.equal(await newestIn(dir), old)
  // The local time of a zone that is ahead is no future.
  await put('e.dump', archiveOf(new Date(Date.now() + 13 * HOUR_MS)))
  assert.notEqual(await newestIn(dir), old)
})

test('newest backup: of another installation → does not count, drilled or not', async (t) => {
  const { dir, put } = await aFolder(t)
  await put('theirs.backup', await florinBackup(dir, { installation: 'ins_theirs' }))
  const { contents, installation } = await verify(join(dir, 'theirs.backup'))
  assert.equal(installation, 'ins_theirs')
  const record = { name: '', at: new Date().toISOString(), orders: null }
  await recordDrill(join(dir, 'theirs.backup'), { ...record, contents, installation })
  assert.deepEqual(await findBackups(dir), { newest: null, drilled: null })
  assert.notEqual((await find(dir, 'ins_theirs')).drilled, null)
  const at = await put('a.dump', custom)
  await recordDrill(join(dir, 'a.dump'), { ...record, contents: null, installation: 'ins_theirs' })
  assert.deepEqual(await findBackups(dir), { newest: at, drilled: null })
  await recordDrill(join(dir, 'a.dump'), { ...record, contents: null, installation: OURS })
  assert.equal(await newestBackup(dir), at)
})
