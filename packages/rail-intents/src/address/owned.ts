// No payer is shown an address that is somebody's: money for one order would be there among another's, and its owner could name it
// here no more. Where a memo tells swaps apart the provider has one address for all, which anybody can learn and name as his own
// first: there what anybody can say refuses nothing, and nothing takes out more than the coin.
import { findChain, placeOf } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { SECOND_MS } from '@florin/protocol'
import type { LegRequest } from '@florin/rail-kit/interface/leg'
import type { IntentsAsset } from '../catalogue/assets.ts'
import { saveSick } from '../catalogue/store.ts'
import type { CheckedQuote } from '../client/echo.ts'
import type { QuoteReply } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'
import type { IntentsSettings } from '../settings/config.ts'
import { distrusted, LIED_FOR_MS } from './distrust.ts'
import { isSwapPlace } from './legs.store.ts'
import { notYours } from './refusals.ts'

interface Parts extends Pick<IntentsContext, 'sql' | 'clock' | 'log' | 'ownerOf'> {
  settings: Pick<IntentsSettings, 'feeAccount'>
}

interface Named {
  request: LegRequest & { refundAddress: string }
  pay: IntentsAsset
  reply: QuoteReply
  quote: Pick<CheckedQuote, 'place' | 'memo'>
}

/** @throws AppError where the deposit address is somebody's. */
export async function refuseOwned(parts: Parts, a: Named): Promise<void> {
  const { request, quote } = a
  const { place, memo } = quote
  const chain = findChain(a.pay.chain)
  const isIt = (address: string): boolean => address === place || (chain !== null && placeOf(chain, address) === place)
  // His refund would go to whom he pays.
  if (memo !== null && isIt(request.refundAddress)) throw new AppError('invalid_address', notYours)
  if (isIt(request.refundAddress) || isIt(request.merchantAddress)) throw await refused(parts, a)
  if (parts.settings.feeAccount !== null && isIt(parts.settings.feeAccount)) throw await refused(parts, a)
  // Known as the provider's: whether it may be given again is judged where it is stored.
  if (await isSwapPlace(parts.sql, place)) return
  const owner = await parts.ownerOf({ chain: a.pay.chain, livemode: request.livemode, address: place })
  if (owner === null || (owner === 'payer' && memo !== null)) return
  throw await refused(parts, a)
}

const FAULT = 'the address of somebody who is known here'

/** It says of nobody to whom the address belongs, nor as what it is known. */
async function refused(parts: Parts, { pay, reply, quote }: Named): Promise<AppError> {
  if (quote.memo === null) return distrusted(parts, [FAULT], reply)
  const now = parts.clock.now()
  const note = `A quote was refused: it had ${FAULT}.`
  parts.log.error({ correlation_id: reply.correlationId, chain: pay.chain }, note)
  const until = new Date(now.getTime() + LIED_FOR_MS)
  await saveSick(parts.sql, { chain: pay.chain, asset: pay.asset, side: 'pay', until, note }, now)
  return new AppError('rail_unavailable', { cause: new Error(note), retryAfterS: LIED_FOR_MS / SECOND_MS })
}
