// What a draft of an invoice adds up to, by the server's own rule: each rounding up to the smallest unit. Pure.
import { digitsOf, minorText, parseMinor } from '@florin/protocol'
import { parseAmount } from '../orders/amount-text.ts'

export interface DraftLine {
  /** Names it while it is edited: lines are taken away from between others. */
  id: number
  description: string
  quantity: string
  unit: string
}

const plain = (typed: string): string => typed.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2')
const up = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** null: not whole yet. */
export function adds(
  lines: readonly DraftLine[],
  percent: string,
  currency: string,
): { lines: { description: string; quantity: string; unit_price: string }[]; total: string } | null {
  const digits = digitsOf(currency)
  let subtotal = 0n
  const told: { description: string; quantity: string; unit_price: string }[] = []
  for (const line of lines) {
    const quantity = parseMinor(plain(line.quantity), 3)
    const price = parseAmount(line.unit, digits)
    const unit = price === null ? null : parseMinor(price, digits)
    if (!quantity || !unit || price === null || line.description.trim() === '') return null
    subtotal += up(quantity * unit, 1000n)
    told.push({ description: line.description.trim(), quantity: plain(line.quantity), unit_price: price })
  }
  const rate = percent.trim() === '' ? 0n : parseMinor(plain(percent), 3)
  if (rate === null || rate > 100_000n) return null
  return { lines: told, total: minorText(subtotal + up(subtotal * rate, 100_000n), digits) }
}
