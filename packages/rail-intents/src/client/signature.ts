// The signature of a quote: ed25519 over the base58 of a SHA-256 of chosen fields. What it does not cover (fees, deposit mode,
// our own deadline) is compared in echo.ts.
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import type { QuoteReply } from './wire.ts'

const PREFIX = 'ed25519:'
/** The fixed beginning of a public ed25519 key in DER. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

const always = [
  ...['dry', 'swapType', 'slippageTolerance', 'originAsset', 'depositType', 'destinationAsset', 'amount', 'refundTo'],
  ...['refundType', 'recipient', 'recipientType', 'deadline'],
] as const
/** Part of it only where they say something. */
const ifSaid = [
  ...['quoteWaitingTimeMs', 'referral', 'virtualChainRecipient', 'virtualChainRefundRecipient', 'customRecipientMsg'],
] as const
const amounts = [
  ...['amountIn', 'amountInFormatted', 'amountInUsd', 'minAmountIn'],
  ...['amountOut', 'amountOutFormatted', 'amountOutUsd', 'minAmountOut'],
] as const
const ofLiveQuotes = [
  ...['depositAddress', 'depositMemo', 'deadline', 'timeWhenInactive', 'timeEstimate', 'virtualChainRecipient'],
  ...['virtualChainRefundRecipient', 'customRecipientMsg', 'refundFee', 'withdrawFee'],
] as const

/** What is signed, as text. A quote's own deadline stands in the place of the request's. */
export function signedText({ quoteRequest, quote, timestamp }: QuoteReply): string {
  const fields: Record<string, unknown> = { timestamp }
  const put = (from: Readonly<Record<string, unknown>>, names: readonly string[], isAlways: boolean): void => {
    for (const name of names) if (isAlways || from[name]) fields[name] = from[name]
  }
  put(quoteRequest, always, true)
  put(quoteRequest, ifSaid, false)
  put(quote, amounts, true)
  if (quoteRequest.dry !== true) put(quote, ofLiveQuotes, false)
  const sorted = Object.keys(fields).sort()
  const known = sorted.filter((name) => fields[name] !== undefined)
  const json = `{${known.map((name) => `${JSON.stringify(name)}:${JSON.stringify(fields[name])}`).join(',')}}`
  return base58.encode(createHash('sha256').update(json).digest())
}

const bytesOf = (text: string): Uint8Array => base58.decode(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text)

function keyOf(signer: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI, bytesOf(signer)]), format: 'der', type: 'spki' })
}

export function isSignedBy(signer: string, reply: QuoteReply): boolean {
  try {
    return verify(null, Buffer.from(signedText(reply)), keyOf(signer), bytesOf(reply.signature))
  } catch {
    // Neither a key nor a signature.
    return false
  }
}
