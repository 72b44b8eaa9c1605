// Sentences, links and drawings of the payer's page as HTML. Pure.
import { type Language, type Say, sayIn } from '@florin/checkout-core'
import { escapeHtml } from '@florin/platform/http/html'
import { dictionaries } from './language.ts'

/** Sentences in the page's language, escaped with all their parameters. */
export const textIn = (language: Language): Say => sayIn(dictionaries[language], escapeHtml, language)

/** A link with any other scheme could run code. */
export const isWebUrl = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)

const drawings = {
  arrow_left: 'M13 4 7 10l6 6',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6.2V10l2.6 1.8',
  swap: 'M4 7.5h11.5l-3-3M16 12.5H4.5l3 3',
  warning: 'M10 3.4 2.6 16.2h14.8L10 3.4Zm0 4.8v3.9m0 2.1v.1',
} as const

export function iconSvg(name: keyof typeof drawings): string {
  return (
    '<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">' +
    `<path d="${drawings[name]}" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  )
}

/** The document of every page that payers see: its head, then what is told. What it is given is HTML, but for the address of the style. */
export function htmlDocument(a: {
  language: Language
  title: string
  /** null: not built, and the words stand alone. */
  style: string | null
  head: readonly string[]
  body: string
}): string {
  const style = a.style === null ? [] : [`<link rel="stylesheet" href="${escapeHtml(a.style)}">`]
  return `<!doctype html>
<html lang="${a.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${a.title}</title>
${[...style, ...a.head].join('\n')}
</head>
<body>
${a.body}
</body>
</html>
`
}
