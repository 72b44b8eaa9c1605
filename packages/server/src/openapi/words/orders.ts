// Words of the fields of orders: how they are paid, what came and went, by which rate.

export const orderWords: Readonly<Record<string, string>> = {
  'Order.status': 'Ship on `success` only, once for each order, whichever event or answer shows it.',
  'Order.status_detail': 'Why it is where it is.',
  'Order.amount': 'What was asked for, in `currency`, with its own number of decimals. Never converted back.',
  'Order.amount_minor': 'The same in units of 10^-`exponent`.',
  'Order.exponent': 'Decimals of `amount` and `amount_minor`. Dollars that are no whole cents have 6.',
  'Order.amount_usd': 'Dollars as asked for, or `amount` divided by `fx.rate`, rounded up to the millionth.',
  'Order.amount_out':
    'What your receiving address got, in units of `settle_decimals`, read from the chain. `null` until it is settled.',
  'Order.amount_out_expected': 'What it is to get: what is paid less the fee. `null` until the payer chose how to pay.',
  'Order.settle_chain': 'The chain of your receiving address.',
  'Order.settle_asset': 'What it gets there.',
  'Order.settle_decimals': 'Decimals of `amount_out` and `amount_out_expected`.',
  'Order.settle_address': 'Your receiving address, as it was when the order was made.',
  'Order.settle_tx_hash': 'The transaction that settled it. `null` until then.',
  'Order.pay':
    'What the payer sends and where. `null` until the payer chose, and while it is shown to one browser alone.',
  'Order.payments': 'The newest 50.',
  'Order.payments_total': 'How many transfers there were in all.',
  'Order.refunds': 'What goes back to the payer, and what you paid back yourself.',
  'Order.balance': 'What came in, by chain and asset, and where it is now.',
  'Order.refund_address': 'Where money of `pay` goes back to. `null` until that is sure.',
  'Order.refund_address_proposed':
    'What was given with the order; nothing goes there before the payer confirms it. `null` where none was.',
  'Order.payment_link_id': 'The payment link that it was started from. `null` where it was none.',
  'Order.invoice_id': 'The invoice that it was started from. `null` where it was none.',
  'Order.quantity': 'How many of what a payment link sells. `null` where it was none.',
  'Order.expires_at': 'The deadline of the payment.',
  'Order.settled_at': 'When the money was final on your receiving address. `null` until then.',

  'PayLeg.id': 'The id of this way to pay: a payer may choose again, and each choice has its own.',
  'PayLeg.rail': 'Which engine carries it.',
  'PayLeg.route': 'How the money goes, and why so. `null`: made before there was a choice.',

  'Route.custody': 'Whether anybody but payer and merchant has the money on its way.',

  'PassedOverRail.why': 'Why it does not carry it.',
  'Route.total_usd':
    'What the payer pays in all, in dollars, a part of a cent as a whole one: `amount_due` at `rate`, and never less than the order.',
  'Route.expected_s':
    'Seconds from the payment’s confirmation to the settlement, as expected. `null` where the rail does not say.',
  'Route.refund_fee':
    'What sending money back takes of it, in the smallest unit of what is paid with. Missing where nothing is taken or known.',
  'Route.passed_over': 'The rails that could carry it and do not.',
  'PassedOverRail.rail': 'Which engine.',
  'PayLeg.address': 'Where the payer sends to. Of this order alone.',
  'PayLeg.memo': 'What has to stand beside the address. `null` where nothing.',
  'PayLeg.uri':
    'What a wallet opens, or reads as a QR code. Asks for what is still due once a part was paid. null once nothing is left to pay.',
  'PayLeg.amount_due': 'What is due.',
  'PayLeg.amount_received': 'What has come so far.',
  'PayLeg.amount_remaining': 'What is still due.',
  'PayLeg.rate': 'Dollars for one whole unit of the asset, a decimal string.',
  'PayLeg.rate_source': 'Where that rate is from.',
  'PayLeg.rate_expires_at': 'Until when it holds. ISO 8601, UTC.',
  'PayLeg.proof':
    'Moves the money of this address without Florin. `null` in the sandbox and where it is paid straight to you.',

  'Payment.pay_leg': 'The id of the way to pay that it came on.',
  'Payment.tx_hash': 'The transaction.',
  'Payment.output_index': 'Which transfer of the transaction it is.',
  'Payment.from':
    'Who sent it. `null` where the chain does not prove who sent all of it, and for a row that stands for many.',
  'Payment.confirmations': 'How deep it is now. Worked out when it is read; it changes no version.',
  'Payment.confirmations_required': 'How deep it has to be.',

  'OrderOnChain.payments': 'What the chain says of each payment.',
  'OrderOnChain.output_index': 'Which transfer of the transaction it is.',
  'OrderOnChain.source': '`coinbase`: a miner’s reward; `mweb`: it left the extension block; else `plain`.',
  'Payment.detected_at': 'When Florin first saw it. ISO 8601, UTC.',
  'Payment.mined_at':
    'The time of the block that it is in. ISO 8601, UTC. `null` while it is in none, where Florin does not know which one, and for a row that stands for many.',
  'Payment.use': 'What it counts for.',

  'Error.error': 'What was wrong.',

  'TimelineEntry.status_detail': 'Why it was there.',

  'Proof.kind': 'How it is read.',
  'Proof.chain_id': 'The number of the chain.',
  'Proof.factory': 'The contract that makes deposit addresses.',
  'Proof.impl': 'The code that every deposit address runs.',
  'Proof.vault': 'The deposit address itself.',
  'Proof.route': 'Where its money can go: all that the address is made of.',
  'Proof.chainId': 'The number of the chain.',
  'Proof.ref': 'The order, as the chain knows it.',
  'Proof.token': 'The contract of the asset; zero for the coin.',
  'Proof.merchant': 'Your receiving address.',
  'Proof.collector': 'Where the operator’s fee goes.',
  'Proof.feeBps': 'The fee in hundredths of a percent.',
  'Proof.minAmount': 'What makes the order paid, in the smallest unit.',
  'Proof.openAfter': 'From when on anybody may move the money, in unix seconds.',
  'Proof.refundTo': 'Where it goes back to; zero where none is bound.',

  'Refund.address': 'Where it goes. `null` until that is known.',

  'BalanceLine.received': 'All that came in: `settled`, `fee`, `refunded` and `held` together.',
  'BalanceLine.settled': 'What went to your receiving address.',
  'BalanceLine.fee': 'What went to the operator.',
  'BalanceLine.refunded': 'What went back to the payer.',
  'BalanceLine.held': 'What is still on the addresses of the order.',

  'Fx.base': 'Always dollars.',
  'Fx.quote': 'The currency of the order.',
  'Fx.reference_rate': 'The rate before your own spread.',
  'Fx.spread_bps': 'Your spread in hundredths of a percent.',
  'Fx.observed_at': 'Of the oldest answer that it was made of.',
  'Fx.agreed_at': 'When the sources agreed.',
  'Fx.valid_until': 'Until when it could be used.',
  'Fx.apart_bps': 'How far the answers were apart, in hundredths of a percent.',
  'Fx.sources': 'Each answer that it was made of.',
  'Fx.fetched_at': 'When it was asked.',
  'Fx.rules_version': 'The version of the rules that agreed.',
  'TimelineEntry.event': 'The event that told of it. `null` where only the detail changed.',

  'OrderLook.asked_at': 'When it was asked for.',
  'OrderLook.looked_at': 'When every chain had been read. `null`: it is under way.',
  'OrderLook.failure': 'Why a chain was left out, or is tried again. `null`: all is well.',

  'MerchantRefund.address': 'Where it is to go: where the payer is known to want it.',
  'MerchantRefund.recorded_at': 'When its transfer was final on the chain. `null` until then.',
  'MerchantRefund.tx_hash': 'The transaction that was named or found. `null` until then.',
  'MerchantRefund.to': 'The contract or address that the transaction calls.',
  'MerchantRefund.value': 'What it carries of the coin, hexadecimal.',
  'MerchantRefund.chain_id': 'The number of the chain.',

  'SimulateOrder.action': 'What happens to it.',

  'CreateOrder.external_id': 'Your own reference, for instance the number of your order. It need not be unique.',
  'CreateOrder.webhook_url': 'Where signed webhooks of this order go; https for live orders.',
  'CreateOrder.pay_chain': 'The chain to pay on. Left out, the payer chooses on the checkout.',
  'CreateOrder.pay_asset': 'The asset to pay with; with `pay_chain`. Left out, the chain’s USDC, else its coin.',
  'CreateOrder.refund_address': 'A proposal that the payer confirms on the checkout; with `pay_chain`.',
  'CreateOrder.expires_in': 'Seconds until the deadline; 1800 where left out.',
  'CreateOrder.underpay_tolerance_bps':
    'What may be missing, in hundredths of a percent; 50 where left out, and never more than $1.',
  'CreateOrder.late_policy': 'What becomes of late money; `settle` where left out.',
  'CreateOrder.title': 'What is sold, in a line. Shown on the checkout.',
  'CreateOrder.description': 'More about it. Shown on the checkout.',
  'CreateOrder.success_url': 'http or https; where the checkout leads after the payment.',
  'CreateOrder.cancel_url': 'http or https; where the checkout leads a payer who does not pay.',
  'CreateOrder.metadata':
    'At most 50 keys of at most 40 characters, string values of at most 500. An empty list counts as an empty object.',
}
