// The pages of the site in their order: which file or which part of the API each one is made of. Reads docs/ and nothing
// else. A page that no group names is there all the same and is found by links and by the search.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { type MarkdownOptions, type Rendered, renderMarkdown } from './markdown.ts'
import { referencePages } from './reference/pages.ts'

export const BASE = '/docs'

/** What the navigation shows, by the names of pages below /docs. */
export const groups: readonly { title: string; pages: readonly string[] }[] = [
  { title: 'Begin', pages: ['', 'start', 'concepts', 'test-mode', 'going-live', 'moving'] },
  {
    title: 'Build',
    pages: ['webhooks', 'idempotency', 'limits', 'refunds', 'currencies', 'selling', 'libraries', 'versions'],
  },
  {
    title: 'API',
    pages: [
      ...['api', 'api/orders', 'api/refunds', 'api/events', 'api/deliveries', 'api/webhook-endpoints'],
      ...['api/payment-links', 'api/invoices', 'api/chains', 'api/test', 'api/objects', 'errors', 'api/console'],
    ],
  },
  {
    title: 'Operate',
    pages: ['operations', 'rails', 'rails/write-a-rail', 'security', 'exit', 'contract', 'decisions'],
  },
]

export interface Page extends Rendered {
  /** Below /docs, without a slash at the ends; empty: the first page. */
  path: string
  group: string | null
}

export interface Site {
  pages: Page[]
  /** Pictures to copy, from docs/pictures. */
  pictures: string[]
  /** Links of the sources that lead to no page and no anchor. */
  broken: string[]
}

/** Pages that stand for a file under another name, and files that the site has in another form. */
const renamed: Readonly<Record<string, string>> = { index: '', conventions: 'api', 'api#errors': 'errors' }
const left = new Set(['api'])

export const urlOf = (path: string): string => (path === '' ? BASE : `${BASE}/${path}`)

export function readSite(docs: string): Site {
  const sources = new Map<string, { text: string; folder: string }>()
  for (const file of globSync('**/*.md', { cwd: docs }).sort()) {
    const name = file.replace(/\.md$/, '').replaceAll('\\', '/')
    if (left.has(name)) continue
    sources.set(renamed[name] ?? name, { text: readFileSync(join(docs, file), 'utf8'), folder: dirname(name) })
  }
  sources.set('decisions', { text: decisionsPage(sources), folder: '.' })
  const api = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8'))
  for (const [path, text] of referencePages(api)) sources.set(path, { text, folder: '.' })
  const pictures = globSync('pictures/*.webp', { cwd: docs }).map((file) => basename(file))
  const groupOf = new Map(groups.flatMap(({ title, pages }) => pages.map((page) => [page, title] as const)))
  const broken: string[] = groups.flatMap(({ pages }) => pages.filter((page) => !sources.has(page)))
  const pages = [...sources].map(([path, { text, folder }]) => ({
    path,
    group:
      groupOf.get(path) ?? (path.startsWith('api/console') ? 'API' : path.startsWith('decisions/') ? 'Operate' : null),
    ...renderMarkdown(text, optionsFor(path, folder)),
  }))

  function optionsFor(path: string, folder: string): MarkdownOptions {
    return {
      link(href) {
        if (/^(https?|mailto):/.test(href)) return { href }
        if (href.startsWith('#') || href.startsWith('/')) return { href }
        const [file = '', anchor] = href.split('#')
        const target = posix.normalize(posix.join(folder, file))
        // What lies outside of docs/ is in the source, which is not served.
        if (target.startsWith('..')) return { href: null }
        if (target.startsWith('pictures/')) return { href: `${BASE}/${target}` }
        const name = target.replace(/\.md$/, '')
        const page = renamed[`${name}#${anchor}`] ?? renamed[name] ?? name
        if (!target.endsWith('.md')) broken.push(`${path}: ${href}`)
        const isWhole = anchor === undefined || renamed[`${name}#${anchor}`] !== undefined
        return { href: isWhole ? urlOf(page) : `${urlOf(page)}#${anchor}` }
      },
      inlinePicture: (src) => (src.endsWith('.svg') ? readFileSync(join(docs, folder, src), 'utf8').trim() : null),
    }
  }

  const byUrl = new Map(pages.map((page) => [urlOf(page.path), page]))
  for (const page of pages) {
    for (const link of page.links) {
      if (/^(https?|mailto):/.test(link) || link.startsWith(`${BASE}/packages/`)) continue
      const [url = '', anchor] = link.startsWith('#') ? [urlOf(page.path), link.slice(1)] : link.split('#')
      if (url.startsWith(`${BASE}/pictures/`)) {
        if (!pictures.includes(basename(url))) broken.push(`${page.path}: ${link}`)
        continue
      }
      if (!url.startsWith(BASE)) continue
      const target = byUrl.get(url)
      if (target === undefined || (anchor !== undefined && !target.ids.has(anchor)))
        broken.push(`${page.path}: ${link}`)
    }
  }
  return { pages, pictures, broken }
}

function decisionsPage(sources: ReadonlyMap<string, { text: string }>): string {
  const lines = [...sources]
    .filter(([path]) => path.startsWith('decisions/'))
    .map(([path, { text }]) => `- [${/^# (.*)$/m.exec(text)?.[1] ?? path}](${path}.md)`)
  return [
    '# Decisions',
    'Why Florin is built as it is: one page for each choice that was open.',
    lines.join('\n'),
  ].join('\n\n')
}
