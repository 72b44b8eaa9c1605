// Builds the site into dist/: pages as HTML, style, script and the search's words under names of their content, all of it
// compressed, and site.json, by which the service hands them out. Usage: node src/build.ts [folder]
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Corpus } from '../browser/find.ts'
import { BASE, readSite, type Site, urlOf } from './site.ts'
import { pageHtml } from './template.ts'

const root = join(import.meta.dirname, '..')
const docs = join(root, '../../docs')

/** Libraries of one file, which are handed out as they are. */
const clients = ['examples/python/florin.py', 'examples/php/florin.php']

/** What the service needs to know of a file: under which URL, of which type, and whether its name changes with it. */
interface Served {
  url: string
  file: string
  type: string
  etag: string
  isForEver: boolean
  isCompressed: boolean
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  py: 'text/plain; charset=utf-8',
  php: 'text/plain; charset=utf-8',
}

export async function buildSite(out: string): Promise<void> {
  const site = readSite(docs)
  rmSync(out, { recursive: true, force: true })
  const served: Served[] = []
  const write = (url: string, file: string, content: Buffer, isForEver: boolean): void => {
    const path = join(out, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    const type = types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const isCompressed = !file.endsWith('.webp')
    if (isCompressed) {
      writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
    }
    served.push({ url, file, type, etag: `"${hashOf(content)}"`, isForEver, isCompressed })
  }
  const asset = (name: string, text: string): string => {
    const content = Buffer.from(text)
    const [stem, ending] = name.split('.')
    const file = `assets/${stem}-${hashOf(content)}.${ending}`
    write(`${BASE}/${file}`, file, content, true)
    return `${BASE}/${file}`
  }
  const [script, style] = await Promise.all([bundle('main.ts'), bundle('site.css')])
  const assets = {
    script: asset('site.js', script),
    style: asset('site.css', style),
    icon: asset('icon.svg', readFileSync(join(root, 'browser/icon.svg'), 'utf8')),
    search: asset('search.json', JSON.stringify(corpusOf(site))),
  }
  for (const page of site.pages) {
    const file = `pages/${page.path === '' ? 'index' : page.path}.html`
    write(urlOf(page.path), file, Buffer.from(pageHtml(page, site.pages, assets)), false)
  }
  for (const client of clients) {
    const file = `clients/${basename(client)}`
    write(`${BASE}/${file}`, file, readFileSync(join(root, '../..', client)), false)
  }
  mkdirSync(join(out, 'pictures'), { recursive: true })
  for (const picture of site.pictures) {
    copyFileSync(join(docs, 'pictures', picture), join(out, 'pictures', picture))
    const etag = `"${hashOf(readFileSync(join(docs, 'pictures', picture)))}"`
    const url = `${BASE}/pictures/${picture}`
    served.push({ url, file: `pictures/${picture}`, type: 'image/webp', etag, isForEver: false, isCompressed: false })
  }
  writeFileSync(join(out, 'site.json'), `${JSON.stringify(served, null, 1)}\n`)
}

export function corpusOf(site: Site): Corpus {
  return {
    pages: site.pages.map((page) => [urlOf(page.path), page.title]),
    entries: site.pages.flatMap((page, at) =>
      page.entries.map(({ id, title, text, isRow }) => [at, id, title, text, isRow ? 1 : 0] as const),
    ),
  }
}

export async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'browser', file)],
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('base64url').slice(0, 12)

if (import.meta.main) await buildSite(resolve(process.argv[2] ?? join(root, 'dist')))
