// A refund as a transaction that the merchant's wallet only has to sign: coins of its own account that the node knows to be
// unspent, the payer's output, change to the account's next address. No key is here, and nothing is sent.
import { deriveAddress, receiveOrigin, redeemScript } from '@florin/accounts'
import { parseDecimal } from '@florin/platform/money'
import type { RefundToSign } from '@florin/rail-kit/interface/services'
import { inJournal } from '@florin/rail-kit/journaled'
import { givenRecord } from '../address/given.ts'
import { isGiven } from '../address/legs.store.ts'
import { dustOf } from '../chain/networks.ts'
import { type KeyPlace, writePsbt } from '../chain/psbt.ts'
import type { UtxoContext } from '../context.ts'
import { NodeRefused, type NodeRpc } from '../node/rpc.ts'
import type { Sources } from '../node/view.ts'
import type { UtxoChain } from '../settings/config.ts'
import { spendableIn } from '../watch/details.ts'
import { listCursors } from '../watch/watch.store.ts'
import { chooseCoins } from './coins.ts'
import { standingOf } from './draft.ts'
import { type AccountCoin, type Draft, findRefund, listCoins, listReserved, saveDraft } from './refund.store.ts'

/** Where the node has no estimate, so many times the least: enough for the next blocks of a quiet chain, and it can be bumped. */
const LEAST_TIMES = 5n
const RATE_MOST = 500n
const BLOCKS_WAITED = 6

const cannot = (why: string): RefundToSign => ({ psbt: null, fee: null, why })

export async function refundToSign(
  parts: UtxoContext,
  chains: ReadonlyMap<string, UtxoChain>,
  sourcesOf: (chain: UtxoChain) => Sources,
  refundId: string,
  a: { replace: boolean } = { replace: false },
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
  const tip = Number((await listCursors(parts.sql)).find((row) => row.chain === chain.id)?.height ?? 0n)
  const standing = await standingOf(refund, { chain, rpc: node.rpc, tip })
  const { draft } = refund
  if (standing.kind === 'spent' && !(a.replace && standing.mayReplace)) return cannot(standing.why)
  if (draft !== null && standing.kind === 'open' && !a.replace) return { psbt: draft.psbt, fee: draft.fee, why: null }
  /** What is drawn up now spends these as well, so that it and what was drawn up before are never both valid. */
  const must = draft === null || standing.kind === 'free' ? [] : draft.inputs
  const { ripe, coins, ripensIn } = await spendable(parts, chain, node.rpc, {
    ...{ account: refund.account, merchantId: refund.merchantId, orderRef: refund.orderRef, refundId, tip },
  })
  const { script } = account
  if (refund.amount < dustOf(chain.network, refund.script)) {
    return cannot(
      `No node relays an output of ${refund.amount} smallest units of ${chain.asset} to this address: it takes ${dustOf(chain.network, refund.script)}. Come to terms with the payer, and dismiss the item.`,
    )
  }
  const rate = await feeRate(node.rpc, chain)
  const dust = dustOf(chain.network, deriveAddress(account, 0).scriptPubKey)
  const again = ripe.filter((coin) => must.includes(outpointOf(coin)))
  if (again.length < must.length)
    return cannot(
      'The coins of this refund are not known here any more. Raise the fee of the transaction in your wallet instead.',
    )
  const rest = coins.filter((coin) => !must.includes(outpointOf(coin)))
  const asked = { amount: refund.amount, rate, script, toScript: refund.script, dust, must: again }
  const choice = chooseCoins([...again, ...rest], asked)
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
    const now = parts.clock.now()
    const change = await parts.addresses.change?.({
      ...{ account: refund.account, merchantId: refund.merchantId, refundId, now },
      isGiven: (db, script) => isGiven(db, { chain: chain.id, script, orderRef: refund.orderRef }),
    })
    if (change == null)
      return cannot(
        'The account has no address free for the change: raise the wallet’s limit, or use the payment link.',
      )
    const place = { ...change, account: refund.account, merchantId: refund.merchantId, at: now }
    await inJournal(parts.journal, givenRecord(place, null))
    outputs.push({ amount: choice.change, scriptPubKey: change.script, key: key(change.index) })
  }
  const made: Draft = {
    psbt: writePsbt(inputs, outputs).toString('base64'),
    fee: choice.fee,
    inputs: must.length > 0 ? must : choice.coins.map(outpointOf),
  }
  if (await saveDraft(parts.sql, { refundId, draft: made, instead: draft }))
    return { psbt: made.psbt, fee: made.fee, why: null }
  // Another request was quicker: what it drew up is what there is.
  const stored = (await findRefund(parts.sql, refundId))?.draft ?? null
  if (stored === null) return cannot('This refund is paid: nothing is left to sign.')
  return { psbt: stored.psbt, fee: stored.fee, why: null }
}

const outpointOf = ({ txid, vout }: Pick<AccountCoin, 'txid' | 'vout'>): string => `${txid}:${vout}`

/** As the node knows them now; a payment that waits in its mempool spends as well. `ripensIn`: blocks until the next of those that cannot be spent yet. */
async function spendable(
  { sql }: UtxoContext,
  chain: UtxoChain,
  rpc: NodeRpc,
  of: { account: string; merchantId: string; orderRef: string; refundId: string; tip: number },
): Promise<{ ripe: AccountCoin[]; coins: AccountCoin[]; ripensIn: number | null }> {
  const reserved = await listReserved(sql, { account: of.account, notOf: of.refundId })
  const known = await listCoins(sql, of)
  // Of two refunds that spend one coin only one is mined, and the other has to wait until that is buried.
  const sorted = [
    ...known.filter((coin) => !reserved.has(outpointOf(coin))),
    ...known.filter((coin) => reserved.has(outpointOf(coin))),
  ]
  const all = sorted.map((coin) => ({ coin, ripensIn: spendableIn(coin, chain, of.tip) }))
  const ripe = all.flatMap(({ coin, ripensIn }) => (ripensIn === 0 ? [coin] : []))
  const later = all.flatMap(({ ripensIn }) => (ripensIn === 0 ? [] : [ripensIn]))
  const found = await rpc.batch<{ value: string }>(
    ripe.map(({ txid, vout }) => ({ method: 'gettxout', params: [txid, vout, true] })),
  )
  const coins = ripe.filter((coin, n) => {
    const told = found[n]
    return told != null && parseDecimal(String(told.value), 8) === coin.amount
  })
  return { ripe, coins, ripensIn: later.length === 0 ? null : Math.min(...later) }
}

/** Satoshi for a virtual byte, rounded up. */
async function feeRate(rpc: NodeRpc, { network }: Pick<UtxoChain, 'network'>): Promise<bigint> {
  const least = (await leastRate(rpc)) ?? perByte(network.relay.least)
  const told = await rpc.call<{ feerate?: number }>('estimatesmartfee', BLOCKS_WAITED).catch((error: unknown) => {
    if (error instanceof NodeRefused) return null
    throw error
  })
  const estimate = coinsOf(told?.feerate)
  const rate = estimate === null ? LEAST_TIMES * perByte(network.relay.least) : perByte(estimate)
  const capped = rate > RATE_MOST ? RATE_MOST : rate
  return capped < least ? least : capped
}

/** What the node takes into its mempool now; null: it does not say. */
async function leastRate(rpc: NodeRpc): Promise<bigint | null> {
  // Where the operator allows the node's calls by name, this one may be missing.
  const told = await rpc.call<{ mempoolminfee?: number; minrelaytxfee?: number }>('getmempoolinfo').catch(() => null)
  const rates = [told?.mempoolminfee, told?.minrelaytxfee].flatMap((fee) => coinsOf(fee) ?? [])
  return rates.length === 0 ? null : rates.map(perByte).reduce((most, one) => (one > most ? one : most))
}

const coinsOf = (fee: number | undefined): bigint | null => {
  const units = fee === undefined ? null : parseDecimal(fee.toFixed(8), 8)
  return units === null || units <= 0n ? null : units
}

const perByte = (perThousand: bigint): bigint => (perThousand + 999n) / 1_000n

/** Signers want it whole, so that no amount can be lied about; null: pruned, or with a part that they do not read. */
async function previousOf(rpc: NodeRpc, { txid, blockHash, kind }: AccountCoin): Promise<Buffer | null> {
  if (kind === 'peg_out') return null
  const hex = await rpc.call<string>('getrawtransaction', txid, false, blockHash).catch((error: unknown) => {
    if (error instanceof NodeRefused) return null
    throw error
  })
  return hex === null ? null : Buffer.from(hex, 'hex')
}
