// Chooses the language of the plain page.
import { chooseLanguage, type Language, type Words } from '@florin/checkout-core'
import { de } from '@florin/checkout-core/words/de'
import { en } from '@florin/checkout-core/words/en'
import { es } from '@florin/checkout-core/words/es'
import { fr } from '@florin/checkout-core/words/fr'
import { pt } from '@florin/checkout-core/words/pt'
import { zh } from '@florin/checkout-core/words/zh'
import { acceptedLocales } from '@florin/platform/accept-language'

export const dictionaries: Readonly<Record<Language, Words>> = { en, de, es, fr, pt, zh }

/** The source of a language as the built page's manifest names it, so that the page can ask for it at once. */
export const wordsSource = (language: Language): string => `../checkout-core/src/words/${language}.ts`

/**
 * The best language for an Accept-Language header; English where it asks for none that is spoken.
 * @example languageOf('nl, pt-PT;q=0.8, en;q=0.5') // 'pt'
 */
export const languageOf = (header: string | undefined): Language => chooseLanguage(acceptedLocales(header))
