// Outputs that a refund asks for and that may be the payout of a swap: neither is booked before that swap has ended.
import type { Tx } from '../../../platform/db/tx.ts'
import { CLOCKS_APART_MS } from '../../interface/outside.ts'
import { spellingsOf } from '../address/payees.ts'
import type { Elsewhere } from '../context.ts'
import type { UtxoChain } from '../settings/config.ts'
import { type HeldOutput, letGo, letGoAbove, listHeld } from './held.store.ts'
import { type RefundRow, setRefund } from './money.store.ts'
import type { FoundOutput, ScannedBlock } from './scripts.ts'
import type { Reported } from './settle.ts'

export type Placed = FoundOutput & Pick<HeldOutput, 'height' | 'madeBy'>

/** No later than this it was made: when we first saw it announced, else by the clock of its miner. */
export const madeBy = (block: ScannedBlock, announcedAt: Date | undefined): Date =>
  announcedAt ?? new Date(block.header.time.getTime() + CLOCKS_APART_MS.slow)

const keyOf = (chain: UtxoChain, { txid, vout }: Pick<HeldOutput, 'txid' | 'vout'>): string =>
  `${chain.id}:${txid}:${vout}`

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
): Promise<'free' | 'awaited' | 'counts'> {
  const key = keyOf(chain, one)
  await elsewhere.lockTransfer(tx, key)
  if ((await elsewhere.listCounted(tx, [{ key, txHash: one.txid, from: null }])).size > 0) return 'counts'
  for (const address of spellingsOf(chain, one.script)) {
    const row = { chain: chain.id, asset: chain.asset, address }
    if (await elsewhere.isAwaitedBySwap(tx, { row, ...one, now })) return 'awaited'
  }
  return 'free'
}

/** What the swaps that have ended did not bring fulfils what waited for it. @param fork what came above it has left the chain. */
export async function releaseHeld(tx: Tx, asking: Asking, fork: number): Promise<Reported[]> {
  await letGoAbove(tx, asking.chain.id, fork)
  const made = new Map<string, Reported>()
  for (const { row, held } of await listHeld(tx, asking.chain.id)) {
    if (made.has(row.id)) continue
    const state = await stateOf(tx, asking, { ...held, script: row.script })
    if (state === 'counts') await letGo(tx, row.id, held)
    else if (state === 'free') made.set(row.id, await fulfil(tx, row, held))
  }
  return [...made.values()]
}

export async function fulfil(
  tx: Tx,
  row: RefundRow,
  output: Pick<HeldOutput, 'txid' | 'vout' | 'height'>,
): Promise<Reported> {
  await setRefund(tx, { id: row.id, made: output })
  await letGo(tx, row.id, null)
  return { orderRef: row.orderRef, fact: { kind: 'refund_succeeded', refundId: row.id, txHash: output.txid } }
}
