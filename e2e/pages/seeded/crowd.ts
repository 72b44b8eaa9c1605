// A shop that is full: 3,000 orders, an address on every EVM chain, 150 items, long words and Arabic text, for what has to fit.
import { chains } from '@florin/chains'
import { depositAddress } from '../../../packages/rail-intents/src/test/addresses.fixture.ts'
import { insertAttention } from '../../../packages/server/src/attention/store.ts'
import { anApiKey, type TestMerchant } from '../../../packages/server/test/factories.ts'
import type { TestApp } from '../../../packages/server/test/harness.ts'
import { sender } from './shop.ts'

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftsmitgliedsausweise'
const ARABIC = 'طلب كبير من القهوة المحمصة الطازجة مع شحن سريع إلى جميع أنحاء المدينة خلال يومين'

const ORDERS = 3_000
/** Rows that a statement copies within its time, on a slow machine too. */
const BATCH = 250
const ITEMS = 150
const SOLD = 30

export async function seedCrowd(at: TestApp, merchant: TestMerchant): Promise<void> {
  const { sql, clock } = at.deps
  const now = clock.now()
  const { id } = merchant
  await sql`update merchants set name = ${`${ARABIC} ${LONG_WORD}`.slice(0, 100)} where id = ${id}`
  const [row] = await sql<{ no: string }[]>`
    select order_no as no from orders where merchant_id = ${id} and not livemode order by created_at limit 1`
  const first = row?.no ?? ''
  for (let from = 1; from <= ORDERS; from += BATCH)
    await sql`
      with numbers as (select n, lpad(n::text, 8, '0') as tail from generate_series(${from}::int, ${from + BATCH - 1}::int) n), copied as (
        insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', left(o.order_no, -8) || tail,
          'order_ref', o.order_ref || tail, 'checkout_token', left(o.checkout_token, -8) || tail,
          'pay_leg_id', left(o.pay_leg_id, -8) || tail, 'title', case numbers.n % 3 when 0 then ${LONG_WORD} else ${ARABIC} end,
          'external_id', 'ausweis-' || tail))).*
        from orders o, numbers where o.order_no = ${first} returning order_no
      )
      insert into pay_legs select (jsonb_populate_record(l, jsonb_build_object('order_no', left(l.order_no, -8) || tail,
        'id', left(l.id, -8) || tail, 'ref', l.ref || tail, 'address', '0xf' || lpad(to_hex(numbers.n), 39, '0')))).*
      from pay_legs l, numbers where l.order_no = ${first}`
  for (const [n, chain] of chains.filter(({ family }) => family === 'evm').entries()) {
    const address = depositAddress('arb', n + 1)
    const label = n % 2 === 0 ? LONG_WORD : ARABIC
    await sql`
      insert into receiving_addresses (merchant_id, chain, address, label, updated_at)
      values (${id}, ${chain.id}, ${address}, ${label}, ${now}) on conflict do nothing`
  }
  for (let n = 0; n < ITEMS; n++) {
    const evidence = { failure: n % 2 === 0 ? LONG_WORD : ARABIC }
    const wish = { kind: 'settlement_failed', cause: `crowd:${id}:${n}`, evidence, actions: ['dismiss'] }
    await insertAttention(sql, { merchantId: id, livemode: false, orderNo: null }, wish, now)
  }
  const { headers } = await anApiKey(at.deps, merchant, { name: LONG_WORD.slice(0, 60) })
  const send = sender(at, headers)
  for (let n = 0; n < SOLD; n++) {
    const words = n % 2 === 0 ? LONG_WORD : ARABIC
    await send('POST', '/v1/payment_links', { title: words, currency: 'EUR', amount: '99999.99' })
    const lines = [{ description: words, quantity: '1', unit_price: '15999999.99' }]
    const invoice = { currency: 'IDR', payer_name: words, note: words, due_date: '2090-01-31', lines }
    await send('POST', '/v1/invoices', invoice)
  }
}
