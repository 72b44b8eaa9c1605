import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { recordDrill } from './drilled.ts'
import { contentsOf, writeBackup } from './file.ts'
import { findBackups, isForeignBackup, newestBackup } from './newest.ts'

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

async function florinBackup(dir: string): Promise<Buffer> {
  const path = join(dir, 'made')
  const writer = writeBackup(path)
  await writer.fact({ format: 1 })
  await writer.data(Buffer.alloc(20_000, 'row'))
  await writer.end()
  const body = await readFile(path)
  await rm(path)
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
  // An operator's own job needs no more than an empty file.
  await made('a/1.dump.drilled', '', 32)
  assert.equal(await newestBackup(dir), null)
  await made('a/1.dump.drilled', '', 30)
  assert.equal(await newestBackup(dir), older)
  await rm(join(dir, 'a/1.dump.drilled'))
  await made('a/1.dump.drilled', 'half a reco', 0)
  assert.equal(await newestBackup(dir), null)
  // A folder that is a backup has its record beside it.
  const base = await put('base/backup_manifest', `{ "Manifest-Checksum": "${'0a'.repeat(32)}"}\n`)
  await recordDrill(join(dir, 'base'), { name: 'base', contents: null, at: '', orders: '5' })
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
  const contents = await contentsOf(join(dir, 'one.backup'))
  const record = (name: string, hash: string | null) =>
    recordDrill(join(dir, name), { name, contents: hash, at: '', orders: null })
  await record('other.backup', contents)
  await record('dump', null)
  await record('one.backup', 'ab'.repeat(32))
  assert.deepEqual(await findBackups(dir), { newest: at, drilled: null })
  await record('one.backup', contents)
  assert.equal(await newestBackup(dir), at)
  assert.equal(await isForeignBackup(join(dir, 'one.backup')), false)
})
