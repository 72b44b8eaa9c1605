// A payer starts from a payment link: an order comes of it, priced now, with its place in the stock, or nothing does.
import { setTimeout } from 'node:timers/promises'
import { AppError } from '@florin/platform/errors'
import type { IdempotentRequest } from '@florin/platform/http/idempotency'
import { sha256 } from '@florin/platform/secrets'
import { DESCRIPTION_MAX, type Order } from '@florin/protocol'
import { type CreateDeps, createOrder } from '../../orders/create/create.ts'
import { parseInput } from '../../orders/create/input.ts'
import { getOrder } from '../../orders/store.ts'
import { admitStart, type Client } from '../limits/limits.ts'
import { parseWish, requireLeft, type Start, type Wish } from '../links/rules.ts'
import { type LinkPage, lockLink } from '../links/store.ts'
import { amountFieldsOf } from './amount.ts'

/**
 * @param a.once a random text of the page that was shown: the same page sent twice starts one order.
 * @returns the address of the order's checkout.
 * @throws AppError that a payer can read.
 */
export async function startFromLink(
  deps: CreateDeps,
  link: LinkPage,
  a: { wish: Wish; client: Client; once: string | null; payerLocale?: string | null },
): Promise<string> {
  const start = startOf(link, a.wish, deps.clock.now())
  const isScarce = link.stock !== null
  const input = parseInput({
    ...amountFieldsOf(link.currency, start.amount),
    title: link.title,
    ...given('description', descriptionOf(link, start.quantity)),
    ...given('external_id', link.externalId),
    ...given('success_url', link.successUrl),
    ...given('settle_chain', link.settleChain),
    ...given('settle_asset', link.settleAsset),
    ...given('payer_email', start.email),
    ...given('payer_locale', a.payerLocale ?? null),
    expires_in: link.expiresInS,
    // What was given back to the stock may be somebody else's by then.
    late_policy: isScarce ? 'refund' : 'settle',
  })
  const { merchantId, merchantNo, livemode } = link
  const maker = { id: null, merchantId, merchantNo, livemode, feeBps: deps.config.feeBps }
  const make = (idempotent: IdempotentRequest | null) =>
    createOrder(deps, maker, input, idempotent, {
      paymentLinkId: link.id,
      invoiceId: null,
      quantity: start.quantity,
      payerName: start.name,
      payerNote: start.note,
      successText: link.successText,
      owner: link.id,
      async admit(tx, { orderNo }) {
        const now = deps.clock.now()
        const locked = await lockLink(tx, link.id)
        if (locked === null) throw new AppError('payment_link_not_found')
        // Only here, after the page was found not to have started an order before.
        requireLeft(locked, start.quantity, now)
        const page = { id: link.id, merchantId, livemode, isScarce: locked.stock !== null, pieces: start.quantity }
        await admitStart(tx, { page, client: a.client, orderNo, now })
      },
    })
  // A payer who goes back and changes something sends the same page with another wish: that is another order. The page's
  // text alone names the payer, as the network address of a phone changes.
  const bodyHash = sha256(JSON.stringify(start))
  const key = `${a.once} ${Buffer.from(bodyHash).toString('hex')}`
  const made = await afterFirst(() => make(a.once === null ? null : { key, bodyHash }))
  const first = JSON.parse(made.json) as Pick<Order, 'order_no' | 'checkout_url'>
  if (!made.replayed || (await getOrder(deps.sql, first.order_no)).status !== 'expired') return first.checkout_url
  // A page that was kept for longer than its order.
  return (JSON.parse((await make(null)).json) as Order).checkout_url
}

/** A form at fault has started nothing before: where the link takes no payments, that is what its payer is told. */
function startOf(link: LinkPage, wish: Wish, now: Date): Start {
  try {
    return parseWish(link, wish)
  } catch (error) {
    requireLeft(link, 1, now)
    throw error
  }
}

const WAIT_MS = 250
const WAITS = 40

/** The same page sent twice at once, as by a double click: the second one waits for the order of the first. */
async function afterFirst<T>(attempt: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await attempt()
    } catch (error) {
      const isRunning = error instanceof AppError && error.entry.code === 'idempotency_in_progress'
      if (!isRunning || waits === WAITS) throw error
      await setTimeout(WAIT_MS)
    }
  }
}

const given = <K extends string>(name: K, value: string | null): { [key in K]?: string } =>
  value === null ? {} : ({ [name]: value } as { [key in K]: string })

/** Of several, the payer reads how many on the checkout. */
function descriptionOf(link: LinkPage, quantity: number): string | null {
  if (quantity === 1) return link.description
  return `${quantity} × ${link.description ?? link.title}`.slice(0, DESCRIPTION_MAX)
}
