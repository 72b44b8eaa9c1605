// Finds the newest backup in a folder. A file counts only once it reads as a whole backup: one that is half written, half
// copied, or something else is none, so that the alarm about old backups is not quiet because of it.
import { createReadStream, type Dirent } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { MINUTE_MS } from '@florin/protocol'
import { stopwatch } from '../platform/clock.ts'
import { readBackup } from './file.ts'

/** Folders within folders, and all files looked at: BACKUP_DIR may be set to a whole disk. */
const DEPTH_MAX = 5
const FILES_MAX = 10_000
const END_BYTES = 4_096
/** A large file that is still being written is read through at most this often. */
const LARGE_BYTES = 64 * 1024 * 1024
const AGAIN_MS = 5 * MINUTE_MS

interface Found {
  /** When it was written, ms. */
  at: number
  isWhole(): Promise<boolean>
}

/** When the newest whole backup below this folder was written, ms; null: there is none. @throws where it cannot be read. */
export async function newestBackup(dir: string): Promise<number | null> {
  const found = await listIn(dir, DEPTH_MAX, { left: FILES_MAX })
  for (const one of found.sort((a, b) => b.at - a.at)) if (await one.isWhole()) return one.at
  return null
}

async function listIn(dir: string, depth: number, files: { left: number }): Promise<Found[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = new Set(entries.map(({ name }) => name))
  if (names.has('backup.info')) return listPgBackRest(dir, entries)
  // Of one backup that has many files, the file that its tool writes last counts: of pg_basebackup and of pg_dump -Fd.
  for (const last of ['backup_manifest', 'toc.dat']) {
    if (names.has(last)) return [await fileAt(join(dir, last))]
  }
  // Unfinished backups, parts of finished ones, and archives of the log.
  if (['PG_VERSION', 'backup.manifest', 'backup.manifest.copy', 'archive.info'].some((name) => names.has(name)))
    return []
  const found: Found[] = []
  for (const entry of entries) {
    if (files.left-- <= 0) break
    const path = join(dir, entry.name)
    if (entry.isFile() && !/\.(part|partial|tmp)$/i.test(entry.name)) found.push(await fileAt(path))
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
      return [{ at: manifest.mtimeMs, isWhole: async () => true }]
    }),
  )
  return found.flat()
}

async function fileAt(path: string): Promise<Found> {
  const { mtimeMs, size, ino } = await stat(path)
  return { at: mtimeMs, isWhole: () => judgeOnce(path, `${mtimeMs} ${size} ${ino}`, size) }
}

interface Judged {
  version: string
  isWhole: boolean
  ageMs: () => number
}
/** Large files are read through once. */
const judged = new Map<string, Judged>()

async function judgeOnce(path: string, version: string, size: number): Promise<boolean> {
  const known = judged.get(path)
  if (known?.version === version) return known.isWhole
  const isGrowing = known !== undefined && !known.isWhole && size > LARGE_BYTES
  if (isGrowing && known.ageMs() < AGAIN_MS) return false
  const isWhole = await judge(path, size).catch(() => false)
  judged.delete(path)
  judged.set(path, { version, isWhole, ageMs: stopwatch() })
  for (const oldest of judged.keys()) {
    if (judged.size <= FILES_MAX) break
    judged.delete(oldest)
  }
  return isWhole
}

async function judge(path: string, size: number): Promise<boolean> {
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
    return isWholeDump(head, await read(size - END_BYTES), path.endsWith('toc.dat'))
  } finally {
    await file.close()
  }
}

/** Reads a gzip file to its end, where gzip's own sum is. */
async function judgePacked(path: string): Promise<boolean> {
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
      for await (const record of readBackup(path)) void record
      return true
    }
    end = Buffer.concat([end, chunk]).subarray(-END_BYTES)
  }
  return isWholeDump(head, end, false)
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
