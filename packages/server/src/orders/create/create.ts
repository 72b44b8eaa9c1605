// Creates an order: claim the idempotency key (one statement), let the rail open a leg outside any transaction, write
// order, leg and answer (one statement). After a crash at any point, the same request can be sent again.

import { type LegState, type OrderState, shownTarget } from '@florin/order-model/state'
import type { Clock } from '@florin/platform/clock'
import type { Sql } from '@florin/platform/db/pool'
import { type Db, type Tx, withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import type { IdempotentRequest } from '@florin/platform/http/idempotency'
import { newId, randomBase62 } from '@florin/platform/ids'
import { rememberTrace } from '@florin/platform/trace/subjects'
import type { Log } from '@florin/platform/worker/job'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rails } from '@florin/rail-kit/registry'
import { listChainAddresses } from '../../addresses/store.ts'
import { findAllowed } from '../../addresses/third-party.store.ts'
import { addressesFor } from '../../addresses/waiting.ts'
import type { OrderMaker } from '../../callers.ts'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { priceOf } from '../../prices/rate.ts'
import type { Config } from '../../settings.ts'
import { parseWebhookUrl } from '../../webhooks/rules.ts'
import { tellOfNew } from '../trail/trail.ts'
import { noTips, orderView } from '../view.ts'
import { getRoute, readConditions } from './conditions.ts'
import { claimKey, freeKey, insertOrder } from './create.store.ts'
import type { OrderInput } from './input.ts'
import { type LegInput, openLeg } from './leg.ts'
import { takeRefundAddress } from './refund-address.ts'
import { findRoute, parsePayAsset } from './route.ts'
import { assetsOn, chooseSettleAddress, noRailForLive, openTargetOf, type SettlementTarget } from './target.ts'

export type CreateDeps = { sql: Sql; clock: Clock; config: Config; rails: Rails; log: Log }

export interface Created {
  /** The order object as JSON text; a repeated request gets the very bytes of the first answer. */
  json: string
  replayed: boolean
}

/** What an order has that no API key made: from the console, or by a payer from a page. */
export interface Origin {
  paymentLinkId: string | null
  invoiceId: string | null
  quantity: number | null
  payerName: string | null
  payerNote: string | null
  successText: string | null
  /** Whose Idempotency-Keys its own is one of. */
  owner: string
  /** Commits with the order. @throws AppError where it may not be made. */
  admit: ((tx: Tx, order: OrderState) => Promise<unknown>) | null
}

const ofKey = {
  paymentLinkId: null,
  invoiceId: null,
  quantity: null,
  payerName: null,
  payerNote: null,
  successText: null,
}

/** From the console: its Idempotency-Keys are the merchant's. */
export const fromConsole = (merchantId: string): Origin => ({ ...ofKey, owner: merchantId, admit: null })

/** @throws AppError when the input or the merchant's settings do not allow the order; nothing is stored then. */
export async function createOrder(
  deps: CreateDeps,
  caller: OrderMaker,
  input: OrderInput,
  idempotent: IdempotentRequest | null,
  origin: Origin = { ...ofKey, owner: caller.id ?? caller.merchantId, admit: null },
): Promise<Created> {
  const { owner, admit } = origin
  const now = deps.clock.now()
  // Checked before anything else: the first answer stands, whatever the merchant has changed since.
  const claim = await claimKey(deps.sql, {
    owner,
    idempotent,
    orderNo: newId('ord', now),
    orderRef: randomBase62(22),
    now,
  })
  if (claim.kind === 'answered') return { json: claim.json, replayed: true }
  try {
    const order = await assemble(deps, caller, { ...input, ...origin }, claim, now)
    const json = JSON.stringify(orderView(order, { baseUrl: deps.config.baseUrl, tips: noTips }))
    const row = { json, owner, idempotencyKey: idempotent?.key ?? null, eventId: newId('evt', now) }
    const kept =
      admit === null
        ? await insertOrder(deps.sql, order, row)
        : await withTx(deps.sql, async (tx) => {
            await admit(tx, order)
            return insertOrder(tx, order, row)
          })
    if (kept !== null) return { json: kept, replayed: true }
    tellOfNew(deps.log, order)
    await rememberTrace(deps, order.orderNo)
    return { json, replayed: false }
  } catch (error) {
    if (idempotent !== null)
      await freeKey(deps.sql, { owner, key: idempotent.key, orderNo: claim.orderNo }).catch(() => undefined)
    throw error
  }
}

/** Where the order settles: where settle_chain says, else by default and, as far as rails carry, where it is paid. */
export async function targetOf(
  deps: Pick<CreateDeps, 'rails'> & { sql: Db },
  { merchantId, livemode }: Pick<OrderMaker, 'merchantId' | 'livemode'>,
  input: Pick<OrderInput, 'settleChain' | 'settleAsset'>,
  now: Date,
): Promise<SettlementTarget> {
  const asked = input.settleChain === null ? null : parseChain(input.settleChain, 'settle_chain')
  const addresses = addressesFor(await listChainAddresses(deps.sql, merchantId), { livemode, now })
  const row = chooseSettleAddress(addresses, asked)
  const settle = parseAsset(parseChain(row.chain, 'settle_chain'), input.settleAsset, 'settle_asset')
  const target = { settle, settleAddress: row.address }
  const asset = input.settleAsset === null ? null : settle.asset
  const open = asked === null ? openTargetOf(deps.rails, { livemode, asset, addresses, target }) : null
  const { isOn: thirdParty } = await findAllowed(deps.sql, { merchantId, livemode, chain: settle.chain, now })
  return { livemode, ...target, open, thirdParty }
}

function payAsset({ rails }: Pick<CreateDeps, 'rails'>, livemode: boolean, input: OrderInput): AssetRef | null {
  if (input.payChain === null) return null
  return parsePayAsset(rails, {
    ...{ livemode, chain: parseChain(input.payChain, 'pay_chain'), text: input.payAsset, param: 'pay_asset' },
  })
}

async function assemble(
  deps: CreateDeps,
  caller: OrderMaker,
  input: OrderInput & Pick<Origin, keyof typeof ofKey>,
  claim: { orderNo: string; orderRef: string },
  now: Date,
): Promise<OrderState> {
  const { livemode, feeBps } = caller
  const webhookUrl = input.webhookUrl === null ? null : parseWebhookUrl(input.webhookUrl, { ...deps.config, livemode })
  const target = await targetOf(deps, caller, input, now)
  const pay = payAsset(deps, livemode, input)
  const refundProposal =
    input.refundAddress === null || pay === null
      ? null
      : await takeRefundAddress(deps, {
          ...{ chain: pay.chain, livemode, text: input.refundAddress, param: 'refund_address' },
        })
  const expiresAt = new Date(now.getTime() + input.expiresInS * 1000)
  const { money, underpayToleranceBps, latePolicy } = input
  const { amountUsdMicros, fx } = await priceOf(deps, { money, merchantId: caller.merchantId, now })
  const { merchantId } = caller
  const terms = { amountUsdMicros, underpayToleranceBps, feeBps, latePolicy }
  const quoted = { ...terms, orderRef: claim.orderRef, merchantId, n: 1, livemode }
  const leg =
    pay === null
      ? null
      : await openFirst(deps, target, { ...quoted, pay, refundAddress: null, holder: null, now, expiresAt })
  const order: OrderState = {
    ...target,
    orderNo: claim.orderNo,
    orderRef: claim.orderRef,
    merchantId: caller.merchantId,
    merchantNo: caller.merchantNo,
    apiKeyId: caller.id,
    externalId: input.externalId,
    status: 'pending',
    detail: 'awaiting_payment',
    money,
    fx,
    amountUsdMicros,
    feeBps,
    amountOut: null,
    settleTxHash: null,
    rail: leg?.rail ?? railFor(deps, target),
    payLegId: leg?.id ?? null,
    refundProposal,
    refundAsks: 0,
    refundAskedAt: null,
    checkoutToken: randomBase62(32),
    webhookUrl,
    successUrl: input.successUrl,
    cancelUrl: input.cancelUrl,
    title: input.title,
    description: input.description,
    metadata: input.metadata,
    paymentLinkId: input.paymentLinkId,
    invoiceId: input.invoiceId,
    quantity: input.quantity,
    payerEmail: input.payerEmail,
    payerLocale: input.payerLocale,
    payerName: input.payerName,
    payerNote: input.payerNote,
    successText: input.successText,
    underpayToleranceBps,
    latePolicy: input.latePolicy,
    canceled: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
    expiresAt,
    lookAt: leg !== null && leg.rateExpiresAt < expiresAt ? leg.rateExpiresAt : expiresAt,
    settledAt: null,
    legs: leg === null ? [] : [leg],
    payments: [],
    folded: [],
    settlements: [],
    refunds: [],
    ownRefunds: [],
  }
  return { ...order, ...shownTarget(order) }
}

/** null: this route needs a refund address, which only a payer can bind (docs/decisions/0020-refund-address.md). */
async function openFirst(deps: CreateDeps, target: SettlementTarget, input: LegInput): Promise<LegState | null> {
  const { merchantId, amountUsdMicros, feeBps, now } = input
  const order = { ...target, merchantId, amountUsdMicros, feeBps }
  const conditions = await readConditions(deps.sql, order, now)
  const route = getRoute(deps.rails, order, { pay: input.pay, conditions, isMerchant: true })
  return route.rail.capabilities.refundAddress === 'required' ? null : openLeg(input, route)
}

/** Until the payer chooses: the rail that carries the settle asset unconverted, else any that can. */
export function railFor(deps: Pick<CreateDeps, 'rails'>, target: SettlementTarget): string {
  const { settle, livemode, open } = target
  const others =
    open === null ? [] : Object.keys(open.addresses).flatMap((chain) => assetsOn(parseChain(chain, 'settle_chain')))
  for (const pay of [settle, ...others]) {
    const route = findRoute(deps.rails, target, pay)
    if (route !== null) return route.rail.capabilities.kind
  }
  // Nothing carries the settle asset to itself: it is reached from others.
  const through = target.thirdParty ? deps.rails.reaching(target) : null
  if (through !== null) return through.capabilities.kind
  if (livemode && !deps.rails.hasLiveRail) throw noRailForLive(settle.chain)
  throw new AppError('no_rail', {
    param: 'settle_chain',
    message:
      `Nothing here settles ${settle.asset} on ${settle.chain}${livemode ? ' in live mode' : ''}. ` +
      `GET /v1/chains lists what does; whoever runs this Florin adds a chain to the file that RAILS_CONFIG names (/docs/rails).`,
  })
}
