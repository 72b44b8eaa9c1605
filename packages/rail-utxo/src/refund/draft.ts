// Whether what was drawn up for a refund can still be valid: then it is given again, and never anything that could be valid beside it.
import { NodeRefused, type NodeRpc } from '../node/rpc.ts'
import type { UtxoChain } from '../settings/config.ts'
import type { AskedRefund } from './refund.store.ts'

export type Standing =
  /** Nothing was drawn up, or all of it became impossible. */
  | { kind: 'free' }
  /** It can be signed; another one spends its coins as well. */
  | { kind: 'open' }
  /** Something spends a coin of it, or pays the refund. */
  | { kind: 'spent'; why: string; mayReplace: boolean }

const spent = (why: string, mayReplace = false): Standing => ({ kind: 'spent', why, mayReplace })

export async function standingOf(
  refund: Pick<AskedRefund, 'draft' | 'seen'>,
  a: { chain: Pick<UtxoChain, 'depths'>; rpc: NodeRpc; tip: number },
): Promise<Standing> {
  const { draft, seen } = refund
  const isAnnounced = seen !== null && seen.height === null && (await isInPool(a.rpc, seen.txid))
  const inPool = `This refund is already in the mempool: ${seen?.txid}. Do not pay it again: this request ends once a block shows it. If that takes long, raise the fee in your wallet.`
  if (draft === null) return isAnnounced && seen.pays ? spent(inPool) : { kind: 'free' }
  const [left, mined] = await Promise.all([isUnspent(a.rpc, draft.inputs, true), isUnspent(a.rpc, draft.inputs, false)])
  if (left) return isAnnounced && seen.pays ? spent(inPool) : { kind: 'open' }
  if (mined) {
    if (!isAnnounced)
      return spent(
        'A transaction in the mempool spends a coin of this refund. Ask again in a minute, and do not pay it meanwhile.',
        true,
      )
    // It may be paid with other coins, by the payment link: nothing is beside that.
    if (seen.pays) return spent(inPool)
    return spent(
      `A coin of the transaction that was drawn up for this refund is spent by ${seen.txid}, which waits in the mempool. Another one can be drawn up once that is buried, so that never two of them are valid.`,
      true,
    )
  }
  if (seen === null || seen.height === null)
    return spent(
      'A block spends a coin of this refund, and is being read. Ask again in a minute, and do not pay it meanwhile.',
    )
  if (seen.pays) return spent(`This refund was paid by ${seen.txid}, in block ${seen.height}. Do not pay it again.`)
  const deep = a.chain.depths.at(-1)?.blocks ?? 1
  const depth = a.tip - seen.height + 1
  if (depth >= deep) return { kind: 'free' }
  return spent(
    `A coin of the transaction that was drawn up for this refund was spent by ${seen.txid}. Another one can be drawn up once that has ${deep} confirmations (now ${depth}), so that never two of them are valid.`,
  )
}

async function isInPool(rpc: NodeRpc, txid: string): Promise<boolean> {
  try {
    await rpc.call('getmempoolentry', txid)
    return true
  } catch (error) {
    if (error instanceof NodeRefused) return false
    throw error
  }
}

async function isUnspent(rpc: NodeRpc, coins: readonly string[], withPool: boolean): Promise<boolean> {
  const calls = coins.map((coin) => {
    const [txid = '', vout = '0'] = coin.split(':')
    return { method: 'gettxout', params: [txid, Number(vout), withPool] }
  })
  return (await rpc.batch(calls)).every((one) => one != null)
}
