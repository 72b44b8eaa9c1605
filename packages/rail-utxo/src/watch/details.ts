// What the chain shows of an order beside its payments: the fee of what is announced, what replaced it, when what came can be
// spent, and the fee that is owed. Worked out when it is asked for.
import type { OrderDetails, PaymentDetails } from '@florin/rail-kit/interface/services'
import type { UtxoContext } from '../context.ts'
import { coinOf } from '../settings/coin.ts'
import type { UtxoChain } from '../settings/config.ts'
import {
  type AnnouncedDetail,
  listAnnouncedDetails,
  listMinedDetails,
  listOwed,
  type MinedDetail,
} from './details.store.ts'
import { listCursors } from './watch.store.ts'

/** A miner's reward can be spent in the hundredth block after its own. */
const COINBASE_MATURITY = 100

export async function detailsOf(
  { sql }: Pick<UtxoContext, 'sql'>,
  chains: ReadonlyMap<string, UtxoChain>,
  orderRef: string,
): Promise<OrderDetails> {
  const [announced, mined, owed, cursors] = await Promise.all([
    listAnnouncedDetails(sql, orderRef),
    listMinedDetails(sql, orderRef),
    listOwed(sql, orderRef),
    listCursors(sql),
  ])
  const heights = new Map(cursors.map((row) => [row.chain, Number(row.height)]))
  const keys = new Set(mined.map((row) => row.key))
  return {
    payments: [
      ...mined.map((row): PaymentDetails => {
        const chain = chains.get(row.chain)
        const fee = announced.find((one) => one.key === row.key)
        return {
          ...{ asset: coinOf(row.chain), txHash: row.txid, outputIndex: row.vout, feeRate: fee?.feeRate ?? null },
          ...{ unconfirmedParents: null, replacedBy: null, source: row.kind === 'peg_out' ? 'mweb' : row.kind },
          spendableIn: chain === undefined ? 0 : spendableIn(row, chain, heights.get(row.chain) ?? row.height),
        }
      }),
      ...announced.filter((row) => !keys.has(row.key)).map(announcedDetails),
    ],
    feeOwed: owed.map(({ chain, amount }) => ({ asset: coinOf(chain), amount })),
  }
}

const announcedDetails = (row: AnnouncedDetail): PaymentDetails => ({
  ...{
    asset: coinOf(row.chain),
    txHash: row.txid,
    outputIndex: row.vout,
    feeRate: row.feeRate,
    replacedBy: row.rival,
    spendableIn: 0,
  },
  // The node counts the transaction itself as one.
  unconfirmedParents: row.state !== 'waiting' || row.ancestors === null ? null : Math.max(0, row.ancestors - 1),
  source: row.isMweb ? 'mweb' : 'plain',
})

/** In how many blocks, where `tip` is the newest; 0: in the next one. */
export const spendableIn = (
  { kind, height }: Pick<MinedDetail, 'kind' | 'height'>,
  chain: Pick<UtxoChain, 'network'>,
  tip: number,
): number => Math.max(0, height + maturityOf(kind, chain) - 1 - tip)

/** It can be spent in the block that is so many above its own. */
function maturityOf(kind: MinedDetail['kind'], { network }: Pick<UtxoChain, 'network'>): number {
  if (kind === 'coinbase') return COINBASE_MATURITY
  return kind === 'peg_out' ? (network.pegOutMaturity ?? 1) : 1
}
