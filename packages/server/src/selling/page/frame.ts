// The document around the pages of links and invoices: the checkout's own look, and not a line of script. Pure; whoever
// fills it in has escaped every text.
import type { Language } from '@florin/checkout-core'
import { brandHead } from '../../brand/head.ts'
import { textIn } from '../../checkout/html.ts'
import { dictionaries } from '../../checkout/language.ts'
import { merchantMark, supportBlock } from '../../checkout/page.blocks.ts'
import { escapeHtml } from '../../platform/http/html.ts'
import type { Look } from './look.ts'

export interface Frame {
  /** As text. */
  title: string
  /** What a chat shows below the title; as text. */
  preview: string
  isTest: boolean
  /** HTML: below the shop's name. */
  summary: string
  /** HTML: what is to be done. */
  card: string
}

export function framed(look: Look, { title, preview, isTest, summary, card }: Frame): string {
  const { language, brand, shown, style, nonce, url } = look
  const t = textIn(language)
  const name = brand.name ?? dictionaries[language].shop
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${escapeHtml(name)}</title>
${style === null ? '' : `<link rel="stylesheet" href="${escapeHtml(style)}">`}
${brandHead({ brand, nonce, preview: { title: `${name} · ${title}`, description: preview, url } })}
</head>
<body>
<div id="root"><div class="page">
<header class="summary"><p class="merchant">${merchantMark(shown, name)}<span class="merchant-name">${escapeHtml(name)}</span>${isTest ? `<span class="badge">${t('test_mode')}</span>` : ''}</p>
${summary}</header>
<div class="middle"><main class="card selling">
${card}
</main></div>
<footer class="foot"><p>${t('non_custodial')}</p>${supportBlock(shown, language)}</footer>
</div></div>
</body>
</html>
`
}

/** A date for people, in the language of the page. The day is told in UTC, and says so where there is a time. */
export function dateText(at: Date, language: Language, withTime: boolean): string {
  const form = new Intl.DateTimeFormat(language, {
    ...{ dateStyle: 'long', timeZone: 'UTC' },
    ...(withTime ? { timeStyle: 'short' } : {}),
  })
  return withTime ? `${form.format(at)} UTC` : form.format(at)
}
