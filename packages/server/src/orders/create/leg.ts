// Opens a pay leg: the rail is asked outside any transaction, with a reference that was stored before.
// A leg keeps the target that it was opened for.
import type { LegState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { sha256 } from '@florin/platform/secrets'
import type { LatePolicy } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { PayRoute } from './route.ts'

export interface LegInput {
  orderRef: string
  merchantId: string
  /** 1, 2, … within the order. */
  n: number
  livemode: boolean
  pay: AssetRef
  amountUsdMicros: bigint
  underpayToleranceBps: number
  feeBps: number
  refundAddress: string | null
  /** The hash of the secret of the only browser that is shown the leg. */
  holder: string | null
  now: Date
  expiresAt: Date
  latePolicy: LatePolicy
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Derived from the order's stored reference and everything that the leg binds. A rail answers the same reference with
 * the same leg, so a leg opened on other terms (a concurrent choice, or a request repeated after the merchant changed
 * addresses) is never mistaken for this one.
 */
function legRefOf(input: LegInput, { rail, settle, settleAddress }: PayRoute): string {
  const { pay, amountUsdMicros, underpayToleranceBps, feeBps, refundAddress, holder, expiresAt } = input
  const assets = [pay, settle].flatMap(({ chain, asset, contract }) => [chain, asset, contract])
  const of = holder === null ? [] : [holder]
  const terms = [
    ...assets,
    String(amountUsdMicros),
    underpayToleranceBps,
    feeBps,
    settleAddress,
    refundAddress,
    expiresAt.toISOString(),
    ...of,
    // What one rail was asked for is never another one's.
    ...(rail.capabilities.custody === 'none' ? [] : [rail.capabilities.kind]),
  ]
  return `${input.orderRef}.${input.n}.${Buffer.from(sha256(JSON.stringify(terms))).toString('hex', 0, 8)}`
}

/** The same order, number and terms give the same leg, so a request retried after a crash shows the same one. */
function legIdOf(ref: string): string {
  let text = ''
  for (const byte of sha256(`leg ${ref}`).subarray(0, 26)) text += alphabet.charAt(byte % 32)
  return `leg_${text}`
}

/** @throws AppError missing_field (refund_address), amount_too_small, no_price, rail_unavailable */
export async function openLeg(input: LegInput, route: PayRoute): Promise<LegState> {
  const { rail, settle, settleAddress } = route
  if (rail.capabilities.refundAddress === 'required' && input.refundAddress === null) {
    throw new AppError('missing_field', {
      param: 'refund_address',
      message: `Paying with ${input.pay.asset} on ${input.pay.chain} needs a refund address on that chain.`,
    })
  }
  const { n, ...given } = input
  // Where a rail binds no refund address there is nothing to keep to one browser: its legs may even share an address.
  const isUnused = rail.capabilities.refundAddress === 'unused'
  const { holder, ...request } = isUnused ? { ...given, holder: null, refundAddress: null } : given
  const ref = legRefOf({ ...request, n, holder }, route)
  const opened = await rail
    .open({ ...request, settle, merchantAddress: settleAddress, legRef: ref })
    .catch((error: unknown) => {
      throw error instanceof AppError ? error : new AppError('rail_unavailable', { cause: error, retryAfterS: 5 })
    })
  return {
    ...input.pay,
    contract: opened.contract ?? input.pay.contract,
    settle,
    settleAddress,
    id: legIdOf(ref),
    n,
    ref,
    rail: rail.capabilities.kind,
    route: {
      ...{ custody: rail.capabilities.custody, reason: route.reason },
      ...(opened.refundFee === undefined ? {} : { refund_fee: opened.refundFee.toString() }),
      passed_over: route.others,
    },
    address: opened.address,
    memo: opened.memo,
    uri: opened.uri,
    amountDue: opened.amountDue,
    amountOut: opened.amountOut,
    dust: opened.dust,
    isStable: opened.isStable,
    rate: opened.rate.price,
    rateSource: opened.rate.source,
    rateExpiresAt: opened.rate.expiresAt,
    confirmationsRequired: opened.confirmationsRequired,
    least: opened.least ?? null,
    expectedS: opened.expectedS ?? route.estimate?.expectedS ?? null,
    boundRefundAddress: request.refundAddress,
    holder,
    refundAddress: null,
    proof: opened.proof,
    createdAt: input.now,
    chosenAt: input.now,
  }
}
