// Files of archived orders: NDJSON in gzip beside a manifest. A file appears under its name only when it is whole and on
// the disk; nothing is moved out of the database before the file was read back.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Installation } from '../../platform/db/installation.ts'
import { OperatorError } from '../../platform/errors.ts'
import { type Line, readLine, type Sums, Totals } from './line.ts'

export interface Manifest {
  format: 'florin-archive-1'
  file: string
  sha256: string
  bytes: number
  /** The newest migration of the database that it came from. */
  schema: number
  made_at: string
  orders: number
  first: string
  last: string
  rows: Record<string, number>
  sums: Sums
}

const manifestOf = (name: string): string => `${name}.manifest.json`
const PART = '.part'

const OWNER = 'installation'

/**
 * Nothing is written or removed in the folder of another Florin. One of a release that wrote no name there is taken by the first
 * who comes, unless that is a copy.
 * @throws OperatorError
 */
export async function claimFolder(dir: string, { id, asleepSince }: Installation): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const path = join(dir, OWNER)
  const names = await readdir(dir)
  const isOthers = asleepSince !== null && names.length > 0 && !names.includes(OWNER)
  if (!isOthers && !names.includes(OWNER)) {
    const part = `${path}-${id}${PART}`
    await writeFile(part, `${id}\n`, { mode: 0o600, flush: true })
    // Whole or not at all, and the first stays.
    await link(part, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await rm(part)
  }
  const owner = isOthers ? 'another Florin' : (await readFile(path, 'utf8')).trim()
  if (owner === id) return
  throw new OperatorError(
    `${dir} is the archive of ${owner}, and this database is ${id}: its files would be taken for one another's. Give this one an ARCHIVE_DIR of its own. ` +
      'If this database was restored to replace that one: npm run backup -- activate.',
  )
}

/** What a killed run left half written. @returns files that have a manifest and are not there. */
export async function dropParts(dir: string): Promise<string[]> {
  const names = new Set(await readdir(dir))
  for (const name of names) if (name.endsWith(PART)) await rm(join(dir, name), { force: true })
  const ending = manifestOf('')
  return [...names]
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((file) => !names.has(file))
}

/** Writes the lines, reads them back and compares. @returns null where there were none. */
export async function writeFileOf(
  dir: string,
  a: { name: string; schema: number; madeAt: Date; lines: AsyncIterable<string> },
): Promise<Manifest | null> {
  const path = join(dir, a.name)
  const totals = new Totals()
  const numbers: string[] = []
  const handle = await open(path + PART, 'w', 0o600)
  try {
    const counted = async function* (): AsyncGenerator<string> {
      for await (const text of a.lines) {
        const line = readLine(text)
        totals.add(line)
        numbers.push(line.orderNo)
        yield `${text}\n`
      }
    }
    await pipeline(Readable.from(counted()), createGzip({ level: 6 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await handle.writeFile(chunk)
    })
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (totals.orders === 0) {
    await rm(path + PART)
    return null
  }
  const read = await examine(path + PART)
  const manifest: Manifest = {
    ...{ format: 'florin-archive-1', file: a.name, sha256: read.sha256, bytes: read.bytes },
    ...{ schema: a.schema, made_at: a.madeAt.toISOString(), orders: totals.orders },
    ...{ first: numbers[0] ?? '', last: numbers.at(-1) ?? '', rows: totals.rows, sums: totals.sums },
  }
  if (!isSameContent(read.totals, manifest)) throw new Error(`${a.name} was read back otherwise than it was written`)
  await writeWhole(join(dir, manifestOf(a.name)), `${JSON.stringify(manifest, null, 2)}\n`)
  await rename(path + PART, path)
  await syncFolder(dir)
  return manifest
}

/** What differs between a file and its manifest. @throws OperatorError */
export async function verifyFile(path: string): Promise<Manifest> {
  const manifest = await readManifest(path)
  const read = await examine(path).catch((cause: unknown) => {
    throw new OperatorError(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  })
  if (read.sha256 !== manifest.sha256 || read.bytes !== manifest.bytes || !isSameContent(read.totals, manifest)) {
    throw new OperatorError(`${path} is not what its manifest says: take the file and its manifest from a backup.`)
  }
  return manifest
}

export async function readManifest(path: string): Promise<Manifest> {
  try {
    const manifest = JSON.parse(await readFile(manifestOf(path), 'utf8')) as Manifest
    if (manifest.format === 'florin-archive-1') return manifest
  } catch (cause) {
    throw new OperatorError(`${manifestOf(path)} cannot be read. It lies beside its file.`, { cause })
  }
  throw new OperatorError(`${manifestOf(path)} is not the manifest of an archive that this release reads.`)
}

/** Of all files in the folder. */
export async function listManifests(dir: string): Promise<Manifest[]> {
  const ending = manifestOf('')
  const names = (await readdir(dir)).filter((name) => name.endsWith(ending)).sort()
  return Promise.all(names.map((name) => readManifest(join(dir, name.slice(0, -ending.length)))))
}

/** The lines of a file, once its bytes are those that were written. */
export async function* linesOf(path: string, sha256: string): AsyncGenerator<Line> {
  if ((await hashOf(path)) !== sha256) throw new OperatorError(`${path} is not the file that was written.`)
  const source = createReadStream(path)
  const plain = createGunzip()
  source.on('error', (error) => plain.destroy(error)).pipe(plain)
  for await (const text of textLines(plain)) yield readLine(text)
}

async function* textLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8')
      rest = []
      from = at + 1
    }
    rest.push(chunk.subarray(from))
  }
  if (rest.some((part) => part.length > 0)) throw new Error('the last line is cut off')
}

export async function removeFile(dir: string, name: string): Promise<void> {
  await rm(join(dir, name), { force: true })
  await rm(join(dir, manifestOf(name)), { force: true })
}

async function examine(path: string): Promise<{ sha256: string; bytes: number; totals: Totals }> {
  const hash = createHash('sha256')
  const totals = new Totals()
  let bytes = 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(createReadStream(path), counting, createGunzip(), async (plain: AsyncIterable<Buffer>) => {
    for await (const text of textLines(plain)) totals.add(readLine(text))
  })
  return { sha256: hash.digest('hex'), bytes, totals }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash).catch((cause: unknown) => {
    throw new OperatorError(`${basename(path)} is not in ${dirname(path)}: put it and its manifest there.`, { cause })
  })
  return hash.digest('hex')
}

const isSameContent = (totals: Totals, { orders, rows, sums }: Manifest): boolean =>
  totals.orders === orders && isSame(totals.rows, rows) && isSame(totals.sums, sums)

const isSame = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort())

async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(path + PART, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(path + PART, path)
}

async function syncFolder(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  await handle.sync().finally(() => handle.close())
}
