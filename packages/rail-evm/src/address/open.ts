// Opens a leg: quote, route, address, and the row that is stored before the answer. The same reference gives the same
// answer, whatever happened to prices in between.
import { payUri } from '@florin/chains'
import { type Route, vaultOf } from '@florin/contracts'
import { AppError } from '@florin/platform/errors'
import { DAY_MS, formatUnits, HOUR_MS, type Proof } from '@florin/protocol'
import { type LegRequest, leastPaid, type OpenedLeg } from '@florin/rail-kit/interface/leg'
import { inJournal } from '@florin/rail-kit/journaled'
import type { Price, Prices } from '@florin/rail-kit/prices'
import { type Address, getAddress, zeroAddress } from 'viem'
import type { ForwarderContext, ForwarderLink, RouteJournal } from '../context.ts'
import { depthOf, isLargeOrder } from '../node/finality.ts'
import type { ForwarderChain, ForwarderToken } from '../settings/config.ts'
import { smallestOrderMicros } from '../settings/costs.ts'
import { quote, refundCostMicros } from './quote.ts'
import { writeRoute } from './stored-route.ts'
import { findOpened, insertVault } from './vaults.store.ts'

/** From when anyone may push the money: late payments are dealt with by then. */
const OPEN_AFTER_MS = 7 * DAY_MS
/** A day for late payments plus an hour of margin. */
const HOT_MS = 25 * HOUR_MS
const WATCH_MS = 90 * DAY_MS
/** The factory's own maximum. */
const FEE_MAX_BPS = 1_000
const NATIVE_DECIMALS = 18
const GAS_PRICE_KEPT_MS = 15_000

type OpenerParts = ForwarderContext & { journal: RouteJournal }

export type LegOpener = (request: LegRequest) => Promise<OpenedLeg>

export function legOpener(link: ForwarderLink, prices: Prices, parts: OpenerParts): LegOpener {
  const { chain } = link.rpc
  let gas: { price: bigint; at: number } | null = null

  async function gasPrice(): Promise<bigint> {
    const now = parts.clock.now().getTime()
    if (gas === null || now - gas.at > GAS_PRICE_KEPT_MS) gas = { price: await link.rpc.gasPrice(), at: now }
    return gas.price
  }

  /** If the cost cannot be read now, the settings' value is used: it only decides what counts as dust. */
  async function refundCost(): Promise<bigint> {
    if (chain.prices === null) return chain.refundCostMicros
    try {
      return refundCostMicros(await gasPrice(), (await prices.native()).micros)
    } catch {
      return chain.refundCostMicros
    }
  }

  return async (request) => {
    const known = await findOpened(parts.sql, request.legRef)
    if (known !== null) return known
    const token = tokenOf(chain, request.pay.asset)
    const merchant = merchantOf(chain, request)
    if (request.feeBps > FEE_MAX_BPS) throw new AppError('no_rail', { message: 'No rail here takes a fee above 10 %.' })
    const smallest = smallestOrderMicros(chain, request.feeBps)
    if (request.amountUsdMicros < smallest) {
      throw new AppError('amount_too_small', {
        param: 'amount_usd',
        message: `The smallest order that is carried on ${chain.id} is ${formatUnits(smallest, 6)} USD.`,
      })
    }
    await link.verified()
    if (token !== null) await prices.checkPeg(token)
    const price: Price = token === null ? await prices.native() : { micros: 1_000_000n, source: 'one to one' }
    const decimals = token?.decimals ?? NATIVE_DECIMALS
    const amounts = quote({
      ...{ amountUsdMicros: request.amountUsdMicros, decimals, priceMicros: price.micros, feeBps: request.feeBps },
      spreadBps: token === null ? (chain.prices?.spreadBps ?? 0) : 0,
      refundCostMicros: await refundCost(),
    })
    const route: Route = {
      chainId: BigInt(chain.chainId),
      ref: parts.journal.refOf(request.legRef),
      token: token?.contract ?? zeroAddress,
      merchant,
      collector: chain.collector,
      feeBps: request.feeBps,
      // What the service itself would settle is the merchant's on the open path as well.
      minAmount: leastPaid({ ...request, amountDue: amounts.amountDue }),
      openAfter: Math.ceil((request.expiresAt.getTime() + OPEN_AFTER_MS) / 1000),
      refundTo: (request.refundAddress?.toLowerCase() ?? zeroAddress) as Address,
    }
    const vault = vaultOf(chain.factory, chain.impl, route)
    const address = getAddress(vault)
    const contract = token === null ? null : getAddress(token.contract)
    const lapsesAt = new Date(request.now.getTime() + (chain.prices?.quoteMs ?? 0))
    const deadline = token === null && lapsesAt < request.expiresAt ? lapsesAt : request.expiresAt
    const stored = writeRoute(route)
    const isLarge = isLargeOrder(chain, request.amountUsdMicros)
    const proof: Proof = {
      ...{ kind: 'evm-route', chain_id: chain.chainId, vault: address, route: stored },
      ...{ factory: getAddress(chain.factory), impl: getAddress(chain.impl) },
    }
    // Before the row: an address that the database knows may be shown at once.
    await inJournal(parts.journal, {
      ...{ leg_ref: request.legRef, livemode: request.livemode, chain: chain.id, asset: request.pay.asset },
      ...{ decimals, proof, at: request.now.toISOString() },
    })
    return insertVault(parts.sql, {
      ...{ legRef: request.legRef, orderRef: request.orderRef, merchantId: request.merchantId },
      ...{ chain: chain.id, livemode: request.livemode },
      ...{ vault, factory: chain.factory, impl: chain.impl, route: stored, decimals, isLarge, deadline },
      asset: request.pay.asset,
      contract: token?.contract ?? null,
      opened: {
        ...{ ...amounts, address, memo: null, isStable: token !== null },
        uri: payUri({
          chain: chain.id,
          asset: { asset: request.pay.asset, contract, decimals },
          address,
          amount: amounts.amountDue,
          evmChainId: chain.chainId,
        }),
        ...(contract === null ? {} : { contract }),
        rate: { price: formatUnits(price.micros, 6), source: price.source, expiresAt: deadline },
        confirmationsRequired: depthOf(chain, isLarge),
        proof,
      },
      hotUntil: new Date(request.expiresAt.getTime() + HOT_MS),
      watchUntil: new Date(request.expiresAt.getTime() + WATCH_MS),
      createdAt: request.now,
    })
  }
}

/** null: the native coin. */
function tokenOf(chain: ForwarderChain, asset: string): ForwarderToken | null {
  if (chain.native && asset === chain.nativeAsset) return null
  const token = chain.tokens.find((entry) => entry.asset === asset)
  if (token === undefined) throw new AppError('no_rail')
  return token
}

/** Money sent to one of these would be stuck or lost, and no merchant owns them. */
function merchantOf(chain: ForwarderChain, request: LegRequest): Address {
  const merchant = request.merchantAddress.toLowerCase() as Address
  const tokens = [...chain.tokens, ...chain.otherTokens].map((token) => token.contract)
  const taken: string[] = [chain.factory, chain.impl, zeroAddress, ...tokens]
  if (!taken.includes(merchant)) return merchant
  throw new AppError('invalid_address', { message: 'The receiving address is a contract that cannot pass money on.' })
}
