// Mails an invoice to its payer: shop, number, total, due date and the link, and no text that could be an advertisement.
import { formatMoney, INVOICE_MAIL_AGAIN_MS, INVOICE_MAILS_MAX, minorText, SECOND_MS } from '@florin/protocol'
import type { Deps } from '../../deps.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { AppError } from '../../platform/errors.ts'
import { enqueueMail, NOTICE_KEPT_MS } from '../../platform/mail/enqueue.ts'
import { admitMail } from '../limits/limits.ts'
import { findMerchantName, type InvoiceRow, markSent } from './store.ts'
import { statusAt } from './view.ts'

/** In a transaction that holds the lock of the invoice. Fire `deps.wake.mail` after the commit. */
export async function sendInvoice(
  deps: Pick<Deps, 'secrets' | 'config'>,
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
  await admitMail(tx, { merchantId, now })
  const shop = (await findMerchantName(tx, merchantId)) ?? 'a shop'
  const mode = invoice.livemode ? '' : '[test] '
  const text = [
    `${shop} has sent you an invoice.`,
    '',
    `Number:  ${invoice.number}`,
    `Total:   ${formatMoney(minorText(invoice.totalMinor, invoice.exponent), invoice.currency, 'en')}`,
    `Due:     ${invoice.dueDate.toISOString().slice(0, 10)}`,
    '',
    'Read it, save it as PDF and pay it here:',
    `${deps.config.baseUrl}/pay/i/${invoice.token}`,
    '',
    'You do not know the shop? Then do nothing: an invoice that nobody pays costs nothing.',
    '',
  ].join('\n')
  const mail = { to, subject: `${mode}Invoice ${invoice.number} from ${shop}`, text }
  await enqueueMail(tx, deps.secrets, mail, { now, dropAfter: new Date(now.getTime() + NOTICE_KEPT_MS) })
  await markSent(tx, { id, now })
}
