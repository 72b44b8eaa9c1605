// Chooses the language of the plain page.
import { chooseLanguage, type Language, type Words } from '@florin/checkout-core'
import { de } from '@florin/checkout-core/words/de'
import { en } from '@florin/checkout-core/words/en'
import { es } from '@florin/checkout-core/words/es'
import { fr } from '@florin/checkout-core/words/fr'
import { pt } from '@florin/checkout-core/words/pt'
import { zh } from '@florin/checkout-core/words/zh'

export const dictionaries: Readonly<Record<Language, Words>> = { en, de, es, fr, pt, zh }

/** The source of a language as the built page's manifest names it, so that the page can ask for it at once. */
export const wordsSource = (language: Language): string => `../checkout-core/src/words/${language}.ts`

/**
 * The best language for an Accept-Language header; English where it asks for none that is spoken.
 * @example languageOf('nl, pt-PT;q=0.8, en;q=0.5') // 'pt'
 */
export function languageOf(header: string | undefined): Language {
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, at) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1]).find(Boolean)
      return { tag, q: q === undefined ? 1 : Number(q), at }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.at - b.at)
  return chooseLanguage(wishes.map(({ tag }) => tag))
}
