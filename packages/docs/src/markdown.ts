// Markdown to HTML as the site shows it: headings and table rows that can be linked to, code in colours with a group of
// languages as tabs, tables in frames that scroll, links between pages. Also what the search knows of a page. Pure.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import MarkdownIt, { type Token } from 'markdown-it'
import { slugOf, uniqueIds } from './slug.ts'

const languages = { sh: bash, http, js: javascript, json, php, python, ts: typescript }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

/** How a language is called on its tab. */
const tabNames: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python', php: 'PHP' }

export interface Heading {
  level: number
  id: string
  text: string
}

/** What the search shows: a section under its heading, or a row of a table under the name that it begins with. */
export interface Entry {
  id: string
  title: string
  text: string
  isRow: boolean
}

export interface Rendered {
  title: string
  /** The first paragraph, as text. */
  summary: string
  html: string
  headings: Heading[]
  entries: Entry[]
  /** Every id that can be linked to. */
  ids: Set<string>
  /** Links as they stand in the HTML. */
  links: string[]
}

export interface LinkTarget {
  href: string | null
}

export interface MarkdownOptions {
  /** Where a link of the source leads on the site; href null: nowhere, it is shown as text. */
  link(href: string): LinkTarget
  /** The SVG that stands in the page itself, so that it takes the page's colours; null: an ordinary picture. */
  inlinePicture(src: string): string | null
}

type Parser = InstanceType<typeof MarkdownIt>

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A group is one call in several languages: neighbours that say `tab` behind their language. */
const isTab = (token: Token | undefined): boolean => token?.type === 'fence' && / tab\b/.test(token.info)
const languageOf = (token: Token): string => token.info.trim().split(/\s+/)[0] ?? ''

const plain = (token: Token | undefined): string =>
  (token?.children ?? [])
    .map((child) =>
      child.type === 'text' || child.type === 'code_inline' ? child.content : child.type === 'softbreak' ? ' ' : '',
    )
    .join('')

export function renderMarkdown(source: string, options: MarkdownOptions): Rendered {
  const md = new MarkdownIt({ html: false, linkify: false })
  const links: string[] = []
  addCode(md)
  addTables(md)
  addCallouts(md)
  addLinks(md, options, links)
  const tokens = md.parse(source, {})
  const found = nameAll(tokens)
  // The first heading is the page's own; the template shows it.
  const at = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1')
  const title = at === -1 ? '' : plain(tokens[at + 1])
  if (at !== -1) tokens.splice(at, 3)
  const paragraph = tokens.findIndex((token) => token.type === 'paragraph_open' && token.level === 0)
  return {
    title,
    summary: plain(tokens[paragraph + 1]).slice(0, 300),
    html: md.renderer.render(tokens, md.options, {}),
    ...found,
    links,
  }
}

/** A whole file is found by the text around it; of tabs with the same call, the first is enough. */
function isSearched(token: Token): boolean {
  return token.content.split('\n').length <= MAX_LINES_SEARCHED && (!isTab(token) || languageOf(token) === 'sh')
}
const MAX_LINES_SEARCHED = 12

/** Gives headings and rows their ids, and collects what the search knows. */
function nameAll(tokens: Token[]): Pick<Rendered, 'headings' | 'entries' | 'ids'> {
  const unique = uniqueIds()
  const headings: Heading[] = []
  const entries: Entry[] = []
  const ids = new Set<string>()
  let section: Entry | null = null
  let row: Entry | null = null
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = plain(tokens[at + 1])
      const id = unique(slugOf(text))
      token.attrSet('id', id)
      ids.add(id)
      const level = Number(token.tag.slice(1))
      if (level > 1) headings.push({ level, id, text })
      section = { id: level === 1 ? '' : id, title: text, text: '', isRow: false }
      entries.push(section)
    } else if (token.type === 'tr_open' && tokens[at + 1]?.type === 'td_open') {
      const [first] = tokens[at + 2]?.children ?? []
      if (first?.type !== 'code_inline') continue
      // The path of a call or a whole line of code is no name.
      if (!/^[\w.-]+$/.test(first.content)) continue
      const id = unique(section === null || section.id === '' ? first.content : `${section.id}.${first.content}`)
      token.attrSet('id', id)
      ids.add(id)
      row = { id, title: first.content, text: '', isRow: true }
      entries.push(row)
    } else if (token.type === 'tr_close') row = null
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      const entry = row ?? section
      if (entry !== null) entry.text += `${plain(token)} `
    } else if (token.type === 'fence' && section !== null && isSearched(token)) section.text += `${token.content} `
  }
  for (const entry of entries) entry.text = entry.text.replace(/\s+/g, ' ').trim()
  return { headings, entries, ids }
}

function addCode(md: Parser): void {
  md.renderer.rules.fence = (tokens, at) => {
    const token = tokens[at]
    if (token === undefined) return ''
    const language = languageOf(token)
    const known = hljs.getLanguage(language) !== undefined
    const code = known ? hljs.highlight(token.content.trimEnd(), { language }).value : escaped(token.content.trimEnd())
    // It can be wider than the page, and whoever has no mouse scrolls it by keys.
    const block = `<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>\n`
    if (!isTab(token)) return block
    const name = tabNames[language] ?? language
    const open = isTab(tokens[at - 1]) ? '' : '<div class="tabs">\n'
    const close = isTab(tokens[at + 1]) ? '' : '</div>\n'
    return `${open}<section class="tab" data-tab="${escaped(name)}" aria-label="${escaped(name)}"><p class="tab-name">${escaped(name)}</p>${block}</section>\n${close}`
  }
  md.renderer.rules.code_block = (tokens, at) =>
    `<div class="code"><pre tabindex="0"><code>${escaped(tokens[at]?.content ?? '')}</code></pre></div>\n`
}

function addTables(md: Parser): void {
  md.renderer.rules.table_open = (tokens, at) => {
    // Rows that have names are fields: their first columns do not wrap.
    const names = tokens.slice(at).find((token) => token.type === 'tr_open' && token.attrGet('id') !== null)
    return `<div class="table" tabindex="0" role="group" aria-label="Table"><table${names === undefined ? '' : ' class="fields"'}>\n`
  }
  md.renderer.rules.table_close = () => '</table></div>\n'
  // A header without words is none to a screen reader.
  md.renderer.rules.th_open = (tokens, at) => (plain(tokens[at + 1]) === '' ? '<td>' : '<th scope="col">')
  md.renderer.rules.th_close = (tokens, at) => (plain(tokens[at - 1]) === '' ? '</td>' : '</th>')
}

const callouts: Readonly<Record<string, string>> = { NOTE: 'Note', TIP: 'Tip', IMPORTANT: 'Important', WARNING: 'Mind' }

/** `> [!WARNING]` as the first line of a quotation. */
function addCallouts(md: Parser): void {
  md.core.ruler.push('callouts', (state) => {
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== 'blockquote_open') continue
      const inline = state.tokens[at + 2]
      const kind = /^\[!([A-Z]+)\]\s*/.exec(inline?.content ?? '')?.[1] ?? ''
      const name = callouts[kind]
      const children = inline?.children
      if (name === undefined || children === null || children === undefined) continue
      token.attrSet('class', `callout ${kind.toLowerCase()}`)
      const [first] = children
      if (first !== undefined) first.content = first.content.replace(/^\[![A-Z]+\]\s*/, '')
      if (children[1]?.type === 'softbreak') children.splice(0, 2)
      const label = new state.Token('text', '', 0)
      label.content = `${name}: `
      const open = new state.Token('strong_open', 'strong', 1)
      const close = new state.Token('strong_close', 'strong', -1)
      children.unshift(open, label, close)
    }
  })
}

function addLinks(md: Parser, options: MarkdownOptions, links: string[]): void {
  md.renderer.rules.link_open = (tokens, at, _options, env) => {
    const { href } = options.link(String(tokens[at]?.attrGet('href') ?? ''))
    const state = env as { open?: boolean[] }
    state.open = [...(state.open ?? []), href !== null]
    if (href === null) return '<span>'
    links.push(href)
    return `<a href="${escaped(href)}"${href.startsWith('http') ? ' rel="noopener"' : ''}>`
  }
  md.renderer.rules.link_close = (_tokens, _at, _options, env) =>
    (env as { open?: boolean[] }).open?.pop() === true ? '</a>' : '</span>'
  md.renderer.rules.image = (tokens, at) => {
    const token = tokens[at]
    const src = String(token?.attrGet('src') ?? '')
    const alt = token?.content ?? ''
    const svg = options.inlinePicture(src)
    if (svg !== null) return `<span class="drawing" role="img" tabindex="0" aria-label="${escaped(alt)}">${svg}</span>`
    const { href } = options.link(src)
    if (href === null) return ''
    links.push(href)
    return `<img src="${escaped(href)}" alt="${escaped(alt)}" loading="lazy">`
  }
}
