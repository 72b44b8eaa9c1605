// Whether anybody but the provider saw a payout: a chain that rails here read themselves, else a public node of it.
import { MINUTE_MS, SECOND_MS } from '@florin/protocol'
import type { Sql } from '../../../platform/db/pool.ts'
import type { Db, Tx } from '../../../platform/db/tx.ts'
import { isSlow } from '../catalogue/assets.ts'
import type { IntentsContext } from '../context.ts'
import { NodeAway } from '../node/ask.ts'
import type { ProofNode } from '../settings/config.ts'
import type { Payout, Proof } from './judged.ts'
import { type Transfers, transfersOf } from './nodes.ts'
import { isProofTaken, provenBy, type Swap } from './swaps.store.ts'

/** How far the clock of a chain may be behind ours: miners of slow blocks say the time as they like, within bounds. */
const CLOCKS_APART_MS = { usual: 5 * SECOND_MS, slow: 10 * MINUTE_MS }

/** One transfer, and each output of a transaction is one, proves one payout. */
export type Prove = (swap: Swap, payout: Payout) => Promise<Proof>

export function prover(
  { sql, witnesses, log, listTaken }: Pick<IntentsContext, 'sql' | 'witnesses' | 'log' | 'listTaken'>,
  nodes: readonly ProofNode[],
  timeoutMs: number,
): Prove {
  const byChain = new Map(nodes.map((node) => [node.chain, transfersOf(node, timeoutMs)]))
  return async (swap, payout) => {
    const { livemode, settle: asset } = swap
    const apart = isSlow(asset.chain) ? CLOCKS_APART_MS.slow : CLOCKS_APART_MS.usual
    const notBefore = new Date(swap.createdAt.getTime() - apart)
    const witness = witnesses.find((one) => one.sees({ livemode, asset }))
    try {
      if (witness !== undefined) {
        const asked = { livemode, asset, to: swap.merchantAddress, amount: payout.amount, notBefore, isKept: true }
        const seen = await witness.look({ ...asked, txHash: payout.txHash })
        if (seen.kind === 'waiting') return seen
        if (seen.kind === 'other') return { kind: 'refuted', why: `the chain says otherwise: ${seen.why}` }
        const taken = await listTaken(seen.transfers)
        // As many as were believed without a look, and then the next one.
        let believed = (await provenBy(sql, { key: keyOf(swap, payout), ref: swap.ref })).count
        for (const { key } of seen.transfers) {
          if (taken.has(key) || (await isProofTaken(sql, { key, ref: swap.ref })) || believed-- > 0) continue
          return { kind: 'proven', key, amount: payout.amount }
        }
        return OF_ANOTHER
      }
      const transfers = byChain.get(asset.chain)
      const proof = transfers === undefined ? NOBODY : await byNode(sql, transfers, { swap, payout, notBefore })
      if (proof.kind !== 'nobody') return proof
      // Nobody can say what the transaction brought: it is believed once.
      return (await isClaimed(sql, swap, payout)) ? OF_ANOTHER : NOBODY
    } catch (error) {
      // A node that is away says nothing about the payout.
      const fields = error instanceof NodeAway ? { why: error.message } : { err: error }
      log.warn({ ...fields, chain: asset.chain }, 'a payout could not be looked up; will retry')
      return { kind: 'waiting' }
    }
  }
}

const NOBODY: Proof = { kind: 'nobody' }
const OF_ANOTHER: Proof = { kind: 'refuted', why: 'the transfer that it names counts for something else already' }

/** Of what a transaction brought to an address of one asset, in all. */
const keyOf = ({ settle, merchantAddress }: Swap, { txHash }: Payout): string =>
  `${settle.chain}:${txHash}:${merchantAddress}:${settle.asset}`

const numbered = (key: string, before: number): string => (before === 0 ? key : `${key}#${before}`)

/** Whether the transaction proved another payout, or was believed for one. */
export async function isClaimed(db: Db, swap: Swap, payout: Payout): Promise<boolean> {
  return (await provenBy(db, { key: keyOf(swap, payout), ref: swap.ref })).count > 0
}

/** What a payout takes of its transaction that counts though nobody saw it: it proves no other after. */
export async function claimUnseen(tx: Tx, swap: Swap, payout: Payout): Promise<string> {
  const key = keyOf(swap, payout)
  return numbered(key, (await provenBy(tx, { key, ref: swap.ref })).count)
}

/** Public nodes tell of a transaction what reached the address by it, in all: so many payouts as that covers. */
async function byNode(
  sql: Sql,
  transfers: Transfers,
  { swap, payout, notBefore }: { swap: Swap; payout: Payout; notBefore: Date },
): Promise<Proof> {
  const asset = swap.settle
  const found = await transfers({ asset, txHash: payout.txHash, to: swap.merchantAddress, notBefore })
  if (found === 'unseen') return { kind: 'waiting' }
  if (found === 'cannot_say') return NOBODY
  if (found === 'too_old')
    return { kind: 'refuted', why: 'the transaction that it names was there before the swap was made' }
  if (found >= payout.amount) {
    const key = keyOf(swap, payout)
    const before = await provenBy(sql, { key, ref: swap.ref })
    if (before.amount + payout.amount > found) return OF_ANOTHER
    return { kind: 'proven', key: numbered(key, before.count), amount: payout.amount }
  }
  const why = `a node of the chain sees ${found} smallest units reach the receiving address in that transaction, not ${payout.amount}`
  return { kind: 'refuted', why }
}
