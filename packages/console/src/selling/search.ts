// What stands in the address of the pages of selling. Pure.
import { type InvoiceStatus, invoiceStatuses } from '@florin/protocol'

export const ways = ['order', 'link', 'invoice'] as const
export type Way = (typeof ways)[number]

export function parseSellSearch(search: Record<string, unknown>): { way?: Way } {
  const way = ways.find((each) => each === search.way)
  return way === undefined ? {} : { way }
}

export function parseInvoiceSearch(search: Record<string, unknown>): { status?: InvoiceStatus } {
  const status = invoiceStatuses.find((each) => each === search.status)
  return status === undefined ? {} : { status }
}
