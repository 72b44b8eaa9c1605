// Serves a site that was built ahead, such as the documentation: each file under the URL that its site.json says,
// compressed at the build, with a tag of its content. What is not in site.json does not exist.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type {} from '@fastify/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../secrets.ts'
import type { App } from '../server.ts'
import { FOR_EVER, pagePolicy } from '../static.ts'

interface File {
  url: string
  file: string
  type: string
  etag: string
  /** Named by its content. */
  isForEver: boolean
  isCompressed: boolean
}

/**
 * @param prefix without a trailing slash
 * @param baseUrl this server's, for what a page says to install from it
 */
export function serveSite(app: App, folder: string, prefix: string, baseUrl: string): void {
  let files: ReadonlyMap<string, File> | null = null
  const named = new Map<string, Named | null>()
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    files ??= readFiles(folder)
    const path = request.url.split('?')[0] ?? ''
    const found = files.get(path)
    if (found === undefined) {
      // A folder's slash and a page's ending are what people type.
      const bare = path.replace(/(\/|\.html|\.md)$/, '')
      if (bare !== path && files.has(bare)) return reply.redirect(bare, 308)
      throw new AppError('not_found')
    }
    const own = found.type.startsWith('text/html') ? await ownPage(named, join(folder, found.file), baseUrl) : null
    if (own !== null) return sendOwn(request, reply, own)
    const encoding = found.isCompressed ? encodingFor(request.headers['accept-encoding']) : null
    // One tag for each form, as caches keep them apart.
    const etag = encoding === null ? found.etag : found.etag.replace(/"$/, `-${encoding.name}"`)
    reply
      .header('Content-Security-Policy', pagePolicy())
      .header('Cache-Control', found.isForEver ? FOR_EVER : 'public, no-cache')
      .header('ETag', etag)
    if (found.isCompressed) reply.header('Vary', 'Accept-Encoding')
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== null) reply.header('Content-Encoding', encoding.name)
    return reply.type(found.type).send(await readFile(join(folder, found.file + (encoding?.ending ?? ''))))
  }
  app.get(prefix, { schema: { hide: true } }, show)
  app.get(`${prefix}/*`, { schema: { hide: true } }, show)
}

interface Named {
  etag: string
  plain: Uint8Array
  gzip: Uint8Array
}

/** Where the pages name the server that they are read on, they were built with the address of a first start. */
const BUILT_WITH = /(?<=FLORIN=(?:<[^>]*>)*)http:\/\/localhost:3000|http:\/\/localhost:3000(?=\/docs\/)/g

/** @returns the page with this server's address; null: it names none, or is built with the right one. */
async function ownPage(known: Map<string, Named | null>, path: string, baseUrl: string): Promise<Named | null> {
  const before = known.get(path)
  if (before !== undefined) return before
  const html = await readFile(path, 'utf8')
  const text = html.replace(BUILT_WITH, () => escapedUrl(baseUrl))
  const plain = Buffer.from(text)
  const etag = `"${Buffer.from(sha256(plain)).toString('base64url').slice(0, 22)}`
  const named = text === html ? null : { etag, plain, gzip: gzipSync(plain, { level: 9 }) }
  known.set(path, named)
  return named
}

const escapedUrl = (url: string): string =>
  url.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function sendOwn(request: FastifyRequest, reply: FastifyReply, own: Named): FastifyReply {
  const isPacked = encodingFor(request.headers['accept-encoding'], ['gzip']) !== null
  const etag = `${own.etag}${isPacked ? '-gzip' : ''}"`
  reply
    .header('Content-Security-Policy', pagePolicy())
    .header('Cache-Control', 'public, no-cache')
    .header('ETag', etag)
    .header('Vary', 'Accept-Encoding')
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (isPacked) reply.header('Content-Encoding', 'gzip')
  return reply.type('text/html; charset=utf-8').send(isPacked ? own.gzip : own.plain)
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  const list = join(folder, 'site.json')
  if (!existsSync(list))
    throw new AppError('unavailable', {
      message: 'This page is not built. Whoever runs this Florin builds it with npm start.',
    })
  const files = JSON.parse(readFileSync(list, 'utf8')) as File[]
  return new Map(files.map((file) => [file.url, file]))
}

const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const

function encodingFor(accepted: unknown, of: readonly string[] = ['br', 'gzip']): (typeof encodings)[number] | null {
  if (typeof accepted !== 'string') return null
  return (
    encodings.find(
      ({ name }) =>
        of.includes(name) && new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`, 'i').test(accepted),
    ) ?? null
  )
}

const isKnown = (asked: unknown, etag: string): boolean =>
  typeof asked === 'string' && asked.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
