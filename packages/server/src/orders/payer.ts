// What a payer may do to an order, each as one fact applied by orders/advance.ts. The checkout link alone moves no
// money: docs/decisions/0020-refund-address.md says who may name a refund address.
import { checkPayee } from '@florin/chains'
import { canChooseLeg, hasRoomFor } from '@florin/order-model/commands'
import type { Fact } from '@florin/order-model/facts'
import { deadlineOf } from '@florin/order-model/ledger'
import { isAllSpokenFor, listNameableLegs, refundChainOf } from '@florin/order-model/refunds/refund-to'
import { isHeldBy, isPayableBy, sawMoney, shownLeg, type Viewer } from '@florin/order-model/shown'
import type { LegState, OrderState } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { type Custody, isOnChain, REFUND_ASKS_MAX } from '@florin/protocol'
import { troubleOfOpening } from '@florin/rail-kit/condition'
import { saveOpeningTrouble } from '@florin/rail-kit/condition.store'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import { parseChain } from '../parse-chain.ts'
import { advanceOrder, type OrderDeps } from './advance.ts'
import { getRoute, readConditions } from './create/conditions.ts'
import { findStanding } from './create/create.store.ts'
import { type LegInput, openLeg } from './create/leg.ts'
import { takeRefundAddress } from './create/refund-address.ts'
import { findRoute, type PayRoute, parsePayAsset, type RouteConditions } from './create/route.ts'

export interface Choice {
  chain: string
  asset: string | null
  /** Bound into a leg that only the viewer is shown, so it requires a viewer. */
  refundAddress?: string | null
  /** What the payer was shown of who holds the money on its way. */
  custody?: Custody | undefined
  /** BCP 47: that the payer's browser asks for. */
  payerLocale?: string | null
}

/**
 * The payer's choice of chain and asset. The same choice again, while its quote holds, returns the same leg. A browser
 * that holds a leg gets another private one, with its refund address if that is valid on the chain.
 * @throws AppError leg_not_changeable, invalid_address, no_rail, and what openLeg throws.
 */
export async function chooseLeg(
  deps: OrderDeps,
  order: OrderState,
  choice: Choice,
  viewer: Viewer = null,
): Promise<OrderState> {
  const { livemode } = order
  const chain = parseChain(choice.chain, 'chain')
  const parsed = (): AssetRef => parsePayAsset(deps.rails, { livemode, chain, text: choice.asset, param: 'asset' })
  // What was given already comes first: no rail may carry it any more, or take that refund address.
  const { asset } = legNamed(order, viewer, { chain: chain.id, text: choice.asset }) ?? parsed()
  const given =
    choice.refundAddress == null
      ? null
      : (addressBefore(order, viewer, { chain: chain.id, text: choice.refundAddress }) ??
        (await takeRefundAddress(deps, {
          ...{ chain: chain.id, livemode, text: choice.refundAddress, param: 'refund_address' },
        })))
  const now = deps.clock.now()
  const known = shownLeg(order, viewer)
  const isHolder = viewer !== null && order.legs.some((leg) => isHeldBy(leg, viewer))
  const holder = given !== null || isHolder ? viewer : null
  const refundAddress = given ?? (isHolder ? carriedAddress(order, viewer, chain.id) : null)
  // Compared by symbol: a test chain has contracts of its own.
  const isSame = known !== null && known.chain === chain.id && known.asset === asset
  if (isSame && now < deadlineOf(order, known) && (known.boundRefundAddress === refundAddress || given === null)) {
    return order
  }
  if (!canChooseLeg(order, now, viewer)) throw new AppError('leg_not_changeable')
  const again = order.legs.findLast(
    (leg) =>
      leg.holder === holder &&
      leg.boundRefundAddress === refundAddress &&
      leg.chain === chain.id &&
      leg.asset === asset &&
      now < deadlineOf(order, leg),
  )
  if (again !== undefined) {
    const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [{ kind: 'leg_chosen', legId: again.id }])
    if (ignored[0] === null) return after
    throw new AppError('leg_not_changeable', { message: `The way to pay cannot be changed: ${ignored[0]}.` })
  }
  const pay = parsed()
  await requireOpenShop(deps, order)
  if (!hasRoomFor(order, holder)) {
    throw new AppError('leg_not_changeable', {
      message:
        holder === null
          ? 'The way to pay has been changed too often; pay one that was shown.'
          : 'Too many browsers have bound refund addresses to this order. Pay a coin that goes to the shop as it is, without one, and give it afterwards; or ask the shop for a new link.',
    })
  }
  const { orderRef, merchantId, amountUsdMicros, underpayToleranceBps, feeBps, expiresAt, latePolicy } = order
  const terms = { amountUsdMicros, underpayToleranceBps, feeBps, expiresAt, latePolicy }
  const quoted = { ...terms, orderRef, merchantId, n: order.legs.length + 1, livemode, now }
  const conditions = await readConditions(deps.sql, order, now)
  const wish = { conditions, custody: choice.custody, isNamed: given !== null }
  const leg = await openByBest(deps, order, { ...quoted, pay, refundAddress, holder }, wish)
  const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [
    { kind: 'leg_opened', leg, payerLocale: choice.payerLocale ?? null },
  ])
  if (ignored[0] === null) return after
  // A concurrent choice was committed first: this one is judged again by the order's new state.
  if (after.legs.length > order.legs.length) return chooseLeg(deps, after, choice, viewer)
  throw new AppError('leg_not_changeable', { message: `The way to pay cannot be changed: ${ignored[0]}.` })
}

/** The leg that this reader was shown for these words: a symbol in any case, or a contract. */
const legNamed = (
  order: OrderState,
  viewer: Viewer,
  a: { chain: string; text: string | null },
): LegState | undefined => {
  const wanted = a.text?.toLowerCase()
  return order.legs.findLast(
    (leg) =>
      leg.chain === a.chain &&
      isPayableBy(leg, viewer) &&
      (leg.asset.toLowerCase() === wanted || leg.contract?.toLowerCase() === wanted),
  )
}

/** An address that this browser bound already, in its chain's form; null: it is another. */
function addressBefore(order: OrderState, viewer: Viewer, a: { chain: string; text: string }): string | null {
  const verdict = checkPayee(a.chain, a.text)
  if (!verdict.valid) return null
  const isIt = (leg: LegState): boolean => leg.chain === a.chain && leg.boundRefundAddress === verdict.canonical
  return order.legs.some((leg) => isHeldBy(leg, viewer) && isIt(leg)) ? verdict.canonical : null
}

/** Of a suspended or closed account no further pay address is opened. Those that were shown go on counting and settling. */
async function requireOpenShop({ sql }: Pick<OrderDeps, 'sql'>, { merchantId }: OrderState): Promise<void> {
  const { suspendedAt, closedAt } = await findStanding(sql, merchantId)
  if (suspendedAt === null && closedAt === null) return
  throw new AppError(closedAt === null ? 'merchant_suspended' : 'merchant_closed', { message: SHOP_WORDS })
}

/** For payers: what became of the account is between merchant and operator. */
const SHOP_WORDS =
  'This shop takes no payments here at the moment. Please ask the shop. A payment to an address that was shown before still counts.'

interface Wish {
  conditions: RouteConditions
  /** What the payer was shown of who holds the money; undefined: not said. */
  custody: Custody | undefined
  /** The payer named a refund address for this very choice. */
  isNamed: boolean
}

/**
 * By the best way; where an address cannot be had there now, by the next one, and that is remembered for all. Where no other
 * way is left, the next payer tries it again. Nobody is sent through a third party who was shown that there is none.
 */
async function openByBest(deps: OrderDeps, order: OrderState, input: LegInput, wish: Wish): Promise<LegState> {
  const { pay, livemode, now } = input
  const route = getRoute(deps.rails, order, { pay, conditions: wish.conditions, isMerchant: false })
  requireShown(route, pay, wish)
  try {
    return await openLeg(input, route)
  } catch (error) {
    const { kind: rail, custody } = route.rail.capabilities
    const trouble = troubleOfOpening(error, { rail, livemode, pay, settle: route.settle, now })
    if (trouble === null) throw error
    const conditions = { ...wish.conditions, troubles: [...wish.conditions.troubles, trouble] }
    const next = findRoute(deps.rails, order, pay, conditions)
    if (next === null) throw error
    deps.log.warn(
      { err: error, rail, chain: pay.chain },
      'no address could be had: other ways are offered for a minute',
    )
    await saveOpeningTrouble(deps.sql, trouble, now)
    if (next.rail.capabilities.custody !== 'none' && custody === 'none') throw error
    return openByBest(deps, order, input, { ...wish, conditions })
  }
}

function requireShown({ rail }: PayRoute, pay: AssetRef, { custody, isNamed }: Wish): void {
  if (rail.capabilities.custody === 'none' || custody === 'third-party') return
  if (custody === undefined && isNamed) return
  const said = `${pay.asset} on ${pay.chain} now passes through a third party for some minutes.`
  throw custody === undefined
    ? new AppError('missing_field', {
        param: 'refund_address',
        message: `${said} Name a refund address on that chain.`,
      })
    : new AppError('rail_unavailable', {
        message: `${said} Look at the choices again.`,
        param: 'custody',
        retryAfterS: 1,
      })
}

/** The address that this browser bound last, if it is valid on the chain. */
function carriedAddress(order: OrderState, viewer: Viewer, chain: string): string | null {
  const address = order.legs.findLast((leg) => isHeldBy(leg, viewer))?.boundRefundAddress ?? null
  return address !== null && checkPayee(chain, address).valid ? address : null
}

/**
 * What submitting a refund address does now. `bind`: a new leg is opened that includes it. `name`: it is set on legs of
 * this browser that received money without one. `ask`: a refund waits, and the merchant has to approve it. `none`: none
 * is needed, or not yet.
 */
export function refundStep(order: OrderState, now: Date, viewer: Viewer): 'bind' | 'name' | 'ask' | 'none' {
  if (order.status === 'pending' && now < order.expiresAt && !sawMoney(order, viewer)) return 'bind'
  if (viewer !== null && listNameableLegs(order, viewer).length > 0) return 'name'
  return order.refunds.some((row) => row.status === 'waiting') ? 'ask' : 'none'
}

/** @throws AppError leg_not_changeable, invalid_address, refund_address_taken, too_many_refund_addresses */
export async function giveRefundAddress(
  deps: OrderDeps,
  order: OrderState,
  address: string,
  viewer: Viewer,
): Promise<OrderState> {
  switch (refundStep(order, deps.clock.now(), viewer)) {
    case 'bind': {
      const shown = shownLeg(order, viewer)
      if (shown === null) throw new AppError('leg_not_changeable', { message: 'Choose how to pay first.' })
      const { chain, asset } = shown
      const before = addressBefore(order, viewer, { chain, text: address })
      const refundAddress = before ?? (await take(deps, order, chain, address))
      return chooseLeg(deps, order, { chain, asset, refundAddress }, viewer)
    }
    case 'name':
      return nameAddress(deps, order, address, viewer ?? '')
    case 'ask':
      return askForAddress(deps, order, address)
    case 'none':
      throw refusalOf(order)
  }
}

function refusalOf(order: OrderState): AppError {
  if (!order.payments.some(isOnChain)) {
    return new AppError('leg_not_changeable', { message: 'Nothing of this order has to go back.' })
  }
  if (isAllSpokenFor(order)) return new AppError('refund_address_taken')
  const message = 'No refund of this order waits for an address yet. Send it when one does.'
  return new AppError('leg_not_changeable', { message })
}

const take = (deps: OrderDeps, { livemode }: OrderState, chain: string, text: string): Promise<string> =>
  takeRefundAddress(deps, { chain, livemode, text, param: 'address' })

async function nameAddress(deps: OrderDeps, order: OrderState, text: string, holder: string): Promise<OrderState> {
  const [leg] = listNameableLegs(order, holder)
  const address = await take(deps, order, leg?.chain ?? '', text)
  return tell(deps, order, { kind: 'refund_address_named', holder, address })
}

async function askForAddress(deps: OrderDeps, order: OrderState, text: string): Promise<OrderState> {
  const address = await take(deps, order, refundChainOf(order) ?? '', text)
  if (order.refundAsks >= REFUND_ASKS_MAX) throw new AppError('too_many_refund_addresses')
  return tell(deps, order, { kind: 'refund_address_asked', address })
}

/** @param a.from the wallet whose signature was verified. */
export async function takeSignedAddress(
  deps: OrderDeps,
  order: OrderState,
  a: { legId: string; from: string; address: string },
): Promise<OrderState> {
  return tell(deps, order, { kind: 'refund_address_signed', ...a })
}

async function tell(deps: OrderDeps, order: OrderState, fact: Fact): Promise<OrderState> {
  const { order: after, ignored } = await advanceOrder(deps, order.orderNo, [fact])
  if (ignored[0] === null) return after
  throw new AppError('refund_address_taken', { message: `The refund address was not taken: ${ignored[0]}.` })
}
