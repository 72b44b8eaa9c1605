// Compares a Settled log with what the leg's address was bound to. Pure. A relayer may settle any token from a deposit
// address, and anybody may push what lies there after some months: only the leg's own asset to its own merchant pays.
import { zeroAddress } from 'viem'
import type { BoundLeg, FactoryLog } from './logs.store.ts'

/** @returns what is wrong with it, for people; null when it is the settlement that the leg is bound to. */
export function mismatchOf(log: FactoryLog, leg: BoundLeg, chain: { id: string; factory: string }): string | null {
  const { token, merchant, ref, gross, fee, amountOut } = log.args
  if (leg.chain !== log.chain) return `the address belongs to ${leg.chain}`
  if (leg.factory !== chain.factory) return 'the address belongs to another factory'
  if (ref !== leg.route.ref.toLowerCase()) return 'the reference is not that of the address'
  if (token !== (leg.token ?? zeroAddress)) return 'it is not the asset that the order asked for'
  if (merchant !== leg.route.merchant.toLowerCase()) return 'it went to another address than the receiving address'
  // Of a token, what its own Transfer logs show.
  if (BigInt(amountOut ?? 0) <= 0n) return 'nothing reached the receiving address'
  if (BigInt(amountOut ?? 0) > BigInt(gross ?? 0) - BigInt(fee ?? 0)) return 'more arrived than left the address'
  return null
}
