// Owns the HTML of a payer's page: a plain page that works without JavaScript, and the shell that the built script takes
// over. Pure. Everything that came from outside is escaped here, once; there is no inline style and no inline code.
//
// Without JavaScript its forms are posted urlencoded to the page's own address (POST /pay/{token}): `choice` holds
// "<chain> <asset>", `address` a refund address. The answer is 303 back to the page, or the page with `problem`.
import type { Checkout } from '@florin/protocol'
import { formatDecimal } from '../platform/money.ts'
import { plainStatus } from './page.status.ts'
import { qrSvg } from './qr.ts'
import { type Language, type Phrase, say } from './words/index.ts'

export interface PageAssets {
  /** Addresses, absolute or relative to the page. */
  script: string
  style: string
  /** Modules that the script asks for at once, such as the words of the page's language. */
  preload: readonly string[]
}

export interface PageParts {
  checkout: Checkout
  assets: PageAssets
  locale: Language
  /** For a policy that lists scripts and styles by nonce; files of our own need none. */
  nonce?: string
  /** What was wrong with a form that was posted without JavaScript, for the payer to read. */
  problem?: string
}

/** A coin of two rings; drawn here so that no request is made for it. */
const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#1b1b18"/>' +
      '<circle cx="16" cy="16" r="10" fill="none" stroke="#f5f4f0" stroke-width="2.5"/></svg>',
  )

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** JSON that cannot end the element it stands in, whatever its texts hold. */
export function embedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/**
 * The whole document for GET /pay/{token}.
 * @example reply.type('text/html; charset=utf-8').send(checkoutPage({ checkout, assets, locale: languageOf(header) }))
 */
export function checkoutPage(parts: PageParts): string {
  const { checkout, assets, locale } = parts
  const t = (...phrase: Phrase): string => escapeHtml(say(locale, phrase))
  const status = plainStatus(checkout)
  const shop = checkout.merchant.name === null ? t('shop') : escapeHtml(checkout.merchant.name)
  const nonce = parts.nonce === undefined ? '' : ` nonce="${escapeHtml(parts.nonce)}"`
  const notes = status.notes.map((note) => `<p class="note">${t(...note)}</p>`).join('')
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>${t(...status.headline)} · ${shop}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${escapeHtml(assets.style)}"${nonce}>
<script type="module" src="${escapeHtml(assets.script)}"${nonce}></script>
${assets.preload.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}"${nonce}>`).join('\n')}
</head>
<body>
<div id="root"><div class="page">
${summary(checkout, shop, locale)}
<div class="middle"><main class="card">
<div class="card-head"><h2>${t(...status.headline)}</h2></div>
${notes === '' ? '' : `<div class="notes">${notes}</div>`}
${parts.problem === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(parts.problem)}</p>`}
${status.offers === 'pay' ? payBlock(checkout, locale) : ''}
${progress(checkout, locale)}
${chooseForm(checkout, locale, status.offers)}
${refundForm(checkout, locale)}
${wayBack(checkout, locale)}
<noscript><p class="hint">${t('plain_note')} <a href="">${t('check_again')}</a></p></noscript>
</main></div>
<footer class="foot"><p>${t('non_custodial')}</p><p>${t('order')} <span class="code">${escapeHtml(checkout.order_no)}</span></p></footer>
</div></div>
<script type="application/json" id="checkout-data">${embedJson(checkout)}</script>
</body>
</html>
`
}

function summary(checkout: Checkout, shop: string, locale: Language): string {
  const t = (...phrase: Phrase): string => escapeHtml(say(locale, phrase))
  const usd = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(checkout.amount_usd)
  const initial = escapeHtml([...(checkout.merchant.name ?? say(locale, ['shop']))][0]?.toUpperCase() ?? '')
  const text = (name: string, value: string | null): string =>
    value === null ? '' : `<p class="${name}">${escapeHtml(value)}</p>`
  return (
    `<header class="summary"><p class="merchant">${cancelArrow(checkout, locale)}` +
    `<span class="merchant-mark" aria-hidden="true">${initial}</span><span class="merchant-name">${shop}</span>` +
    `${checkout.livemode ? '' : `<span class="badge">${t('test_mode')}</span>`}</p>` +
    `<h1><span class="offscreen">${t('pay_to')} ${shop}: </span><span class="total">${escapeHtml(usd)}</span></h1>` +
    `${text('title', checkout.title)}${text('description', checkout.description)}</header>`
  )
}

/** What to send and where. Once a part has come the code holds the address alone: the link names the whole amount. */
function payBlock(checkout: Checkout, locale: Language): string {
  const t = (...phrase: Phrase): string => escapeHtml(say(locale, phrase))
  const { pay } = checkout
  if (pay === null) return ''
  const chain = checkout.pay_chain?.name ?? pay.chain
  const isPartial = BigInt(pay.amount_received) > 0n
  const amount = formatDecimal(BigInt(isPartial ? pay.amount_remaining : pay.amount_due), pay.decimals)
  const deadline = pay.rate_expires_at < checkout.expires_at ? pay.rate_expires_at : checkout.expires_at
  const field = (label: string, value: string, note = ''): string =>
    `<div class="field"><dt>${label}</dt><dd><span class="value">${value}</span>` +
    `${note === '' ? '' : `<span class="field-note">${note}</span>`}</dd></div>`
  const code = (text: string): string => `<span class="code">${escapeHtml(text)}</span>`
  return (
    `<p class="network-warning"><span><strong>${t('network_warning', { asset: pay.asset, chain })}</strong> ` +
    `${t('network_warning_more')}</span></p>` +
    `<div class="qr-box">${isPartial ? qrSvg(pay.address, t('qr_alt_address_only')) : qrSvg(pay.uri, t('qr_alt_with_amount'))}</div>` +
    `<dl class="fields">` +
    field(
      t(isPartial ? 'remaining_amount' : 'amount'),
      `<span class="sum">${amount}</span> <span class="unit">${escapeHtml(pay.asset)}</span>`,
      t('fee_note'),
    ) +
    field(t('address'), code(pay.address)) +
    (pay.memo === null ? '' : field(t('memo'), code(pay.memo), t('memo_note'))) +
    field(t('pay_by'), `<time datetime="${escapeHtml(deadline)}">${escapeHtml(moment(deadline, locale))}</time>`) +
    `</dl>`
  )
}

/** The payer's time zone is not known here, so the zone is named. */
function moment(iso: string, locale: Language): string {
  const form = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })
  return `${form.format(new Date(iso))} UTC`
}

function progress(checkout: Checkout, locale: Language): string {
  if (checkout.status !== 'processing') return ''
  const waiting = checkout.payments.find((payment) => payment.status === 'detected' && payment.use === 'counted')
  if (waiting === undefined) return ''
  const of = waiting.confirmations_required
  const n = Math.min(waiting.confirmations, of)
  return `<p>${escapeHtml(say(locale, ['confirmations', { n: String(n), of: String(of) }]))}</p>`
}

/** Choosing and changing without JavaScript; with it, rows that stand for the list until the script draws it. */
function chooseForm(checkout: Checkout, locale: Language, offers: 'choose' | 'pay' | 'nothing'): string {
  if (checkout.choices.length === 0 || offers === 'nothing') return ''
  const t = (...phrase: Phrase): string => escapeHtml(say(locale, phrase))
  const { pay } = checkout
  const options = checkout.choices.map((choice) => {
    const isCurrent = pay !== null && choice.chain === pay.chain && choice.asset === pay.asset
    const name = t('coin_on_chain', { asset: choice.asset, chain: choice.chain_name })
    const value = escapeHtml(`${choice.chain} ${choice.asset}`)
    return `<option value="${value}"${isCurrent ? ' selected' : ''}>${name}</option>`
  })
  const rows =
    offers === 'choose' ? `<div class="placeholder" aria-hidden="true">${'<span></span>'.repeat(5)}</div>` : ''
  return (
    `${rows}<noscript><form class="plain-form" method="post" action=""><label for="choice">${t('choose_title')}</label>` +
    `<select id="choice" name="choice">${options.join('')}</select>` +
    `<button class="button" type="submit">${t(offers === 'choose' ? 'continue' : 'change')}</button></form></noscript>`
  )
}

function refundForm(checkout: Checkout, locale: Language): string {
  if (checkout.refund_address_state === 'no' || checkout.pay === null) return ''
  const t = (...phrase: Phrase): string => escapeHtml(say(locale, phrase))
  const chain = checkout.pay_chain?.name ?? checkout.pay.chain
  return (
    `<noscript><form class="plain-form" method="post" action=""><label for="address">${t('refund_address_chain', { chain })}</label>` +
    `<input id="address" name="address" maxlength="512" required autocomplete="off" autocapitalize="none" spellcheck="false">` +
    `<p class="hint">${t('refund_address_hint')}</p>` +
    `<button class="button" type="submit">${t('refund_send')}</button></form></noscript>`
  )
}

/** A link of another kind than these two could run code. */
const isWebUrl = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)

function cancelArrow(checkout: Checkout, locale: Language): string {
  if (checkout.status !== 'pending' || !isWebUrl(checkout.cancel_url)) return ''
  return (
    `<a class="cancel" href="${escapeHtml(checkout.cancel_url)}" aria-label="${escapeHtml(say(locale, ['cancel_link']))}">` +
    '<svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M13 4 7 10l6 6" fill="none" ' +
    'stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round"/></svg></a>'
  )
}

/** The way back once the order is closed; while it is open the arrow at the top is enough. */
function wayBack(checkout: Checkout, locale: Language): string {
  const url = checkout.status === 'success' ? checkout.success_url : checkout.cancel_url
  if (checkout.status === 'pending' || !isWebUrl(url)) return ''
  const look = checkout.status === 'success' ? 'button is-primary' : 'button'
  return `<a class="${look}" href="${escapeHtml(url)}">${escapeHtml(say(locale, ['return_button']))}</a>`
}
