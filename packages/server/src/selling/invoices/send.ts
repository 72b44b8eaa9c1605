// Mails an invoice to its payer: shop, number, total, due date and the link, and no text that could be an advertisement.
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { composeMail } from '@florin/platform/mail/compose'
import { enqueueMail, NOTICE_KEPT_MS } from '@florin/platform/mail/enqueue'
import { tongueOf } from '@florin/platform/mail/payer-words/index'
import { admitPayerMail, payerOff } from '@florin/platform/mail/payers'
import { findMerchantEmail } from '@florin/platform/merchants.store'
import type { Secrets } from '@florin/platform/secrets'
import { unlinked, unlinkedNumber } from '@florin/platform/strangers/unlinked'
import { INVOICE_MAIL_AGAIN_MS, INVOICE_MAILS_MAX, minorText, SECOND_MS } from '@florin/protocol'
import { brandOf } from '../../brand/brand.ts'
import { brandedMail } from '../../brand/mail.ts'
import type { Config } from '../../settings.ts'
import { admitMail } from '../limits/limits.ts'
import { type InvoiceRow, markSent } from './store.ts'
import { statusAt } from './view.ts'

/** In a transaction that holds the lock of the invoice. Fire `deps.wake.mail` after the commit. */
export async function sendInvoice(
  deps: { secrets: Secrets; config: Config },
  tx: Tx,
  invoice: InvoiceRow,
  now: Date,
): Promise<void> {
  const { id, payerEmail: to, sentCount, lastSentAt, merchantId } = invoice
  if (to === null) {
    throw new AppError('missing_field', {
      param: 'payer_email',
      message: 'This invoice has no payer_email to be sent to.',
    })
  }
  const status = statusAt(invoice, now)
  if (status !== 'open' && status !== 'overdue') throw new AppError('invoice_not_open')
  const waitMs = lastSentAt === null ? 0 : lastSentAt.getTime() + INVOICE_MAIL_AGAIN_MS - now.getTime()
  if (waitMs > 0 || sentCount >= INVOICE_MAILS_MAX) {
    const message =
      sentCount >= INVOICE_MAILS_MAX
        ? `This invoice was mailed ${INVOICE_MAILS_MAX} times. Share its link yourself.`
        : 'This invoice was mailed within the hour. Share its link, or send it again later.'
    throw new AppError('rate_limited', { retryAfterS: Math.max(waitMs, SECOND_MS) / SECOND_MS, message })
  }
  const about = { merchantId, to: await recipientOf(tx, invoice, to) }
  await admitMail(tx, { merchantId, now })
  await admitTo(deps, tx, { ...about, isInvoice: true, now })
  const mail = await invoiceMail(deps, tx, invoice, about)
  await enqueueMail(
    tx,
    deps.secrets,
    { to: about.to, ...mail },
    { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) },
  )
  await markSent(tx, { id, now })
}

/** A test invoice asks nobody for money: its mail goes to the merchant. */
async function recipientOf(tx: Tx, { livemode, merchantId }: InvoiceRow, payerEmail: string): Promise<string> {
  return livemode ? payerEmail : ((await findMerchantEmail(tx, merchantId)) ?? payerEmail)
}

async function admitTo(
  deps: { secrets: Secrets },
  tx: Tx,
  a: { to: string; merchantId: string; isInvoice: true; now: Date },
): Promise<void> {
  const admitted = await admitPayerMail(deps, tx, a)
  if (admitted.ok) return
  if (admitted.reason === 'stopped') {
    throw new AppError('validation_failed', {
      param: 'payer_email',
      message: 'Whoever reads this mailbox wants no more mails from here. Share the link of the invoice yourself.',
    })
  }
  throw new AppError('rate_limited', {
    retryAfterS: admitted.retryAfterS,
    message:
      'This mailbox got as many mails from here as one may get. Share the link of the invoice, or send it later.',
  })
}

async function invoiceMail(
  deps: { secrets: Secrets; config: Config },
  tx: Tx,
  invoice: InvoiceRow,
  about: { to: string; merchantId: string },
): Promise<ReturnType<typeof composeMail>> {
  const tongue = tongueOf(invoice.payerLocale)
  const { say, language } = tongue
  const { baseUrl } = deps.config
  const brand = await brandOf(tx, invoice.merchantId, baseUrl)
  const shop = brand.name === null ? say('a_shop') : unlinked(brand.name)
  const number = unlinkedNumber(invoice.number, invoice.createdAt.getUTCFullYear())
  const total = `${minorText(invoice.totalMinor, invoice.exponent)} ${invoice.currency}`
  return composeMail({
    language,
    subject: `${invoice.livemode ? '' : '[test] '}${say('invoice_subject', { number, shop })}`,
    from: brand.name === null ? say('sender_name') : shop,
    foreign: [shop, number],
    paragraphs: [say('invoice_text', { shop })],
    facts: [
      [say('number'), number],
      [say('total'), tongue.number(total)],
      [say('due'), tongue.day(invoice.dueDate.toISOString().slice(0, 10), brand.timeZone)],
    ],
    button: { label: say('open_invoice'), url: `${baseUrl}/pay/i/${invoice.token}` },
    foot: [say(invoice.livemode ? 'foot_invoice' : 'foot_invoice_test')],
    off: payerOff(deps, { ...about, label: say('stop_label') }),
    ...brandedMail(brand, say('contact')),
    // Before a payment the mail links to the invoice alone.
    contact: null,
  })
}
