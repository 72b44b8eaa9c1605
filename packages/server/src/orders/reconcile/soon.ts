// Compares the books of an order that has closed with the chain soon after.
import type { OrderEffect } from '../effects.ts'
import { AGAIN_MS, isClosed } from './compare.ts'
import { compareSoon } from './store.ts'

export const compareEffect: OrderEffect = (_deps, { tx, before, after, now }) =>
  after !== before && isClosed(after) ? [() => compareSoon(tx, after, new Date(now.getTime() + AGAIN_MS))] : []
