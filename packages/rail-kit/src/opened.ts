// Reads back what a rail stored as JSON when it opened a leg: amounts travel as digits, times as text. Pure.
import type { OpenedLeg } from './interface/leg.ts'

export function readOpened(stored: unknown): OpenedLeg {
  // Only a rail writes it, from an OpenedLeg.
  const opened = stored as OpenedLeg
  return {
    ...opened,
    amountDue: BigInt(opened.amountDue),
    amountOut: BigInt(opened.amountOut),
    dust: BigInt(opened.dust),
    ...(opened.least === undefined ? {} : { least: BigInt(opened.least) }),
    ...(opened.refundFee === undefined ? {} : { refundFee: BigInt(opened.refundFee) }),
    rate: { ...opened.rate, expiresAt: new Date(opened.rate.expiresAt) },
  }
}
