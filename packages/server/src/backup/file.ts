// The file of a backup: gzip over records, each a length, a kind and its bytes. The last record holds the hash of all
// before it, so a file that was cut or changed is known as such before anything of it is used.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { OperatorError } from '@florin/platform/errors'

const FACT = 0x4a
const DATA = 0x44
const END = 0x45
/** Far above what PostgreSQL sends at once: a row of ours is some kilobytes. */
const RECORD_MAX_BYTES = 256 * 1024 * 1024

export type BackupRecord = { kind: 'fact'; fact: unknown } | { kind: 'data'; data: Buffer }

export interface BackupWriter {
  fact(fact: unknown): Promise<void>
  data(data: Buffer): Promise<void>
  /** Only now the file stands under its name. @returns the hash of its contents. */
  end(): Promise<string>
  abandon(): Promise<void>
}

/** Readable by its owner alone: it holds all that the database does. */
export function writeBackup(path: string): BackupWriter {
  const part = `${path}.part`
  const gzip = createGzip({ level: 6 })
  const file = createWriteStream(part, { mode: 0o600 })
  gzip.pipe(file)
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  for (const stream of [gzip, file]) stream.once('error', failed.reject)
  const hash = createHash('sha256')
  const put = async (kind: number, body: Buffer): Promise<void> => {
    const head = Buffer.alloc(5)
    head.writeUInt32BE(body.length)
    head.writeUInt8(kind, 4)
    if (kind !== END) hash.update(head).update(body)
    gzip.write(head)
    if (gzip.write(body)) return
    await Promise.race([new Promise<void>((resolve) => void gzip.once('drain', resolve)), failed.promise])
  }
  return {
    fact: (fact) => put(FACT, Buffer.from(JSON.stringify(fact))),
    data: (data) => put(DATA, data),
    async end() {
      const contents = hash.digest()
      await put(END, contents)
      gzip.end()
      await Promise.race([finished(file), failed.promise])
      const written = await open(part, 'r')
      await written.sync().finally(() => written.close())
      await rename(part, path)
      return contents.toString('hex')
    },
    async abandon() {
      gzip.destroy()
      file.destroy()
      await rm(part, { force: true })
    },
  }
}

export const broken = (path: string, why: string): OperatorError =>
  new OperatorError(`${path} is no whole backup of Florin: ${why}. Take another one.`)

/**
 * @returns at its end the hash of the contents.
 * @throws OperatorError where the file is not what was written, at the latest after its last record.
 */
export async function* readBackup(path: string): AsyncGenerator<BackupRecord, string> {
  const source = createReadStream(path)
  const gunzip = source.pipe(createGunzip({ rejectGarbageAfterEnd: true }))
  source.once('error', (error) => gunzip.destroy(error))
  const hash = createHash('sha256')
  try {
    const { take, isAtEnd } = taker(gunzip)
    for (;;) {
      const head = await take(5)
      const [length, kind] = [head.readUInt32BE(), head.readUInt8(4)]
      if (length > RECORD_MAX_BYTES) throw broken(path, 'a record is too long')
      const body = await take(length)
      if (kind === END) {
        if (!hash.digest().equals(body)) throw broken(path, 'its contents were changed')
        if (!(await isAtEnd())) throw broken(path, 'more follows behind its end')
        return body.toString('hex')
      }
      hash.update(head).update(body)
      if (kind === DATA) yield { kind: 'data', data: body }
      else if (kind === FACT) yield { kind: 'fact', fact: JSON.parse(body.toString('utf8')) }
      else throw broken(path, 'a record is of an unknown kind')
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw broken(path, error instanceof Error ? error.message : 'it cannot be read')
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

interface Taker {
  /** The next bytes, so many of them. */
  take(count: number): Promise<Buffer>
  isAtEnd(): Promise<boolean>
}

function taker(stream: Readable): Taker {
  const chunks = stream[Symbol.asyncIterator]()
  let have: Buffer[] = []
  let size = 0
  const take = async (count: number): Promise<Buffer> => {
    while (size < count) {
      const { done, value } = await chunks.next()
      if (done === true) throw new Error('it ends in the middle')
      have.push(value)
      size += value.length
    }
    const all = have.length === 1 ? (have[0] ?? Buffer.alloc(0)) : Buffer.concat(have)
    have = [all.subarray(count)]
    size = all.length - count
    return all.subarray(0, count)
  }
  return { take, isAtEnd: async () => size === 0 && (await chunks.next()).done === true }
}
