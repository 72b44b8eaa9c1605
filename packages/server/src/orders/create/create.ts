// The making of an order: claim the idempotency key (one statement), let the rail open a leg with no transaction
// open, write order, leg and answer (one statement). Killed anywhere, the same request can be sent again.

import { listChainAddresses } from '../../addresses/store.ts'
import { addressesFor } from '../../addresses/waiting.ts'
import type { KeyCaller } from '../../callers.ts'
import type { Deps } from '../../deps.ts'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { AppError } from '../../platform/errors.ts'
import { newId, randomBase62 } from '../../platform/ids.ts'
import type { AssetRef } from '../../rails/rail.ts'
import { parseWebhookUrl } from '../../webhooks/rules.ts'
import { type LegState, type OrderState, shownTarget } from '../model/state.ts'
import { noTips, orderView } from '../view.ts'
import { claimKey, freeKey, type IdempotentRequest, insertOrder } from './create.store.ts'
import type { OrderWish } from './input.ts'
import { type LegWish, openLeg, parseRefundAddress } from './leg.ts'
import { type Aim, assetsOn, chooseSettleAddress, findWay, noWay, openTargetOf } from './target.ts'

export type CreateDeps = Pick<Deps, 'sql' | 'clock' | 'config' | 'rails'>

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
    const json = JSON.stringify(orderView(order, { baseUrl: deps.config.baseUrl, tips: noTips }))
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

/** Where the order settles: where settle_chain says, else by default and, as far as rails carry, where it is paid. */
async function aimOf(deps: CreateDeps, { merchantId, livemode }: KeyCaller, wish: OrderWish, now: Date): Promise<Aim> {
  const asked = wish.settleChain === null ? null : parseChain(wish.settleChain, 'settle_chain')
  const addresses = addressesFor(await listChainAddresses(deps.sql, merchantId), { livemode, now })
  const row = chooseSettleAddress(addresses, asked)
  const settle = parseAsset(parseChain(row.chain, 'settle_chain'), wish.settleAsset, 'settle_asset')
  const target = { settle, settleAddress: row.address }
  const asset = wish.settleAsset === null ? null : settle.asset
  const open = asked === null ? openTargetOf(deps.rails, { livemode, asset, addresses, target }) : null
  return { livemode, ...target, open }
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
  const aim = await aimOf(deps, caller, wish, now)
  const pay = payAsset(wish)
  const refundProposal =
    wish.refundAddress === null || pay === null ? null : parseRefundAddress(pay.chain, wish.refundAddress)
  const expiresAt = new Date(now.getTime() + wish.expiresInS * 1000)
  const quoted = { orderRef: claim.orderRef, n: 1, livemode, amountUsdMicros: wish.amountUsdMicros, feeBps }
  const leg =
    pay === null
      ? null
      : await openFirst(deps, aim, { ...quoted, pay, refundAddress: null, holder: null, now, expiresAt })
  const order: OrderState = {
    ...aim,
    orderNo: claim.orderNo,
    orderRef: claim.orderRef,
    merchantId: caller.merchantId,
    merchantNo: caller.merchantNo,
    apiKeyId: caller.id,
    externalId: wish.externalId,
    status: 'pending',
    detail: 'awaiting_payment',
    amountUsdMicros: wish.amountUsdMicros,
    feeBps,
    amountOut: null,
    settleTxHash: null,
    rail: leg?.rail ?? railFor(deps, aim),
    payLegId: leg?.id ?? null,
    refundAddress: null,
    refundProposal,
    refundAsks: 0,
    refundAskedAt: null,
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
  return { ...order, ...shownTarget(order) }
}

/** null: this way needs a refund address, which only a payer's browser can bind (docs/decisions/0020-refund-address.md). */
async function openFirst(deps: CreateDeps, aim: Aim, wish: LegWish): Promise<LegState | null> {
  const way = findWay(deps.rails, aim, wish.pay)
  if (way === null) throw noWay(deps.rails, aim, wish.pay, true)
  return way.rail.capabilities.refundAddress === 'required' ? null : openLeg(wish, way)
}

/** Until the payer chooses, the rail that carries the settle asset as it is, else any that the order can be paid on. */
function railFor(deps: CreateDeps, aim: Aim): string {
  const { settle, livemode, open } = aim
  const others =
    open === null ? [] : Object.keys(open.addresses).flatMap((chain) => assetsOn(parseChain(chain, 'settle_chain')))
  for (const pay of [settle, ...others]) {
    const way = findWay(deps.rails, aim, pay)
    if (way !== null) return way.rail.capabilities.kind
  }
  throw new AppError('no_rail', {
    param: 'settle_chain',
    message: `Nothing here settles ${settle.asset} on ${settle.chain}${livemode ? ' in live mode' : ''}.`,
  })
}
