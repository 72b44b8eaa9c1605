// The answer to "what did this fact do to the rows?".
import type { AttentionWish } from './attention.ts'
import type { OrderState } from './state.ts'

export type Applied =
  | { kind: 'applied'; order: OrderState; attention: AttentionWish[] }
  | { kind: 'ignored'; why: string; attention: AttentionWish[] }

/** Makes the id of a new row: `newId('pay')`. */
export type NewId = (prefix: string) => string

export const applied = (order: OrderState): Applied => ({ kind: 'applied', order, attention: [] })

export const ignored = (why: string, attention: AttentionWish[] = []): Applied => ({ kind: 'ignored', why, attention })
