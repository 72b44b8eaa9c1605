// How the page says amounts, times and faults. Pure.
import { formatUnits } from '@florin/protocol'
import { type Hex, shown, ZERO } from '../src/index.ts'

export function coins(token: Hex, units: bigint, words: { decimals: number; symbol: string } | null): string {
  if (token === ZERO) return `${formatUnits(units.toString(), 18)} of the native coin`
  if (words === null) return `${units} units of ${shown(token)}`
  return `${formatUnits(units.toString(), words.decimals)} ${words.symbol}`
}

export const moment = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** What wallets throw is no Error as a rule. */
export function sentence(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return String(error)
}
