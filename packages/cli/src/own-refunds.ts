// `florin refunds …`: refunds that the merchant pays from an own wallet, of orders that are settled. One call each.
import type { MerchantRefund } from '@florin/protocol'
import { type Call, type Command, serviceFlags } from './command.ts'
import { UsageFailure } from './failure.ts'
import { formatUnits, parseUnits } from './sdk.ts'
import { openClient, readSettings } from './settings.ts'
import { columns } from './terminal.ts'

const clientOf = (call: Call) => openClient(readSettings(call)).orders

const amountOf = ({ amount, decimals, asset, chain }: MerchantRefund): string =>
  `${formatUnits(amount, decimals)} ${asset} on ${chain}`

function show(call: Call, refund: MerchantRefund): number {
  if (call.json) {
    call.terminal.out(JSON.stringify(refund, null, 2))
    return 0
  }
  const rows: [string, string | null][] = [
    ['  order', refund.order_no],
    ['  status', refund.status],
    ['  amount', amountOf(refund)],
    ['  to', refund.address],
    ['  pay it with', refund.status === 'requested' ? refund.uri : null],
    ['  transaction', refund.tx_hash],
    ['  from', refund.sender],
    ['  failure', refund.failure],
    ['  reason', refund.reason],
  ]
  const told = rows.filter((row): row is [string, string] => row[1] !== null)
  for (const line of columns([[refund.id, ''], ...told])) call.terminal.out(line)
  return 0
}

export const listRefundsCommand: Command = {
  name: 'refunds list',
  takes: ['ORDER_NO'],
  about: 'List the refunds of an order that you pay from your own wallet',
  flags: serviceFlags,
  examples: ['florin refunds list ord_01k6m3…'],
  async run(call) {
    const page = await clientOf(call)
      .merchantRefunds(call.args[0] ?? '')
      .page()
    if (call.json) call.terminal.out(JSON.stringify(page, null, 2))
    else {
      for (const line of columns(page.data.map((one) => [one.id, one.status, amountOf(one), one.address])))
        call.terminal.out(line)
      if (page.data.length === 0) call.terminal.note('None was asked for.')
    }
    return 0
  },
}

export const askRefundCommand: Command = {
  name: 'refunds ask',
  takes: ['ORDER_NO'],
  about: 'Ask for a refund that you pay from your own wallet, of an order that is settled',
  notes: [
    'Nothing moves by this: pay what it shows, and it is recorded once the chain shows the transfer.',
    'The key needs the scope refunds:write. It goes where the payer is known to want it; the console takes another address.',
  ],
  flags: [
    { name: 'amount', value: 'AMOUNT', about: 'in the settle asset, such as 12.5; all that is left where left out' },
    { name: 'reason', value: 'TEXT', about: 'for yourself' },
    { name: 'allow-over', about: 'it may be more than you got, up to twice of it in all' },
    { name: 'idempotency-key', value: 'KEY', about: 'the same key asks for the same refund, however often it is run' },
    ...serviceFlags,
  ],
  examples: ['florin refunds ask ord_01k6m3… --amount 12.50 --reason "One mug was broken"'],
  async run(call) {
    const [orderNo = ''] = call.args
    const orders = clientOf(call)
    const text = call.text('amount')
    const params = {
      amount: text === undefined ? undefined : unitsOf(text, (await orders.get(orderNo)).settle_decimals),
      reason: call.text('reason'),
      allow_over: call.isOn('allow-over') ? true : undefined,
    }
    const idempotencyKey = call.text('idempotency-key')
    return show(call, await orders.createMerchantRefund(orderNo, params, { idempotencyKey }))
  },
}

function unitsOf(text: string, decimals: number): bigint {
  try {
    return parseUnits(text, decimals)
  } catch {
    throw new UsageFailure(`--amount takes a number such as 12.5, with at most ${decimals} decimals.`)
  }
}

export const paidRefundCommand: Command = {
  name: 'refunds paid',
  takes: ['ORDER_NO', 'ID', 'TX_HASH'],
  about: 'Name the transaction that paid a refund; it is verified on the chain',
  flags: serviceFlags,
  examples: ['florin refunds paid ord_01k6m3… mrf_01k6m3… 0x5e…'],
  async run(call) {
    const [orderNo = '', id = '', hash = ''] = call.args
    return show(call, await clientOf(call).nameRefundTransaction(orderNo, id, hash))
  },
}

export const cancelRefundCommand: Command = {
  name: 'refunds cancel',
  takes: ['ORDER_NO', 'ID'],
  about: 'Say that no such refund is coming; what is recorded stays',
  flags: serviceFlags,
  examples: ['florin refunds cancel ord_01k6m3… mrf_01k6m3…'],
  async run(call) {
    const [orderNo = '', id = ''] = call.args
    return show(call, await clientOf(call).cancelMerchantRefund(orderNo, id))
  },
}
