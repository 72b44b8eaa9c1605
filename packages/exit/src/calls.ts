// Which calls move what lies on a vault, to whom, and from when on: the contracts' rules (IFlorin.sol), so that nobody
// pays gas for a call that reverts. Pure.
import { DAY_MS } from '@florin/protocol'
import { encodeCall } from './abi.ts'
import { type Exit, type Hex, ZERO } from './proof.ts'

/** `NO_FEE_DELAY` of the factory, in seconds. */
const NO_FEE_DELAY = (90 * DAY_MS) / 1000
/** `MAX_FEE_BPS` of the factory. */
const FEE_MAX_BPS = 1_000

export interface Holding {
  /** The zero address is the native coin. */
  token: Hex
  units: bigint
}

export interface Call {
  name: 'settleOpen' | 'settleOpenNoFee' | 'settle' | 'refundBound'
  /** Who may send it. */
  by: 'anybody' | 'relayer' | 'refunder'
  /** Unix seconds from which it does not revert. */
  opensAt: number
  token: Hex
  /** What leaves the vault. */
  units: bigint
  fee: bigint
  to: Hex
  receiver: 'merchant' | 'payer'
  data: Hex
}

/** What can be sent to the factory for this vault, on the chain with this number: soonest first, anybody's before a key's. */
export function callsOf(exit: Exit, chainId: number, holdings: readonly Holding[]): Call[] {
  return holdings
    .filter(({ units }) => units > 0n)
    .flatMap((holding) => [...openCalls(exit, chainId, holding), ...keyCalls(exit, chainId, holding)])
    .sort((a, b) => rank(a) - rank(b) || a.opensAt - b.opensAt)
}

const rank = (call: Call): number => (call.by === 'anybody' ? 0 : 1)

/** The factory decides itself to whom the balance goes: to the merchant where it covers the quote, else back. */
function openCalls(exit: Exit, chainId: number, { token, units }: Holding): Call[] {
  const { route } = exit
  const isHome = chainId === exit.chainId
  const isPaid = isHome && token === route.token && units >= route.minAmount
  const goesBack = !isPaid && route.refundTo !== ZERO
  if (!goesBack && !isHome) return []
  const fee = goesBack ? 0n : feeOf(exit, units)
  const end = goesBack
    ? ({ to: route.refundTo, receiver: 'payer' } as const)
    : ({ to: route.merchant, receiver: 'merchant' } as const)
  const shared = { by: 'anybody', token, units, ...end } as const
  const later = route.openAfter + NO_FEE_DELAY
  const noFee: Call = {
    ...{ ...shared, name: 'settleOpenNoFee', fee: 0n, opensAt: later },
    data: encodeCall('settleOpenNoFee', route, token),
  }
  if (token !== route.token) return [noFee]
  const open: Call = {
    ...{ ...shared, name: 'settleOpen', fee, opensAt: route.openAfter },
    data: encodeCall('settleOpen', route),
  }
  return [open, noFee]
}

/** What the operator's keys may do at any time, where they outlived the database. */
function keyCalls(exit: Exit, chainId: number, { token, units }: Holding): Call[] {
  const { route } = exit
  const calls: Call[] = []
  const isPaid = token === route.token && units >= route.minAmount
  if (chainId === exit.chainId && (isPaid || route.refundTo === ZERO)) {
    const fee = isPaid ? feeOf(exit, units) : 0n
    calls.push({
      ...{ name: 'settle', by: 'relayer', opensAt: 0, token, units, fee, to: route.merchant, receiver: 'merchant' },
      data: encodeCall('settle', route, token, units, isPaid ? BigInt(feeBpsOf(exit)) : 0n),
    })
  }
  if (!isPaid && route.refundTo !== ZERO) {
    calls.push({
      ...{ name: 'refundBound', by: 'refunder', opensAt: 0, token, units, fee: 0n, to: route.refundTo },
      receiver: 'payer',
      data: encodeCall('refundBound', route, token, units),
    })
  }
  return calls
}

const feeBpsOf = ({ route }: Exit): number => (route.collector === ZERO ? 0 : Math.min(route.feeBps, FEE_MAX_BPS))

const feeOf = (exit: Exit, units: bigint): bigint => (units * BigInt(feeBpsOf(exit))) / 10_000n
