// Orders as the rules see them, for tests that need no database: a pending $50 order and the facts that reach it.
import type { Fact } from '@florin/order-model/facts'
import { decide } from '@florin/order-model/rules'
import type { LegState, OrderState, Target } from '@florin/order-model/state'
import { MINUTE_MS } from '@florin/protocol'

export const start = new Date('2026-03-01T12:00:00Z')
export const at = (ms: number): Date => new Date(start.getTime() + ms)
export const usdc = { chain: 'base', asset: 'USDC', contract: '0xusdc', decimals: 6 }
export const eth = { chain: 'base', asset: 'ETH', contract: null, decimals: 18 }
export const usdt = { chain: 'eth', asset: 'USDT', contract: '0xusdt', decimals: 6 }
export const DUE = 50_000_000n
export const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

/** Where a leg settles that is paid as it is: the merchant's own address on that chain. */
export const own = (asset: Target['settle']): Target => ({
  settle: asset,
  settleAddress: `0xmerchant on ${asset.chain}`,
})

const fixed: Target = { settle: usdc, settleAddress: '0xmerchant' }

export function leg(n: number, asset: typeof usdc | typeof eth, isStable: boolean, target = fixed): LegState {
  return {
    ...asset,
    ...target,
    id: `leg_${n}`,
    n,
    ref: `ref.${n}`,
    rail: 'sandbox',
    address: 'nowhere',
    memo: null,
    uri: 'florin-test:',
    amountDue: DUE,
    amountOut: DUE,
    dust: 40_000n,
    isStable,
    rate: '1',
    rateSource: 'sandbox',
    rateExpiresAt: isStable ? at(30 * MINUTE_MS) : at(15 * MINUTE_MS),
    confirmationsRequired: 3,
    route: null,
    least: null,
    expectedS: null,
    boundRefundAddress: null,
    holder: null,
    refundAddress: null,
    proof: null,
    createdAt: start,
    chosenAt: start,
  }
}

/** @param overrides.boundTo the refund address that is bound into every leg. */
export function pendingOrder({
  boundTo = null,
  ...overrides
}: Partial<OrderState> & { boundTo?: string | null } = {}): OrderState {
  const expiresAt = at(30 * MINUTE_MS)
  return {
    orderNo: 'ord_1',
    orderRef: 'ref',
    merchantId: 'mer_1',
    merchantNo: 1,
    apiKeyId: 'key_1',
    livemode: false,
    externalId: null,
    status: 'pending',
    detail: 'awaiting_payment',
    money: { currency: 'USD', minor: 5_000n, exponent: 2 },
    fx: null,
    amountUsdMicros: 50_000_000n,
    feeBps: 100,
    amountOut: null,
    ...fixed,
    settleTxHash: null,
    rail: 'sandbox',
    open: null,
    thirdParty: false,
    payLegId: 'leg_1',
    refundProposal: null,
    refundAsks: 0,
    refundAskedAt: null,
    checkoutToken: 't',
    webhookUrl: null,
    successUrl: null,
    cancelUrl: null,
    title: null,
    description: null,
    metadata: {},
    paymentLinkId: null,
    invoiceId: null,
    quantity: null,
    payerEmail: null,
    payerLocale: null,
    payerName: null,
    payerNote: null,
    successText: null,
    underpayToleranceBps: 50,
    latePolicy: 'settle',
    canceled: false,
    version: 1,
    createdAt: start,
    updatedAt: start,
    expiresAt,
    lookAt: expiresAt,
    settledAt: null,
    payments: [],
    folded: [],
    settlements: [],
    refunds: [],
    ownRefunds: [],
    ...overrides,
    legs: (overrides.legs ?? [leg(1, usdc, true)]).map((one) => ({
      ...one,
      boundRefundAddress: one.boundRefundAddress ?? boundTo,
    })),
  }
}

let counter = 0
export const newId = (prefix: string): string => `${prefix}_${String(++counter).padStart(8, '0')}`

/** Facts of one moment are decided together, as in one commit; returns the last order and the statuses that were passed through. */
export function run(order: OrderState, facts: readonly [Fact, Date][]): { order: OrderState; moves: string[] } {
  const moves: string[] = []
  for (let from = 0, to = 0; from < facts.length; from = to) {
    const now = facts[from]?.[1] ?? start
    while (to < facts.length && facts[to]?.[1].getTime() === now.getTime()) to++
    const some = facts.slice(from, to).map(([fact]) => fact)
    const decision = decide(order, some, now, newId)
    for (const step of decision.steps) if (step.isMove) moves.push(step.order.status)
    order = decision.order
  }
  return { order, moves }
}

export const pays = (
  key: string,
  amount: bigint,
  seenAt: Date,
  asset: typeof usdc | typeof eth = usdc,
  legRef = 'ref.1',
): Fact => ({
  kind: 'payment_seen',
  key,
  legRef,
  txHash: `0x${key}`,
  outputIndex: 0,
  asset,
  amount,
  from: null,
  height: null,
  seenAt,
})

export const settles = (order: OrderState): Fact => {
  const row = order.settlements.find((s) => s.status === 'wanted' || s.status === 'broadcast')
  const gross = row?.gross ?? 0n
  return {
    kind: 'settlement_final',
    settlementId: row?.id ?? 'none',
    legRef: order.legs.find((one) => one.id === row?.legId)?.ref ?? 'ref.1',
    txHash: '0xsettle',
    gross,
    fee: (gross * 100n) / 10_000n,
    amountOut: gross - (gross * 100n) / 10_000n,
  }
}
