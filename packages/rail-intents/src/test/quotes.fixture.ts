// The double's quotes: refusals in the provider's own words, prices from the list, and a signature in its format.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { checkAddress, findChain } from '@florin/chains'
import { base58 } from '@scure/base'
import { signedText } from '../client/signature.ts'
import type { QuoteReply } from '../client/wire.ts'
import { depositAddress } from './addresses.fixture.ts'
import type { Priced, QuoteEcho } from './swaps.fixture.ts'
import { type ListedToken, listedTokens } from './tokens.fixture.ts'

export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export interface Signer {
  key: KeyObject
  publicKey: string
}

export function makeSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { key: privateKey, publicKey: `ed25519:${base58.encode(raw)}` }
}

export const signQuote = (signer: Signer, reply: QuoteReply): string =>
  `ed25519:${base58.encode(sign(null, Buffer.from(signedText(reply)), signer.key))}`

/** The provider's own account inside NEAR Intents. */
export const PROVIDER_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'
const DAY_MS = 86_400_000
const LOOKED_AT_FOR_MS = 3 * DAY_MS

export interface QuoteRules {
  /** Without a key it takes more. */
  providerBps: number
  /** Routes that are off, by asset id. */
  off: ReadonlySet<string>
  blocked: ReadonlySet<string>
  /** Chains that take a memo. */
  memoChains: ReadonlySet<string>
  minUsd: number
  prices: ReadonlyMap<string, number>
  isLateSwapped: boolean
}

const needed = [
  'swapType',
  'slippageTolerance',
  'originAsset',
  'destinationAsset',
  'amount',
  'depositType',
  'refundTo',
  'refundType',
  'recipient',
  'recipientType',
  'deadline',
] as const

type Body = Record<string, unknown>

function findToken(assetId: unknown): ListedToken | undefined {
  return listedTokens.find((token) => token.assetId === assetId)
}

/** @throws Refusal as the service words it */
export function priceQuote(
  body: Body,
  rules: QuoteRules,
  now: Date,
): { echo: QuoteEcho; priced: Priced; origin: ListedToken; mode: string } {
  for (const name of needed)
    if (body[name] === undefined || body[name] === '') throw new Refusal(400, `${name} should not be empty`)
  if (typeof body.amount !== 'string' || !/^\d+$/.test(body.amount))
    throw new Refusal(400, 'amount must be a number string')
  const amount = BigInt(body.amount)
  if (amount <= 0n) throw new Refusal(400, 'amount must be greater than 0')
  const origin = findToken(body.originAsset)
  const destination = findToken(body.destinationAsset)
  if (origin === undefined) throw new Refusal(400, 'tokenIn is not valid')
  if (destination === undefined) throw new Refusal(400, 'tokenOut is not valid')
  if (origin.blockchain === 'hypercore') throw new Refusal(400, `${origin.assetId} is not supported as origin asset`)
  for (const [name, chain] of [
    ['recipient', destination.blockchain],
    ['refundTo', origin.blockchain],
  ] as const)
    if (findChain(chain) === null || !checkAddress(chain, String(body[name])).valid)
      throw new Refusal(400, `${name} is not valid`)
  if (rules.blocked.has(String(body.recipient)) || rules.blocked.has(String(body.refundTo)))
    throw new Refusal(body.dry === true ? 400 : 403, 'Request blocked by compliance')
  if (Number.isNaN(Date.parse(String(body.deadline))) || new Date(String(body.deadline)) <= now)
    throw new Refusal(400, 'deadline must be in the future')
  const mode = String(body.depositMode ?? 'SIMPLE')
  if ((origin.blockchain === 'stellar') !== (mode === 'MEMO')) throw new Refusal(400, 'Incorrect depositMode')
  const asked = (body.appFees ?? []) as { recipient: string; fee: number }[]
  if (asked.some(({ fee }) => fee < 0 || fee > 500)) throw new Refusal(400, 'appFees: fee must be between 0 and 500')
  if (rules.off.has(origin.assetId) || rules.off.has(destination.assetId))
    throw new Refusal(400, 'No liquidity available')
  // Of what an application asks for it hands on half.
  const handedOn = asked.map(({ recipient, fee }) => ({ recipient, fee: Math.floor(fee / 2) }))
  const kept = asked.reduce((sum, { fee }) => sum + Math.ceil(fee / 2), 0)
  const appFees = [...handedOn, { recipient: PROVIDER_ACCOUNT, fee: Math.max(rules.providerBps, kept) }]
  const bps = BigInt(appFees.reduce((sum, { fee }) => sum + fee, 0))
  const echo = {
    ...{ depositMode: 'SIMPLE', confidentiality: 'public', quoteWaitingTimeMs: 0, insured: false },
    ...{ ...body, appFees },
  } as unknown as QuoteEcho
  return { echo, priced: pricesOf({ origin, destination, amount, bps, body, rules }), origin, mode }
}

/** Prices are reckoned with in millionths of a millionth of a dollar. */
const PICO = 1_000_000_000_000
const CENT = BigInt(PICO / 100)
const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

function pricesOf(a: {
  origin: ListedToken
  destination: ListedToken
  amount: bigint
  bps: bigint
  body: Body
  rules: QuoteRules
}): Priced {
  const { origin, destination, amount, bps, rules } = a
  const priceOf = (token: ListedToken): bigint =>
    BigInt(Math.round((rules.prices.get(token.assetId) ?? token.price) * PICO))
  const [from, to] = [priceOf(origin), priceOf(destination)]
  const [fromUnit, toUnit] = [10n ** BigInt(origin.decimals), 10n ** BigInt(destination.decimals)]
  const slip = BigInt(Number(a.body.slippageTolerance))
  // Thirty cents for a payout, ten for a way back.
  const withdrawFee = ceil(30n * CENT * toUnit, to)
  const refundFee = ceil(10n * CENT * fromUnit, from)
  const isTooLow = (units: bigint, price: bigint, unit: bigint): boolean =>
    units * price < BigInt(Math.round(rules.minUsd * PICO)) * unit
  if (a.body.swapType === 'EXACT_OUTPUT') {
    if (isTooLow(amount, to, toUnit)) {
      const least = ceil(BigInt(Math.round(rules.minUsd * PICO)) * toUnit, to)
      throw new Refusal(400, `Amount is too low for bridge, try at least ${least}`)
    }
    const net = ceil((amount + withdrawFee) * to * fromUnit, from * toUnit)
    const minAmountIn = ceil(net * (10_000n + bps), 10_000n)
    const amountIn = ceil(minAmountIn * (10_000n + slip), 10_000n)
    return { amountIn, minAmountIn, amountOut: amount, minAmountOut: amount, refundFee, withdrawFee }
  }
  const value = (amount * (10_000n - bps) * from * toUnit) / (10_000n * to * fromUnit)
  const amountOut = value - withdrawFee
  if (amountOut <= 0n) throw new Refusal(400, 'Failed to get quote')
  const minAmountOut = (amountOut * (10_000n - slip)) / 10_000n
  return { amountIn: amount, minAmountIn: amount, amountOut, minAmountOut, refundFee, withdrawFee }
}

/** @param n numbers the addresses given out. A dry one has no address, no memo and no deadline. */
export function quoteReply(
  a: ReturnType<typeof priceQuote>,
  { n, now, rules, correlationId }: { n: number; now: Date; rules: QuoteRules; correlationId: string },
): QuoteReply {
  const { echo, priced, origin, mode } = a
  const live = {
    ...{ depositAddress: depositAddress(origin.blockchain, n) },
    ...(mode === 'MEMO' || rules.memoChains.has(origin.blockchain) ? { depositMemo: String(100_000 + n) } : {}),
    deadline: new Date(Date.parse(echo.deadline) + LOOKED_AT_FOR_MS).toISOString(),
    timeWhenInactive: new Date(Date.parse(echo.deadline) + LOOKED_AT_FOR_MS).toISOString(),
  }
  const text = (units: bigint): string => units.toString()
  return {
    ...{ correlationId, timestamp: now.toISOString(), signature: '', quoteRequest: { ...echo } },
    quote: {
      ...{ amountIn: text(priced.amountIn), amountInFormatted: text(priced.amountIn), amountInUsd: '0.0' },
      ...{ minAmountIn: text(priced.minAmountIn), amountOut: text(priced.amountOut) },
      ...{ amountOutFormatted: text(priced.amountOut), amountOutUsd: '0.0', minAmountOut: text(priced.minAmountOut) },
      ...{ timeEstimate: origin.blockchain === 'btc' ? 812 : 45, refundFee: text(priced.refundFee) },
      withdrawFee: text(priced.withdrawFee),
      ...(echo.dry === true ? {} : live),
    },
  }
}
