// Which languages a browser asks for. Pure.
import { isLanguage } from '@florin/checkout-core'
import { LOCALE } from '@florin/protocol'

/**
 * The language tags of an Accept-Language header, in lower case, the most wanted first.
 * @example acceptedLocales('nl, pt-PT;q=0.8, en;q=0.5') // ['nl', 'pt-pt', 'en']
 */
export const acceptedLocales = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, at) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const q = parameters.map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1]).find(Boolean)
      return { tag, q: q === undefined ? 1 : Number(q), at }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.at - b.at)
    .map(({ tag }) => tag)

/** The most wanted locale whose language Florin has; null: none of them. */
export const localeOfHeader = (header: string | undefined): string | null =>
  acceptedLocales(header).find((tag) => LOCALE.test(tag) && isLanguage(tag.split('-')[0] ?? '')) ?? null
