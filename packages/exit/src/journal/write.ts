// Writes the journal: one file a process and day, each record on disk before its promise resolves. Records that come while
// the disk is busy share the next flush, so many orders at once wait for few. A file that could not be written whole is never
// written again: what is torn stands at its end, and no nonce is used twice.
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileSeal, type JournalRecord, sealFile } from './format.ts'

export interface JournalWriter {
  /** @throws the file system's error; nothing may then be shown of what the record binds. */
  append(record: JournalRecord): Promise<void>
  /** After what is under way. */
  close(): Promise<void>
}

interface Waiting {
  record: JournalRecord
  resolve(): void
  reject(error: unknown): void
}

interface OpenFile {
  path: string
  day: string
  handle: FileHandle
  seal: FileSeal
  /** Records that are on disk. */
  count: number
}

/** @param a.now decides when a day ends. */
export function journalWriter(a: { dir: string; seed: Uint8Array; now(): Date }): JournalWriter {
  let waiting: Waiting[] = []
  let file: OpenFile | null = null
  let running: Promise<void> | null = null

  async function fileOfToday(): Promise<OpenFile> {
    const day = a.now().toISOString().slice(0, 10)
    if (file !== null && file.day === day) return file
    await file?.handle.close()
    file = null
    file = await makeFile(a.dir, a.seed, day)
    return file
  }

  async function flush(batch: readonly Waiting[]): Promise<void> {
    try {
      const to = await fileOfToday()
      const records = batch.map(({ record }, n) => to.seal.seal(to.count + n, record))
      await to.handle.appendFile(Buffer.concat(records))
      await to.handle.datasync()
      to.count += batch.length
      for (const { resolve } of batch) resolve()
    } catch (error) {
      await giveUp(file)
      file = null
      for (const { reject } of batch) reject(error)
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await flush(batch)
    }
    running = null
  }

  return {
    append(record) {
      return new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject })
        running ??= run()
      })
    },
    async close() {
      await running
      await file?.handle.close()
      file = null
    },
  }
}

async function makeFile(dir: string, seed: Uint8Array, day: string): Promise<OpenFile> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const id = randomBytes(16)
  const path = join(dir, `${day}-${process.pid}-${id.toString('hex', 0, 4)}.journal`)
  const handle = await open(path, 'ax', 0o600)
  const made: OpenFile = { path, day, handle, seal: sealFile(seed, id), count: 0 }
  try {
    await handle.appendFile(made.seal.head)
    await syncFolder(dir)
    return made
  } catch (error) {
    await giveUp(made)
    throw error
  }
}

/** A full disk must not fill with empty files. */
async function giveUp(file: OpenFile | null): Promise<void> {
  await file?.handle.close().catch(() => undefined)
  if (file?.count === 0) await unlink(file.path).catch(() => undefined)
}

/** The file's name must be on disk as well. Windows opens no folders and needs none. */
async function syncFolder(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
