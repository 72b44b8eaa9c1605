// The HTML of a payer's page: a plain page that works without JavaScript, and the shell that the built script takes
// over. Pure. Everything that came from outside is escaped, once; there is no inline style and no inline code.
//
// Without JavaScript its forms are posted urlencoded to the page's own address (POST /pay/{token}): `choice` holds
// "<chain> <asset>", `address` a refund address. The answer is 303 back to the page, or the page with `problem`.
import { askedText, custodyPhrase, type Language, sayIn, screenOf } from '@florin/checkout-core'
import { embedJson, escapeHtml } from '@florin/platform/http/html'
import type { Checkout } from '@florin/protocol'
import type { Brand } from '../brand/brand.ts'
import { brandHead, type Preview } from '../brand/head.ts'
import { htmlDocument, textIn } from './html.ts'
import { dictionaries } from './language.ts'
import {
  type Choosing,
  chooseBlock,
  headBlock,
  payBlock,
  progressBlock,
  proofBlock,
  refundBlock,
  returnBlock,
  sentBlock,
  summaryBlock,
  supportBlock,
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
  brand: Brand
  /** Of the style element that holds the accent colour. */
  nonce: string
  /** The page's own address. */
  url: string
  /** What was wrong with a form that was posted without JavaScript, for the payer. */
  problem?: string
  /** Where its payer has got to in choosing without JavaScript. */
  choosing?: Choosing
}

const successText = ({ status, success_text: text }: Checkout): string =>
  status === 'success' && text !== null ? `<p class="success-text">${escapeHtml(text)}</p>` : ''

/**
 * The whole document for GET /pay/{token}.
 * @example sendPage(request, reply, { html: checkoutPage({ checkout, assets, locale: languageOf(header) }), policy:
 * pagePolicy() })
 */
export function checkoutPage({ checkout, assets, locale, brand, nonce, url, problem, choosing }: PageParts): string {
  const t = textIn(locale)
  const screen = screenOf(checkout, Date.parse(checkout.server_time))
  const shop = checkout.merchant.name === null ? t('shop') : escapeHtml(checkout.merchant.name)
  const preloads = assets.preload.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">`)
  return htmlDocument({
    ...{ language: locale, title: `${t(screen.headline)} · ${shop}`, style: assets.style },
    head: [
      `<script type="module" src="${escapeHtml(assets.script)}"></script>`,
      ...preloads,
      brandHead({ brand, nonce, preview: previewOf(checkout, locale, url) }),
    ],
    body: `<div id="root"><div class="page">
${summaryBlock(checkout, locale)}
<div class="middle"><main class="card">
${headBlock(screen, locale)}
${successText(checkout)}
${problem === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(problem)}</p>`}
${screen.panel === 'pay' ? payBlock(checkout, locale) : ''}
${progressBlock(screen, locale)}
${chooseBlock(checkout, { ...choosing, language: locale, panel: screen.panel })}
${refundBlock(checkout, screen, locale)}
${sentBlock(checkout, locale)}
${returnBlock(checkout, locale)}
<p class="plain hint">${t('plain_note')} <a href="">${t('check_again')}</a></p>
</main></div>
<footer class="foot"><p>${t(custodyPhrase(checkout))}</p><p>${t('order')} <span class="code">${escapeHtml(checkout.order_no)}</span></p>${supportBlock(checkout, locale)}${proofBlock(checkout, locale)}</footer>
</div></div>
<script type="application/json" id="checkout-data">${embedJson(checkout)}</script>`,
  })
}

/** What a chat shows of the link: whom it pays, how much and for what; never whether it was paid. */
function previewOf(checkout: Checkout, language: Language, url: string): Preview {
  const amount = askedText(checkout, language)
  const shop = checkout.merchant.name ?? dictionaries[language].shop
  return {
    title: `${shop} · ${amount}`,
    description: checkout.title ?? sayIn(dictionaries[language])(custodyPhrase(checkout)),
    url,
  }
}
