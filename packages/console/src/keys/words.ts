// The words and choices of API keys. Pure.
import type { Scope } from '@florin/protocol'
import { KEY_ROTATE_GRACE_S } from '@florin/protocol'

export const scopeWords: Readonly<Record<Scope, { label: string; text: string }>> = {
  'orders:read': { label: 'Read orders', text: 'Orders, their timeline, events and chains' },
  'orders:write': { label: 'Create and cancel orders', text: 'And drive test orders' },
  'webhooks:read': { label: 'Read webhooks', text: 'Deliveries and their attempts; with Read orders, events too' },
  'webhooks:write': { label: 'Resend webhooks', text: 'Send a delivery again' },
  'refunds:write': { label: 'Refund', text: 'Only ever to the refund address of the order' },
}

const HOUR = 3600
const DAY = 86_400

/** How long the old key goes on after a rotation. */
export const graceChoices = [
  { value: '0', label: 'It ends at once' },
  { value: String(HOUR), label: '1 hour' },
  { value: String(KEY_ROTATE_GRACE_S), label: '24 hours' },
  { value: String(7 * DAY), label: '7 days' },
  { value: String(30 * DAY), label: '30 days' },
] as const

/** How long both webhook secrets sign after a rotation. */
export const overlapChoices = [
  { value: '0', label: 'The old one ends at once' },
  { value: String(HOUR), label: '1 hour' },
  { value: String(DAY), label: '24 hours' },
  { value: String(7 * DAY), label: '7 days' },
] as const

export const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const

/** @returns ISO 8601, or null for a key that does not expire. */
export function expiryOf(choice: string, now: number): string | null {
  const days = Number(choice)
  return Number.isFinite(days) ? new Date(now + days * DAY * 1000).toISOString() : null
}
