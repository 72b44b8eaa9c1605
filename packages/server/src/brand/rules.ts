// Rules of a brand (contract.md 4.6). Pure.
import { AppError } from '@florin/platform/errors'
import { URL_MAX } from '@florin/protocol'

/** `#rrggbb` in lower case. Only parseAccent makes it. */
declare const accent: unique symbol
export type Accent = string & { readonly [accent]: true }

/** @throws AppError validation_failed, `param: "accent"` */
export function parseAccent(text: string): Accent {
  const full = /^#[0-9a-f]{3}$/i.test(text) ? text.replace(/[0-9a-f]/gi, '$&$&') : text
  if (/^#[0-9a-f]{6}$/i.test(full)) return full.toLowerCase() as Accent
  throw new AppError('validation_failed', {
    param: 'accent',
    message: 'The field "accent" takes a colour such as #1d5fd6, or null for none.',
  })
}

/**
 * Where payers ask the shop: a page of its own.
 * @throws AppError validation_failed, `param: "support_url"`
 */
export function parseSupportUrl(text: string): string {
  const url = text.length <= URL_MAX && URL.canParse(text) ? new URL(text) : null
  const isFine = url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\p{Cc}\s\\]/u.test(text)
  if (isFine) return url.href
  throw new AppError('validation_failed', {
    param: 'support_url',
    message: 'The field "support_url" takes the address of a page that begins with https:// and holds no password.',
  })
}
