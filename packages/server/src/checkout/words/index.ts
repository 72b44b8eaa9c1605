// The languages of the plain page and which one a browser gets. Pure.
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

export type Key = keyof typeof en
export type Words = Readonly<Record<Key, string>>

const dictionaries = { en, de, es, fr, pt, zh } as const satisfies Record<string, Words>
export type Language = keyof typeof dictionaries
export const languages = Object.keys(dictionaries) as Language[]
export const keys = Object.keys(en) as Key[]

/** A sentence and what fills its {fields}. */
export type Phrase = readonly [key: Key, fields?: Readonly<Record<string, string>>]

/** The sentence in words, not yet escaped. */
export function say(language: Language, [key, fields = {}]: Phrase): string {
  return dictionaries[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole)
}

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
      return { language: tag.split('-')[0], q: q === undefined ? 1 : Number(q), at }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.at - b.at)
  for (const { language } of wishes) {
    const spoken = languages.find((one) => one === language)
    if (spoken !== undefined) return spoken
  }
  return 'en'
}
