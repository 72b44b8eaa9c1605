// Payment links and invoices (contract.md 4.7 and 4.8).
import type { Asked, Invoice, InvoiceStatus, PaymentLink } from '@florin/protocol'
import { type CreateOptions, creation, listOf, read, segment } from './calls.ts'
import type { List } from './pages.ts'
import type { CallOptions, Transport } from './transport.ts'

type Decimal = number | string

/** What can be changed later, too. null takes it away. */
interface ChangeableLink {
  description?: string | null | undefined
  /** How many there are in all, sold ones too; left out, there is no end. */
  stock?: number | null | undefined
  ends_at?: string | null | undefined
  ask_email?: Asked | undefined
  ask_name?: Asked | undefined
  ask_note?: Asked | undefined
  success_text?: string | null | undefined
  success_url?: string | null | undefined
  /** Its orders get it. */
  external_id?: string | null | undefined
}

export interface CreatePaymentLinkParams extends ChangeableLink {
  title: string
  /** ISO 4217; USD where left out. */
  currency?: string | undefined
  /** Left out, the payer says it, from `amount_min` to `amount_max`. */
  amount?: Decimal | undefined
  amount_min?: Decimal | undefined
  amount_max?: Decimal | undefined
  /** How many a payer may take at once; 1 where left out. */
  quantity_max?: number | undefined
  settle_chain?: string | undefined
  settle_asset?: string | undefined
  /** Seconds that a payer has once they started: 300 to 3600; 1800 where left out. */
  expires_in?: number | undefined
}

export interface ChangePaymentLinkParams extends ChangeableLink {
  title?: string | undefined
  active?: boolean | undefined
}

export interface CreateInvoiceParams {
  /** ISO 4217; USD where left out. */
  currency?: string | undefined
  lines: readonly { description: string; quantity?: Decimal | undefined; unit_price: Decimal }[]
  /** In percent of the subtotal, or an amount. */
  tax?: { label: string; percent: Decimal } | { label: string; amount: Decimal } | undefined
  /** A day. @example '2026-12-31' */
  due_date: string
  /** Your own; left out, the next one without a gap. */
  number?: string | undefined
  payer_email?: string | undefined
  /** Language tag of the payer, such as `pt-BR`: the invoice's mail is in that language. Default: English. */
  payer_locale?: string | undefined
  payer_name?: string | undefined
  payer_details?: string | undefined
  seller_details?: string | undefined
  note?: string | undefined
  external_id?: string | undefined
  settle_chain?: string | undefined
  settle_asset?: string | undefined
  /** Mail it to `payer_email` at once. */
  send?: boolean | undefined
}

interface ListParams {
  limit?: number | undefined
  cursor?: string | undefined
}
export type ListPaymentLinksParams = ListParams & { active?: boolean | undefined }
export type ListInvoicesParams = ListParams & { status?: InvoiceStatus | undefined }

const act = (path: string, body: object) => ({ method: 'POST', path, body, repeatable: false }) as const

export class PaymentLinks {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes a page to share. Each payment of it is an order with `payment_link_id`.
   *
   * @throws FlorinError `validation_failed`, `invalid_amount`, `unknown_currency` (see `param`) …
   * @example const { url } = await florin.paymentLinks.create({ title: 'Workshop', amount: '49.90', currency: 'EUR', stock: 20 })
   */
  create(params: CreatePaymentLinkParams, options: CreateOptions = {}): Promise<PaymentLink> {
    return this.#transport.send(creation('/v1/payment_links', params, options), options)
  }

  /** @throws FlorinError `payment_link_not_found` */
  get(id: string, options?: CallOptions): Promise<PaymentLink> {
    return this.#transport.send(read(`/v1/payment_links/${segment(id, 'id')}`), options)
  }

  /** Payment links, newest first. */
  list(filters: ListPaymentLinksParams = {}, options?: CallOptions): List<PaymentLink> {
    return listOf(this.#transport, '/v1/payment_links', { ...filters }, options)
  }

  /** Changes what is named; `{ active: false }` turns it off. Payments that were started go on. */
  change(id: string, params: ChangePaymentLinkParams, options?: CallOptions): Promise<PaymentLink> {
    return this.#transport.send(act(`/v1/payment_links/${segment(id, 'id')}`, params), options)
  }
}

export class Invoices {
  readonly #transport: Transport
  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Makes an invoice with a page to pay on and a PDF. Its orders have `invoice_id`.
   *
   * @throws FlorinError `validation_failed`, `invoice_number_taken` (see `param`) …
   * @example await florin.invoices.create({ due_date: '2026-12-31', lines: [{ description: 'Work', unit_price: 80 }] })
   */
  create(params: CreateInvoiceParams, options: CreateOptions = {}): Promise<Invoice> {
    return this.#transport.send(creation('/v1/invoices', params, options), options)
  }

  /** @throws FlorinError `invoice_not_found` */
  get(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#transport.send(read(`/v1/invoices/${segment(id, 'id')}`), options)
  }

  /** Invoices, newest first. */
  list(filters: ListInvoicesParams = {}, options?: CallOptions): List<Invoice> {
    return listOf(this.#transport, '/v1/invoices', { ...filters }, options)
  }

  /** Mails it to its payer: once an hour, five times in all. @throws FlorinError `rate_limited`, `invoice_not_open` */
  send(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#transport.send(act(`/v1/invoices/${segment(id, 'id')}/send`, {}), options)
  }

  /** Takes it back, unless it is paid or being paid. @throws FlorinError `invoice_not_open` */
  void(id: string, options?: CallOptions): Promise<Invoice> {
    return this.#transport.send(act(`/v1/invoices/${segment(id, 'id')}/void`, {}), options)
  }
}
