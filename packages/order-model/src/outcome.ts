// The result of applying one fact to an order's rows.
import type { NewAttention } from './attention/item.ts'
import type { OrderState } from './state.ts'

export type Applied =
  | { kind: 'applied'; order: OrderState; attention: NewAttention[] }
  | { kind: 'ignored'; why: string; attention: NewAttention[] }

/** Makes the id of a new row: `newId('pay')`. */
export type NewId = (prefix: string) => string

export const applied = (order: OrderState): Applied => ({ kind: 'applied', order, attention: [] })

export const ignored = (why: string, attention: NewAttention[] = []): Applied => ({ kind: 'ignored', why, attention })
