// What the pages of links and invoices say, in the checkout's languages. Pure. Only the server writes these pages, so the
// checkout's script carries none of it.
import type { Language } from '@florin/checkout-core'
import { de } from './de.ts'
import { en, type SellingWord, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

export type { SellingWord } from './en.ts'

export const sellingWords: Readonly<Record<Language, Words>> = { en, de, es, fr, pt, zh }

/** A sentence with its places filled in, as text: whoever writes HTML escapes it. */
export function sayIn(language: Language): (word: SellingWord, places?: Readonly<Record<string, string>>) => string {
  return (word, places = {}) =>
    sellingWords[language][word].replace(/\{(\w+)\}/g, (_whole, name: string) => places[name] ?? '')
}
