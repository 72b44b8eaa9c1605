// A refund as a transaction that the merchant's wallet only has to sign: coins of its own account that the node knows to be
// unspent, the payer's output, change to the account's next address. No key is here, and nothing is sent.
import { deriveAddress, receiveOrigin, redeemScript } from '@florin/accounts'
import { parseDecimal } from '../../../platform/money.ts'
import type { RefundToSign } from '../../interface/details.ts'
import { type KeyPlace, writePsbt } from '../chain/psbt.ts'
import type { UtxoContext } from '../context.ts'
import { NodeRefused, type NodeRpc } from '../node/rpc.ts'
import type { Sources } from '../node/view.ts'
import type { UtxoChain } from '../settings/config.ts'
import { spendableIn } from '../watch/details.ts'
import { listCursors } from '../watch/watch.store.ts'
import { chooseCoins } from './coins.ts'
import { type AccountCoin, findRefund, listCoins } from './refund.store.ts'

/** Where the node has no estimate: enough for the next blocks of a quiet chain, and it can be bumped. */
const RATE_UNKNOWN = 5n
const RATE_MOST = 500n
const BLOCKS_WAITED = 6

const cannot = (why: string): RefundToSign => ({ psbt: null, fee: null, why })

export async function refundToSign(
  parts: UtxoContext,
  chains: ReadonlyMap<string, UtxoChain>,
  sourcesOf: (chain: UtxoChain) => Sources,
  refundId: string,
): Promise<RefundToSign> {
  const refund = await findRefund(parts.sql, refundId)
  const chain = chains.get(refund?.chain ?? '')
  // It is handed over once it has an address.
  if (refund === null || chain === undefined) {
    return cannot('This refund waits for an address: once the payer gave one, or you did, there is something to sign.')
  }
  if (!refund.isAsked) return cannot('This refund is paid: nothing is left to sign.')
  const { node } = sourcesOf(chain)
  if (node === null) return cannot('A transaction to sign needs a node of the operator’s own. Use the payment link.')
  const account = refund.account === null ? null : await parts.addresses.open?.(refund.account)
  if (refund.account === null || account == null) return cannot('This order was not paid to an account of a wallet.')
  const origin = receiveOrigin(account)
  if (origin === null) {
    return cannot(
      'The account was set without its path and fingerprint, so the wallet could not find its keys. Use the payment link, or set the account anew with its descriptor.',
    )
  }
  const { coins, ripensIn } = await spendable(parts, chain, node.rpc, {
    ...{ account: refund.account, merchantId: refund.merchantId, orderRef: refund.orderRef },
  })
  const { script } = account
  const asked = { amount: refund.amount, rate: await feeRate(node.rpc), script, toScript: refund.script }
  const choice = chooseCoins(coins, asked)
  if (choice === null) {
    return cannot(
      ripensIn === null
        ? 'The coins that your orders brought to this account, and that are unspent, do not suffice. Use the payment link.'
        : `Some coins that your orders brought to this account cannot be spent yet (a miner’s reward, or out of MWEB), and the others do not suffice: the next can in ${ripensIn} block${ripensIn === 1 ? '' : 's'}. Ask again then, or use the payment link with other coins of your wallet.`,
    )
  }
  const key = (index: bigint): KeyPlace => {
    const { publicKey } = deriveAddress(account, Number(index))
    const { fingerprint, path } = origin
    const redeem = script === 'sh-wpkh' ? redeemScript(publicKey) : null
    return { script, publicKey, redeemScript: redeem, fingerprint, path: [...path, Number(index)] }
  }
  const inputs = []
  for (const coin of choice.coins) {
    const previous = await previousOf(node.rpc, coin)
    if (previous === null && script === 'pkh')
      return cannot('The node no longer has the payments that it would spend. Use the payment link.')
    inputs.push({ ...coin, scriptPubKey: coin.script, previous, key: key(coin.index) })
  }
  const outputs = [{ amount: refund.amount, scriptPubKey: refund.script, key: null as KeyPlace | null }]
  if (choice.change > 0n) {
    const change = await parts.addresses.change?.({
      ...{ account: refund.account, merchantId: refund.merchantId, refundId, now: parts.clock.now() },
    })
    if (change == null)
      return cannot(
        'The account has no address free for the change: raise the wallet’s limit, or use the payment link.',
      )
    outputs.push({ amount: choice.change, scriptPubKey: change.script, key: key(change.index) })
  }
  return { psbt: writePsbt(inputs, outputs).toString('base64'), fee: choice.fee, why: null }
}

/** As the node knows them now; a payment that waits in its mempool spends as well. `ripensIn`: blocks until the next of those that cannot be spent yet. */
async function spendable(
  { sql }: UtxoContext,
  chain: UtxoChain,
  rpc: NodeRpc,
  of: { account: string; merchantId: string; orderRef: string },
): Promise<{ coins: AccountCoin[]; ripensIn: number | null }> {
  const tip = Number((await listCursors(sql)).find((row) => row.chain === chain.id)?.height ?? 0n)
  const all = (await listCoins(sql, of)).map((coin) => ({ coin, ripensIn: spendableIn(coin, chain, tip) }))
  const ripe = all.flatMap(({ coin, ripensIn }) => (ripensIn === 0 ? [coin] : []))
  const later = all.flatMap(({ ripensIn }) => (ripensIn === 0 ? [] : [ripensIn]))
  const found = await rpc.batch<{ value: string }>(
    ripe.map(({ txid, vout }) => ({ method: 'gettxout', params: [txid, vout, true] })),
  )
  const coins = ripe.filter((coin, n) => {
    const told = found[n]
    return told != null && parseDecimal(String(told.value), 8) === coin.amount
  })
  return { coins, ripensIn: later.length === 0 ? null : Math.min(...later) }
}

/** Satoshi for a virtual byte, rounded up. */
async function feeRate(rpc: NodeRpc): Promise<bigint> {
  const told = await rpc.call<{ feerate?: number }>('estimatesmartfee', BLOCKS_WAITED).catch((error: unknown) => {
    if (error instanceof NodeRefused) return null
    throw error
  })
  const perThousand = told?.feerate === undefined ? null : parseDecimal(told.feerate.toFixed(8), 8)
  if (perThousand === null || perThousand <= 0n) return RATE_UNKNOWN
  const rate = (perThousand + 999n) / 1_000n
  return rate > RATE_MOST ? RATE_MOST : rate
}

/** Signers want it whole, so that no amount can be lied about; null: pruned, or with a part that they do not read. */
async function previousOf(rpc: NodeRpc, { txid, blockHash, kind }: AccountCoin): Promise<Buffer | null> {
  if (kind === 'peg_out') return null
  const hex = await rpc.call<string>('getrawtransaction', txid, false, blockHash).catch((error: unknown) => {
    if (error instanceof NodeRefused) return null
    throw error
  })
  return hex === null ? null : Buffer.from(hex, 'hex')
}
