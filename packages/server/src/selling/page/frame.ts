// The document around the pages of links and invoices: the checkout's own look, and not a line of script. Pure; whoever
// fills it in has escaped every text.
import { escapeHtml } from '@florin/platform/http/html'
import { dayText, momentText, noonOf } from '@florin/protocol'
import { brandHead } from '../../brand/head.ts'
import { htmlDocument, textIn } from '../../checkout/html.ts'
import { dictionaries } from '../../checkout/language.ts'
import { merchantMark, supportBlock } from '../../checkout/page.blocks.ts'
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
  const { language, brand, shown, custody, style, nonce, url } = look
  const t = textIn(language)
  const name = brand.name ?? dictionaries[language].shop
  const shared = { title: `${name} · ${title}`, description: preview, url }
  return htmlDocument({
    ...{ language, title: `${escapeHtml(title)} · ${escapeHtml(name)}`, style },
    head: [brandHead({ brand, nonce, preview: shared })],
    body: `<div id="root"><div class="page">
<header class="summary"><p class="merchant">${merchantMark(shown, name)}<bdi class="merchant-name">${escapeHtml(name)}</bdi>${isTest ? `<span class="badge">${t('test_mode')}</span>` : ''}</p>
${summary}</header>
<div class="middle"><main class="card selling">
${card}
</main></div>
<footer class="foot"><p>${t(custody)}</p>${supportBlock(shown, language)}</footer>
</div></div>`,
  })
}

/** Days and moments for people: in the language of the page and the time zone of the shop, which each names. */
export function datesOf({ language: locale, brand: { timeZone: zone } }: Pick<Look, 'language' | 'brand'>) {
  return {
    /** A day of the shop, kept as its first moment in UTC. */
    due: (day: Date): string => dayText(noonOf(day.toISOString().slice(0, 10), zone), { zone, locale }),
    day: (at: Date): string => dayText(at, { zone, locale }),
    moment: (at: Date): string => momentText(at, { zone, locale }),
  }
}
