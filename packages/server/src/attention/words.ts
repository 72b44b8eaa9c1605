// The one sentence that describes an attention item, from its kind and evidence. Pure.
import { findAsset, findChain } from '@florin/chains'
import { coinText } from '@florin/checkout-core'

type Evidence = Readonly<Record<string, string>>

const legsOf = (e: Evidence): string[] =>
  Object.entries(e).flatMap(([key, value]) => (/^leg_\d+$/.test(key) ? [`${value}.`] : []))

/** @param e.refund_here whether a refund that the merchant makes can be looked up here; the reader's side adds it */
function carriedOn(e: Evidence): string {
  const coin = `${e.asset ?? 'the coin'} on ${findChain(e.chain ?? '')?.name ?? e.chain ?? 'that chain'}`
  const found =
    e.refund_here === 'yes'
      ? 'This ends by itself once that is on the chain'
      : `Nobody here reads transfers of ${coin}, so it counts on your word, once you name its transaction there; this ends by itself then`
  return `More reached you of this order than it asked for, or after it had ended: a third party (${e.carried_by ?? ''}) carries on whatever comes to its addresses. ${legsOf(e).join(' ')} You owe the payer ${amountIn(e)}, which paid for nothing. Ask for an address for ${coin}, and give it back from your own wallet: “Refund” on the order’s page with that amount (POST /v1/orders/{order_no}/merchant_refunds with \`amount\` ${e.amount ?? ''}). ${found}. Dismiss it where you settled it with the payer.`
}

const sentences: Readonly<Record<string, (evidence: Evidence) => string>> = {
  settlement_failed: (e) => `The money could not be settled to the receiving address: ${quoted(e.failure)}`,
  refund_failed: (e) => `A refund of ${amountIn(e)} failed: ${quoted(e.failure)}`,
  refund_address_needed: (e) =>
    `${amountIn(e)} has to go back to the payer, and no refund address is known yet. The checkout asks for it; the merchant may name it as well.${lastCall(e)}`,
  refund_approval: (e) =>
    `Somebody with the checkout link says that ${e.amount === undefined ? 'a refund' : `a refund of ${amountIn(e)}`} should go to ${e.to ?? 'an address'}. Only your approval sends it; left alone, the request lapses 24 hours after it came.`,
  not_handed_over: (e) =>
    `The ${e.work ?? 'work'} waits: the rail "${e.rail ?? ''}" has not taken it. It is asked again every 30 seconds; its health and the log say why.`,
  settlement_held: (e) =>
    `The settlement of ${amountIn(e)} is held: ${e.asset ?? 'the coin'} is worth ${e.price ?? 'less than it should be'} USD, below ${e.below ?? 'its bound'}. It is settled by itself once the price is back; you may have it settled now, in the coin as it stands.`,
  wrong_asset: (e) =>
    `A payment of ${amountIn(e)} came in, which is not the asset that the order asked for.${heldOf(e)}`,
  wrong_chain: (e) => `A payment of ${amountIn(e)} came in on another chain than the order asked for.${heldOf(e)}`,
  refund_not_asked_for: (e) =>
    `${amountIn(e)} went back to ${e.to ?? 'somebody'}, which nobody here asked for. Find out who holds the refunder key.`,
  returned_by_others: (e) =>
    `Somebody had the contract send ${amountIn(e)} back to ${e.to ?? 'the payer'}. The books of the order say so; nothing is left to do.`,
  refund_announced_not_asked_for: (e) =>
    `A refund of ${amountIn(e)} to ${e.to ?? 'somebody'} was announced, which nobody here asked for. Strike it out or pause refunds with the guardian key before its 24 hours are over.`,
  invoice_paid_twice: (e) =>
    `Invoice ${e.invoice ?? ''} was paid before, by ${e.paid_before_by ?? 'another order'}, and now by this order as well. Give one of the payments back: “Refund” on the order’s page (POST /v1/orders/{order_no}/merchant_refunds). This ends by itself once all that this order brought is refunded; dismiss it where you refunded the other, or settled it with the payer.`,
  owed_to_payer: (e) =>
    e.carried_by === undefined
      ? `${amountIn(e)} was to go back to the payer. No address for it was known in seven days, and somebody had the contract pay it to your receiving address instead. It paid for nothing, so you owe it: give it back from your own wallet, “Refund” on the order’s page (POST /v1/orders/{order_no}/merchant_refunds). This ends by itself once that is on the chain; dismiss it where you settled it with the payer.`
      : carriedOn(e),
  settlement_left_the_chain: (e) =>
    e.sent_by === 'payer'
      ? `The chain dropped the payment of ${amountIn(e)} that had settled this order. It was the payer's own transaction: it may be mined again, and then this ends by itself; or its coins were spent elsewhere, and the money does not come. Look in your wallet before you send what was bought.`
      : settlementLeft(e),
  refund_left_the_chain: (e) =>
    e.sent_by === 'wallet'
      ? `The chain dropped the refund of ${amountIn(e)} that your wallet had sent to ${e.to ?? 'the payer'}. It may be mined again, and then this ends by itself. Look in your wallet: where its coins were spent elsewhere, send the same amount to that address once more, which ends this as well.`
      : `The chain dropped a refund of ${amountIn(e)}, or its announcement, that was final. The same transaction is offered again; this ends by itself once it is back.`,
  refund_by_wallet: (e) =>
    `The money of this order lies in your own wallet. Send ${amountIn(e)} from it to ${e.to ?? 'the address below'}; the payment link opens a wallet with both. This ends by itself once a block shows it.`,
  refund_counted_elsewhere: (e) =>
    `A transfer of ${amountIn(e)} to ${e.to ?? 'the payer'} fits the refund that you asked for, and counts already for another merchant, who named it first. If you sent it, do not send it again: tell the operator the transaction below. If you did not, pay the refund, and this ends by itself.`,
  settlement_not_as_bound: (e) =>
    `The chain shows a settlement of ${amountIn(e)} to ${e.to ?? 'somebody'} that does not count for this order: ${quoted(e.failure)} Find out who holds the relayer key.`,
  refund_short: (e) =>
    `Your wallet sent ${amountIn(e)} to ${e.to ?? 'the payer'}, where a refund of this order asks for ${amountIn({ ...e, amount: e.asked ?? '' })}: ${amountIn({ ...e, amount: e.missing ?? '' })} less. A part of a refund is none, so the request stays and this transfer is in no book. To have the refund recorded, send the whole amount in one transfer, and come to terms with the payer about the first. Or send the payer what is missing and dismiss both items: the order then goes on to show the refund as not made.`,
  payment_of_two_orders: (e) =>
    `${amountIn(e)} came to the address of this order, which an earlier order had that nobody paid, and the amount does not say of which order it is. It is booked as late with the earlier one, which asks where it should go back to. If this order’s payer sent it, come to terms with them: it is in your wallet.`,
  wallet_limit_near: (e) => {
    const many = `${e.unpaid ?? 'Many'} addresses in a row of your ${e.chain?.toUpperCase() ?? ''} account wait for a payment, of at most ${e.unpaid_max ?? ''}: then the coin is not offered until one is paid.`
    const ofPayers =
      e.by_payers !== undefined && e.by_payers === e.by_payers_max
        ? ` ${e.by_payers} of them were started on payment links or invoices, which may take half: there it is not offered now.`
        : ''
    return `${many}${ofPayers} The highest is number ${e.highest ?? ''} (index ${e.highest_index ?? ''}). Raise the limit in your wallet (it was said to be ${e.wallet_limit ?? '20'}; Electrum: wallet.change_gap_limit(100) in its console; Sparrow: Settings, Advanced), then say it on the page of the receiving address; any payment of your own to the newest address ends the row as well.`
  },
  account_used_elsewhere: (e) =>
    `Another wallet or program gives out addresses of your ${e.chain?.toUpperCase() ?? ''} account: index ${e.index ?? ''} was paid, and no order here has it. Orders pass it by. Use an account for the shop alone, else two payers may be shown one address.`,
  payment_of_lost_order: (e) =>
    `${amountIn(e)} came to ${e.to ?? 'an address'} of your wallet. That address was given to an order that a restore of the database lost, so no order here counts the money. Find the order in your shop by the address or the transaction, and deliver it or send the money back from your wallet.`,
  books_differ: (e) =>
    `The books of the order and the chain differ by ${amountIn(e)}: ${BigInt(e.found ?? 0) > BigInt(e.booked ?? 0) ? 'more' : 'less'} lies on its address than was booked, at two final blocks. Nothing is done about it by itself; it ends when they agree again.`,
  push_failed: (e) => pushFailed(e),
  transaction_not_mined: (e) =>
    `The transaction that moves ${amountIn(e)} waits for a block for too long. The operator sees why on the chain page: a fee cap that is too low, a chain that stands still, providers that drop it. It ends by itself once it is mined.`,
  providers_contradict: (e) =>
    `The chain's providers contradict each other about ${amountIn(e)}. It is neither counted, settled nor refunded until they agree; the operator sees who says what on the chain page. It ends by itself.`,
  settlement_unproven: (e) =>
    `NEAR Intents says that it paid out ${amountIn(e)}, and nobody else has seen it. Look whether it is at your receiving address. It ends by itself once a second source shows it. If it is there, say so: the order is a success then. What you set for this chain counts for pay addresses that are opened from then on.`,
  provider_contradicted: (e) =>
    `What NEAR Intents says of a payout of ${amountIn(e)} is not so, as far as others can see: ${quoted(e.failure)} ${e.tx_hash === undefined ? '' : 'Look whether all of it is at your receiving address, besides what other orders brought. If it is, say so: the order is a success then. '}The order stays as it is. Ask the provider with the deposit address ${e.deposit_address ?? ''}.`,
  third_party_slow: (e) =>
    `NEAR Intents has ${e.amount === '0' ? 'money' : amountIn(e)} of this order, says ${e.failure ?? 'nothing'} and should have paid it out or sent it back by now. Ask its support with the deposit address ${e.deposit_address ?? ''}. It is asked about all the time, and this ends by itself once the swap ends.`,
  third_party_changed: (e) => thirdPartyChanged(e),
  reorg_after_final: () =>
    'The chain dropped a payment that was final and already passed on. What was settled or refunded may lack its cover.',
  webhook_endpoint_failing: (e) =>
    `The endpoint at ${e.receiver ?? 'its address'} does not take webhooks: one was given up after five attempts (${e.error ?? 'unknown'}). This ends by itself once one is taken; after five days without, the endpoint is disabled.`,
  webhook_dead: (e) =>
    `A webhook to ${e.receiver ?? 'its address'} was given up after five attempts (${e.error ?? 'unknown'}). The order is not touched; send it again once the receiver works.`,
  money_waits: (e) => moneyWaits(e),
  settled_more_than_received: () => 'More was settled than is known to have come in. Compare with the chain.',
  refunded_more_than_received: () => 'More was refunded than is known to have come in. Compare with the chain.',
}

function thirdPartyChanged(e: Evidence): string {
  const support = `Its support asks for the deposit address ${e.deposit_address ?? ''}.`
  if (e.says === 'paid_out') {
    const paid = `NEAR Intents said that it sent the money of this order back, and then that it paid out ${amountIn(e)} to your receiving address in the transaction ${e.tx_hash ?? ''}`
    const how =
      e.failure === undefined ? ', which others saw arrive.' : `: ${quoted(e.failure)} Look whether it is there.`
    return `${paid}${how} The order stays refunded, and no book has this money. Ask the payer whether anything came back: if not, what you got is the payment of this order, to be delivered or given back from your wallet. ${support}`
  }
  const now = e.says === 'returned' ? 'sent the money back to the payer' : 'failed and holds the money'
  return e.said === 'paid_out'
    ? `NEAR Intents said that it paid out ${amountIn(e)} to you, which nobody else saw, and says now that it ${now}. The order stays a success. Look whether the money is at your receiving address before you deliver. ${support}`
    : `NEAR Intents said that it sent the money of this order back to the payer, and says now that it ${now}. The order stays refunded. Ask the payer whether it came. ${support}`
}

const lastCall = (e: Evidence): string => {
  const from = e.opens_at?.slice(0, 16).replace('T', ' ')
  return from === undefined
    ? ''
    : ` From ${from} UTC on anybody may have it paid to your own receiving address instead, and you would owe it to the payer.`
}

const heldOf = (e: Evidence): string =>
  e.held === undefined ? '' : ` It is held: it is ${e.held}. Should more come, all of it goes back together.`

const settlementLeft = (e: Evidence): string =>
  e.failure === undefined
    ? `The chain dropped a settlement of ${amountIn(e)} that was final. The same transaction is offered again; this ends by itself once it is back. Until then the receiving address does not have the money.`
    : `A settlement of ${amountIn(e)} that was final left the chain and cannot be sent again: ${quoted(e.failure)} The receiving address does not have the money.`

export function sentenceOf(kind: string, evidence: Evidence): string {
  // What a rail says of itself, and what to do about it: for operators.
  const { what, cure } = evidence
  if (what !== undefined && cure !== undefined) return `${/[.!?]$/.test(what) ? what : `${what}.`} ${cure}`
  return sentences[kind]?.(evidence) ?? `This needs a look: ${kind.replaceAll('_', ' ')}.`
}

const worksOf: Readonly<Record<string, (which: string, chain: string) => string>> = {
  settlements: (which, chain) =>
    `Money that was paid on ${chain} for ${which} cannot be passed on to you at the moment. It lies where only you can be paid from, and goes on by itself.`,
  refunds: (which, chain) =>
    `Refunds on ${chain} for ${which} cannot be sent at the moment. The money lies where it was paid, and they go out by themselves.`,
  payments: (which, chain) =>
    `${chain} cannot be read reliably at the moment: payments for ${which} are seen and do not count yet. Nothing expires meanwhile, and it goes on by itself.`,
}

function moneyWaits({ chain: id = '', work = '', orders = '', oldest = '' }: Evidence): string {
  const chain = findChain(id)?.name ?? id
  const which = orders === '1' ? `order ${oldest}` : `${orders} orders (the oldest is ${oldest})`
  return `${worksOf[work]?.(which, chain) ?? `Money waits on ${chain}.`} The operator of the service was told.`
}

const sides: Readonly<Record<string, { cannot: string; other: string; mend: string }>> = {
  merchant: {
    cannot: 'your receiving address',
    other: 'the refund address of the payer',
    mend: 'See why the address cannot be paid, such as a block by the issuer of the token',
  },
  payer: {
    cannot: 'the refund address of the payer',
    other: 'your receiving address',
    mend: 'If the payer should have it, see with them why their address cannot be paid',
  },
}

function pushFailed(e: Evidence): string {
  const side = sides[e.cannot_be_paid ?? '']
  const from = e.opens_at?.slice(0, 16).replace('T', ' ')
  if (side === undefined || from === undefined) return `A payment of ${amountIn(e)} failed: ${quoted(e.failure)}`
  return `Somebody asked the contract to pay out ${amountIn(e)}, and ${side.cannot} could not be paid: ${quoted(e.failure)} From ${from} UTC on anybody may have it sent to ${side.other} instead. ${side.mend}, and have it paid before then; this ends by itself once the money has moved.`
}

export function amountIn(evidence: Evidence): string {
  const { amount, asset = 'an unknown asset', chain: chainId = '' } = evidence
  const chain = findChain(chainId)
  const decimals = chain === null ? undefined : findAsset(chain, asset)?.decimals
  const where = chain === null ? '' : ` on ${chain.name}`
  if (amount === undefined || !/^\d{1,78}$/.test(amount)) return `${asset}${where}`
  const text = decimals === undefined ? `${amount} smallest units of` : coinText(amount, decimals)
  return `${text} ${asset}${where}`
}

/** What the contracts call a failure, for people; the evidence keeps their own name. */
const failures: Readonly<Record<string, string>> = {
  RefundsArePaused: 'refunds are paused',
  TokenTransferFailed: 'the token refused the transfer',
  NativeTransferFailed: 'the receiver refuses native coins',
  NoProposal: 'its announcement was struck out or is gone',
  TooLate: 'it was not carried out within seven days of its announcement',
}

/** A rail's own message, as the end of a sentence. */
function quoted(text: string | undefined): string {
  const told = text?.trim() ?? ''
  const [, name = '', words] = /^([A-Za-z]+)(?:: (.+))?$/s.exec(told) ?? []
  const known = failures[name]
  const said = known === undefined ? told : words === undefined ? known : `${known} (${words})`
  if (said === '') return 'no reason was given.'
  return /[.!?]$/.test(said) ? said : `${said}.`
}
