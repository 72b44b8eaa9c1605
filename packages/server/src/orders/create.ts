// Owns the making of an order: claim the idempotency key (one statement), let the rail open a leg with no transaction
// open, write order, leg and answer (one statement). Killed anywhere, the same request can be sent again.

import { listReceivingAddresses } from '../addresses/store.ts'
import type { KeyCaller } from '../callers.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../platform/errors.ts'
import { newId, randomBase62 } from '../platform/ids.ts'
import type { AssetRef } from '../rails/rail.ts'
import { parseWebhookUrl } from '../webhooks/rules.ts'
import { claimKey, freeKey, insertOrder } from './create.store.ts'
import { openLeg, parseRefundAddress } from './leg.ts'
import type { OrderState } from './state.ts'
import { chooseSettleAddress, parseAsset, parseChain } from './target.ts'
import { noHeads, orderView } from './view.ts'
import type { OrderWish } from './wish.ts'

export type CreateDeps = Pick<Deps, 'sql' | 'clock' | 'config' | 'rails'>

export interface IdempotentRequest {
  key: string
  bodyHash: Uint8Array
}

export interface Created {
  /** The order object as JSON text: the very bytes of the first answer when the request was sent again. */
  json: string
  replayed: boolean
}

/** @throws AppError for everything that the wish or the merchant's settings lack; nothing is stored then. */
export async function createOrder(
  deps: CreateDeps,
  caller: KeyCaller,
  wish: OrderWish,
  idempotent: IdempotentRequest | null,
): Promise<Created> {
  const now = deps.clock.now()
  // Before anything is judged: the first answer stands, whatever the merchant has changed since.
  const claim = await claimKey(deps.sql, {
    apiKeyId: caller.id,
    idempotent,
    orderNo: newId('ord', now),
    orderRef: randomBase62(22),
    now,
  })
  if (claim.kind === 'answered') return { json: claim.json, replayed: true }
  try {
    const order = await assemble(deps, caller, wish, claim, now)
    const json = JSON.stringify(orderView(order, { baseUrl: deps.config.baseUrl, heads: noHeads }))
    const kept = await insertOrder(deps.sql, order, {
      json,
      idempotencyKey: idempotent?.key ?? null,
      eventId: newId('evt', now),
    })
    return kept === null ? { json, replayed: false } : { json: kept, replayed: true }
  } catch (error) {
    if (idempotent !== null)
      await freeKey(deps.sql, { apiKeyId: caller.id, key: idempotent.key, orderNo: claim.orderNo }).catch(
        () => undefined,
      )
    throw error
  }
}

async function settleTarget(
  deps: CreateDeps,
  caller: KeyCaller,
  wish: OrderWish,
): Promise<{ asset: AssetRef; address: string }> {
  const asked = wish.settleChain === null ? null : parseChain(wish.settleChain, 'settle_chain')
  const row = chooseSettleAddress(await listReceivingAddresses(deps.sql, caller.merchantId), asked)
  return {
    asset: parseAsset(parseChain(row.chain, 'settle_chain'), wish.settleAsset, 'settle_asset'),
    address: row.address,
  }
}

function payAsset(wish: OrderWish): AssetRef | null {
  return wish.payChain === null ? null : parseAsset(parseChain(wish.payChain, 'pay_chain'), wish.payAsset, 'pay_asset')
}

async function assemble(
  deps: CreateDeps,
  caller: KeyCaller,
  wish: OrderWish,
  claim: { orderNo: string; orderRef: string },
  now: Date,
): Promise<OrderState> {
  const { livemode, feeBps } = caller
  const webhookUrl = wish.webhookUrl === null ? null : parseWebhookUrl(wish.webhookUrl, { ...deps.config, livemode })
  const { asset: settle, address: settleAddress } = await settleTarget(deps, caller, wish)
  const pay = payAsset(wish)
  const refundAddress =
    wish.refundAddress === null || pay === null ? null : parseRefundAddress(pay.chain, wish.refundAddress)
  const expiresAt = new Date(now.getTime() + wish.expiresInS * 1000)
  const quoted = { orderRef: claim.orderRef, n: 1, livemode, settle, amountUsdMicros: wish.amountUsdMicros, feeBps }
  const leg =
    pay === null
      ? null
      : await openLeg(deps.rails, { ...quoted, pay, merchantAddress: settleAddress, refundAddress, now, expiresAt })
  return {
    orderNo: claim.orderNo,
    orderRef: claim.orderRef,
    merchantId: caller.merchantId,
    merchantNo: caller.merchantNo,
    apiKeyId: caller.id,
    livemode,
    externalId: wish.externalId,
    status: 'pending',
    detail: 'awaiting_payment',
    amountUsdMicros: wish.amountUsdMicros,
    feeBps,
    amountOut: null,
    settle,
    settleAddress,
    settleTxHash: null,
    rail: leg?.rail ?? railFor(deps, settle, livemode),
    payLegId: leg?.id ?? null,
    refundAddress,
    checkoutToken: randomBase62(32),
    webhookUrl,
    successUrl: wish.successUrl,
    cancelUrl: wish.cancelUrl,
    title: wish.title,
    description: wish.description,
    metadata: wish.metadata,
    underpayToleranceBps: wish.underpayToleranceBps,
    latePolicy: wish.latePolicy,
    canceled: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt,
    lookAt: leg !== null && leg.rateExpiresAt < expiresAt ? leg.rateExpiresAt : expiresAt,
    settledAt: null,
    legs: leg === null ? [] : [leg],
    payments: [],
    settlements: [],
    refunds: [],
  }
}

/** Until the payer chooses, the rail that carries the settle asset as it is. */
function railFor(deps: CreateDeps, settle: AssetRef, livemode: boolean): string {
  const rail = deps.rails.find({ livemode, pay: settle, settle })
  if (rail !== null) return rail.capabilities.kind
  throw new AppError('no_rail', {
    param: 'settle_chain',
    message: `Nothing here settles ${settle.asset} on ${settle.chain}${livemode ? ' in live mode' : ''}.`,
  })
}
