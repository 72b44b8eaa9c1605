// The playground's answers about payment links and invoices, over invented ones.
import type { Invoice, PaymentLink } from '@florin/protocol'
import { type Answer, type Call, found, ok, pageOf, Refusal, text } from './answer.ts'
import { ARABIC, LONG_WORD } from './crowd.ts'
import { makeOrder } from './orders.ts'
import type { World } from './state.ts'

const DAY = 86_400_000
const iso = (ms: number): string => new Date(ms).toISOString()

const aLink = (world: World, origin: string, over: Partial<PaymentLink>): PaymentLink => ({
  ...{ id: `plk_${world.random.text(26)}`, livemode: false, url: `${origin}/pay/l/${world.random.text(22)}` },
  ...{ active: true, state: 'open', title: 'Workshop', description: null, currency: 'EUR', amount: '49.90' },
  ...{ amount_min: null, amount_max: null, quantity_max: 1, stock: null, stock_taken: 0, orders_paid: 0 },
  ...{ ends_at: null, ask_email: 'optional', ask_name: 'no', ask_note: 'no', success_text: null, success_url: null },
  ...{ settle_chain: null, settle_asset: null, expires_in: 1800, external_id: null },
  ...{ created_at: iso(Date.now() - 9 * DAY), updated_at: iso(Date.now() - 2 * DAY) },
  ...over,
})

const anInvoice = (world: World, origin: string, over: Partial<Invoice>): Invoice => {
  const url = `${origin}/pay/i/${world.random.text(22)}`
  return {
    ...{ id: `inv_${world.random.text(26)}`, livemode: false, url, pdf_url: `${url}/pdf`, number: 'TEST-000001' },
    ...{ status: 'open', currency: 'EUR', subtotal: '619.99', tax_label: 'VAT', tax_percent: '19' },
    lines: [
      { description: 'Consulting, November', quantity: '7.5', unit_price: '80.00', amount: '600.00' },
      { description: 'Travel', quantity: '1', unit_price: '19.99', amount: '19.99' },
    ],
    ...{ tax_amount: '117.80', total: '737.79', due_date: iso(Date.now() + 12 * DAY).slice(0, 10) },
    ...{
      seller_details: 'Via Roma 1\n20121 Milano\nIT 01234567890',
      payer_email: 'ann@client.example',
      payer_locale: 'it',
    },
    ...{ payer_name: 'Client Ltd', payer_details: '1 High Street\nLeeds', note: 'Thank you.', external_id: null },
    ...{ settle_chain: null, settle_asset: null, sent_count: 1, last_sent_at: iso(Date.now() - 2 * DAY) },
    ...{
      paid_order_no: null,
      paid_order_nos: [],
      paid_at: null,
      voided_at: null,
      created_at: iso(Date.now() - 2 * DAY),
    },
    ...over,
  }
}

/** A shop of the crowd. */
const FULL = 2_000

function crowded(world: World, origin: string, rows: { links: PaymentLink[]; invoices: Invoice[] }): void {
  for (let n = 0; n < 30; n++) {
    const words = n % 2 === 0 ? LONG_WORD : ARABIC
    const bounds = { amount: null, amount_min: '100000.00', amount_max: '999999.99' }
    rows.links.push(aLink(world, origin, { title: words, ...(n % 3 === 0 ? bounds : { amount: '999999.99' }) }))
    const big = { currency: 'IDR', total: '15999999999.99', number: `TEST-${LONG_WORD.slice(0, 35)}` }
    rows.invoices.push(anInvoice(world, origin, { ...big, payer_name: words, payer_details: words, note: words }))
  }
}

/** Those of a shop with some business; none of a new one. */
function stockOf(world: World, origin: string): { links: PaymentLink[]; invoices: Invoice[] } {
  const known = made.get(world)
  if (known !== undefined) return known
  const isNew = world.orders.length === 0
  const long = 'Handgefertigte Espressotassen aus Steinzeug, sechs Stück mit Untertassen, in der Farbe Ihrer Wahl'
  const rows = {
    links: isNew
      ? []
      : [
          aLink(world, origin, { stock: 20, stock_taken: 7, orders_paid: 6, quantity_max: 4 }),
          aLink(world, origin, { title: 'Support us', amount: null, amount_min: '2.00', amount_max: '500.00' }),
          aLink(world, origin, {
            title: long,
            currency: 'JPY',
            amount: '18000',
            stock: 3,
            stock_taken: 3,
            state: 'sold_out',
          }),
          aLink(world, origin, { title: 'Summer sale', active: false, state: 'inactive', orders_paid: 31 }),
        ],
    invoices: isNew
      ? []
      : [
          anInvoice(world, origin, { number: 'TEST-000003' }),
          anInvoice(world, origin, {
            number: 'TEST-000002',
            status: 'overdue',
            due_date: '2026-11-01',
            payer_name: null,
          }),
          anInvoice(world, origin, { status: 'paid', paid_at: iso(Date.now() - DAY), payer_name: long.slice(0, 100) }),
        ],
  }
  if (world.orders.length >= FULL) crowded(world, origin, rows)
  made.set(world, rows)
  return rows
}
const made = new WeakMap<World, { links: PaymentLink[]; invoices: Invoice[] }>()

export function paymentLinks(world: World, { method, query, body, origin }: Call, id: string): Answer {
  const { links } = stockOf(world, origin)
  if (id === '' && method === 'POST') {
    if (text(body.title).trim() === '') throw new Refusal('missing_field', undefined, { param: 'title' })
    const link = aLink(world, origin, { ...(body as Partial<PaymentLink>), livemode: query.get('livemode') === 'true' })
    links.unshift(link)
    return ok(link)
  }
  if (id === '') {
    return ok(
      pageOf(
        links.filter((link) => String(link.livemode) === query.get('livemode')),
        query,
      ),
    )
  }
  const link = found(
    links.find((each) => each.id === id),
    'payment_link_not_found',
  )
  if (method === 'POST') Object.assign(link, body, { state: body.active === false ? 'inactive' : 'open' })
  return ok(link)
}

export function invoices(world: World, { method, query, body, origin }: Call, id: string, act: string): Answer {
  const rows = stockOf(world, origin).invoices
  if (id === '' && method === 'POST') {
    const invoice = anInvoice(world, origin, { number: `TEST-${String(rows.length + 1).padStart(6, '0')}` })
    rows.unshift(Object.assign(invoice, { due_date: text(body.due_date), payer_name: text(body.payer_name) || null }))
    return ok(invoice)
  }
  if (id === '') {
    return ok(
      pageOf(
        rows.filter(
          (row) =>
            String(row.livemode) === query.get('livemode') &&
            (!query.has('status') || row.status === query.get('status')),
        ),
        query,
      ),
    )
  }
  const invoice = found(
    rows.find((each) => each.id === id),
    'invoice_not_found',
  )
  if (act === 'void') Object.assign(invoice, { status: 'void', voided_at: iso(Date.now()) })
  if (act === 'send')
    throw new Refusal('rate_limited', 'This invoice was mailed within the hour.', { retryAfterS: 1800 })
  return ok(invoice)
}

/** POST /orders: one payment from the console. */
export function sellOrder(world: World, { query, body, origin }: Call): Answer {
  if (world.addresses.length === 0) throw new Refusal('receiving_address_missing')
  const now = Date.now()
  const usd = Number(body.amount_usd ?? body.amount)
  const livemode = query.get('livemode') === 'true'
  const order = {
    ...makeOrder(world.random, {
      ...{ at: now, now, livemode, origin, status: 'pending', detail: 'awaiting_payment', steps: [], usd },
    }),
    ...{ title: text(body.title) || null, external_id: text(body.external_id) || null, webhook_url: null },
  }
  world.orders.unshift(order)
  const { timeline: _, ...wire } = order
  return ok(wire)
}
