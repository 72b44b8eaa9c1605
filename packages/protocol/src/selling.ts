// Payment links and invoices as they cross the wire (contract.md 4.7 and 4.8).

export const askedFields = ['no', 'optional', 'required'] as const
/** Whether a payer is asked for it on the page. */
export type Asked = (typeof askedFields)[number]

export const paymentLinkStates = ['open', 'inactive', 'ended', 'sold_out'] as const
export type PaymentLinkState = (typeof paymentLinkStates)[number]

export interface PaymentLink {
  id: string
  livemode: boolean
  /** The page to share. */
  url: string
  active: boolean
  state: PaymentLinkState
  title: string
  description: string | null
  /** ISO 4217. */
  currency: string
  /** In the currency, with its own decimals; null: the payer says it, within the bounds. */
  amount: string | null
  amount_min: string | null
  amount_max: string | null
  /** How many a payer may take at once. */
  quantity_max: number
  /** How many there are in all; null: no end. */
  stock: number | null
  /** Of the stock: paid, being paid, or held for a payer who started. */
  stock_taken: number
  /** Orders that succeeded. */
  orders_paid: number
  ends_at: string | null
  ask_email: Asked
  ask_name: Asked
  ask_note: Asked
  success_text: string | null
  success_url: string | null
  settle_chain: string | null
  settle_asset: string | null
  /** Seconds that a payer has, and for which the rate and the stock are held. */
  expires_in: number
  external_id: string | null
  created_at: string
  updated_at: string
}

export const invoiceStatuses = ['open', 'overdue', 'processing', 'paid', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export interface InvoiceLine {
  description: string
  /** At most three decimals: "1.5". */
  quantity: string
  unit_price: string
  /** quantity × unit_price, rounded up to the smallest unit. */
  amount: string
}

export interface Invoice {
  id: string
  livemode: boolean
  url: string
  pdf_url: string
  number: string
  status: InvoiceStatus
  currency: string
  lines: InvoiceLine[]
  subtotal: string
  tax_label: string | null
  /** "19" for 19 %; null where the tax was given as an amount, or there is none. */
  tax_percent: string | null
  tax_amount: string
  total: string
  /** Its last day, of the merchant's time zone. */
  due_date: string
  seller_details: string | null
  payer_email: string | null
  /** Language tag, such as `pt-BR`: its mail is in that language. `null`: English. */
  payer_locale: string | null
  payer_name: string | null
  payer_details: string | null
  note: string | null
  external_id: string | null
  settle_chain: string | null
  settle_asset: string | null
  sent_count: number
  last_sent_at: string | null
  /** The order that paid it: the first that succeeded. */
  paid_order_no: string | null
  /** Every order that succeeded, the first one first: more than one paid it more than once. */
  paid_order_nos: string[]
  paid_at: string | null
  voided_at: string | null
  created_at: string
}
