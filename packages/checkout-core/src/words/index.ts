// Which languages there are, and how a sentence is filled in.
import { pointed } from '../amount.ts'
import type { en } from './en.ts'

export type Key = keyof typeof en
export type Words = Readonly<Record<Key, string>>

type Fields<S extends string> = S extends `${string}{${infer Field}}${infer Rest}` ? Field | Fields<Rest> : never
type FieldsOf<K extends Key> = Fields<(typeof en)[K]>

/** A sentence that is not yet in any language. */
export interface Phrase {
  readonly key: Key
  readonly fields: Readonly<Record<string, string>>
}

/** What a sentence must be given: nothing, or every field it has. */
export type FieldsArg<K extends Key> = [FieldsOf<K>] extends [never] ? [] : [Readonly<Record<FieldsOf<K>, string>>]

/** @example phrase('coin_on_chain', { asset: 'USDC', chain: 'Base' }) */
export function phrase<K extends Key>(key: K, ...fields: FieldsArg<K>): Phrase {
  return { key, fields: fields[0] ?? {} }
}

/** The sentence in words. A field that the phrase lacks stays visible, so that it is noticed. */
export function fill(words: Words, { key, fields }: Phrase): string {
  return words[key].replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole)
}

/** Says a sentence by its key, or one that was made elsewhere. */
export interface Say {
  <K extends Key>(key: K, ...fields: FieldsArg<K>): string
  (sentence: Phrase): string
}

/** @param write what becomes of each sentence, such as its escaping. @param locale whose point amounts are written with */
export function sayIn(words: Words, write: (text: string) => string = (text) => text, locale = 'en'): Say {
  return (first: Key | Phrase, fields?: Phrase['fields']) => {
    const { key, fields: given } = typeof first === 'string' ? { key: first, fields: fields ?? {} } : first
    return write(fill(words, { key, fields: Object.fromEntries(Object.entries(given).map(written(locale))) }))
  }
}

/** Amounts alone: a name of a shop or a network may hold a number as well. */
const written =
  (locale: string) =>
  ([name, text]: [string, string]): [string, string] => [name, /^\d+\.\d+$/.test(text) ? pointed(text, locale) : text]

export const languages = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  zh: '简体中文',
} as const

export type Language = keyof typeof languages

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text)
}

/**
 * A locale as `Intl` accepts it; null where `Intl` would throw. Browsers in containers report names of the operating system.
 * @example localeTag('en-US@posix') // 'en-US'
 * @example localeTag('C.UTF-8') // null
 */
function localeTag(wish: string): string | null {
  try {
    return Intl.getCanonicalLocales(wish.replace(/[.@].*/, '').replace(/_/g, '-'))[0] ?? null
  } catch {
    return null
  }
}

const tagsOf = (wishes: readonly string[]): string[] => wishes.flatMap((wish) => localeTag(wish) ?? [])

const languageIn = (tag: string): string => tag.split('-')[0] ?? ''

/** The first wish that the page speaks; English where none is. @example chooseLanguage(['nl', 'pt-PT']) // 'pt' */
export function chooseLanguage(wishes: readonly string[]): Language {
  return tagsOf(wishes).map(languageIn).find(isLanguage) ?? 'en'
}

/** How numbers and dates are written: the payer's own region of the language where the browser names one. */
export function localeOf(language: Language, wishes: readonly string[]): string {
  return tagsOf(wishes).find((tag) => languageIn(tag) === language) ?? language
}
