// The filters that lists of orders take (contract.md 4.4), the same in /v1 and the console. Pure.
import { orderStatuses } from '@florin/protocol'
import { Type } from 'typebox'
import { parseChain } from '../parse-chain.ts'
import { parseMoment } from '../platform/http/timestamp.ts'
import type { OrderFilter } from './store.ts'

const Status = Type.Enum([...orderStatuses])
const Moment = Type.String({ maxLength: 40, description: 'ISO 8601, such as 2026-01-31T00:00:00Z' })

export const OrderFilterQuery = {
  status: Type.Optional(Type.Union([Status, Type.Array(Status, { maxItems: orderStatuses.length })])),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  created_from: Type.Optional(Moment),
  created_to: Type.Optional(Moment),
  settle_chain: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
  payment_link_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  invoice_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
}

/** The console's search. */
export const SearchQuery = {
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
}

export function readOrderFilter(query: {
  status?: string | string[]
  external_id?: string
  created_from?: string
  created_to?: string
  settle_chain?: string
  payment_link_id?: string
  invoice_id?: string
}): Pick<
  OrderFilter,
  'statuses' | 'externalId' | 'createdFrom' | 'createdTo' | 'settleChain' | 'paymentLinkId' | 'invoiceId'
> {
  return {
    statuses: query.status === undefined ? null : [query.status].flat(),
    externalId: query.external_id ?? null,
    createdFrom: momentOrNull(query.created_from, 'created_from'),
    createdTo: momentOrNull(query.created_to, 'created_to'),
    paymentLinkId: query.payment_link_id ?? null,
    invoiceId: query.invoice_id ?? null,
    settleChain: query.settle_chain === undefined ? null : parseChain(query.settle_chain, 'settle_chain').id,
  }
}

const momentOrNull = (text: string | undefined, param: string): Date | null =>
  text === undefined ? null : parseMoment(text, param)
