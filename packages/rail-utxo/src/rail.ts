// The rail of Bitcoin and Litecoin as orders use it: each order is paid at an address of the merchant's own wallet, so a
// settlement moves nothing, and a refund is a request to that wallet.

import type { Check } from '@florin/platform/check'
import { withTx } from '@florin/platform/db/tx'
import { AppError } from '@florin/platform/errors'
import { feeUnits } from '@florin/platform/money'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Holding, HoldingQuestion, SettleRequest } from '@florin/rail-kit/interface/moves'
import { aboutChain, type Rail } from '@florin/rail-kit/interface/rail'
import { reportFactsOfMany } from '@florin/rail-kit/report.store'
import { listLapsed } from './address/legs.store.ts'
import type { LegOpener } from './address/open.ts'
import { findScript } from './address/payees.ts'
import { networkOf } from './chain/networks.ts'
import { addressOf } from './chain/script.ts'
import { checksOf } from './checks.ts'
import type { UtxoContext } from './context.ts'
import { askRefunds } from './refund/ask.ts'
import { coinOf } from './settings/coin.ts'
import { depthFor, type UtxoChain } from './settings/config.ts'
import { insertSettlement, listHeld, listLegPlaces, listLegsInMotion } from './watch/money.store.ts'
import { accountFor } from './watch/settle.ts'
import { listCursors } from './watch/watch.store.ts'

/** Blocks and mempool are read to their end more often than this. */
const CAUGHT_UP_MS = 60_000

export function utxoRail(
  parts: UtxoContext,
  chains: ReadonlyMap<string, UtxoChain>,
  openers: ReadonlyMap<string, LegOpener>,
  examine: (chain: UtxoChain) => Promise<Check[]>,
): Rail {
  const all = [...chains.values()]
  return {
    capabilities: {
      ...{
        kind: 'utxo',
        isSandbox: false,
        custody: 'none',
        crossChain: false,
        refundAddress: 'unused',
        settlesTo: 'account',
      },
      isLive: all.some((chain) => chain.mode === 'live'),
      isOnChain: true,
      estimates: true,
      readsAddresses: true,
    },
    carries({ livemode, pay, settle }) {
      const chain = chains.get(pay.chain)
      if (chain === undefined || (chain.mode === 'live') !== livemode || !isSame(pay, settle)) return false
      return pay.asset === chain.asset && chain.prices !== null
    },
    estimate({ pay, amountUsdMicros }) {
      const chain = chains.get(pay.chain)
      if (chain === undefined) return null
      const spreadBps = BigInt(chain.prices?.spreadBps ?? 0)
      const toWait = depthFor(chain, amountUsdMicros) - 1
      return {
        ...{ amountDue: null, amountOut: null, costUsdMicros: (amountUsdMicros * spreadBps) / 10_000n },
        expectedS: toWait * chain.network.spacingS,
      }
    },
    async open(request) {
      const open = openers.get(request.pay.chain)
      if (open === undefined) throw new AppError('no_rail')
      return open(request)
    },
    settle: (requests) => settle(parts, requests),
    refund: (requests) => askRefunds(parts, requests),
    async readAddress({ chain, livemode, text }) {
      const main = chains.has(chain) ? networkOf(chain, 'main') : null
      const script = main === null ? null : findScript({ chain, livemode, to: text })
      const address = main === null || script === null ? null : addressOf(main, script)
      if (script === null || address === null) return null
      const isPayAddress = (await parts.addresses.isOurs?.(parts.sql, [script])) === true
      return { address, isPayAddress, isNobodysWallet: false, isOwn: false }
    },
    recheck: (orderRef) => recheck(parts, all, orderRef),
    holdings: (legs) => holdings(parts, chains, legs),
    async checks(question) {
      if (question === undefined) return checksOf(parts, chains)
      const chain = chains.get(question.chain)
      return chain === undefined ? [] : aboutChain(question, await examine(chain))
    },
  }
}

const isSame = (a: AssetRef, b: AssetRef): boolean => a.chain === b.chain && a.asset === b.asset

/** The money is where it belongs: what counts as settled is written down, with the fee that is owed for it. */
async function settle(parts: UtxoContext, requests: readonly SettleRequest[]): Promise<void> {
  const now = parts.clock.now()
  await withTx(parts.sql, async (tx) => {
    for (const { settlementId: id, orderRef, legRef, pay, gross, least, feeBps } of requests) {
      const feeOwed = feeUnits(gross, feeBps)
      await insertSettlement(tx, { id, orderRef, legRef, chain: pay.chain, gross, least, feeBps, feeOwed }, now)
    }
    const { left, final } = await accountFor(
      tx,
      requests.map((request) => request.legRef),
    )
    await reportFactsOfMany(tx, { rail: 'utxo', facts: [...left, ...final], now })
  })
  parts.wake.facts.fire()
}

/** @throws while a chain is not read to its end, and past the order's deadlines: nothing expires unseen. */
async function recheck(parts: UtxoContext, chains: readonly UtxoChain[], orderRef: string): Promise<void> {
  const now = parts.clock.now()
  const [cursors, deadlines] = await Promise.all([listCursors(parts.sql), listLapsed(parts.sql, orderRef, now)])
  for (const { id } of chains) {
    const cursor = cursors.find((row) => row.chain === id)
    const oldest = Math.max(now.getTime() - CAUGHT_UP_MS, deadlines.get(id)?.getTime() ?? 0)
    if (cursor === undefined || cursor.note !== null || (cursor.caughtUpAt?.getTime() ?? 0) < oldest)
      throw new Error(`${id} is not read to its end now, which ${orderRef} waits for`)
  }
}

async function holdings(
  parts: UtxoContext,
  chains: ReadonlyMap<string, UtxoChain>,
  legs: readonly HoldingQuestion[],
): Promise<Holding[]> {
  const refs = legs.map((leg) => leg.legRef)
  const [places, moving, held, cursors] = await Promise.all([
    listLegPlaces(parts.sql, refs),
    listLegsInMotion(parts.sql, refs),
    listHeld(parts.sql, refs),
    listCursors(parts.sql),
  ])
  return places.flatMap(({ ref, chain: id }): Holding[] => {
    const chain = chains.get(id)
    if (chain === undefined || moving.has(ref)) return []
    const amount = held.find((row) => row.legRef === ref)?.amount ?? 0n
    const height = cursors.find((row) => row.chain === id)?.height ?? null
    return [{ legRef: ref, asset: coinOf(chain.id), amount, height }]
  })
}
