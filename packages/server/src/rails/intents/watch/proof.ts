// Whether anybody but the provider saw a payout: a chain that rails here read themselves, else a public node of it.
import { MINUTE_MS } from '@florin/protocol'
import type { IntentsContext } from '../context.ts'
import type { ProofNode } from '../settings/config.ts'
import { NodeAway, type Transfers, transfersOf } from './nodes.ts'
import type { Swap } from './swaps.store.ts'
import type { Payout, Proof } from './verdict.ts'

/** How far the clock of a chain may be behind ours. */
const CLOCKS_APART_MS = 10 * MINUTE_MS

export type Prove = (swap: Swap, payout: Payout) => Promise<Proof>

export function prover(
  { witnesses, log }: Pick<IntentsContext, 'witnesses' | 'log'>,
  nodes: readonly ProofNode[],
  timeoutMs: number,
): Prove {
  const byChain = new Map(nodes.map((node) => [node.chain, transfersOf(node, timeoutMs)]))
  return async (swap, payout) => {
    const { livemode, settle: asset } = swap
    const notBefore = new Date(swap.createdAt.getTime() - CLOCKS_APART_MS)
    const witness = witnesses.find((one) => one.sees({ livemode, asset }))
    try {
      if (witness !== undefined) {
        const asked = { livemode, asset, to: swap.merchantAddress, amount: payout.amount, notBefore }
        const seen = await witness.look({ ...asked, txHash: payout.txHash })
        if (seen.kind === 'waiting') return seen
        if (seen.kind === 'other') return { kind: 'refuted', why: `the chain says otherwise: ${seen.why}` }
        const [first] = seen.transfers
        return first === undefined ? { kind: 'waiting' } : { kind: 'proven', key: first.key, amount: payout.amount }
      }
      const transfers = byChain.get(asset.chain)
      return transfers === undefined ? { kind: 'nobody' } : await byNode(transfers, { swap, payout, notBefore })
    } catch (error) {
      // A node that is away says nothing about the payout.
      const fields = error instanceof NodeAway ? { why: error.message } : { err: error }
      log.warn({ ...fields, chain: asset.chain }, 'a payout could not be looked up; will retry')
      return { kind: 'waiting' }
    }
  }
}

async function byNode(
  transfers: Transfers,
  { swap, payout, notBefore }: { swap: Swap; payout: Payout; notBefore: Date },
): Promise<Proof> {
  const asset = swap.settle
  const found = await transfers({ asset, txHash: payout.txHash, to: swap.merchantAddress, notBefore })
  if (found === 'unseen') return { kind: 'waiting' }
  if (found === 'cannot_say') return { kind: 'nobody' }
  if (found === 'too_old')
    return { kind: 'refuted', why: 'the transaction that it names was there before the swap was made' }
  if (found >= payout.amount) {
    return {
      kind: 'proven',
      key: `${asset.chain}:${payout.txHash}:${swap.merchantAddress}:${asset.asset}`,
      amount: found,
    }
  }
  const why = `a node of the chain sees ${found} smallest units reach the receiving address in that transaction, not ${payout.amount}`
  return { kind: 'refuted', why }
}
