// Whether a live quote is what was asked for: the signature proves who wrote it, not that it answers our question, and it
// leaves out fees, deposit mode and our deadline. Pure.
import { checkPayee, findChain } from '@florin/chains'
import { sameAssetId } from '../catalogue/ids.ts'
import { type AppFee, type QuoteReply, type QuoteRequest, unitsOf } from './wire.ts'

export interface CheckedQuote {
  address: string
  /** The same in its chain's canonical form. */
  place: string
  memo: string | null
  amountDue: bigint
  least: bigint
  amountOut: bigint
  refundFee: bigint
  withdrawFee: bigint
  feeBps: number
  /** Of it, what goes to the operator. */
  operatorBps: number
  expectedS: number
  /** Until when the provider watches the address. */
  watchUntil: Date
}

export interface Expected {
  sent: QuoteRequest
  payChain: string
  /** How much more than was asked for the provider may take for itself. */
  providerFeeMaxBps: number
}

/** A day: what a quote says of its duration is for people. */
const EXPECTED_MAX_S = 86_400

const compared = [
  ...([
    'dry',
    'swapType',
    'slippageTolerance',
    'depositType',
    'amount',
    'refundTo',
    'refundType',
    'recipient',
  ] as const),
  ...(['recipientType', 'depositMode'] as const),
]

/** Where money goes besides recipient and refund address, on chains that are virtual and in calls of contracts: never asked for. */
const unasked = ['virtualChainRecipient', 'virtualChainRefundRecipient', 'customRecipientMsg'] as const

/** @returns the quote, or why it is refused: each point in a few words, for people here. */
export function checkQuote(reply: QuoteReply, a: Expected): CheckedQuote | { faults: string[] } {
  const { quoteRequest: echo, quote } = reply
  const { sent } = a
  const faults: string[] = []
  for (const name of compared) if (echo[name] !== sent[name]) faults.push(`another ${name}`)
  for (const name of ['originAsset', 'destinationAsset'] as const) {
    const id = echo[name]
    if (typeof id !== 'string' || !sameAssetId(id, sent[name])) faults.push(`another ${name}`)
  }
  for (const name of unasked) if ([echo, quote].some((part) => isSaid(part[name]))) faults.push(`a ${name}`)
  if (timeOf(echo.deadline) !== Date.parse(sent.deadline)) faults.push('another deadline')
  const fees = feesOf(echo.appFees)
  const fee = judgeFees(fees, a)
  if (typeof fee === 'string') faults.push(fee)
  const amountDue = unitsOf(quote.amountIn)
  const least = unitsOf(quote.minAmountIn)
  const amountOut = unitsOf(quote.amountOut)
  if (amountOut === null || amountOut !== BigInt(sent.amount)) faults.push('another amount for the merchant')
  // Left out is what is always so: where an exact amount arrives, the least that may is that amount.
  if (isSaid(quote.minAmountOut) && (unitsOf(quote.minAmountOut) ?? 0n) < BigInt(sent.amount))
    faults.push('less for the merchant at the least')
  if (amountDue === null || least === null || least <= 0n || least > amountDue)
    faults.push('amounts that do not fit each other')
  const address = typeof quote.depositAddress === 'string' ? quote.depositAddress : ''
  const verdict = checkPayee(a.payChain, address)
  if (!verdict.valid) faults.push('no deposit address of its chain')
  const memo = typeof quote.depositMemo === 'string' && quote.depositMemo !== '' ? quote.depositMemo : null
  if (memo !== null && !/^[ -~]{1,128}$/.test(memo)) faults.push('a memo that nobody can type')
  if (sent.depositMode === 'MEMO' && memo === null) faults.push('no memo')
  // Nobody could send it along, and one address could be given to any number of orders.
  if (memo !== null && hasNoMemos(a.payChain)) faults.push('a memo on a chain that has none')
  const watchUntil = timeOf(quote.deadline)
  const coldFrom = isSaid(quote.timeWhenInactive) ? timeOf(quote.timeWhenInactive) : watchUntil
  if (watchUntil === null || Math.min(watchUntil, coldFrom ?? 0) < Date.parse(sent.deadline))
    faults.push('an address that ends before the quote')
  const refundFee = feeOf(quote.refundFee)
  if (refundFee === null) faults.push('a cost of refunds that cannot be read')
  if (faults.length > 0 || typeof fee === 'string') return { faults }
  const { timeEstimate } = quote
  const isTime = typeof timeEstimate === 'number' && timeEstimate >= 0
  return {
    place: verdict.valid ? verdict.canonical : address,
    ...{ address, memo, feeBps: fee.total, operatorBps: fee.operator },
    ...{ amountDue: amountDue ?? 0n, least: least ?? 0n, amountOut: amountOut ?? 0n },
    ...{ refundFee: refundFee ?? 0n, withdrawFee: feeOf(quote.withdrawFee) ?? 0n },
    expectedS: isTime ? Math.min(Math.ceil(timeEstimate), EXPECTED_MAX_S) : 0,
    watchUntil: new Date(watchUntil ?? 0),
  }
}

/** Of the others some wallets send one along. */
const hasNoMemos = (chain: string): boolean => /^(?:evm|utxo)/.test(findChain(chain)?.family ?? '')

const isSaid = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const timeOf = (value: unknown): number | null => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? null : time
}

const feeOf = (value: unknown): bigint | null => (value === undefined || value === null ? 0n : unitsOf(value))

/** null: it is no list of fees. */
function feesOf(value: unknown): AppFee[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return null
  const fees = value.map((entry: unknown): AppFee | null => {
    const { recipient, fee } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
    const isFee = typeof fee === 'number' && Number.isInteger(fee) && fee >= 0
    return typeof recipient === 'string' && isFee ? { recipient, fee } : null
  })
  return fees.some((fee) => fee === null) ? null : fees.filter((fee) => fee !== null)
}

/** The provider adds its own entry and keeps a part of ours: ours is there and no larger, and all together is bounded. */
function judgeFees(
  fees: AppFee[] | null,
  { sent, providerFeeMaxBps }: Expected,
): { total: number; operator: number } | string {
  if (fees === null) return 'fees that cannot be read'
  const asked = sent.appFees ?? []
  const total = fees.reduce((sum, { fee }) => sum + fee, 0)
  const askedBps = asked.reduce((sum, { fee }) => sum + fee, 0)
  const own = (recipient: string): number =>
    fees.reduce((sum, one) => (one.recipient === recipient ? sum + one.fee : sum), 0)
  if (asked.some((one) => own(one.recipient) > one.fee || own(one.recipient) === 0))
    return 'another fee of the operator'
  if (total > askedBps + providerFeeMaxBps) return `fees of ${total} basis points`
  return { total, operator: asked.reduce((sum, one) => sum + own(one.recipient), 0) }
}
