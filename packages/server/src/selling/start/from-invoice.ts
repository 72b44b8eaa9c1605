// Somebody starts to pay an invoice. While an order of it is not over everybody is led to that one, so an invoice is not
// paid twice by two people at once; else a new one is made at the rate of now.
import { AppError } from '@florin/platform/errors'
import { EXPIRES_IN_DEFAULT_S, minorText } from '@florin/protocol'
import { type CreateDeps, createOrder } from '../../orders/create/create.ts'
import { parseInput } from '../../orders/create/input.ts'
import { findCurrentOrder, type InvoicePage, lockInvoice } from '../invoices/store.ts'
import { statusAt } from '../invoices/view.ts'
import { admitStart, type Client } from '../limits/limits.ts'
import { amountFieldsOf } from './amount.ts'

/** There is one already: found under the lock, after another request had made it. */
class Current extends Error {
  readonly token: string
  constructor(token: string) {
    super('this invoice has an order')
    this.token = token
  }
}

/** @param locale that the browser asks for. @returns the token of the checkout. @throws AppError that a payer can read. */
export async function startFromInvoice(
  deps: CreateDeps,
  invoice: InvoicePage,
  client: Client,
  locale: string | null,
): Promise<string> {
  const current = await findCurrentOrder(deps.sql, invoice.id)
  if (current !== null) return current.token
  if (statusAt(invoice, deps.clock.now()) === 'void') throw new AppError('invoice_not_open')
  const { id, merchantId, merchantNo, livemode } = invoice
  const payerLocale = invoice.payerLocale ?? locale
  const input = parseInput({
    ...amountFieldsOf(invoice.currency, minorText(invoice.totalMinor, invoice.exponent)),
    title: invoice.number,
    external_id: invoice.externalId ?? invoice.number,
    ...(invoice.settleChain === null ? {} : { settle_chain: invoice.settleChain }),
    ...(invoice.settleAsset === null ? {} : { settle_asset: invoice.settleAsset }),
    ...(invoice.payerEmail === null ? {} : { payer_email: invoice.payerEmail }),
    ...(payerLocale === null ? {} : { payer_locale: payerLocale }),
    expires_in: EXPIRES_IN_DEFAULT_S,
  })
  const maker = { id: null, merchantId, merchantNo, livemode, feeBps: deps.config.feeBps }
  try {
    const { json } = await createOrder(deps, maker, input, null, {
      ...{ paymentLinkId: null, invoiceId: id, quantity: null, payerName: invoice.payerName, payerNote: null },
      ...{ successText: null, owner: id },
      async admit(tx, { orderNo }) {
        const now = deps.clock.now()
        const locked = await lockInvoice(tx, id)
        if (locked === null || statusAt(locked, now) === 'void') throw new AppError('invoice_not_open')
        const other = await findCurrentOrder(tx, id)
        if (other !== null) throw new Current(other.token)
        await admitStart(tx, { page: { id, merchantId, livemode, isScarce: true, pieces: 1 }, client, orderNo, now })
      },
    })
    const { checkout_url: url } = JSON.parse(json) as { checkout_url: string }
    return url.slice(url.lastIndexOf('/') + 1)
  } catch (error) {
    if (error instanceof Current) return error.token
    throw error
  }
}
