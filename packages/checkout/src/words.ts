// Each language is a file of its own in the build; only the chosen one is downloaded.
import type { Language, Words } from '@florin/checkout-core'

const load: Readonly<Record<Language, () => Promise<Words>>> = {
  en: async () => (await import('@florin/checkout-core/words/en')).en,
  de: async () => (await import('@florin/checkout-core/words/de')).de,
  es: async () => (await import('@florin/checkout-core/words/es')).es,
  fr: async () => (await import('@florin/checkout-core/words/fr')).fr,
  pt: async () => (await import('@florin/checkout-core/words/pt')).pt,
  zh: async () => (await import('@florin/checkout-core/words/zh')).zh,
}

export const loadWords = (language: Language): Promise<Words> => load[language]()
