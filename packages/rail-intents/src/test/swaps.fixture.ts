// The double's swaps: what becomes of deposits, as the provider was seen to handle them. Time is the test's.

export interface QuoteEcho {
  dry: boolean
  swapType: string
  deadline: string
  refundTo: string
  recipient: string
  [name: string]: unknown
}

export interface Priced {
  amountIn: bigint
  minAmountIn: bigint
  amountOut: bigint
  minAmountOut: bigint
  refundFee: bigint
  withdrawFee: bigint
}

export type SwapStatus =
  | 'PENDING_DEPOSIT'
  | 'KNOWN_DEPOSIT_TX'
  | 'INCOMPLETE_DEPOSIT'
  | 'PROCESSING'
  | 'SUCCESS'
  | 'REFUNDED'
  | 'FAILED'

export interface DoubleSwap {
  address: string
  memo: string | null
  chain: string
  reply: Record<string, unknown>
  echo: QuoteEcho
  priced: Priced
  createdAt: Date
  /** Until when it is looked at. */
  endsAt: Date
  status: SwapStatus
  updatedAt: Date
  deposited: bigint
  origin: string[]
  destination: string[]
  amountIn: bigint | null
  amountOut: bigint | null
  refunded: bigint | null
  reason: string | null
}

let hashes = 0
export const someHash = (): string => `0x${(++hashes).toString(16).padStart(64, '0')}`

/** What has to come: of what is exact on the way in, all of it. */
const floorOf = ({ echo, priced }: DoubleSwap): bigint =>
  echo.swapType === 'EXACT_INPUT' ? priced.amountIn : priced.minAmountIn

const isOver = ({ status }: DoubleSwap): boolean => status === 'SUCCESS' || status === 'REFUNDED' || status === 'FAILED'

function move(swap: DoubleSwap, status: SwapStatus, now: Date): void {
  swap.status = status
  swap.updatedAt = now
}

export function announce(swap: DoubleSwap, now: Date): void {
  if (swap.status !== 'PENDING_DEPOSIT') return
  swap.origin = [someHash()]
  move(swap, 'KNOWN_DEPOSIT_TX', now)
}

/** The transaction that was announced is gone. */
export function forget(swap: DoubleSwap, now: Date): void {
  if (swap.status !== 'KNOWN_DEPOSIT_TX') return
  swap.origin = []
  move(swap, 'PENDING_DEPOSIT', now)
}

/** Money of the right token, with the right memo; everything else is never seen. */
export function deposit(swap: DoubleSwap, amount: bigint, now: Date): void {
  if (isOver(swap) || now > swap.endsAt) return
  const isAnnounced = swap.status === 'KNOWN_DEPOSIT_TX'
  swap.deposited += amount
  if (!isAnnounced) swap.origin.push(someHash())
  if (swap.status === 'PROCESSING') return
  if (now > new Date(swap.echo.deadline)) giveBack(swap, 'DEADLINE_EXCEEDED', now)
  else move(swap, swap.deposited >= floorOf(swap) ? 'PROCESSING' : 'INCOMPLETE_DEPOSIT', now)
}

/** @param a.hash the payout's transaction; null: it comes later. @param a.amountOut what it really pays. */
export function fill(swap: DoubleSwap, now: Date, a: { hash?: string | null; amountOut?: bigint } = {}): void {
  if (swap.status !== 'PROCESSING') return
  const isExactOut = swap.echo.swapType === 'EXACT_OUTPUT'
  const used = isExactOut ? swap.priced.minAmountIn : swap.priced.amountIn
  const rest = swap.deposited - used
  swap.amountIn = used
  swap.amountOut = a.amountOut ?? swap.priced.amountOut
  swap.refunded = rest > swap.priced.refundFee ? rest - swap.priced.refundFee : 0n
  if (swap.refunded > 0n) swap.origin.push(someHash())
  if (a.hash !== null) swap.destination = [a.hash ?? someHash()]
  move(swap, 'SUCCESS', now)
}

export function giveBack(swap: DoubleSwap, reason: string, now: Date): void {
  if (isOver(swap) || swap.deposited === 0n) return
  const rest = swap.deposited - swap.priced.refundFee
  swap.refunded = rest > 0n ? rest : 0n
  swap.reason = reason
  swap.origin.push(someHash())
  move(swap, 'REFUNDED', now)
}

export function fail(swap: DoubleSwap, now: Date): void {
  if (swap.status !== 'PROCESSING') return
  move(swap, 'FAILED', now)
}

/** SUCCESS in name, while the money went back: seen once in the wild. */
export function claimWithoutPaying(swap: DoubleSwap, now: Date): void {
  swap.refunded = swap.deposited - swap.priced.refundFee
  swap.origin.push(someHash())
  move(swap, 'SUCCESS', now)
}

/** What time alone does. */
export function passTime(swap: DoubleSwap, now: Date): void {
  if (swap.status === 'INCOMPLETE_DEPOSIT' && now > new Date(swap.echo.deadline)) giveBack(swap, 'PARTIAL_DEPOSIT', now)
}
