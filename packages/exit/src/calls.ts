// Which calls move what lies on a vault, to whom, and from when on: the contracts' rules (IFlorin.sol), so that nobody
// pays gas for a call that reverts. Pure.
import { DAY_MS } from '@florin/protocol'
import { encodeCall } from './abi.ts'
import { type Exit, type Hex, ZERO } from './proof.ts'

/** `NO_FEE_DELAY` of the factory, in seconds. */
const NO_FEE_DELAY = (90 * DAY_MS) / 1000
/** `RESCUE_DELAY` of the factory, in seconds. */
const RESCUE_DELAY = (7 * DAY_MS) / 1000
/** `MAX_FEE_BPS` of the factory. */
const FEE_MAX_BPS = 1_000

export interface Holding {
  /** The zero address is the native coin. */
  token: Hex
  units: bigint
  /** When the chain recorded that this could not be paid to whom it belongs, in Unix seconds; 0 or left out: never. */
  failedAt?: number
}

/** A refund that was announced on the chain, to an address that the route does not bind. */
export interface Announced {
  token: Hex
  to: Hex
  units: bigint
  /** Unix seconds between which anybody may carry it out. */
  opensAt: number
  closesAt: number
}

export interface Call {
  name: 'settleOpen' | 'settleOpenNoFee' | 'rescue' | 'executeRefund' | 'settle' | 'refundBound'
  /** Who may send it. */
  by: 'anybody' | 'relayer' | 'refunder'
  /** Unix seconds from which it does not revert. */
  opensAt: number
  /** Until when; null: for ever. */
  closesAt: number | null
  token: Hex
  /** What leaves the vault. */
  units: bigint
  fee: bigint
  to: Hex
  receiver: 'merchant' | 'payer'
  /** What is the merchant's goes elsewhere only where that is asked for by name. */
  isByName: boolean
  /** Who is paid instead once the receiver failed twice, a week apart; null: nobody else. */
  otherwise: Hex | null
  data: Hex
}

/** What can be sent to the factory for this vault, on the chain with this number: soonest first, anybody's before a key's. */
export function callsOf(
  exit: Exit,
  chainId: number,
  holdings: readonly Holding[],
  announced: readonly Announced[] = [],
): Call[] {
  return holdings
    .filter(({ units }) => units > 0n)
    .flatMap((holding) => [
      ...announcedCalls(exit, chainId, holding, announced),
      ...openCalls(exit, chainId, holding),
      ...keyCalls(exit, chainId, holding),
    ])
    .sort((a, b) => rank(a) - rank(b) || a.opensAt - b.opensAt)
}

/** An announced refund is what was decided about money that nobody is bound for: it comes before the general rule. */
const rank = (call: Call): number =>
  call.name === 'executeRefund' && !call.isByName ? 0 : call.by === 'anybody' ? 1 : 2

/** Whether it covers what the merchant asked for. */
const isPaidBy = ({ route, chainId: home }: Exit, chainId: number, { token, units }: Holding): boolean =>
  chainId === home && token === route.token && units >= route.minAmount

/** Whether announcements can be about this: a bound address leaves no room for another. */
export const mayBeAnnounced = ({ route }: Exit, holdings: readonly Holding[]): boolean =>
  route.refundTo === ZERO && holdings.some(({ units }) => units > 0n)

function announcedCalls(exit: Exit, chainId: number, holding: Holding, announced: readonly Announced[]): Call[] {
  const isByName = isPaidBy(exit, chainId, holding)
  return announced
    .filter(({ token, units }) => token === holding.token && units <= holding.units)
    .map(({ token, to, units, opensAt, closesAt }) => ({
      ...{ name: 'executeRefund', by: 'anybody', opensAt, closesAt, token, units, fee: 0n, to, receiver: 'payer' },
      ...{ isByName, otherwise: null, data: encodeCall('executeRefund', exit.route, token, to, units) },
    }))
}

/** To whom the factory sends a balance: to the merchant what covers the bound minimum, else back where that is known. */
export function ownerOf(exit: Exit, chainId: number, { token, units }: Holding): Pick<Call, 'to' | 'receiver'> | null {
  const { route } = exit
  const isHome = chainId === exit.chainId
  const isPaid = isPaidBy(exit, chainId, { token, units })
  if (!isPaid && route.refundTo !== ZERO) return { to: route.refundTo, receiver: 'payer' }
  return isHome ? { to: route.merchant, receiver: 'merchant' } : null
}

const ALWAYS = { isByName: false, otherwise: null, closesAt: null } as const

function openCalls(exit: Exit, chainId: number, holding: Holding): Call[] {
  const { route } = exit
  const { token, units, failedAt = 0 } = holding
  const owner = ownerOf(exit, chainId, holding)
  if (owner === null) return []
  const fee = owner.receiver === 'payer' ? 0n : feeOf(exit, units)
  const shared = { by: 'anybody', token, units, ...owner, ...ALWAYS } as const
  const later = route.openAfter + NO_FEE_DELAY
  const opensAt = token === route.token ? route.openAfter : later
  const calls: Call[] = []
  if (token === route.token) {
    calls.push({ ...shared, name: 'settleOpen', fee, opensAt, data: encodeCall('settleOpen', route) })
  }
  calls.push({
    ...{ ...shared, name: 'settleOpenNoFee', fee: 0n, opensAt: later },
    data: encodeCall('settleOpenNoFee', route, token),
  })
  // Elsewhere the merchant cannot be paid, so nobody could be paid instead.
  if (chainId !== exit.chainId) return calls
  const other = owner.receiver === 'payer' ? route.merchant : route.refundTo
  calls.push({
    ...{ ...shared, name: 'rescue', fee, otherwise: other === ZERO ? null : other },
    opensAt: failedAt === 0 ? opensAt : Math.max(opensAt, failedAt + RESCUE_DELAY),
    data: encodeCall('rescue', route, token),
  })
  return calls
}

/** What the operator's keys may do at any time, where they outlived the database. */
function keyCalls(exit: Exit, chainId: number, { token, units }: Holding): Call[] {
  const { route } = exit
  const calls: Call[] = []
  const isPaid = token === route.token && units >= route.minAmount
  // The contract would let a relayer settle less too; that is the operator's to decide and waits for the open calls.
  if (chainId === exit.chainId && isPaid) {
    calls.push({
      ...{ name: 'settle', by: 'relayer', opensAt: 0, token, units, fee: feeOf(exit, units) },
      ...{ to: route.merchant, receiver: 'merchant', ...ALWAYS },
      data: encodeCall('settle', route, token, units, BigInt(feeBpsOf(exit))),
    })
  }
  if (!isPaid && route.refundTo !== ZERO) {
    calls.push({
      ...{ name: 'refundBound', by: 'refunder', opensAt: 0, token, units, fee: 0n, to: route.refundTo },
      ...{ receiver: 'payer', ...ALWAYS },
      data: encodeCall('refundBound', route, token, units),
    })
  }
  return calls
}

const feeBpsOf = ({ route }: Exit): number => (route.collector === ZERO ? 0 : Math.min(route.feeBps, FEE_MAX_BPS))

const feeOf = (exit: Exit, units: bigint): bigint => (units * BigInt(feeBpsOf(exit))) / 10_000n
