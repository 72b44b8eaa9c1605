// Whether anybody but the provider saw a payout: a chain that rails here read themselves, else a public node of it.
import type { Db, Tx } from '@florin/platform/db/tx'
import { CLOCKS_APART_MS } from '@florin/rail-kit/interface/outside'
import { isSlow } from '../catalogue/assets.ts'
import type { IntentsContext } from '../context.ts'
import { NodeAway } from '../node/ask.ts'
import type { ProofNode } from '../settings/config.ts'
import type { Payout, Proof } from './judged.ts'
import { type Transfers, transfersOf } from './nodes.ts'
import { countProvenBy, type Swap } from './swaps.store.ts'

/** One transfer, and each output of a transaction is one, proves one payout. */
export type Prove = (swap: Swap, payout: Payout) => Promise<Proof>

/** What a second source says of a transaction, whoever it is. */
type Seen =
  | { kind: 'found'; transfers: readonly { txHash: string; key: string; amount: bigint; from: string | null }[] }
  | Exclude<Proof, { kind: 'proven' }>

export function prover(
  { sql, witnesses, log, listCounted }: Pick<IntentsContext, 'sql' | 'witnesses' | 'log' | 'listCounted'>,
  nodes: readonly ProofNode[],
  timeoutMs: number,
): Prove {
  const byChain = new Map(nodes.map((node) => [node.chain, transfersOf(node, timeoutMs)]))

  async function look({ livemode, settle: asset, ...swap }: Swap, { txHash, amount }: Payout): Promise<Seen> {
    const apart = isSlow(asset.chain) ? CLOCKS_APART_MS.slow : CLOCKS_APART_MS.usual
    const asked = {
      ...{ asset, txHash, to: swap.merchantAddress, notBefore: new Date(swap.createdAt.getTime() - apart) },
      // What it says of the amount is no more believed than the rest: less than was promised alone, which is told as that.
      ...wanted({ promised: swap.amountOut, told: amount }),
    }
    const witness = witnesses.find((one) => one.sees({ livemode, asset }))
    if (witness === undefined) return byNode(byChain.get(asset.chain), asked)
    const seen = await witness.look({ ...asked, livemode, isKept: true })
    return seen.kind === 'other' ? refuted(`the chain says otherwise: ${seen.why}`) : seen
  }

  return async (swap, payout) => {
    try {
      const seen = await look(swap, payout)
      // Nobody can say what the transaction brought: it is believed once.
      if (seen.kind === 'nobody') return (await isClaimed(sql, swap, payout)) ? OF_ANOTHER : NOBODY
      if (seen.kind !== 'found') return seen
      const taken = await listCounted(sql, seen.transfers)
      // As many as were believed without a look, and then the next one.
      let believed = await countProvenBy(sql, { key: keyOf(swap, payout), ref: swap.ref })
      // The smallest that fits first: what is a little more may be the payout of a larger order beside it.
      const fitting = seen.transfers.toSorted((a, b) => (a.amount < b.amount ? -1 : 1))
      for (const { key, amount } of fitting) {
        if (taken.has(key) || believed-- > 0) continue
        return { kind: 'proven', key, ...payout, amount }
      }
      return OF_ANOTHER
    } catch (error) {
      // A node that is away says nothing about the payout.
      const fields = error instanceof NodeAway ? { why: error.message } : { err: error }
      log.warn({ ...fields, chain: swap.settle.chain }, 'a payout could not be looked up; will retry')
      return { kind: 'waiting' }
    }
  }
}

/** By so much more than was promised what arrives may differ: an amount beyond it is another transfer's. */
const MORE_BPS = 100n

const wanted = ({ promised, told }: { promised: bigint; told: bigint }): { amount: bigint; atMost: bigint } => ({
  amount: told < promised ? told : promised,
  atMost: promised + (promised * MORE_BPS) / 10_000n,
})

const NOBODY = { kind: 'nobody' } as const
const refuted = (why: string) => ({ kind: 'refuted', why }) as const
const OF_ANOTHER: Proof = refuted('the transfer that it names counts for something else already')

/** Of what a transaction brought to an address of one asset, in all. */
const keyOf = ({ settle, merchantAddress }: Swap, { txHash }: Payout): string =>
  `${settle.chain}:${txHash}:${merchantAddress}:${settle.asset}`

const numbered = (key: string, before: number): string => (before === 0 ? key : `${key}#${before}`)

/** Whether the transaction proved another payout, or was believed for one. */
export async function isClaimed(db: Db, swap: Swap, payout: Payout): Promise<boolean> {
  return (await countProvenBy(db, { key: keyOf(swap, payout), ref: swap.ref })) > 0
}

/** What a payout takes of its transaction that counts though nobody saw it: it proves no other after. */
export async function claimUnseen(tx: Tx, swap: Swap, payout: Payout): Promise<string> {
  const key = keyOf(swap, payout)
  return numbered(key, await countProvenBy(tx, { key, ref: swap.ref }))
}

/** Of what the transaction brought the transfers that fit, as far as they stayed. */
async function byNode(
  transfers: Transfers | undefined,
  a: Parameters<Transfers>[0] & { amount: bigint; atMost: bigint },
): Promise<Seen> {
  const found = (await transfers?.(a)) ?? 'cannot_say'
  if (found === 'cannot_say') return NOBODY
  if (found === 'unseen') return { kind: 'waiting' }
  if (found === 'too_old') return refuted('the transaction that it names was there before the swap was made')
  const { txHash, amount, atMost } = a
  const fitting = found.transfers.filter((one) => one.amount >= amount && one.amount <= atMost)
  const stayed = found.kept > 0n ? Number(found.kept / amount) : 0
  if (fitting.length > 0 && stayed > 0)
    return { kind: 'found', transfers: fitting.slice(0, stayed).map((one) => ({ ...one, txHash })) }
  const moved = found.transfers.map((one) => String(one.amount)).join(' and ')
  const sees = moved === '' ? 'nothing' : `${moved} smallest units`
  return refuted(
    `a node of the chain sees ${sees} reach the receiving address in that transaction${fitting.length > 0 ? ', and leave it again' : `, not ${amount}`}`,
  )
}
