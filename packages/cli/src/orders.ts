// `florin orders …`: one call of the service each, shown as a line, a page of lines or an order.
import { setTimeout } from 'node:timers/promises'
import { orderStatuses, PAGE_MAX } from '@florin/protocol'
import type { Call, Command } from './command.ts'
import { serviceFlags } from './command.ts'
import { UsageFailure } from './failure.ts'
import { orderLines, orderRow } from './order-view.ts'
import type { CreateOrderParams, Order } from './sdk.ts'
import { openClient, readSettings } from './settings.ts'
import { columns, confirm } from './terminal.ts'
import { readChoice, readChoices, readMoment, readWhole } from './words.ts'

const clientOf = (call: Call) => openClient(readSettings(call))

function show(call: Call, order: Order): number {
  if (call.json) call.terminal.out(JSON.stringify(order, null, 2))
  else for (const line of orderLines(order, call.terminal.paint)) call.terminal.out(line)
  return 0
}

const sorts = ['newest', 'oldest'] as const
/** What the service takes at most. */
const METADATA_FILTERS_MAX = 5

export const listOrdersCommand: Command = {
  name: 'orders list',
  takes: [],
  about: 'List orders, newest first where nothing else is said',
  flags: [
    { name: 'status', value: 'STATUS', many: true, about: `${orderStatuses.join(', ')}; several with commas` },
    { name: 'external-id', value: 'ID', about: "only your order's own number" },
    {
      name: 'metadata',
      value: 'KEY=VALUE',
      many: true,
      about: `only with this value; all must fit, at most ${METADATA_FILTERS_MAX}`,
    },
    { name: 'from', value: 'TIME', about: 'created then or later: 2026-01-31T10:00:00Z, or 6h, 2d ago' },
    { name: 'to', value: 'TIME', about: 'created before' },
    { name: 'settle-chain', value: 'CHAIN', about: 'only what settles there' },
    { name: 'currency', value: 'CODE', about: 'only what was asked for in it, such as EUR' },
    { name: 'amount-from', value: 'DOLLARS', about: 'at least so many dollars' },
    { name: 'amount-to', value: 'DOLLARS', about: 'at most so many dollars' },
    { name: 'sort', value: 'ORDER', about: `${sorts.join(' or ')} first; newest where left out` },
    { name: 'limit', value: 'N', about: '1 to 100; 20 where left out' },
    { name: 'cursor', value: 'CURSOR', about: 'the next page, as the page before printed it' },
    ...serviceFlags,
  ],
  examples: [
    'florin orders list --status success,refunded --from 2d',
    'florin orders list --metadata cart=7 --sort oldest',
    'florin orders list --currency EUR --amount-from 100',
    'florin orders list --external-id A-1001 --json',
  ],
  async run(call) {
    const { terminal } = call
    const moment = (option: string) => {
      const text = call.text(option)
      return text === undefined ? undefined : readMoment(`--${option}`, text, new Date())
    }
    const sort = call.text('sort')
    const metadata = call.texts('metadata')
    if (metadata.length > METADATA_FILTERS_MAX)
      throw new UsageFailure(`--metadata may be given ${METADATA_FILTERS_MAX} times at most when orders are listed.`)
    const filters = {
      status: call.texts('status').flatMap((text) => readChoices('--status', text, orderStatuses)),
      external_id: call.text('external-id'),
      metadata: metadata.length === 0 ? undefined : readMetadata(metadata),
      created_from: moment('from'),
      created_to: moment('to'),
      settle_chain: call.text('settle-chain'),
      currency: call.text('currency'),
      amount_usd_from: call.text('amount-from'),
      amount_usd_to: call.text('amount-to'),
      sort: sort === undefined ? undefined : readChoice('--sort', sort, sorts),
      limit: readWhole('--limit', call.text('limit'), 1, PAGE_MAX),
      cursor: call.text('cursor'),
    }
    const page = await clientOf(call).orders.list(filters).page()
    if (call.json) terminal.out(JSON.stringify(page, null, 2))
    else {
      for (const line of columns(page.data.map(orderRow))) terminal.out(line)
      const until = page.searched_until ?? null
      if (until !== null) terminal.note(`Looked as far as ${until}.`)
      else if (page.data.length === 0) terminal.note('No order matches.')
      if (page.next_cursor !== null && page.has_more) terminal.note(`More: --cursor ${page.next_cursor}`)
    }
    return 0
  },
}

export const getOrderCommand: Command = {
  name: 'orders get',
  takes: ['ORDER_NO'],
  about: 'Show an order and its timeline',
  flags: serviceFlags,
  examples: ['florin orders get ord_01k6m3…'],
  async run(call) {
    const client = clientOf(call)
    const [orderNo = ''] = call.args
    const order = await client.orders.get(orderNo)
    show(call, order)
    if (call.json) return 0
    const rows: string[][] = []
    for await (const { created_at, event, status, status_detail, version } of client.orders.events(orderNo)) {
      rows.push([created_at, `v${version}`, status, status_detail, event ?? ''])
    }
    for (const line of ['', 'timeline', ...columns(rows).map((line) => `  ${line}`)]) call.terminal.out(line)
    return 0
  },
}

/** The options that are sent under the name of the field, text as it is. */
const createTexts = [
  ['external-id', 'external_id', 'ID', "your order's own number"],
  ['url', 'webhook_url', 'URL', 'where its webhooks go'],
  ['settle-chain', 'settle_chain', 'CHAIN', 'where it settles'],
  ['settle-asset', 'settle_asset', 'ASSET', 'what it settles in'],
  ['pay-chain', 'pay_chain', 'CHAIN', 'where the payer pays; left out, the payer chooses'],
  ['pay-asset', 'pay_asset', 'ASSET', 'what the payer pays with'],
  ['refund-address', 'refund_address', 'ADDRESS', 'where refunds would go; a proposal, the payer confirms it'],
  ['title', 'title', 'TEXT', 'shown on the checkout'],
  ['description', 'description', 'TEXT', 'shown on the checkout'],
  ['success-url', 'success_url', 'URL', 'where the checkout sends the payer after paying'],
  ['cancel-url', 'cancel_url', 'URL', 'where the checkout sends the payer who cancels'],
] as const

export const createCommand: Command = {
  name: 'orders create',
  takes: [],
  about: 'Create an order',
  flags: [
    { name: 'amount', value: 'AMOUNT', about: 'required; such as 49.90' },
    { name: 'currency', value: 'CODE', about: 'of the amount, such as EUR; USD where left out' },
    ...createTexts.map(([name, , value, about]) => ({ name, value, about })),
    { name: 'expires-in', value: 'SECONDS', about: '300 to 86400; 1800 where left out' },
    { name: 'metadata', value: 'KEY=VALUE', many: true, about: 'kept with the order' },
    { name: 'idempotency-key', value: 'KEY', about: 'the same key gives the same order, however often it is run' },
    ...serviceFlags,
  ],
  examples: [
    'florin orders create --amount 49.90 --external-id A-1001 --url https://shop.example/webhooks/florin',
    'florin orders create --amount 49.90 --currency EUR',
  ],
  async run(call) {
    const amount = call.text('amount')
    if (amount === undefined) throw new UsageFailure('--amount is missing: florin orders create --amount 49.90')
    const currency = call.text('currency')
    const params: CreateOrderParams = currency === undefined ? { amount_usd: amount } : { amount, currency }
    for (const [name, field] of createTexts) params[field] = call.text(name)
    params.expires_in = readWhole('--expires-in', call.text('expires-in'), 300, 86_400)
    const metadata = call.texts('metadata')
    if (metadata.length > 0) params.metadata = readMetadata(metadata)
    return show(call, await clientOf(call).orders.create(params, { idempotencyKey: call.text('idempotency-key') }))
  },
}

function readMetadata(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) throw new UsageFailure('--metadata takes KEY=VALUE, such as cart=7.')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

export const cancelCommand: Command = {
  name: 'orders cancel',
  takes: ['ORDER_NO'],
  about: 'Cancel a pending order that has received nothing',
  flags: serviceFlags,
  examples: ['florin orders cancel ord_01k6m3…'],
  async run(call) {
    const [orderNo = ''] = call.args
    return show(call, await clientOf(call).orders.cancel(orderNo))
  },
}

export const lookAgainCommand: Command = {
  name: 'orders look-again',
  takes: ['ORDER_NO'],
  about: 'Have every address of an order read again, on every chain',
  notes: ['For money that somebody says they sent and the order does not show. What is found is booked as a payment.'],
  flags: serviceFlags,
  examples: ['florin orders look-again ord_01k6m3…'],
  async run(call) {
    const [orderNo = ''] = call.args
    const { orders } = clientOf(call)
    let look = await orders.lookAgain(orderNo)
    for (let n = 0; n < LOOKS_MAX && look.looked_at === null; n++) {
      await setTimeout(LOOK_EVERY_MS)
      look = await orders.lookAgain(orderNo)
    }
    if (call.json) call.terminal.out(JSON.stringify(look, null, 2))
    else {
      call.terminal.out(
        look.looked_at === null ? 'asked for; it goes on in the background' : `looked at ${look.looked_at}`,
      )
      if (look.failure !== null) call.terminal.note(look.failure)
      return show(call, await orders.get(orderNo))
    }
    return 0
  },
}

/** The service answers with the same look for a minute. */
const LOOKS_MAX = 20
const LOOK_EVERY_MS = 2_000

export const refundCommand: Command = {
  name: 'orders refund',
  takes: ['ORDER_NO'],
  about: 'Send back what is held, to the refund address of the order',
  notes: ['The key needs the scope refunds:write. For a live order it asks first.'],
  flags: [
    { name: 'reason', value: 'TEXT', about: 'kept in the audit log' },
    { name: 'yes', about: 'do not ask' },
    ...serviceFlags,
  ],
  examples: ['florin orders refund ord_01k6m3… --reason "sold out"'],
  async run(call) {
    const client = clientOf(call)
    const [orderNo = ''] = call.args
    const order = await client.orders.get(orderNo)
    if (order.livemode && !call.isOn('yes')) {
      const target = order.refund_address ?? 'the refund address that the payer gives'
      await confirm(call.terminal, `Send what is held of ${orderNo} back to ${target}?`)
    }
    return show(call, await client.orders.refund(orderNo, { reason: call.text('reason') }))
  },
}
