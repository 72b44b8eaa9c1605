// Serves built pages: hashed files cached for ever and precompressed, pages never cached and under a strict policy. A
// folder that was not built is null, not an error: the API works without pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import files from '@fastify/static'
import type {} from '@fastify/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { randomOctets } from '../ids.ts'
import type { App } from './server.ts'

/** A year: files cached for ever are named by their content. */
export const FOR_EVER = 'public, max-age=31536000, immutable'
/** As Vite names them: `main-BwnygmwY.css`. */
const hashedName = /-[A-Za-z0-9_-]{8,}\.\w+$/

/** 128 random bits for one answer's Content-Security-Policy. */
export const newNonce = (): string => Buffer.from(randomOctets(16)).toString('base64url')

/**
 * The policy of a page: everything from our own origin, nothing inline. With a nonce, scripts and styles that carry it
 * may be inline too, for a library that makes style elements as it runs; with a nonce for styles, only those.
 */
export function pagePolicy(a: { nonce?: string; styleNonce?: string } = {}): string {
  const own = a.nonce === undefined ? "'self'" : `'self' 'nonce-${a.nonce}'`
  const styles = a.styleNonce === undefined ? own : `'self' 'nonce-${a.styleNonce}'`
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
}

/**
 * Sends a page: policy, no caching, compressed where the browser supports it. The page echoes no secret of the request.
 */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: { html: string; policy: string; status?: number },
): FastifyReply {
  reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', page.policy)
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept-Encoding, Accept-Language')
    // Pages and errors have no response schema; the text is sent as it is.
    .serializer((text: string) => text)
  const accepted = request.headers['accept-encoding']
  if (typeof accepted !== 'string' || !/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted))
    return reply.send(page.html)
  return reply.header('Content-Encoding', 'gzip').send(gzipSync(page.html, { level: 6 }))
}

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** What a build's manifest says of one entry; each URL is `base` plus a file name. */
export interface BuiltEntry {
  script: string
  style: string
  /** The modules that the entry needs at once, with those of `sources`, such as the words of one language. */
  preload(...sources: string[]): string[]
}

/**
 * Reads dist/manifest.json of a page without index.html.
 * @param base what stands before the file names: a path, or nothing for relative addresses
 * @returns null where the page is not built
 * @example readBuiltEntry('packages/checkout/dist', 'src/main.tsx', '')?.script // 'assets/main-4f9a0c1e.js'
 */
export function readBuiltEntry(folder: string, entry: string, base: string): BuiltEntry | null {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) return null
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, Chunk>>
  const chunk = manifest[entry]
  const [style] = chunk?.css ?? []
  if (chunk === undefined || style === undefined) return null
  return {
    script: base + chunk.file,
    style: base + style,
    preload(...sources) {
      const wanted = new Set<Chunk>()
      const visit = (name: string): void => {
        const one = manifest[name]
        if (one === undefined || wanted.has(one)) return
        wanted.add(one)
        for (const next of one.imports ?? []) visit(next)
      }
      for (const name of [...(chunk.imports ?? []), ...sources]) visit(name)
      wanted.delete(chunk)
      return [...wanted].map((one) => base + one.file)
    },
  }
}

const isServed = (name: string): boolean => !/\.(gz|br|html|map)$|^manifest\.json$|^\.vite\//.test(name)

/** The files of a build that are served, by their names below its folder. Neither pages nor the manifest are among them. */
function listBuiltFiles(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const names = entries.flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')] : [],
  )
  return new Set(names.filter(isServed))
}

/** What sends them, once an app: a route for each of some hundred files was most of the work of building one. */
async function useFiles(app: App): Promise<void> {
  if (app.hasReplyDecorator('sendFile')) return
  await app.register(files, {
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // A compressed file's own name ends in .gz or .br; its content type is that of the name before.
      const name = basename(path).replace(/\.(gz|br)$/, '')
      reply.header('Cache-Control', hashedName.test(name) ? FOR_EVER : 'no-cache')
    },
  })
}

/** Serves a build's files below `prefix`, which ends in a slash. What is not a file of the build is not found. */
export async function serveBuiltFiles(app: App, folder: string, prefix: string): Promise<void> {
  const built = listBuiltFiles(folder)
  if (built.size === 0) return
  await useFiles(app)
  app.get(`${prefix}*`, { schema: { hide: true } }, async (request, reply) => {
    const { '*': name } = request.params as { '*': string }
    if (!built.has(name)) throw new AppError('not_found')
    return reply.sendFile(name, folder)
  })
}

const NONCE_MARK = '__CSP_NONCE__'

/**
 * Serves an app of one page, such as the console: its files, and its index.html for every other path below `prefix`,
 * where the browser decides what is shown. A missing file stays a 404.
 * @param prefix without a trailing slash
 */
export async function serveSinglePage(app: App, folder: string, prefix: string): Promise<void> {
  await useFiles(app)
  const built = listBuiltFiles(folder)
  const index = join(folder, 'index.html')
  const html = existsSync(index) ? readFileSync(index, 'utf8') : null
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split('?')[0] ?? ''
    const name = path.slice(prefix.length + 1)
    if (built.has(name)) return reply.sendFile(name, folder)
    if (basename(path).includes('.') || path.startsWith(`${prefix}/assets/`)) throw new AppError('not_found')
    if (html === null)
      throw new AppError('unavailable', {
        message: 'This page is not built. Whoever runs this Florin builds it with npm start.',
      })
    const nonce = newNonce()
    return sendPage(request, reply, { html: html.replaceAll(NONCE_MARK, nonce), policy: pagePolicy({ nonce }) })
  }
  app.get(prefix, { schema: { hide: true } }, show)
  app.get(`${prefix}/*`, { schema: { hide: true } }, show)
}
