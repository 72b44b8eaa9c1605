// Pages without an order: the door of the service, and a link that leads nowhere. Pure.
import type { Language } from '@florin/checkout-core'
import type { Brand } from '../brand/brand.ts'
import { brandHead } from '../brand/head.ts'
import { htmlDocument, textIn } from './html.ts'
import { dictionaries } from './language.ts'

export interface WordedParts {
  locale: Language
  nonce: string
  /** Null where the checkout is not built: the words stand alone. */
  style: string | null
  brand: Brand
}

/** Browsers ask for HTML by name; programs ask for JSON or for anything. */
export const isForReading = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '')

export function homePage(parts: WordedParts): string {
  const t = textIn(parts.locale)
  const note = `<p class="note">${t('home_note')}</p>`
  // Under whatever path the service lives, its console is beside this page.
  return frame(parts, 'home_title', `${note}<a class="button" href="console/">${t('home_console')}</a>`)
}

export function missingPage(parts: WordedParts): string {
  const t = textIn(parts.locale)
  return frame(
    parts,
    'missing_title',
    `<p class="note">${t('missing_note')}</p><p class="note">${t('missing_more')}</p>`,
  )
}

function frame(parts: WordedParts, title: 'home_title' | 'missing_title', body: string): string {
  const { locale, nonce, style, brand } = parts
  const words = dictionaries[locale]
  const preview = { title: words[title], description: words.home_note, url: new URL('/', brand.cardUrl).href }
  const said = textIn(locale)(title)
  return htmlDocument({
    ...{ language: locale, title: said, style, head: [brandHead({ brand, nonce, preview })] },
    body: `<div class="page is-worded"><div class="middle"><main class="card">
<div class="outcome"><h1>${said}</h1>${body}</div>
</main></div></div>`,
  })
}
