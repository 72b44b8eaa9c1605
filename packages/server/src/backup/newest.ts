// Finds the newest backup in a folder. A file counts only once it reads as a whole backup and a restore of it, or of one like
// it, has succeeded: one that is half written, half copied, of another installation, or never tried does not keep the alarm quiet.
// Its age is by the time inside it, because copying a file makes it young.
import { createReadStream, type Dirent } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { machineClock, stopwatch } from '@florin/platform/clock'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import { verify } from './backup.ts'
import { AHEAD_MS, DRILLED, isDrilled, readDrills } from './drilled.ts'
import { madeAt, madeAtLabel } from './made-at.ts'

/** Folders within folders, and all files looked at: BACKUP_DIR may be set to a whole disk. */
const DEPTH_MAX = 5
const FILES_MAX = 10_000
const END_BYTES = 4_096
const UNCOUNTED = new RegExp(`\\.(part|partial|tmp|${DRILLED})$`, 'i')
/** A large file that is still being written is read through at most this often. */
const LARGE_BYTES = 64 * 1024 * 1024
const AGAIN_MS = 5 * MINUTE_MS
/** Other programs write the time of a zone that they do not name: at most 14 hours ahead, and 12 are added to it (made-at.ts). */
const ZONES_MS = 26 * HOUR_MS

interface Found {
  /** The file, or the folder of a backup that has many. */
  path: string
  /** When its file was written, ms. A copy of an older one is written later. */
  at: number
  look(): Promise<Whole | null>
}

/** A whole backup. */
interface Whole {
  /** Hash of the contents of a file of Florin's own; null: another program made it. */
  contents: string | null
  /** Id of the installation that it is of; null: not known, as of another program's. */
  installation: string | null
  /** When it was made, by what is in it, ms; null: nothing is. */
  at: number | null
}
const foreign = (at: number | null): Whole => ({ contents: null, installation: null, at })

export interface Backups {
  /** When the newest whole backup was made, ms; null: there is none. */
  newest: number | null
  /** The same of the newest that counts as restored. */
  drilled: number | null
}

/** Of the backups of an installation below this folder. @throws where it cannot be read. */
export async function findBackups(dir: string, installation: string): Promise<Backups> {
  const found = await listIn(dir, DEPTH_MAX, { left: FILES_MAX })
  const now = machineClock.now()
  let newest: number | null = null
  let drilled: number | null = null
  for (const one of found.sort((a, b) => b.at - a.at)) {
    // No backup is newer than its file.
    if (drilled !== null && one.at <= drilled) break
    const drills = await readDrills(one.path, now)
    // Large files are read through only where that may change the answer.
    if (newest !== null && one.at <= newest && drills.length === 0) continue
    const whole = await one.look()
    if (whole === null || (whole.contents !== null && whole.installation !== installation)) continue
    const at = Math.min(one.at, whole.at ?? one.at)
    // A clock that was ahead would make it young for so long, and each copy anew.
    const latest = now.getTime() + AHEAD_MS
    if (at > latest || (whole.at !== null && whole.at > latest + (whole.contents === null ? ZONES_MS : 0))) continue
    newest = Math.max(newest ?? at, at)
    if (isDrilled(one.path, { contents: whole.contents, installation }, drills)) drilled = Math.max(drilled ?? at, at)
  }
  return { newest, drilled }
}

/** When the newest backup below this folder was made that counts as restored, ms; null: there is none. */
export const newestBackup = async (dir: string, installation: string): Promise<number | null> =>
  (await findBackups(dir, installation)).drilled

/** Whether this file or folder is a whole backup of another program, such as pg_dump. */
export async function isForeignBackup(path: string): Promise<boolean> {
  const found = await listIn(dirname(path), 1, { left: FILES_MAX })
  const whole = await found.find((one) => one.path === path)?.look()
  return whole?.contents === null
}

async function listIn(dir: string, depth: number, files: { left: number }): Promise<Found[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = new Set(entries.map(({ name }) => name))
  if (names.has('backup.info')) return listPgBackRest(dir, entries)
  // Of one backup that has many files, the file that its tool writes last counts: of pg_basebackup and of pg_dump -Fd.
  for (const last of ['backup_manifest', 'toc.dat']) {
    if (names.has(last)) return [await fileAt(join(dir, last), dir)]
  }
  // Unfinished backups, parts of finished ones, and archives of the log.
  if (['PG_VERSION', 'backup.manifest', 'backup.manifest.copy', 'archive.info'].some((name) => names.has(name)))
    return []
  const found: Found[] = []
  for (const entry of entries) {
    if (files.left-- <= 0) break
    const path = join(dir, entry.name)
    if (entry.isFile() && !UNCOUNTED.test(entry.name)) found.push(await fileAt(path))
    else if (entry.isDirectory() && depth > 0) found.push(...(await listIn(path, depth - 1, files).catch(() => [])))
  }
  return found
}

/**
 * pgBackRest writes backup.manifest of a backup, and then its line in backup.info, once it is whole. An encrypted
 * backup.info shows no lines.
 */
async function listPgBackRest(dir: string, entries: readonly Dirent[]): Promise<Found[]> {
  const info = await readFile(join(dir, 'backup.info'))
  const isSealed = info.subarray(0, 8).toString('latin1') === 'Salted__'
  const isListed = (label: string): boolean => isSealed || info.toString('utf8').includes(`\n${label}={`)
  const labels = entries.filter((entry) => entry.isDirectory() && /^\d{8}-\d{6}F(_\d{8}-\d{6}[DI])?$/.test(entry.name))
  const found = await Promise.all(
    labels.map(async ({ name }) => {
      const manifest = await stat(join(dir, name, 'backup.manifest')).catch(() => null)
      if (manifest === null || manifest.size === 0 || !isListed(name)) return []
      return [{ path: join(dir, name), at: manifest.mtimeMs, look: async () => foreign(madeAtLabel(name)) }]
    }),
  )
  return found.flat()
}

async function fileAt(file: string, path = file): Promise<Found> {
  const { mtimeMs, size, ino } = await stat(file)
  return { path, at: mtimeMs, look: () => judgeOnce(file, `${mtimeMs} ${size} ${ino}`, size) }
}

interface Judged {
  version: string
  whole: Whole | null
  ageMs: () => number
}
/** Large files are read through once. */
const judged = new Map<string, Judged>()

async function judgeOnce(path: string, version: string, size: number): Promise<Whole | null> {
  const known = judged.get(path)
  if (known?.version === version) return known.whole
  const isGrowing = known !== undefined && known.whole === null && size > LARGE_BYTES
  if (isGrowing && known.ageMs() < AGAIN_MS) return null
  const whole = await judge(path, size).catch(() => null)
  judged.delete(path)
  judged.set(path, { version, whole, ageMs: stopwatch() })
  for (const oldest of judged.keys()) {
    if (judged.size <= FILES_MAX) break
    judged.delete(oldest)
  }
  return whole
}

async function judge(path: string, size: number): Promise<Whole | null> {
  const file = await open(path, 'r')
  try {
    const read = async (from: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, Math.max(0, from))
      return buffer.subarray(0, bytesRead)
    }
    const head = await read(0)
    if (head[0] === 0x1f && head[1] === 0x8b) return await judgePacked(path)
    if (path.endsWith('backup_manifest'))
      return /"Manifest-Checksum":\s*"[0-9a-f]{64}"\s*\}\s*$/.test(String(await read(size - END_BYTES)))
        ? foreign(madeAt(head))
        : null
    return isWholeDump(head, await read(size - END_BYTES), path.endsWith('toc.dat')) ? foreign(madeAt(head)) : null
  } finally {
    await file.close()
  }
}

/** Reads a gzip file to its end, where gzip's own sum is. */
async function judgePacked(path: string): Promise<Whole | null> {
  let head = Buffer.alloc(0)
  let end = Buffer.alloc(0)
  const source = createReadStream(path)
  const plain = source.pipe(createGunzip())
  source.once('error', (error) => plain.destroy(error))
  for await (const chunk of plain as AsyncIterable<Buffer>) {
    if (head.length < END_BYTES) head = Buffer.concat([head, chunk.subarray(0, END_BYTES)])
    // Florin's own file begins with a record of JSON.
    if (head.length > 5 && head[4] === 0x4a && head[5] === 0x7b) {
      plain.destroy()
      source.destroy()
      const { contents, installation, at } = await verify(path)
      return { contents, installation, at: Date.parse(at) }
    }
    end = Buffer.concat([end, chunk]).subarray(-END_BYTES)
  }
  return isWholeDump(head, end, false) ? foreign(madeAt(head)) : null
}

/** By its first and last bytes: pg_dump and tar end a whole file with marks of their own. */
function isWholeDump(head: Buffer, end: Buffer, isContents: boolean): boolean {
  const zeros = (count: number): boolean => end.length >= count && end.subarray(-count).every((byte) => byte === 0)
  // What a crash left may be all zeros.
  const isBlank = zeros(END_BYTES)
  if (head.subarray(0, 5).toString('latin1') === 'PGDMP') return isContents || (zeros(5) && !isBlank)
  if (head.subarray(257, 262).toString('latin1') === 'ustar') return zeros(1_024)
  return /-- PostgreSQL database (cluster )?dump complete\s/.test(end.toString('utf8'))
}
