// The page of an invoice: what is owed, to whom, until when, and one button. Pure; every text is escaped here, once.
import { escapeHtml } from '@florin/platform/http/html'
import { formatMoney, minorText } from '@florin/protocol'
import type { InvoicePage } from '../invoices/store.ts'
import { statusAt } from '../invoices/view.ts'
import { datesOf, framed } from './frame.ts'
import type { Look } from './look.ts'
import { type SellingWord, sayIn } from './words/index.ts'

export interface InvoicePageParts {
  invoice: InvoicePage
  look: Look
  now: Date
  problem?: string
}

export function invoicePage({ invoice, look, now, problem }: InvoicePageParts): string {
  const { language } = look
  const say = sayIn(language)
  const t = (word: SellingWord, places?: Record<string, string>) => escapeHtml(say(word, places))
  const money = (minor: bigint | string): string =>
    formatMoney(minorText(minor, invoice.exponent), invoice.currency, language)
  const total = money(invoice.totalMinor)
  const status = statusAt(invoice, now)
  const dates = datesOf(look)
  const date = dates.due(invoice.dueDate)
  const paidOn = invoice.paidAt === null ? '' : dates.moment(invoice.paidAt)
  const said: Readonly<Record<typeof status, string>> = {
    ...{ open: t('due', { date }), overdue: t('overdue', { date }), processing: t('processing') },
    ...{ paid: paidOn === '' ? t('paid') : t('paid_on', { date: paidOn }), void: t('void') },
  }
  const party = (word: SellingWord, name: string | null, details: string | null): string =>
    name === null && details === null
      ? ''
      : `<div><dt>${t(word)}</dt><dd>${name === null ? '' : `<strong dir="auto">${escapeHtml(name)}</strong>`}${details === null ? '' : `<span class="lines" dir="auto">${escapeHtml(details)}</span>`}</dd></div>`
  const row = (name: string, value: string, kind = ''): string =>
    `<tr${kind}><th scope="row" colspan="3">${name}</th><td>${escapeHtml(value)}</td></tr>`
  const rows = invoice.lines.map(
    (line) =>
      `<tr><td dir="auto">${escapeHtml(line.description)}</td><td>${escapeHtml(line.quantity)}</td><td>${escapeHtml(money(line.unit))}</td><td>${escapeHtml(money(line.amount))}</td></tr>`,
  )
  const taxName = `<bdi>${escapeHtml(invoice.taxLabel ?? say('tax'))}</bdi>${invoice.taxPercent === null ? '' : ` ${escapeHtml(invoice.taxPercent)} %`}`
  const canPay = status === 'open' || status === 'overdue'
  const button = canPay ? t('pay', { total }) : t('look')
  const form =
    status === 'void'
      ? `<p class="note">${t('void_note')}</p>`
      : `<form class="plain-form" method="post" action=""><button class="button${canPay ? ' is-primary' : ''}" type="submit">${button}</button></form>`
  return framed(look, {
    ...{ title: `${say('invoice')} ${invoice.number}`, preview: total, isTest: !invoice.livemode },
    summary: `<h1><span class="total">${escapeHtml(total)}</span><span class="title">${t('invoice')} <bdi>${escapeHtml(invoice.number)}</bdi></span></h1><p class="description">${said[status]}</p>`,
    card:
      `${problem === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(problem)}</p>`}` +
      `<dl class="parties">${party('from', look.brand.name, invoice.sellerDetails)}${party('to', invoice.payerName, invoice.payerDetails)}</dl>` +
      `<table class="invoice"><thead><tr><th scope="col">${t('item')}</th><th scope="col">${t('quantity')}</th><th scope="col">${t('unit_price')}</th><th scope="col">${t('amount')}</th></tr></thead>` +
      `<tbody>${rows.join('')}</tbody><tfoot>` +
      `${invoice.taxLabel === null ? '' : row(t('subtotal'), money(invoice.subtotalMinor)) + row(taxName, money(invoice.taxMinor))}` +
      `${row(t('total'), total, ' class="is-total"')}</tfoot></table>` +
      `${invoice.note === null ? '' : `<p class="lines" dir="auto">${escapeHtml(invoice.note)}</p>`}${form}` +
      `<p class="hint">${t('issued', { date: dates.day(invoice.createdAt) })} · <a href="/pay/i/${invoice.token}/pdf">${t('save_pdf')}</a></p>`,
  })
}
