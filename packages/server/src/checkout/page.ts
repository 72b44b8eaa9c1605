// The HTML of a payer's page: a plain page that works without JavaScript, and the shell that the built script takes
// over. Pure. Everything that came from outside is escaped, once; there is no inline style and no inline code.
//
// Without JavaScript its forms are posted urlencoded to the page's own address (POST /pay/{token}): `choice` holds
// "<chain> <asset>", `address` a refund address. The answer is 303 back to the page, or the page with `problem`.
import { type Language, screenOf } from '@florin/checkout-core'
import type { Checkout } from '@florin/protocol'
import { embedJson, escapeHtml, textIn } from './html.ts'
import {
  chooseBlock,
  headBlock,
  payBlock,
  progressBlock,
  proofBlock,
  refundBlock,
  returnBlock,
  summaryBlock,
} from './page.blocks.ts'

export interface PageAssets {
  /** Addresses, absolute or relative to the page. */
  script: string
  style: string
  /** Modules that the script needs at once, such as the words of the page's language. */
  preload: readonly string[]
}

export interface PageParts {
  checkout: Checkout
  assets: PageAssets
  locale: Language
  /** For a policy that lists scripts and styles by nonce; our own files need none. */
  nonce?: string
  /** What was wrong with a form that was posted without JavaScript, for the payer. */
  problem?: string
}

/** A coin of two rings, inline so that it needs no request. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#1b1b18"/>' +
      '<circle cx="16" cy="16" r="10" fill="none" stroke="#f5f4f0" stroke-width="2.5"/></svg>',
  )

const successText = ({ status, success_text: text }: Checkout): string =>
  status === 'success' && text !== null ? `<p class="success-text">${escapeHtml(text)}</p>` : ''

/**
 * The whole document for GET /pay/{token}.
 * @example sendPage(request, reply, { html: checkoutPage({ checkout, assets, locale: languageOf(header) }), policy:
 * pagePolicy() })
 */
export function checkoutPage({ checkout, assets, locale, nonce, problem }: PageParts): string {
  const t = textIn(locale)
  const screen = screenOf(checkout, Date.parse(checkout.server_time))
  const shop = checkout.merchant.name === null ? t('shop') : escapeHtml(checkout.merchant.name)
  const mark = nonce === undefined ? '' : ` nonce="${escapeHtml(nonce)}"`
  const preloads = assets.preload.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}"${mark}>`)
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${t(screen.headline)} · ${shop}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${escapeHtml(assets.style)}"${mark}>
<script type="module" src="${escapeHtml(assets.script)}"${mark}></script>
${preloads.join('\n')}
</head>
<body>
<div id="root"><div class="page">
${summaryBlock(checkout, locale)}
<div class="middle"><main class="card">
${headBlock(screen, locale)}
${successText(checkout)}
${problem === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(problem)}</p>`}
${screen.panel === 'pay' ? payBlock(checkout, locale) : ''}
${progressBlock(screen, locale)}
${chooseBlock(checkout, locale, screen.panel)}
${refundBlock(checkout, screen, locale)}
${returnBlock(checkout, locale)}
<noscript><p class="hint">${t('plain_note')} <a href="">${t('check_again')}</a></p></noscript>
</main></div>
<footer class="foot"><p>${t('non_custodial')}</p><p>${t('order')} <span class="code">${escapeHtml(checkout.order_no)}</span></p>${proofBlock(checkout, locale)}</footer>
</div></div>
<script type="application/json" id="checkout-data">${embedJson(checkout)}</script>
</body>
</html>
`
}
