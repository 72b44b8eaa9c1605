// The parts of the plain page: who is paid, what to send and where, the forms that work without JavaScript. Pure;
// every text goes through html.ts. The markup is that of the built page, so that the script takes over without a jump.
import {
  askedText,
  coinText,
  drawQr,
  EXIT_PAGE,
  fxText,
  type Language,
  mayHaveSent,
  type Phrase,
  proofFile,
  QUIET,
  rateText,
  refundCost,
  type Screen,
  thirdPartyOf,
  wayPhrases,
} from '@florin/checkout-core'
import { escapeHtml } from '@florin/platform/http/html'
import type { Checkout, Custody, PayChoice } from '@florin/protocol'
import { iconSvg, isWebUrl, textIn } from './html.ts'
import { dictionaries } from './language.ts'

export function summaryBlock(checkout: Checkout, language: Language): string {
  const t = textIn(language)
  const name = checkout.merchant.name ?? dictionaries[language].shop
  const cancel =
    checkout.status === 'pending' && isWebUrl(checkout.cancel_url)
      ? `<a class="cancel" href="${escapeHtml(checkout.cancel_url)}" aria-label="${t('cancel_link')}">${iconSvg('arrow_left')}</a>`
      : ''
  const text = (kind: string, value: string | null): string =>
    value === null ? '' : `<p class="${kind}" dir="auto">${escapeHtml(value)}</p>`
  return (
    `<header class="summary"><p class="merchant">${cancel}` +
    `${merchantMark(checkout, name)}` +
    `<bdi class="merchant-name">${escapeHtml(name)}</bdi>` +
    `${checkout.livemode ? '' : `<span class="badge">${t('test_mode')}</span>`}</p>` +
    `<h1><span class="offscreen">${t('pay_to')} <bdi>${escapeHtml(name)}</bdi>: </span><span class="total">${escapeHtml(askedText(checkout, language))}</span></h1>` +
    fxBlock(checkout, language) +
    `${text('title', checkout.title)}${text('description', checkout.description)}</header>`
  )
}

/** What it is in dollars, which coins are counted in, and by which rate. */
function fxBlock(checkout: Checkout, language: Language): string {
  const text = fxText(checkout, language)
  return text === null ? '' : `<p class="fx">${escapeHtml(text)}</p>`
}

/** The logo, else the first letter. The name stands beside it, so the picture says nothing more. */
export function merchantMark({ merchant }: Pick<Checkout, 'merchant'>, name: string): string {
  const { logo } = merchant
  if (logo === null)
    return `<span class="merchant-mark" aria-hidden="true">${escapeHtml([...name][0]?.toUpperCase() ?? '')}</span>`
  const src = escapeHtml(new URL(logo.url).pathname)
  return `<img class="merchant-logo" src="${src}" alt="" width="${logo.width}" height="${logo.height}">`
}

/** Whom to ask. */
export function supportBlock({ merchant }: Pick<Checkout, 'merchant'>, language: Language): string {
  const { support_email: email, support_url: url } = merchant
  const t = textIn(language)
  const links = [
    email === null ? '' : `<a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`,
    isWebUrl(url) ? `<a href="${escapeHtml(url)}" rel="noopener">${escapeHtml(new URL(url).host)}</a>` : '',
  ].filter((link) => link !== '')
  return links.length === 0 ? '' : `<p>${t('support')} ${links.join(' · ')}</p>`
}

/** The headline: above what is to be done, or in the middle where there is nothing to do. */
export function headBlock({ panel, headline: said, notes: told }: Screen, language: Language): string {
  const t = textIn(language)
  const headline = `<h2>${t(said)}</h2>`
  const notes = told.map((note) => `<p class="note">${t(note)}</p>`).join('')
  if (panel === 'end' || panel === 'progress') {
    return `<div class="outcome"><span class="outcome-mark" aria-hidden="true"></span>${headline}${notes}</div>`
  }
  const coin = panel === 'pay' ? '<span class="coin" aria-hidden="true"></span>' : ''
  return `<div class="card-head">${coin}${headline}</div>${notes === '' ? '' : `<div class="notes">${notes}</div>`}`
}

/** What to send and where. */
export function payBlock(checkout: Checkout, language: Language): string {
  const t = textIn(language)
  const { pay } = checkout
  if (pay === null) return ''
  const chain = checkout.pay_chain?.name ?? pay.chain
  const isPartial = BigInt(pay.amount_received) > 0n
  const amount = coinText(isPartial ? pay.amount_remaining : pay.amount_due, pay.decimals, language)
  const deadline = pay.rate_expires_at < checkout.expires_at ? pay.rate_expires_at : checkout.expires_at
  const field = (label: string, value: string, note = ''): string =>
    `<div class="field"><dt>${label}</dt><dd><span class="value">${value}</span>` +
    `${note === '' ? '' : `<span class="field-note">${note}</span>`}</dd></div>`
  const code = (text: string): string => `<span class="code">${escapeHtml(text)}</span>`
  const cost = refundCost(checkout, language)
  const passes = passesBlock({ rail: pay.rail, custody: pay.route?.custody ?? 'none' }, language, cost)
  // Before the address: who has both forgets the one that matters.
  const memo =
    pay.memo === null
      ? ''
      : `<section class="memo-step"><h3>${t('memo_first_title')}</h3><p>${t('memo_first_note')}</p>` +
        `<div class="memo-box"><dl class="fields">${field(t('memo'), code(pay.memo), t('memo_note'))}</dl></div>` +
        `<div class="qr-box">${qrSvg(pay.memo, t('qr_alt_memo'))}</div>` +
        `<p class="network-warning">${iconSvg('warning')}<span>${t('memo_exchange')}</span></p></section>`
  return (
    deadlineBar(deadline, language) +
    passes +
    memo +
    `<p class="network-warning">${iconSvg('warning')}<span><strong>${t('network_warning', { asset: pay.asset, chain })}</strong> ` +
    `${t('network_warning_more')}</span></p><div class="pay-both"><dl class="fields">` +
    field(
      t(isPartial ? 'remaining_amount' : 'amount'),
      `<span class="sum">${amount}</span> <span class="unit">${escapeHtml(pay.asset)}</span>`,
      `${t('fee_note')} ${t('rate_line', { asset: pay.asset, usd: rateText(pay.rate, language) })}`,
    ) +
    field(t('address'), code(pay.address)) +
    `</dl><div class="qr-box">` +
    qrSvg(pay.uri ?? pay.address, t('qr_alt_with_amount')) +
    `</div></div><div class="waiting"><span class="pulse" aria-hidden="true"></span>` +
    `<p><strong>${t('waiting')}</strong> <span>${t('waiting_note')}</span></p></div>`
  )
}

/** That somebody else holds the money for some minutes: said before it is chosen, and where it is paid. */
export function passesBlock(
  { rail, custody }: { rail: string; custody: Custody },
  language: Language,
  cost: Phrase | null = null,
): string {
  const by = thirdPartyOf(rail, custody)
  const t = textIn(language)
  if (by === null) return ''
  return `<p class="passes">${iconSvg('swap')}<span><strong>${t('passes_through', { by })}</strong> ${t('passes_through_more')}${cost === null ? '' : ` ${t(cost)}`}</span></p>`
}

/** Drawn in attributes only, so that the strict policy needs no style. Empty where the text is too long. */
export function qrSvg(text: string, label: string): string {
  const drawing = drawQr(text)
  if (drawing === null) return ''
  const side = drawing.size + 2 * QUIET
  return (
    `<svg class="qr" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" width="224" height="224" role="img" aria-label="${label}" ` +
    `shape-rendering="crispEdges"><rect x="${-QUIET}" y="${-QUIET}" width="${side}" height="${side}" fill="#fff"/>` +
    `<path d="${drawing.path}" fill="#000"/></svg>`
  )
}

/** Placeholder of the countdown. The payer's time zone is not known here, so the zone is named. */
function deadlineBar(iso: string, language: Language): string {
  const form = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  return (
    `<p class="countdown">${iconSvg('clock')}<span>${textIn(language)('pay_by')}</span>` +
    `<time class="countdown-time" datetime="${escapeHtml(iso)}">${escapeHtml(form.format(new Date(iso)))} UTC</time></p>`
  )
}

export function progressBlock({ steps }: Screen, language: Language): string {
  const waited = steps.find((step) => step.state === 'now')?.confirmations
  if (!waited) return ''
  return `<p class="hint">${textIn(language)('confirmations', { n: String(waited.n), of: String(waited.of) })}</p>`
}

/** What somebody without JavaScript is about to choose. */
export interface Choosing {
  /** The words of the search, and what they found. */
  found?: { query: string; choices: readonly PayChoice[] }
  /** A way that needs a refund address first. */
  needing?: PayChoice
}

/** Choosing and changing by forms; placeholder rows stand first while the script loads, and the script replaces both. */
export function chooseBlock(
  checkout: Checkout,
  { language, panel, found, needing }: Choosing & { language: Language; panel: Screen['panel'] },
): string {
  if (checkout.choices_total === 0 || panel === 'end' || panel === 'progress') return ''
  const t = textIn(language)
  if (needing !== undefined) return neededAddress(needing, language)
  const { pay } = checkout
  const optionOf = (choice: PayChoice): string => {
    const isCurrent = pay !== null && choice.chain === pay.chain && choice.asset === pay.asset
    const name = t('coin_on_chain', { asset: choice.asset, chain: choice.chain_name })
    const way = wayPhrases(choice, language).map((part) => ` · ${t(part)}`)
    const value = escapeHtml(`${choice.chain} ${choice.asset}`)
    return `<option value="${value}"${isCurrent ? ' selected' : ''}>${name}${way.join('')}</option>`
  }
  const isFirst = panel !== 'pay'
  const rows = isFirst ? `<div class="placeholder" aria-hidden="true">${'<span></span>'.repeat(6)}</div>` : ''
  const listed = found?.choices ?? checkout.choices
  const list =
    listed.length === 0
      ? `<p class="empty">${t('no_match', { query: found?.query ?? '' })}</p>`
      : `<form class="plain-form" method="post" action=""><label for="choice">${t('choose_title')}</label>` +
        `<select class="input" id="choice" name="choice">${listed.map(optionOf).join('')}</select>` +
        `<button class="button${isFirst ? ' is-primary' : ''}" type="submit">${t(isFirst ? 'continue' : 'change')}</button></form>`
  const search =
    checkout.choices_total <= checkout.choices.length
      ? ''
      : `<form class="plain-form" method="get" action=""><label for="q">${t('choose_search')}</label>` +
        `<input class="input" id="q" name="q" type="search" maxlength="100" value="${escapeHtml(found?.query ?? '')}">` +
        `<button class="button" type="submit">${t('search')}</button></form>`
  return `${isFirst ? deadlineBar(checkout.expires_at, language) : ''}${rows}<div class="plain">${list}${search}</div>`
}

function neededAddress(choice: PayChoice, language: Language): string {
  const t = textIn(language)
  const { chain, chain_name: name, asset } = choice
  return (
    `<h3>${t('coin_on_chain', { asset, chain: name })}</h3>${passesBlock(choice, language)}` +
    `<form class="plain-form" method="post" action=""><input type="hidden" name="choice" value="${escapeHtml(`${chain} ${asset}`)}">` +
    `<p class="hint">${t('refund_needed_first')}</p><label for="address">${t('refund_address_chain', { chain: name })}</label>` +
    `<input class="input code" id="address" name="address" maxlength="512" required autocomplete="off" autocapitalize="none" spellcheck="false">` +
    `<p class="hint">${t('refund_address_hint')}</p><button class="button is-primary" type="submit">${t('continue')}</button></form>` +
    `<p><a href="">${t('back')}</a></p>`
  )
}

export function refundBlock(checkout: Checkout, { refundNote: note }: Screen, language: Language): string {
  const chain = checkout.refund_chain
  if (checkout.refund_address_state === 'no' || chain === null) return ''
  const t = textIn(language)
  const look = checkout.refund_address_state === 'wanted' ? 'button is-primary' : 'button'
  const first =
    checkout.refund_address ?? (checkout.refund_address_way === 'bind' ? checkout.refund_address_proposed : null)
  return (
    `<form class="plain plain-form" method="post" action=""><label for="address">${t('refund_address_chain', { chain })}</label>` +
    `<input class="input code" id="address" name="address" maxlength="512" required autocomplete="off" autocapitalize="none" spellcheck="false" value="${escapeHtml(first ?? '')}">` +
    `${note === null ? '' : `<p class="hint">${t(note)}</p>`}<p class="hint">${t('refund_address_hint')}</p>` +
    `<button class="${look}" type="submit">${t('refund_send')}</button></form>`
  )
}

/**
 * The way back once the order has ended; while it is open the arrow at the top is enough, and money under way waits
 * here.
 */
export function returnBlock(checkout: Checkout, language: Language): string {
  if (checkout.status === 'pending' || checkout.status === 'processing') return ''
  const isPaid = checkout.status === 'success'
  const url = isPaid ? checkout.success_url : checkout.cancel_url
  if (!isWebUrl(url)) return ''
  const look = isPaid && checkout.refund_address_state !== 'wanted' ? 'button is-primary' : 'button'
  return `<a class="${look}" href="${escapeHtml(url)}">${textIn(language)('return_button')}</a>`
}

/** For who has sent already when the time is over. */
export function sentBlock(checkout: Checkout, language: Language): string {
  if (!mayHaveSent(checkout)) return ''
  const t = textIn(language)
  return (
    `<form class="plain plain-form" method="post" action=""><label for="tx_hash">${t('sent_title')} ${t('sent_label')}</label>` +
    `<input class="input code" id="tx_hash" name="tx_hash" maxlength="200" required autocomplete="off" autocapitalize="none" spellcheck="false">` +
    `<p class="hint">${t('sent_note')}</p><button class="button" type="submit">${t('sent_button')}</button></form>`
  )
}

/** What a payer keeps who wants to depend on nobody: docs/exit.md. */
export function proofBlock(checkout: Checkout, language: Language): string {
  const file = proofFile(checkout)
  if (file === null) return ''
  const t = textIn(language)
  return (
    `<p>${t('proof_note')} <a href="${escapeHtml(file.href)}" download="${escapeHtml(file.name)}">${t('proof_save')}</a> · ` +
    `<a href="${EXIT_PAGE}" download="florin-exit.html">${t('proof_page')}</a></p>`
  )
}
