// Where the money of an order settles. Pure but for asking the rails what they carry.
import { type Chain, findChain } from '@florin/chains'
import type { OpenTarget, OrderState, Target } from '@florin/order-model/state'
import { AppError } from '@florin/platform/errors'
import { accountRef, isAccountRef } from '@florin/rail-kit/account-ref'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rail } from '@florin/rail-kit/interface/rail'
import type { Rails } from '@florin/rail-kit/registry'

export interface ReceivingAddress {
  chain: string
  address: string
  isDefault: boolean
}

/** Where an order settles: as requested, else the merchant's default, else its only address. */
export function chooseSettleAddress(addresses: readonly ReceivingAddress[], asked: Chain | null): ReceivingAddress {
  if (asked !== null) {
    const found = addresses.find((row) => row.chain === asked.id)
    if (found === undefined) {
      throw new AppError('receiving_address_missing', {
        param: 'settle_chain',
        message: `Set a receiving address for ${asked.name} in the console first.`,
      })
    }
    return found
  }
  const chosen = addresses.find((row) => row.isDefault) ?? (addresses.length === 1 ? addresses[0] : undefined)
  if (chosen !== undefined) return chosen
  if (addresses.length === 0) {
    throw new AppError('receiving_address_missing', {
      param: 'settle_chain',
      message: 'No receiving address is set. Set one in the console first.',
    })
  }
  throw new AppError('settle_chain_required', { param: 'settle_chain' })
}

const dollars: ReadonlySet<string> = new Set(['USDC', 'USDT', 'USDT0'])

export const isDollar = (symbol: string): boolean => dollars.has(symbol)

/**
 * What an order accepts beside its default asset: as requested, else dollars; never a volatile coin by default. Whoever set
 * an account of a wallet asked for its coin: nothing else is ever paid there.
 */
export const isTaken = (asked: string | null, symbol: string, settleAddress: string): boolean =>
  asked === null ? isDollar(symbol) || isAccountRef(settleAddress) : symbol === asked

export const assetsOn = (chain: Chain): AssetRef[] =>
  chain.assets.map(({ asset, contract, decimals }) => ({ chain: chain.id, asset, contract, decimals }))

export const isReal = (rail: Rail | null): rail is Rail => rail !== null && !rail.capabilities.isSandbox

const carrierOnChain = (rails: Rails, livemode: boolean, pay: AssetRef, settleAddress: string): Rail | null => {
  const rail = rails.find({ livemode, pay, settle: pay, settleAddress })
  return isReal(rail) ? rail : null
}

/** What an order without settle_chain is open to; null where no rail settles on any of the merchant's chains. */
export function openTargetOf(
  rails: Rails,
  a: { livemode: boolean; asset: string | null; addresses: readonly ReceivingAddress[]; target: Target },
): OpenTarget | null {
  const takesAt = ({ chain: id, address }: ReceivingAddress): boolean => {
    const chain = findChain(id)
    const taken = chain === null ? [] : assetsOn(chain).filter((pay) => isTaken(a.asset, pay.asset, address))
    return taken.some((pay) => carrierOnChain(rails, a.livemode, pay, address) !== null)
  }
  const rows = a.addresses.filter(takesAt).map((row) => [row.chain, row.address])
  if (rows.length === 0) return null
  return { ...a.target, asset: a.asset, addresses: Object.fromEntries(rows) as Record<string, string> }
}

export type SettlementTarget = Pick<OrderState, 'livemode' | 'settle' | 'settleAddress' | 'open' | 'thirdParty'>

/** The target that an order was made with, whichever leg pays it. */
export const defaultTarget = (order: SettlementTarget): Target => order.open ?? order

/** For who runs the service: which setting, and which page says how. */
export function noRailForLive(chain: string): AppError {
  return new AppError('no_rail', {
    param: 'settle_chain',
    message:
      `Nothing here carries real money, on ${chain} or any other chain: no order can settle in live mode. ` +
      'Whoever runs this Florin deploys the contracts and names a rails file in RAILS_CONFIG (/docs/going-live). Until then use a test key.',
  })
}
// Stand for whatever a merchant could set.
const ANY_ADDRESS = ''
const ANY_ACCOUNT = accountRef('0'.repeat(64))

/** @param isMerchant whether the merchant is asking, who can change the settings. */
export function noRoute(rails: Rails, order: SettlementTarget, pay: AssetRef, isMerchant: boolean): AppError {
  const { settle } = defaultTarget(order)
  const said = `Nothing here carries ${pay.asset} on ${pay.chain} to ${settle.asset} on ${settle.chain}${order.livemode ? ' in live mode' : ''}.`
  const isCarried = carrierOnChain(rails, order.livemode, pay, ANY_ADDRESS) !== null
  if (isMerchant && !isCarried && carrierOnChain(rails, order.livemode, pay, ANY_ACCOUNT) !== null) {
    const how = ` It is paid to an account of your wallet: set its extended public key as the receiving address on ${pay.chain}.`
    return new AppError('no_rail', { message: said + how })
  }
  const asked = isDollar(pay.asset) ? '' : `, settle_asset is ${pay.asset}`
  if (isMerchant && !isCarried && order.livemode && !rails.hasLiveRail) return noRailForLive(pay.chain)
  const right = ` An order takes it where settle_chain is left out${asked} and a receiving address on ${pay.chain} is set.`
  const nowhere =
    ' GET /v1/chains lists what is carried here; whoever runs this Florin adds more to the file that RAILS_CONFIG names (/docs/rails).'
  return new AppError('no_rail', { message: !isMerchant ? said : said + (isCarried ? right : nowhere) })
}
