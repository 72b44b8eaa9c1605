// The last point: a real order, made with a live key, paid by its reader's wallet and settled on the merchant's address.
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from '../command.ts'
import { type Florin, FlorinError, formatUnits, type Order } from '../sdk.ts'
import { isLiveKey, openClient, readSettings } from '../settings.ts'
import type { Check } from './operator.ts'

const EVERY_MS = 1_000

const about = { id: 'order', subject: null }
const open = (summary: string, remedy: string): Check => ({ ...about, status: 'warning', summary, remedy })

/** @param a.isReady nothing else is open: real money goes nowhere else before. */
export async function tryOrder(call: Call, a: { chain: string; isReady: boolean; waitMs: number }): Promise<Check> {
  const settings = readSettings(call)
  if (call.isOn('no-order')) return open('No real order was made.', 'Run it without --no-order.')
  if (!a.isReady) return open('No real order is made while other points are open.', 'Close them, and run it again.')
  if (!isLiveKey(settings)) {
    return open(
      'There is no live key to make a real order with.',
      'Make one in the console, and put it into FLORIN_API_KEY or into a file that --dotenv names.',
    )
  }
  try {
    const client = openClient(settings)
    const order = await findOrMake(call, client, a.chain)
    if (order.status === 'pending') tellPayer(call, order)
    return judge(await settled(client, order, a.waitMs), a.chain)
  } catch (error) {
    if (!(error instanceof FlorinError)) throw error
    return open(error.message, 'See what the sentence says, and run it again.')
  }
}

/** Chains that carry their coin alone. */
const coins: Readonly<Record<string, string>> = { btc: 'BTC', ltc: 'LTC' }

/** The one that was made before, as long as it leads anywhere: running this again costs no other dollar. */
async function findOrMake(call: Call, client: Florin, chain: string): Promise<Order> {
  const asset = call.text('asset') ?? coins[chain] ?? 'USDC'
  const externalId = `golive-${chain}-${asset}`
  const { data } = await client.orders.list({ external_id: externalId, limit: 20 }).page()
  const useful = data.find(({ status }) => status === 'success' || status === 'pending' || status === 'processing')
  if (useful !== undefined) return useful
  return client.orders.create({
    amount_usd: call.text('amount') ?? '1',
    external_id: externalId,
    title: 'Going live',
    ...{ settle_chain: chain, settle_asset: asset, pay_chain: chain, pay_asset: asset },
  })
}

function tellPayer({ terminal }: Call, { order_no, pay, checkout_url }: Order): void {
  terminal.note(`\nA real order was made: ${order_no}`)
  if (pay !== null)
    terminal.note(`  send exactly  ${formatUnits(pay.amount_due, pay.decimals)} ${pay.asset} on ${pay.chain}`)
  if (pay?.address != null) terminal.note(`  to            ${pay.address}`)
  terminal.note(`  or pay at     ${checkout_url}\n`)
}

async function settled(client: Florin, first: Order, waitMs: number): Promise<Order> {
  const until = performance.now() + waitMs
  let order = first
  while ((order.status === 'pending' || order.status === 'processing') && performance.now() < until) {
    await wait(EVERY_MS)
    order = await client.orders.get(order.order_no)
  }
  return order
}

function judge({ order_no, status, status_detail, settle_tx_hash, settle_address }: Order, chain: string): Check {
  if (status === 'success') {
    const summary = `${order_no} was paid and settled on ${settle_address}: ${settle_tx_hash ?? 'no transaction'}.`
    return { ...about, status: 'ok', summary, remedy: null }
  }
  const again = `Run florin golive ${chain} again: it goes on with this order, or makes another.`
  if (status === 'pending') return open(`${order_no} was not paid.`, `Pay it. ${again}`)
  return open(
    `${order_no} is ${status} (${status_detail}).`,
    `"Needs attention" in the console says what it waits for. ${again}`,
  )
}
