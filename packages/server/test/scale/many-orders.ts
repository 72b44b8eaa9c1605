// Orders by the million, as a shop has them: three quarters paid, some states and chains nearly never, words and values of
// every rarity. Made inside the database, with their look-up rows, as the triggers would have written them one by one.
import { DAY_MS, orderStatuses } from '@florin/protocol'
import { openPool, type Sql, withoutLimits } from '../../src/platform/db/pool.ts'

/** What is rare, and what is common, among them. */
export const skew = {
  rareChain: 'arbitrum',
  commonChain: 'base',
  /** A few orders, all of them old. */
  rareStatus: 'failed',
  /** None. */
  noStatus: 'refunded',
  rareWord: 'zeppelin',
  commonWord: 'shirt',
  commonPlan: 'basic',
  rarePlan: 'enterprise',
} as const

export interface ManyOrders {
  orders: number
  /** Whose a quarter of all are. */
  large: { id: string; no: number }
  apiKeyId: string
  now: Date
  /** How many other merchants share the rest. */
  others: number
}

const SPAN_DAYS = 90

const helpers = `
  create function pg_temp.id_time(at timestamptz) returns text language sql immutable as $$
    select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((floor(extract(epoch from at) * 1000)::bigint >> (5 * n)) & 31)::int, 1), '' order by n desc)
    from generate_series(0, 9) n $$;
  create function pg_temp.id_tail(what text) returns text language sql immutable as $$ select left(md5(what), 16) $$`

/** Secondary indexes are built after the rows; it takes a connection of a superuser. */
export async function fillOrders(url: string, a: ManyOrders & { isSmall?: boolean }): Promise<void> {
  const sql = openPool({ url, max: 1, applicationName: 'many orders', limits: withoutLimits })
  await fill(sql, a).finally(() => sql.end({ timeout: 5 }))
}

async function fill(sql: Sql, a: ManyOrders & { isSmall?: boolean }): Promise<void> {
  const chunk = 100_000
  const from = new Date(a.now.getTime() - SPAN_DAYS * DAY_MS)
  const stepMs = (SPAN_DAYS * DAY_MS) / a.orders
  await sql.begin(async (tx) => {
    await tx.unsafe(`set local session_replication_role = replica; set local statement_timeout = 0; set local synchronous_commit = off;
      set local maintenance_work_mem = '512MB'; set local work_mem = '128MB'; ${helpers}`)
    await tx`
      insert into merchants (id, email, created_at)
      select 'mer_' || lpad(g::text, 26, '0'), 'other' || g || '@shop.example', ${from}
      from generate_series(1, ${a.others}::int) g`
    const tables = ['orders', 'pay_legs', 'payments', 'settlements', 'order_lookup', 'deliveries']
    const later =
      a.isSmall === true
        ? []
        : await tx<{ name: string; text: string }[]>`
      select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text from pg_index i
      where i.indrelid = any(${tables}::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`
    for (const { name } of later) await tx.unsafe(`drop index ${name}`)
    for (let first = 1; first <= a.orders; first += chunk) {
      const last = Math.min(a.orders, first + chunk - 1)
      await tx`
        create temporary table made on commit drop as
        select g, at, 'ord_' || pg_temp.id_time(at) || pg_temp.id_tail('o' || g) as order_no,
          case when g % 4 = 0 then ${a.large.id} else 'mer_' || lpad(other::text, 26, '0') end as merchant_id,
          case when g % 4 = 0 then ${a.large.no}::int else m.no end as merchant_no,
          case when at > ${a.now}::timestamptz - interval '30 minutes' then (array['pending', 'processing'])[1 + g % 2]
            when g % 40000 = 8 and at < ${a.now}::timestamptz - interval '30 days' then ${skew.rareStatus}
            when g % 100 < 72 then 'success' else 'expired' end as status,
          case when g % 20000 = 4 then ${skew.rareChain} when g % 20 < 3 then 'ethereum' else ${skew.commonChain} end as chain,
          (g * 7919::bigint) % 400 * 250000 + 1000000 as micros
        from (
          select g, date_trunc('milliseconds', ${from}::timestamptz + g * ${stepMs}::float8 * interval '1 millisecond') as at,
            1 + (('x' || left(md5('m' || g), 6))::bit(24)::int % ${a.others}::int) as other
          from generate_series(${first}::int, ${last}::int) g
        ) made left join merchants m on g % 4 <> 0 and m.id = 'mer_' || lpad(other::text, 26, '0')`
      await insertChunk(tx as unknown as Sql, a.apiKeyId, a.large)
      await tx`drop table made`
    }
    for (const { text } of later) await tx.unsafe(text)
  })
  await sql.unsafe(
    'vacuum (analyze) orders, pay_legs, payments, settlements, order_lookup, order_sums, deliveries, merchants',
  )
}

const hash = (what: string): string => `'0x' || md5('${what}' || g) || md5('${what}.' || g)`
const address = (what: string): string => `'0x' || left(md5('${what}' || g) || md5('${what}.' || g), 40)`

async function insertChunk(tx: Sql, apiKeyId: string, large: { no: number }): Promise<void> {
  await tx.unsafe(`
    insert into orders (order_no, order_ref, merchant_id, merchant_no, api_key_id, livemode, external_id, status, status_detail,
      amount_usd_micros, fee_bps, amount_out, settle_chain, settle_asset, settle_decimals, settle_address, settle_tx_hash, rail,
      pay_leg_id, checkout_token, title, metadata, underpay_tolerance_bps, late_policy, version, created_at, updated_at,
      expires_at, settled_at, currency, amount_minor, exponent, fx)
    select order_no, pg_temp.id_tail('r' || g) || 'abcdef', merchant_id, merchant_no,
      case when g % 4 = 0 then '${apiKeyId}' end, true, 'A-' || g, status,
      case status when 'success' then 'paid' when 'failed' then 'settlement_failed' when 'expired' then 'expired' else 'awaiting_payment' end,
      micros, 100, case when status = 'success' then micros * 99 / 100 end, chain, 'USDC', 6,
      '0x52908400098527886E0F7030069857D2E4169EE7', case when status = 'success' then ${hash('s')} end, 'forwarder',
      'leg_' || right(order_no, 26), pg_temp.id_tail('t' || g) || pg_temp.id_tail('u' || g),
      (array['Blue', 'Red', 'Green', 'Black', 'Large', 'Small'])[1 + g % 6] || ' ' ||
        case when g % 100000 = 16 then '${skew.rareWord}' when g % 3 = 0 then '${skew.commonWord}' else 'word' || (g % 4999) end || ' no ' || g % 97,
      json_build_object('cart', g::text, 'plan', case when g % 50000 = 12 then '${skew.rarePlan}' when g % 10 = 0 then 'pro' else '${skew.commonPlan}' end),
      50, 'settle', 4, at, at + interval '5 minutes', at + interval '30 minutes',
      case when status = 'success' then at + (g % 900 + 20) * interval '1 second' end,
      case when g % 5 = 1 then 'EUR' else 'USD' end, case when g % 5 = 1 then micros / 10900 end, case when g % 5 = 1 then 2 end,
      case when g % 5 = 1 then '{"rate":"1.09","sources":[]}'::json end
    from made order by order_no;
    insert into pay_legs (id, order_no, n, ref, rail, chain, asset, contract, decimals, address, uri, amount_due, amount_out, dust,
      is_stable, rate, rate_source, rate_expires_at, confirmations_required, created_at, settle_chain, settle_asset,
      settle_decimals, settle_address, chosen_at)
    select 'leg_' || right(order_no, 26), order_no, 1, pg_temp.id_tail('l' || g) || 'abcdef', 'forwarder', chain, 'USDC',
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6, ${address('a')}, 'ethereum:' || ${address('a')}, micros, micros * 99 / 100, 1000,
      true, '1', 'stable', at + interval '30 minutes', 12, at, chain, 'USDC', 6, '0x52908400098527886E0F7030069857D2E4169EE7', at
    from made order by order_no;
    insert into payments (key, id, order_no, pay_leg_id, tx_hash, output_index, chain, asset, contract, decimals, amount,
      from_address, height, confirmations_required, status, use, seen_at, detected_at)
    select chain || ' ' || ${hash('p')} || ' 0', 'pay_' || right(order_no, 26), order_no, 'leg_' || right(order_no, 26), ${hash('p')}, 0,
      chain, 'USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6, micros, ${address('f')}, g, 12, 'confirmed', 'counted', at, at
    from made where status in ('success', 'failed', 'processing') order by order_no;
    insert into settlements (id, order_no, pay_leg_id, status, gross, fee_bps, fee, amount_out, tx_hash, created_at, updated_at,
      hand_over_at, handed_over_at)
    select 'stl_' || right(order_no, 26), order_no, 'leg_' || right(order_no, 26), case status when 'success' then 'final' else 'failed' end,
      micros, 100, micros / 100, micros * 99 / 100, ${hash('s')}, at, at, at, at
    from made where status in ('success', 'failed') order by order_no;
    insert into order_lookup (merchant_no, livemode, key, order_no)
    select o.merchant_no, true, key, o.order_no from made m join orders o using (order_no), order_keys(o.title, o.external_id, o.metadata) key
    order by 1, 3, 4;
    insert into order_sums (merchant_no, livemode, width, at, kind, currency, exponent, n, micros, minor)
    select m.merchant_no, true, width, date_trunc(width, s.at, 'UTC'), s.kind, o.currency, coalesce(o.exponent, 2), sum(s.n),
      sum(s.micros), sum(s.minor)
    from made m join orders o using (order_no), sums_of_order(o) s, (values ('hour'), ('day')) widths (width) group by 1, 2, 3, 4, 5, 6, 7
    on conflict (merchant_no, livemode, width, at, kind, currency, exponent) do update set n = order_sums.n + excluded.n,
      micros = order_sums.micros + excluded.micros, minor = order_sums.minor + excluded.minor;
    insert into deliveries (id, event_id, event_created_at, event, order_no, merchant_no, api_key_id, livemode, url, status,
      attempt_count, created_at)
    select 'dlv_' || right(order_no, 26), 'evt_' || right(order_no, 26), at, 'order.success', order_no, merchant_no, '${apiKeyId}', true,
      'https://shop.example/hook', case when g % 1000 = 4 then 'dead' else 'succeeded' end, 1, at
    from made where merchant_no = ${large.no} and status = 'success' order by order_no;`)
}

/** Every single value that a list may be asked for, as queries of it. @param sample an order of the large merchant. */
export function everyFilter(sample: {
  order_no: string
  external_id: string | null
  address: string
  txHash: string | null
  settleTxHash: string | null
  createdAt: Date
}): Record<string, string> {
  const day = (n: number): string => new Date(sample.createdAt.getTime() + n * DAY_MS).toISOString()
  const q = (text: string): string => `q=${encodeURIComponent(text)}`
  return {
    'no filter': '',
    'oldest first': 'sort=oldest',
    ...Object.fromEntries(orderStatuses.map((status) => [`status ${status}`, `status=${status}`])),
    'three statuses': `status=failed,refunded,pending`,
    'common chain': `settle_chain=${skew.commonChain}`,
    'rare chain': `settle_chain=${skew.rareChain}`,
    'chain without orders': 'settle_chain=optimism',
    'common metadata': `metadata[plan]=${skew.commonPlan}`,
    'rare metadata': `metadata[plan]=${skew.rarePlan}`,
    'unique metadata': 'metadata[cart]=40',
    'no such metadata': 'metadata[cart]=none',
    'external id': `external_id=${sample.external_id}`,
    'from a moment': `created_from=${day(0)}`,
    'from a moment, oldest first': `created_from=${day(0)}&sort=oldest`,
    'until a moment': `created_to=${day(0)}`,
    'one day': `created_from=${day(0)}&created_to=${day(1)}`,
    'a day without orders': `created_from=${day(-400)}&created_to=${day(-399)}`,
    'search: number': q(sample.order_no),
    'search: end of a number': q(sample.order_no.slice(-6)),
    'search: external id': q(sample.external_id ?? ''),
    'search: address': q(sample.address),
    'search: payment hash': q(sample.txHash ?? ''),
    'search: settlement hash': q(sample.settleTxHash ?? ''),
    'search: unknown hash': q(`0x${'12'.repeat(32)}`),
    'search: common word': q(skew.commonWord),
    'search: rare word': q(skew.rareWord),
    'search: beginning of many words and status': `${q('w')}&status=success`,
    'search: beginning of few words': q('zep'),
    'search: no such word': q('nothinglikeit'),
    'search: two common words': q(`blue ${skew.commonWord}`),
    'search: common and rare word': q(`${skew.commonWord} ${skew.rareWord}`),
    'rare chain and status': `settle_chain=${skew.rareChain}&status=expired`,
    'common chain, rare status': `settle_chain=${skew.commonChain}&status=failed`,
    'metadata and status that never meet': `metadata[plan]=${skew.commonPlan}&status=failed`,
  }
}
