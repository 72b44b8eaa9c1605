// Opens a leg: one live quote, asked once, checked whole, and stored before its address is answered. The same reference gives
// the same answer.
import { payUri } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { formatUnits, MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { LegRequest, OpenedLeg } from '@florin/rail-kit/interface/leg'
import type { IntentsAsset } from '../catalogue/assets.ts'
import type { CatalogueCache } from '../catalogue/cache.ts'
import type { PayoutCosts } from '../catalogue/payout-costs.ts'
import { findDistrust, saveSick } from '../catalogue/store.ts'
import { ProviderAway, ProviderRefused } from '../client/ask.ts'
import type { OneClick } from '../client/client.ts'
import { type CheckedQuote, checkQuote } from '../client/echo.ts'
import { isSignedBy } from '../client/signature.ts'
import type { QuoteReply, QuoteRequest } from '../client/wire.ts'
import type { IntentsContext } from '../context.ts'
import type { IntentsSettings } from '../settings/config.ts'
import { dearness, type Judged } from './dear.ts'
import { distrusted, outUntil } from './distrust.ts'
import { findOpened, insertLeg, isPayAddress } from './legs.store.ts'
import { refuseOwned } from './owned.ts'
import { amountOutOf, ratePrice } from './price.ts'
import { isWrongMode, refusalOf, TOO_SMALL } from './refusals.ts'
import { requestOf, type Times, timesOf } from './request.ts'

const AWAY_FOR_MS = MINUTE_MS
const PAYS_AN_ORDER =
  'The receiving address of this order has become one that another order is paid at, so nothing is exchanged to it. Pay with a coin of its own chain.'
const TOO_DEAR = 'Nobody exchanges this coin near its price right now. Please choose another way to pay.'
/** A payer who was just shown an address needs some seconds to pay it. */
const FIRST_LOOK_MS = 15 * SECOND_MS

export type LegOpener = (request: LegRequest) => Promise<OpenedLeg>

export interface OpenerParts extends Pick<IntentsContext, 'sql' | 'clock' | 'log' | 'takesUnproven' | 'ownerOf'> {
  settings: IntentsSettings
  cache: CatalogueCache
  costs: PayoutCosts
  client: OneClick
}

export function legOpener(parts: OpenerParts): LegOpener {
  const { sql, settings, cache } = parts
  return async (request) => {
    const known = await findOpened(sql, request.legRef)
    if (known !== null) return known
    const out = await findDistrust(sql, parts.clock.now())
    if (out !== null) throw outUntil(parts, out)
    const pay = cache.now().find(request.pay)
    const settle = cache.now().find(request.settle)
    const { refundAddress } = request
    if (pay === null || settle === null || refundAddress === null) throw new AppError('no_rail')
    if (await isPayAddress(sql, request.merchantAddress)) throw new AppError('no_rail', { message: PAYS_AN_ORDER })
    const { amountUsdMicros, feeBps } = request
    const amountOut = amountOutOf(settle, { amountUsdMicros, feeBps, takesFee: settings.feeAccount !== null })
    if (amountOut === null) throw new AppError('no_price')
    if (amountOut <= 0n) throw new AppError('amount_too_small')
    const times = timesOf(settings, { ...request, payChain: pay.chain, settleChain: settle.chain })
    const sent = requestOf(settings, {
      ...{ pay, settle, amountOut, feeBps, deadline: times.returnsFrom },
      ...{ recipient: request.merchantAddress, refundTo: refundAddress },
    })
    const { reply, asked } = await quoteOf(parts, { pay, settle, sent })
    const quote = await checked(parts, { pay, reply, sent: asked })
    refuseDear(parts, { pay, settle, request, quote })
    await refuseOwned(parts, { request: { ...request, refundAddress }, pay, reply, quote })
    return stored(parts, { request: { ...request, refundAddress }, pay, settle, reply, quote, times })
  }
}

interface Asked {
  pay: IntentsAsset
  settle: IntentsAsset
  sent: QuoteRequest
}

/** One live question. Only one that was refused for its deposit mode, and so allocated nothing, is put again the other way. */
async function quoteOf(parts: OpenerParts, a: Asked): Promise<{ reply: QuoteReply; asked: QuoteRequest }> {
  try {
    return { reply: await parts.client.quote(a.sent), asked: a.sent }
  } catch (error) {
    if (!(error instanceof ProviderRefused && isWrongMode(error.says))) throw await refused(parts, a, error)
  }
  const asked: QuoteRequest = { ...a.sent, depositMode: a.sent.depositMode === 'MEMO' ? 'SIMPLE' : 'MEMO' }
  try {
    return { reply: await parts.client.quote(asked), asked }
  } catch (error) {
    throw await refused(parts, a, error)
  }
}

/** Remembers what is out, for the choice of others, and says it to the payer in our own words. */
async function refused(parts: OpenerParts, { pay, settle }: Asked, error: unknown): Promise<unknown> {
  const now = parts.clock.now()
  const until = (ms: number): Date => new Date(now.getTime() + ms)
  const route = { pay: `${pay.asset} on ${pay.chain}`, settle: `${settle.asset} on ${settle.chain}` }
  if (error instanceof ProviderAway) {
    parts.log.warn({ err: error, ...route }, 'the provider of quotes is away')
    const note = 'The provider does not answer.'
    const wait = Math.max(AWAY_FOR_MS, error.retryAfterMs ?? 0)
    await saveSick(parts.sql, { chain: pay.chain, asset: pay.asset, side: 'pay', until: until(wait), note }, now)
    return new AppError('rail_unavailable', { cause: error, retryAfterS: Math.ceil(wait / SECOND_MS) })
  }
  if (!(error instanceof ProviderRefused)) return error
  const { code, param, message, sick } = refusalOf(error.status, error.says)
  const level = error.status === 401 ? 'error' : 'warn'
  parts.log[level]({ status: error.status, says: error.says, ...route }, 'the provider refused a quote')
  if (sick !== null) {
    const { chain, asset } = sick.side === 'pay' ? pay : settle
    await saveSick(parts.sql, { chain, asset, side: sick.side, until: until(sick.forMs), note: message }, now)
  }
  return new AppError(code, { message, cause: error, ...(param === undefined ? {} : { param }) })
}

/** @throws AppError where the signature or the echo is not what was asked for: nobody is shown such an address. */
async function checked(
  parts: OpenerParts,
  { pay, reply, sent }: { pay: IntentsAsset; reply: QuoteReply; sent: QuoteRequest },
): Promise<CheckedQuote> {
  const { settings } = parts
  const { providerFeeMaxBps } = settings
  const quote = isSignedBy(settings.signer, reply)
    ? checkQuote(reply, { sent, payChain: pay.chain, providerFeeMaxBps })
    : { faults: ['no valid signature'] }
  if (!('faults' in quote)) return quote
  throw await distrusted(parts, quote.faults, reply)
}

function refuseDear({ settings, log }: OpenerParts, a: Judged): void {
  const dear = dearness(settings, a)
  if (dear === null) return
  log.warn({ why: dear.why, pay: `${a.pay.asset} on ${a.pay.chain}` }, 'a quote is too dear for its order')
  const cause = new Error(dear.why)
  if (dear.what === 'amount') throw new AppError('amount_too_small', { message: TOO_SMALL, cause })
  throw new AppError('rail_unavailable', { message: TOO_DEAR, cause })
}

async function stored(
  parts: OpenerParts,
  a: {
    request: LegRequest & { refundAddress: string }
    pay: IntentsAsset
    settle: IntentsAsset
    reply: QuoteReply
    quote: CheckedQuote
    times: Times
  },
): Promise<OpenedLeg> {
  const { request, quote, times } = a
  const { chain, asset, contract, decimals } = a.pay
  const { address, memo, amountDue, amountOut, least, refundFee, feeBps, expectedS } = quote
  const uri = payUri({
    ...{ chain, asset: { asset, contract, decimals }, address, amount: amountDue },
    ...(memo === null ? {} : { memo }),
  })
  const opened: OpenedLeg = {
    ...{ address, memo, uri, amountDue, amountOut, least, expectedS, refundFee },
    dust: 2n * refundFee,
    isStable: false,
    rate: {
      price: ratePrice(a.pay) ?? impliedPrice(request, amountDue, decimals),
      source: 'near-intents',
      expiresAt: times.payUntil,
    },
    confirmationsRequired: 1,
    proof: null,
  }
  const { merchantId, livemode } = request
  const takesUnproven = await parts.takesUnproven({ merchantId, livemode, chain: request.settle.chain })
  const now = parts.clock.now()
  const leg = {
    ...{ ref: request.legRef, orderRef: request.orderRef, livemode },
    ...{ pay: { chain, asset, contract, decimals }, settle: request.settle, refundAddress: request.refundAddress },
    ...{ merchantAddress: request.merchantAddress, opened, reply: a.reply, createdAt: request.now, ...times },
    ...{ place: quote.place, watchUntil: quote.watchUntil, least, refundFee, feeBps, takesUnproven },
    dueAt: new Date(request.now.getTime() + FIRST_LOOK_MS),
  }
  const kept = await insertLeg(parts.sql, leg, now)
  // Its own quote was right; whoever gave it said something false to somebody else since it was asked for.
  if (kept === 'distrusted') throw outUntil(parts, (await findDistrust(parts.sql, now)) ?? now)
  if (kept === 'taken') {
    // Two orders at one address: nobody could tell whose money came.
    throw await distrusted(parts, ['the address of another order'], a.reply)
  }
  await parts.costs.learn(a.settle, a.reply)
  return kept
}

/** Of a coin that is listed without a price: dollars of the order for one whole unit, everything included. */
function impliedPrice({ amountUsdMicros }: LegRequest, amountDue: bigint, decimals: number): string {
  return formatUnits((amountUsdMicros * 10n ** BigInt(decimals + 6)) / amountDue, 12)
}
