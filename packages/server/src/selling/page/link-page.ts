// The page of a payment link: what it is, what is asked, and one button. A plain form, so it works without JavaScript.
// Pure; every text is escaped here, once.
import { escapeHtml } from '@florin/platform/http/html'
import { type Asked, formatMoney, minorText, PAYER_NAME_MAX, PAYER_NOTE_MAX } from '@florin/protocol'
import { dictionaries } from '../../checkout/language.ts'
import { qrSvg } from '../../checkout/page.blocks.ts'
import { stateOf, type Wish } from '../links/rules.ts'
import type { LinkPage } from '../links/store.ts'
import { boundsText } from './bounds.ts'
import { datesOf, framed } from './frame.ts'
import type { Look } from './look.ts'
import { type SellingWord, sayIn } from './words/index.ts'

export interface LinkPageParts {
  link: LinkPage
  look: Look
  now: Date
  /** Sent back with the form: the same page sent twice starts one order. */
  once: string
  /** What was typed, and what was wrong with it. */
  typed?: Wish
  problem?: { text: string; field: string | null }
}

const moneyIn = ({ link, look }: Pick<LinkPageParts, 'link' | 'look'>, minor: bigint): string =>
  formatMoney(minorText(minor, link.exponent), link.currency, look.language)

export function linkPage(parts: LinkPageParts): string {
  const { link, look } = parts
  const summary =
    `<h1>${link.amountMinor === null ? '' : `<span class="total">${escapeHtml(moneyIn(parts, link.amountMinor))}</span>`}` +
    `<span class="${link.amountMinor === null ? 'total is-text' : 'title'}" dir="auto">${escapeHtml(link.title)}</span></h1>` +
    (link.description === null ? '' : `<p class="description" dir="auto">${escapeHtml(link.description)}</p>`)
  return framed(look, {
    ...{ title: link.title, preview: priceText(parts), isTest: !link.livemode, summary },
    card: stateOf(link, parts.now) === 'open' ? form(parts) : over(parts),
  })
}

function over({ link, look, now }: LinkPageParts): string {
  const say = sayIn(look.language)
  const isSoldOut = stateOf(link, now) === 'sold_out'
  return (
    `<div class="outcome"><h2>${escapeHtml(say(isSoldOut ? 'sold_out' : 'closed'))}</h2>` +
    `${isSoldOut ? `<p class="note">${escapeHtml(say('sold_out_note'))}</p>` : ''}</div>`
  )
}

function form(parts: LinkPageParts): string {
  const { link, look, once, typed = {}, problem } = parts
  const { language } = look
  const say = sayIn(language)
  const t = (word: SellingWord, places?: Record<string, string>) => escapeHtml(say(word, places))
  const fields = [
    ...(link.amountMinor === null ? [amountField(parts)] : []),
    ...(link.quantityMax === 1
      ? []
      : [
          input({
            ...{ name: 'quantity', label: t('quantity'), value: typed.quantity ?? '1', problem },
            hint: t('each', { amount: moneyIn(parts, link.amountMinor ?? 0n), max: String(link.quantityMax) }),
            more: `type="number" inputmode="numeric" min="1" max="${link.quantityMax}" step="1" required`,
          }),
        ]),
    ...asked('email', link.askEmail, 'type="email" autocomplete="email" maxlength="254"'),
    ...asked('name', link.askName, `dir="auto" autocomplete="name" maxlength="${PAYER_NAME_MAX}"`),
    ...asked('note', link.askNote, `dir="auto" maxlength="${PAYER_NOTE_MAX}"`),
  ]
  function asked(field: 'email' | 'name' | 'note', how: Asked, more: string): string[] {
    if (how === 'no') return []
    const label = how === 'required' ? t(field) : `${t(field)} <span class="hint">(${t('optional')})</span>`
    const hint = field === 'email' ? t('email_note') : ''
    const required = how === 'required' ? ' required' : ''
    return [input({ name: field, label, value: typed[field] ?? '', hint, more: more + required, problem })]
  }
  const minutes = String(Math.floor(link.expiresInS / 60))
  return (
    `${problem === undefined ? '' : `<p class="fault" role="alert" id="problem">${escapeHtml(problem.text)}</p>`}` +
    `<form class="plain-form" method="post" action=""><input type="hidden" name="once" value="${escapeHtml(once)}">` +
    `${fields.join('')}<button class="button is-primary" type="submit">${t('go')}</button>` +
    `<p class="hint">${t('go_note', { minutes })}</p>` +
    `${link.endsAt === null ? '' : `<p class="hint">${t('until', { date: datesOf(look).moment(link.endsAt) })}</p>`}</form>`
  )
}

function amountField({ link, look, typed = {}, problem }: LinkPageParts): string {
  const say = sayIn(look.language)
  return input({
    ...{ name: 'amount', value: typed.amount ?? '', problem, hint: escapeHtml(boundsText(link, look.language)) },
    label: `${escapeHtml(say('amount'))} (${escapeHtml(link.currency)})`,
    more: 'inputmode="decimal" autocomplete="transaction-amount" maxlength="20" required',
  })
}

/** @param a.label, a.hint HTML */
function input(a: {
  name: string
  label: string
  value: string
  hint: string
  more: string
  problem: LinkPageParts['problem']
}): string {
  const isWrong = a.problem?.field === a.name
  const described = [...(a.hint === '' ? [] : [`${a.name}-hint`]), ...(isWrong ? ['problem'] : [])].join(' ')
  return (
    `<label for="${a.name}">${a.label}</label>` +
    `<input class="input" id="${a.name}" name="${a.name}" value="${escapeHtml(a.value)}" ${a.more}` +
    `${described === '' ? '' : ` aria-describedby="${described}"`}${isWrong ? ' aria-invalid="true"' : ''}>` +
    `${a.hint === '' ? '' : `<p class="hint" id="${a.name}-hint">${a.hint}</p>`}`
  )
}

/** What a chat shows of the link beside its title. */
const priceText = (parts: Pick<LinkPageParts, 'link' | 'look'>): string => {
  const { link, look } = parts
  return link.amountMinor === null
    ? (link.description ?? dictionaries[look.language][look.custody])
    : moneyIn(parts, link.amountMinor)
}

/** To print and put on a counter, while the link takes payments. */
export function posterPage(parts: LinkPageParts): string {
  const { link, look } = parts
  const { url } = look
  const say = sayIn(look.language)
  const price =
    link.amountMinor === null ? '' : `<span class="total">${escapeHtml(moneyIn(parts, link.amountMinor))}</span>`
  return framed(look, {
    ...{ title: link.title, preview: priceText(parts), isTest: !link.livemode },
    summary: `<h1>${price}<span class="title" dir="auto">${escapeHtml(link.title)}</span></h1>`,
    card:
      stateOf(link, parts.now) === 'open'
        ? `<div class="poster"><h2>${escapeHtml(say('scan'))}</h2>${qrSvg(url, escapeHtml(say('scan')))}<p class="code">${escapeHtml(url)}</p></div>`
        : over(parts),
  })
}

/** Whatever is wrong with an address, the answer is the same. */
export function nothingPage(look: Look): string {
  const say = sayIn(look.language)
  const note = say('not_found_note')
  return framed(look, {
    ...{ title: say('not_found'), preview: note, isTest: false, summary: '' },
    card: `<div class="outcome"><h1>${escapeHtml(say('not_found'))}</h1><p class="note">${escapeHtml(note)}</p></div>`,
  })
}
