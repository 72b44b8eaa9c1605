// Mails to payers in the payer's language. The language is the best of ours for the payer's locale; numbers and
// dates follow the locale itself.
import { chooseLanguage, type Language, pointed } from '@florin/checkout-core'
import { dayText, momentText, noonOf } from '@florin/protocol'
import { de } from './de.ts'
import { en, type PayerWord, type PayerWords } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { pt } from './pt.ts'
import { zh } from './zh.ts'

export const payerWords: Readonly<Record<Language, PayerWords>> = { en, de, es, fr, pt, zh }

export interface PayerTongue {
  /** Of the text, for `lang` of HTML. */
  language: Language
  say(word: PayerWord, fields?: Readonly<Record<string, string>>): string
  /** A decimal number, with the point of the locale. @example number('49.90') // '49,90' in German */
  number(decimal: string): string
  /** A moment with date, time and the name of its zone. */
  time(at: Date, zone: string): string
  /** A day of a zone, such as `2026-12-31`, with the zone's name. */
  day(day: string, zone: string): string
}

/** @param locale a BCP 47 tag that was checked; null: English. */
export function tongueOf(locale: string | null): PayerTongue {
  const language = chooseLanguage(locale === null ? [] : [locale])
  // A locale of another language would write numbers unlike the text around them.
  const own = locale !== null && locale.toLowerCase().split('-')[0] === language ? locale : language
  return {
    language,
    say: (word, fields = {}) =>
      payerWords[language][word].replace(/\{(\w+)\}/g, (_whole, name: string) => fields[name] ?? ''),
    number: (decimal) => pointed(decimal, own),
    time: (at, zone) => momentText(at, { zone, locale: own }),
    day: (day, zone) => dayText(noonOf(day, zone), { zone, locale: own }),
  }
}
