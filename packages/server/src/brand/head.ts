// What the head of a branded page says: icon, manifest, the accent as a style, and the preview of its link. Pure.
import { escapeHtml } from '@florin/platform/http/html'
import type { Brand } from './brand.ts'

/** What a chat or a social site shows of a link (Open Graph). */
export interface Preview {
  title: string
  description: string
  /** The page's own address. */
  url: string
}

/** Pages name our own files by their path: under whatever name they were asked, the policy takes only that origin. */
const here = (url: string): string => escapeHtml(new URL(url).pathname)

/** @param a.nonce of the page's policy (`pagePolicy({ styleNonce })`), for the style that holds the accent */
export function brandHead(a: { brand: Brand; nonce: string; preview: Preview }): string {
  const { brand, preview } = a
  const property = (name: string, content: string): string =>
    `<meta property="og:${name}" content="${escapeHtml(content)}">`
  return [
    `<link rel="icon" type="image/png" href="${here(brand.iconUrl)}">`,
    `<link rel="apple-touch-icon" href="${here(brand.iconUrl)}">`,
    `<link rel="manifest" href="${here(brand.manifestUrl)}">`,
    accentStyle(brand, a.nonce),
    property('type', 'website'),
    property('title', preview.title),
    property('description', preview.description),
    property('url', preview.url),
    property('image', brand.cardUrl),
    property('image:width', '1200'),
    property('image:height', '630'),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n')
}

/** The colours were made by us from six hexadecimal digits: nothing of the merchant's text is in here. */
function accentStyle({ colors }: Brand, nonce: string): string {
  if (colors === null) return ''
  const rule = ({ press, on_press: on }: { press: string; on_press: string }): string =>
    `:root{--press:${press};--on-press:${on}}`
  return (
    `<meta name="theme-color" media="(prefers-color-scheme: light)" content="${colors.light.press}">\n` +
    `<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${colors.dark.press}">\n` +
    `<style nonce="${escapeHtml(nonce)}">${rule(colors.light)}` +
    `@media (prefers-color-scheme:dark){${rule(colors.dark)}}</style>`
  )
}
