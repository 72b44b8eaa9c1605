// Outputs that a refund asks for and that may be the payout of a swap: neither is booked before that swap has ended.
import type { Tx } from '@florin/platform/db/tx'
import { CLOCKS_APART_MS } from '@florin/rail-kit/interface/outside'
import { spellingsOf } from '../address/payees.ts'
import type { Elsewhere } from '../context.ts'
import type { UtxoChain } from '../settings/config.ts'
import { type HeldOutput, letGo, letGoAbove, letGoOfDone, listHeld, noteLook } from './held.store.ts'
import { type RefundRow, setRefund } from './money.store.ts'
import type { FoundOutput, ScannedBlock } from './scripts.ts'
import { keyOf, type Reported } from './settle.ts'

export type Placed = FoundOutput & Pick<HeldOutput, 'height' | 'madeBy'>

/** No later than this it was made: when we first saw it announced, else by the clock of its miner. */
export const madeBy = (block: ScannedBlock, announcedAt: Date | undefined): Date =>
  announcedAt ?? new Date(block.header.time.getTime() + CLOCKS_APART_MS.slow)

/** `awaited`: a swap that has not ended may have brought it. */
export type OutputState = 'free' | 'awaited' | 'counts'

interface Asking {
  chain: UtxoChain
  elsewhere: Elsewhere
  now: Date
}

/** Whether it is free to fulfil a refund; until the commit nothing else makes it count. */
export async function stateOf(
  tx: Tx,
  { chain, elsewhere, now }: Asking,
  one: Pick<Placed, 'txid' | 'vout' | 'script' | 'amount' | 'madeBy'>,
): Promise<OutputState> {
  const transfer = { key: keyOf(chain.id, one.txid, one.vout), txHash: one.txid, from: null }
  await elsewhere.lockTransfers(tx, chain.id)
  if ((await elsewhere.listCounted(tx, [transfer])).size > 0) return 'counts'
  for (const address of spellingsOf(chain, one.script)) {
    const row = { chain: chain.id, asset: chain.asset, address }
    if ((await elsewhere.listBelieved(tx, { row, transfers: [transfer] })).size > 0) return 'counts'
    if (await elsewhere.isAwaitedBySwap(tx, { row, ...one, now })) return 'awaited'
  }
  return 'free'
}

/**
 * What the swaps that have ended did not bring fulfils what waited for it: of the merchant's own coins one may pay several, the largest
 * first. @param fork what came above it has left the chain.
 */
export async function releaseHeld(tx: Tx, asking: Asking, fork: number): Promise<Reported[]> {
  await letGoAbove(tx, asking.chain.id, fork)
  await letGoOfDone(tx, asking.chain.id, fork - asking.chain.maxReorg)
  const made = new Map<string, Reported>()
  const byOutput = Map.groupBy(await listHeld(tx, asking.chain.id), ({ held }) => `${held.txid}:${held.vout}`)
  for (const waiting of byOutput.values()) {
    const [first] = waiting
    if (first === undefined) continue
    const { held } = first
    const state = await stateOf(tx, asking, { ...held, script: first.row.script })
    if (state === 'awaited') {
      await noteLook(tx, asking.chain.id, held, asking.now)
      continue
    }
    let rest = held.amount
    for (const { row, isOwn } of state === 'free' ? waiting : []) {
      const isExact = row.amount === held.amount
      if (made.has(row.id) || (isExact ? rest !== row.amount : !isOwn || rest < row.amount)) continue
      rest -= row.amount
      made.set(row.id, await fulfil(tx, row, held))
    }
    await letGo(tx, asking.chain.id, held)
  }
  return [...made.values()]
}

export async function fulfil(
  tx: Tx,
  row: RefundRow,
  output: Pick<HeldOutput, 'txid' | 'vout' | 'height'>,
): Promise<Reported> {
  await setRefund(tx, { id: row.id, made: output })
  return { orderRef: row.orderRef, fact: { kind: 'refund_succeeded', refundId: row.id, txHash: output.txid } }
}
