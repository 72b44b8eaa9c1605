// Promises of the journal: what was said to be on disk is read again after any crash, under the right seed and no other,
// and nothing that was changed in it is believed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { BadProof } from '../src/index.ts'
import { journalWriter, readJournal, readSeed, refOf, seedIdOf, writeSeed } from '../src/journal/index.ts'
import { anEntry } from './entries.ts'

const SEED = new Uint8Array(32).fill(1)

async function aFolder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'florin-journal-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** @returns the path of the one file that these entries went into. */
async function written(dir: string, count: number): Promise<string> {
  const writer = journalWriter({ dir, seed: SEED, now: () => new Date(0) })
  for (let n = 0; n < count; n++) await writer.append(anEntry(n))
  await writer.close()
  const [name = ''] = await readdir(dir)
  return join(dir, name)
}

test('what was written is read again, and only the seed opens it', async (t) => {
  const dir = await aFolder(t)
  const path = await written(dir, 3)
  assert.deepEqual(await readJournal(dir, SEED), { entries: [anEntry(0), anEntry(1), anEntry(2)], notes: [] })
  const bytes = await readFile(path)
  assert.ok(!bytes.includes('leg_ref') && !bytes.includes(anEntry(0).proof.vault))
  assert.equal((await stat(path)).mode & 0o077, 0)
  const other = await readJournal(dir, new Uint8Array(32).fill(2))
  assert.deepEqual(other.entries, [])
  assert.match(other.notes[0] ?? '', new RegExp(`sealed under the recovery seed ${seedIdOf(SEED)}`))
})

test('cut off anywhere, all whole records before the cut are read', async (t) => {
  const dir = await aFolder(t)
  const path = await written(dir, 2)
  const whole = await readFile(path)
  const one = (whole.length - 32) / 2
  for (let length = whole.length; length >= 0; length -= length > whole.length - 40 ? 1 : 97) {
    await writeFile(path, whole.subarray(0, length))
    const { entries, notes } = await readJournal(dir, SEED)
    assert.equal(entries.length, Math.max(0, Math.floor((length - 32) / one)), `${length} bytes`)
    assert.equal(notes.length === 0, [0, 32, 32 + one, whole.length].includes(length), `${length} bytes`)
  }
})

test('a damaged record is left out and named, the others are read; records cannot be swapped', async (t) => {
  const dir = await aFolder(t)
  const path = await written(dir, 3)
  const whole = await readFile(path)
  const one = (whole.length - 32) / 3
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(32 + one + 20) ^ 1, 32 + one + 20)
  await writeFile(path, flipped)
  const damaged = await readJournal(dir, SEED)
  assert.deepEqual(damaged.entries, [anEntry(0), anEntry(2)])
  assert.match(damaged.notes[0] ?? '', /1 records are damaged/)
  const record = (n: number) => whole.subarray(32 + n * one, 32 + (n + 1) * one)
  await writeFile(path, Buffer.concat([whole.subarray(0, 32), record(1), record(0), record(2)]))
  assert.deepEqual((await readJournal(dir, SEED)).entries, [anEntry(2)])
})

test('entries that come at once share a flush; a day has a file of its own; an address stands once', async (t) => {
  const dir = await aFolder(t)
  let day = 0
  const writer = journalWriter({ dir, seed: SEED, now: () => new Date(day) })
  await Promise.all(Array.from({ length: 200 }, (_, n) => writer.append(anEntry(n))))
  day = 86_400_000
  await writer.append(anEntry(200))
  await writer.append(anEntry(200))
  await writer.close()
  assert.deepEqual((await readdir(dir)).map((name) => name.slice(0, 10)).sort(), ['1970-01-01', '1970-01-02'])
  assert.equal((await readJournal(dir, SEED)).entries.length, 201)
})

test('where it cannot be written the entry is refused, nothing half is left, and it goes on once it can', async (t) => {
  const dir = join(await aFolder(t), 'journal')
  await writeFile(dir, 'a file stands where the folder should')
  const writer = journalWriter({ dir, seed: SEED, now: () => new Date(0) })
  await assert.rejects(writer.append(anEntry(0)), /EEXIST|ENOTDIR/)
  await assert.rejects(writer.append(anEntry(1)), /EEXIST|ENOTDIR/)
  await rm(dir)
  await mkdir(dir)
  await writer.append(anEntry(2))
  await writer.close()
  assert.deepEqual(await readJournal(dir, SEED), { entries: [anEntry(2)], notes: [] })
})

/** What a writer said of its entries until it was killed. @param files how large a file may get, in blocks. */
async function saidBy(t: TestContext, dir: string, a: { count: number; files?: number }) {
  const program = [process.execPath, join(import.meta.dirname, 'journal-writer.ts'), dir]
  // A write beyond the limit is cut off and fails, as on a disk that is full.
  const limit = a.files === undefined ? '' : `trap '' XFSZ; ulimit -f ${a.files}; `
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const said = { kept: [] as string[], refused: [] as string[] }
  for await (const line of createInterface(child.stdout)) {
    const [outcome, n] = line.split(' ')
    if (outcome === 'kept' || outcome === 'refused') said[outcome].push(`ref.${n}`)
    if (said.kept.length + said.refused.length === a.count) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return said
}

test('a process that is killed loses nothing of what it said was on disk', async (t) => {
  const dir = await aFolder(t)
  const said = await saidBy(t, dir, { count: 50 })
  const kept = new Set((await readJournal(dir, SEED)).entries.map((entry) => entry.leg_ref))
  assert.ok(said.kept.length >= 50 && said.refused.length === 0)
  assert.deepEqual(
    said.kept.filter((ref) => !kept.has(ref)),
    [],
  )
})

test('a write that a full disk cuts off is refused; the next goes into a new file, and what was kept is read', async (t) => {
  const dir = await aFolder(t)
  const said = await saidBy(t, dir, { count: 80, files: 16 })
  const { entries, notes } = await readJournal(dir, SEED)
  const kept = new Set(entries.map((entry) => entry.leg_ref))
  assert.ok(said.refused.length >= 4 && said.kept.length >= 20, JSON.stringify(said))
  assert.deepEqual(
    said.kept.filter((ref) => !kept.has(ref)),
    [],
  )
  const files = await readdir(dir)
  assert.ok(files.length >= 3, files.join())
  assert.ok(notes.length > 0 && notes.every((note) => /no whole record/.test(note)), notes.join())
})

test('what is no journal is named and keeps nothing else from being read', async (t) => {
  const dir = await aFolder(t)
  await written(join(dir, 'another-machine'), 1)
  await writeFile(join(dir, 'notes.txt'), 'not looked at')
  await writeFile(join(dir, 'x.journal'), 'x'.repeat(100))
  await writeFile(join(dir, 'empty.journal'), '')
  const { entries, notes } = await readJournal(dir, SEED)
  assert.deepEqual(entries, [anEntry(0)])
  assert.equal(notes.length, 1, notes.join())
  assert.match(notes.join(), /^x\.journal is no file of a journal/)
  assert.match((await readJournal(await aFolder(t), SEED)).notes[0] ?? '', /no file of a journal in/)
})

test('a seed is read as people type it, and a mistyped one is refused', () => {
  const seed = Uint8Array.from({ length: 32 }, (_, n) => n * 7)
  const text = writeSeed(seed)
  assert.match(text, /^florin-seed(-[0-9a-f]{8}){9}$/)
  for (const typed of [
    text,
    `# kept in the safe\n${text}\n`,
    text.toUpperCase(),
    text.replaceAll('-', ' '),
    text.replace(/-/g, '\n'),
  ]) {
    assert.deepEqual(readSeed(typed), seed)
  }
  for (let n = 12; n < text.length; n++) {
    if (text[n] === '-') continue
    const wrong = text.slice(0, n) + (text[n] === '0' ? '1' : '0') + text.slice(n + 1)
    assert.throws(
      () => readSeed(wrong),
      (error) => error instanceof BadProof && /mistyped/.test(error.message),
      wrong,
    )
  }
  for (const wrong of ['', 'florin-seed-', text.slice(0, -1), `${text}0`, 'f'.repeat(64)]) {
    assert.throws(() => readSeed(wrong), /no recovery seed/)
  }
})

test('refs follow from seed and leg alone, and say nothing of either', () => {
  assert.equal(refOf(SEED, 'ref.1'), refOf(new Uint8Array(32).fill(1), 'ref.1'))
  const refs = new Set([refOf(SEED, 'ref.1'), refOf(SEED, 'ref.2'), refOf(new Uint8Array(32).fill(2), 'ref.1')])
  assert.equal(refs.size, 3)
  for (const ref of refs) assert.match(ref, /^0x[0-9a-f]{64}$/)
})
