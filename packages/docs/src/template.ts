// One page of the site as HTML. Nothing in it is inline, neither script nor style, so the strictest policy fits.
import type { Page } from './site.ts'
import { BASE, groups, urlOf } from './site.ts'

export interface Assets {
  style: string
  script: string
  icon: string
  /** What the search reads once somebody searches. */
  search: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What the navigation calls a page whose heading is longer. */
const shortNames: Readonly<Record<string, string>> = {
  '': 'Overview',
  start: 'First webhook',
  idempotency: 'Idempotency',
  api: 'Conventions',
  'api/objects': 'Objects',
  'api/console': 'Console calls',
}

export const nameOf = (page: Page): string => shortNames[page.path] ?? page.title

export function pageHtml(page: Page, pages: readonly Page[], assets: Assets): string {
  const title = page.path === '' ? 'Florin documentation' : `${page.title} · Florin`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(page.summary)}">
<title>${escaped(title)}</title>
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body${page.path === '' ? ' class="home"' : ''}>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<button class="menu" type="button" popovertarget="nav" aria-label="All pages"><svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg></button>
<a class="brand" href="${BASE}"><img src="${assets.icon}" alt="" width="26" height="26"><span>Florin <span class="soft">docs</span></span></a>
<button class="find" type="button" data-find hidden><svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true"><circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="m13 13 4 4" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></svg><span>Search</span><kbd>/</kbd></button>
<a class="out" href="/console">Console</a>
</header>
<div class="frame">
<nav id="nav" popover aria-label="Documentation">
${navigation(page, pages)}
</nav>
<main id="content" tabindex="-1">
<h1>${escaped(page.title)}</h1>
${page.html}
${neighbours(page, pages)}
</main>
${onThisPage(page)}
</div>
<dialog id="find" aria-label="Search the documentation" data-index="${assets.search}">
<div class="find-head"><input type="search" aria-label="Search" placeholder="A field, an error, a question" autocomplete="off" spellcheck="false" autocapitalize="off"><button type="button" data-close>Close</button></div>
<p class="find-says" role="status"></p>
<ul class="hits"></ul>
</dialog>
</body>
</html>
`
}

function navigation(page: Page, pages: readonly Page[]): string {
  const byPath = new Map(pages.map((one) => [one.path, one]))
  return groups
    .map(({ title, pages: paths }) => {
      const items = paths.map((path) => {
        const one = byPath.get(path)
        if (one === undefined) return ''
        const isHere = page.path === path || (path !== '' && path !== 'api' && page.path.startsWith(`${path}/`))
        return `<li><a href="${urlOf(path)}"${isHere ? ' aria-current="page"' : ''}>${escaped(nameOf(one))}</a></li>`
      })
      return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
    })
    .join('\n')
}

/** Second-level headings, and third-level ones where there are few. */
function onThisPage(page: Page): string {
  const second = page.headings.filter(({ level }) => level === 2)
  const third = page.headings.filter(({ level }) => level <= 3)
  const shown = third.length <= 16 ? third : second
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ level, id, text }) => `<li class="h${level}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`,
  )
  return `<aside class="here" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></aside>`
}

function neighbours(page: Page, pages: readonly Page[]): string {
  const order = groups.flatMap((group) => group.pages)
  const at = order.indexOf(page.path)
  if (at === -1) return ''
  const link = (path: string | undefined, rel: string, word: string): string => {
    const one = pages.find((each) => each.path === path)
    if (one === undefined) return ''
    return `<a rel="${rel}" href="${urlOf(one.path)}"><span>${word}</span> ${escaped(nameOf(one))}</a>`
  }
  return `<nav class="neighbours" aria-label="Next pages">${link(order[at - 1], 'prev', 'Before')}${link(order[at + 1], 'next', 'Next')}</nav>`
}
