// Where the page may lead: explorer pages, wallets, and back to the shop. Whatever came in as text is judged here
// before it becomes a link, so no scheme that runs code is ever clickable.
import type { Checkout } from '@florin/protocol'

/** The page of a transaction or address, from a template with `{tx}` or `{address}`; null where there is none. */
export function explorerUrl(template: string | null, field: 'tx' | 'address', value: string): string | null {
  const filled = template?.replace(`{${field}}`, () => encodeURIComponent(value).replaceAll('%3A', ':'))
  return filled === undefined ? null : webUrl(filled)
}

/**
 * The proof of the pay address as a file to save (docs/exit.md); null where there is none. It is in the link itself, so that it
 * can be saved when the service no longer answers.
 */
export function proofFile({
  order_no: orderNo,
  pay,
}: Pick<Checkout, 'order_no' | 'pay'>): { name: string; href: string } | null {
  if (pay?.proof == null) return null
  const text = `${JSON.stringify(pay.proof, null, 2)}\n`
  return { name: `proof-${orderNo}.json`, href: `data:application/json;charset=utf-8,${encodeURIComponent(text)}` }
}

/** Where the service hands out the page that reads it. */
export const EXIT_PAGE = '/exit.html'

/** An http or https address, else null. */
export function webUrl(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
}

const forbidden = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'http', 'https', 'florin-test'])

/** A payment link that a wallet may open; null for a bare address, and for the sandbox, whose scheme opens nothing. */
export function walletUrl(uri: string): string | null {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase()
  return scheme === undefined || forbidden.has(scheme) ? null : uri
}
