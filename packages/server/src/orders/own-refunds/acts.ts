// What a merchant does about refunds from an own wallet: asks for one, names its transaction, cancels it. Each is one fact
// through the one door, with its line in the audit log.
import { findChain, typedTransactionId } from '@florin/chains'
import type { Fact } from '@florin/order-model/facts'
import { isOfWhatIsGone, madeWith, refundableByMerchant } from '@florin/order-model/own-refunds'
import { currentLeg, type OrderState, type OwnRefund } from '@florin/order-model/state'
import { recordAudit } from '@florin/platform/db/audit'
import type { Tx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { type Once, requireSameBody } from '@florin/platform/http/idempotency'
import { enqueueNotice } from '@florin/platform/mail/notices'
import type { Secrets } from '@florin/platform/secrets'
import type { MerchantRefund } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { requireFresh } from '../../callers.ts'
import type { Caller } from '../../define-route.ts'
import { advanceOrder, type OrderDeps } from '../advance.ts'
import { takeRefundAddress } from '../create/refund-address.ts'
import { requireApart } from './apart.ts'
import { outsideFor } from './outside-of.ts'

export type NoticeDeps = OrderDeps & { secrets: Secrets }

export interface OwnRefundWish {
  /** In the settle asset's smallest unit; null: all that is left. */
  amount: bigint | null
  /** null: where the payer's money goes back to for sure. */
  address: string | null
  reason: string | null
  /** It may be more than the receiving address got. */
  mayExceed: boolean
  once?: Once | null
}

/** @throws AppError refund_not_possible, confirmation_required, invalid_address, validation_failed */
export async function askOwnRefund(
  deps: NoticeDeps,
  caller: Caller,
  order: OrderState,
  wish: OwnRefundWish,
): Promise<MerchantRefund> {
  const known = madeBefore(order, wish.once ?? null)
  if (known !== null) return viewOwnRefund(deps, order, known)
  const asset = paidIn(order)
  const outside = outsideFor(deps.rails, { ...order, asset })
  if (outside?.sees({ livemode: order.livemode, asset }) !== true) {
    throw new AppError('refund_not_possible', {
      message: `Transfers of ${asset.asset} on ${asset.chain} that you make yourself cannot be verified here.`,
    })
  }
  const address = await addressOf(deps, caller, order, wish.address)
  const amount = wish.amount ?? refundableByMerchant(order)
  const payee = { livemode: order.livemode, asset, to: address }
  const fromHeight = (await outside.begin?.({ ...payee, amount })) ?? null
  const fact: Fact = {
    ...{ kind: 'own_refund_asked', asset, amount, address, fromHeight },
    ...{ reason: wish.reason, mayExceed: wish.mayExceed, once: wish.once ?? null },
  }
  const detail = { amount: String(amount), asset: asset.asset, chain: asset.chain, address }
  const alongside = async (tx: Tx): Promise<void> => {
    if (outside.hasOwner !== true) await requireApart(tx, { ...payee, amount, notOf: order.merchantId })
    if (wish.address !== null) await tellNamed(deps, tx, caller, order, detail)
  }
  const after = await apply(deps, caller, order, fact, 'order.merchant_refund_asked', detail, wish.once, alongside)
  if (wish.address !== null) deps.wake.mail.fire()
  const row = madeWith(after, wish.once ?? null) ?? after.ownRefunds.at(-1)
  if (row === undefined) throw new AppError('refund_not_possible')
  return viewOwnRefund(deps, after, row)
}

/** Only the console names an address: its actor is the account's email. */
function tellNamed(
  deps: NoticeDeps,
  tx: Tx,
  { merchantId, actor: to }: Caller,
  { orderNo }: OrderState,
  { amount, asset, chain, address }: { amount: string; asset: string; chain: string; address: string },
): Promise<void> {
  const now = deps.clock.now()
  const text = [
    `You named where a refund of order ${orderNo} goes, which you pay from an own`,
    'wallet:',
    address,
    '',
    `Amount:  ${amount} of the smallest unit of ${asset} on ${chain}`,
    `Time:    ${now.toISOString()}`,
    `Service: ${deps.config.baseUrl}`,
    '',
    'Nothing moves before you pay it. If this was not you, cancel the refund, sign',
    'in and end all sessions.',
    '',
  ]
  const notice = { merchantId, to, weight: 'matters' as const, isWhereMoneyGoes: true }
  return enqueueNotice(tx, deps, { ...notice, subject: 'A refund address was named', text }, now)
}

/** @throws AppError idempotency_key_reused */
function madeBefore(order: OrderState, once: Once | null): OwnRefund | null {
  const row = madeWith(order, once)
  if (row !== null && once !== null) requireSameBody({ body: row.onceBody ?? '' }, once)
  return row
}

/** @throws AppError refund_not_possible, validation_failed */
export async function nameTransaction(
  deps: OrderDeps,
  caller: Caller,
  order: OrderState,
  a: { id: string; txHash: string },
): Promise<MerchantRefund> {
  const { chain } = order.settle
  const txHash = typedTransactionId(chain, a.txHash.trim())
  if (txHash === null) {
    throw new AppError('validation_failed', {
      param: 'tx_hash',
      message: `This is not a transaction hash of ${findChain(chain)?.name ?? chain}. Copy it from the history of your wallet.`,
    })
  }
  const fact: Fact = { kind: 'own_refund_named', refundId: a.id, txHash }
  const detail = { refund: a.id, tx_hash: txHash }
  const after = await apply(deps, caller, order, fact, 'order.merchant_refund_named', detail)
  return viewOwnRefund(deps, after, getRefund(after, a.id))
}

/** What was paid is not undone by it: the merchant says that none is coming, or that it is not to be recorded. */
export async function cancelOwnRefund(
  deps: OrderDeps,
  caller: Caller,
  order: OrderState,
  id: string,
): Promise<MerchantRefund> {
  const fact: Fact = { kind: 'own_refund_canceled', refundId: id }
  const after = await apply(deps, caller, order, fact, 'order.merchant_refund_canceled', { refund: id })
  return viewOwnRefund(deps, after, getRefund(after, id))
}

/** @throws AppError refund_not_found */
export function getRefund(order: OrderState, id: string): OwnRefund {
  const row = order.ownRefunds.find((one) => one.id === id)
  if (row === undefined) throw new AppError('refund_not_found')
  return row
}

const IS_GONE =
  'The chain dropped the payment of this order after this refund was asked for, so you do not have what it would give back. Do not pay it unless that payment is there again; cancel it otherwise.'

export function viewOwnRefund(deps: Pick<OrderDeps, 'rails'>, order: OrderState, row: OwnRefund): MerchantRefund {
  const { chain, asset, contract, decimals, amount, address: to } = row
  const wish = { livemode: order.livemode, asset: { chain, asset, contract, decimals }, to, amount }
  const outside = outsideFor(deps.rails, { ...order, asset: wish.asset })
  const request = outside?.sees(wish) === true ? outside.request(wish) : null
  const shown = request?.to ?? to
  const isGone = isOfWhatIsGone(order, row)
  // What is paid, was named or is over is not offered to a wallet again.
  const isToPay = row.status === 'requested' && row.txHash === null && !isGone
  const transaction = isToPay ? (request?.transaction ?? null) : null
  return {
    ...{ id: row.id, order_no: order.orderNo, status: row.status, amount: String(amount) },
    ...{ asset, chain, contract, decimals, address: shown, reason: row.reason },
    uri: isToPay ? (request?.uri ?? to) : shown,
    transaction:
      transaction === null
        ? null
        : {
            ...{ chain_id: transaction.chainId, to: transaction.to, data: transaction.data },
            value: `0x${transaction.value.toString(16)}`,
          },
    ...{ tx_hash: row.txHash, sender: row.sender, sent_from: row.sentFrom },
    failure: isGone ? IS_GONE : row.failure,
    ...{ created_at: row.createdAt.toISOString(), recorded_at: row.recordedAt?.toISOString() ?? null },
  }
}

/** What the merchant got; a chain that stands in for another has its own contract, which the leg knows. */
function paidIn({ settle, ...order }: OrderState): AssetRef {
  const leg = currentLeg({ settle, ...order })
  const isSame = leg !== null && leg.chain === settle.chain && leg.asset === settle.asset
  return { ...settle, contract: isSame ? leg.contract : settle.contract }
}

/**
 * As for money that is held: no key names where money goes, the payer's sure address is taken; the merchant may name
 * another in the console, with a fresh sign-in (docs/decisions/0020-refund-address.md).
 */
async function addressOf(deps: OrderDeps, caller: Caller, order: OrderState, given: string | null): Promise<string> {
  const { chain } = order.settle
  if (given !== null) {
    if (!caller.isConsole) {
      throw new AppError('validation_failed', {
        param: 'address',
        message:
          'An API key names no address: leave it out, and the refund goes where the payer is known to want it; or use the console.',
      })
    }
    requireFresh(caller)
    return takeRefundAddress(deps, { chain, livemode: order.livemode, text: given, param: 'address' })
  }
  const leg = currentLeg(order)
  const known = leg?.chain === chain ? (leg.boundRefundAddress ?? leg.refundAddress) : null
  if (known !== null && known !== undefined) return known
  throw new AppError('refund_not_possible', {
    message: `No address of the payer on ${chain} is known for sure. Ask the payer, and name it in the console.`,
  })
}

async function apply(
  deps: OrderDeps,
  caller: Caller,
  order: OrderState,
  fact: Fact,
  action: string,
  detail: Record<string, string>,
  wishedOnce?: Once | null,
  alongside: (tx: Tx) => Promise<unknown> = async () => undefined,
): Promise<OrderState> {
  const { merchantId, actor } = caller
  const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [fact], async (tx, _after, changed) => {
    if (!changed) return
    await alongside(tx)
    await recordAudit(tx, { merchantId, actor, action, subject: order.orderNo, detail }, deps.clock.now())
  })
  const [why] = ignored
  if (why === null || why === undefined) return after
  // Another request with the same Idempotency-Key came first.
  const isMade = fact.kind === 'own_refund_asked' && madeBefore(after, wishedOnce ?? null) !== null
  if (isMade) return after
  if (
    fact.kind !== 'own_refund_asked' &&
    !order.ownRefunds.some((one) => 'refundId' in fact && one.id === fact.refundId)
  ) {
    throw new AppError('refund_not_found')
  }
  const hint = /more than the receiving/.test(why) ? ' Say allow_over: true to refund more than that.' : ''
  throw new AppError('refund_not_possible', { message: `This refund is not possible: ${why}.${hint}` })
}
