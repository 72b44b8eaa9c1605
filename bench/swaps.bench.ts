// What it costs to ask about swaps, and how soon a paid one is heard of: 10,000 open orders of a running Florin, and a provider
// on HTTP that has as many swaps, one of which is paid every two seconds. Counted are the requests that reach the provider,
// and the time from its knowledge to the signed webhook `order.processing` at the merchant's. Once with the partner's list of
// swaps, for any order; while the list is silent for orders whose page is open, and for those whose payer named the transaction.
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { startFlorin } from '../e2e/florin.ts'
import { call, type Merchant, signUp, startInbox } from '../e2e/merchant.ts'
import { startReceiver } from '../e2e/receiver.ts'
import { choose } from '../e2e/swap-shop.ts'
import { openPool, type Sql, withoutLimits } from '../packages/platform/src/db/pool.ts'
import { startProvider } from '../packages/rail-intents/src/test/provider.fixture.ts'
import { fill as carryOut } from '../packages/rail-intents/src/test/swaps.fixture.ts'
import { MASTER_KEY } from '../packages/server/test/deploy/master-keys.ts'
import { orSmoke, verdict } from './smoke.ts'

const ORDERS = orSmoke(10_000, 200)
const SECONDS = Number(process.env.BENCH_SECONDS ?? orSmoke(120, 2))
const PAGES = orSmoke(60, 3)
const EVERY_MS = orSmoke(2_000, 500)
/** Ten seconds between two readings of the list, a second for the question after, and what a busy machine adds. */
const FIRST_MS = orSmoke(20_000, 2_000)
const WITHIN_MS = 60_000
const PER_S = 5

const cluster = process.env.FLORIN_TEST_PG
if (!cluster) throw new Error('run through `npm run bench`, which starts a PostgreSQL')
const name = `bench_${randomBytes(4).toString('hex')}`
const admin = openPool({ url: cluster, max: 1, applicationName: 'bench' })
await admin.unsafe(`create database ${name}`)
const url = Object.assign(new URL(cluster), { pathname: `/${name}` }).href
const provider = await startProvider()
const inbox = await startInbox()
const receiver = await startReceiver()
const sql = openPool({ url, max: 1, applicationName: 'bench', limits: withoutLimits })
let shop: Merchant | null = null
/** Of the browser that chose; the copies are its own as well. */
let cookie = ''

interface Open {
  orderNo: string
  token: string
  address: string
}

/** One order goes the whole way over HTTP; the others are copies of it, each with an address of its own. */
async function fill(origin: string, own: Merchant): Promise<Open[]> {
  const body = {
    amount_usd: 50,
    settle_chain: 'base',
    settle_asset: 'USDC',
    expires_in: 86_400,
    webhook_url: `${receiver.url}/`,
  }
  const made = await call<{ order_no: string; checkout_url: string }>(`${origin}/v1/orders`, 'POST', {
    ...{ headers: own.key, body },
  })
  if (made.status !== 201) throw new Error(made.text)
  const chosen = await choose(made.body.checkout_url, { pay: 'arb', payAsset: 'USDC' })
  const swap = provider.find(chosen.address)
  cookie = chosen.cookie
  const rows = await copies(sql, made.body.order_no)
  for (const { address } of rows) {
    const reply = { ...swap.reply, quote: { ...(swap.reply.quote as object), depositAddress: address } }
    provider.swaps.push({ ...swap, address, reply, origin: [], destination: [] })
  }
  return rows
}

function copies(db: Sql, orderNo: string): Promise<Open[]> {
  return db<Open[]>`
    with numbers as (
      select n, '0xf' || lpad(to_hex(n), 39, '0') as address, lpad(n::text, 8, '0') as tail
      from generate_series(1, ${ORDERS}::int) n
    ), copied as (
      insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_no', left(o.order_no, -8) || tail,
        'order_ref', o.order_ref || tail, 'checkout_token', left(o.checkout_token, -8) || tail,
        'pay_leg_id', left(o.pay_leg_id, -8) || tail))).*
      from orders o, numbers where order_no = ${orderNo} returning order_no, checkout_token
    ), legs as (
      insert into pay_legs select (jsonb_populate_record(l, jsonb_build_object('order_no', left(l.order_no, -8) || tail,
        'id', left(l.id, -8) || tail, 'ref', l.ref || tail, 'address', numbers.address))).*
      from pay_legs l, numbers where order_no = ${orderNo} returning order_no, address
    ), swaps as (
      insert into intents_legs select (jsonb_populate_record(i, jsonb_build_object('order_ref', i.order_ref || tail,
        'ref', i.ref || tail, 'address', numbers.address))).*
      from intents_legs i, numbers, orders o where o.order_no = ${orderNo} and i.order_ref = o.order_ref
    )
    select legs.order_no as "orderNo", checkout_token as token, address from legs join copied using (order_no)`
}

interface Figures {
  requestsPerS: number
  busiest: number
  paid: number
  medianMs: number
  worstMs: number
}

/** @param hear how the payer of an order makes himself heard, beside paying; @param pages whose pages are open all the while */
async function run(
  origin: string,
  a: { orders: readonly Open[]; hear: (order: Open) => Promise<unknown>; pages: readonly Open[] },
): Promise<Figures> {
  const leaving = new AbortController()
  for (const { token } of a.pages) void follow(`${origin}/checkout/${token}/stream`, leaving.signal)
  await wait(FIRST_MS)
  const began = performance.now()
  const since = provider.requests.length
  const paidAt = new Map<string, number>()
  const heardAt = new Map<string, number>()
  const seen = receiver.received.length
  const note = (): void => {
    for (const { event } of receiver.received.slice(seen)) {
      const { order_no: orderNo } = event.order
      // Webhooks of the part before may come late.
      if (heardAt.has(orderNo) || !paidAt.has(orderNo)) continue
      heardAt.set(orderNo, performance.now())
      // The swap goes on, as swaps do.
      const paid = a.orders.find((order) => order.orderNo === orderNo)
      if (paid !== undefined) carryOut(provider.find(paid.address), new Date())
    }
  }
  for (let n = 0; performance.now() - began < SECONDS * 1_000; n++) {
    const order = a.orders[n]
    if (order === undefined) break
    const swap = provider.find(order.address)
    provider.send(swap, swap.priced.amountIn)
    paidAt.set(order.orderNo, performance.now())
    await a.hear(order)
    for (const until = began + (n + 1) * EVERY_MS; performance.now() < until; note()) await wait(20)
  }
  const seconds = (performance.now() - began) / 1_000
  const requests = provider.requests.slice(since)
  for (const until = performance.now() + WITHIN_MS; heardAt.size < paidAt.size && performance.now() < until; note())
    await wait(20)
  leaving.abort()
  const ms = [...paidAt].map(([no, at]) => (heardAt.get(no) ?? Number.POSITIVE_INFINITY) - at).sort((x, y) => x - y)
  const times = requests.map((one) => one.at.getTime())
  const busiest = times.map((at, n) => times.slice(n).filter((other) => other - at < 10_000).length / 10)
  return {
    ...{ requestsPerS: requests.length / seconds, busiest: Math.max(0, ...busiest), paid: ms.length },
    ...{ medianMs: ms[Math.floor(ms.length / 2)] ?? 0, worstMs: ms.at(-1) ?? 0 },
  }
}

/** An open page: it reads what it is sent until it is closed. */
async function follow(stream: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetch(stream, { signal })
    for await (const _ of answer.body ?? []);
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function measured(
  title: string,
  isListRead: boolean,
  play: (origin: string, orders: readonly Open[]) => Parameters<typeof run>[1],
): Promise<boolean> {
  const intents = { mode: 'test', url: provider.url, signer: provider.signer, windowS: 86_400, ...feed }
  provider.rules.listLies = isListRead ? null : 'nothing'
  const florin = await startFlorin({
    ...{ SMTP_URL: inbox.smtpUrl, DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: 'warn' },
    ...{ FEED_KEY: provider.rules.feedKey, RAILS_CONFIG: JSON.stringify({ chains: {}, intents }) },
  })
  try {
    shop ??= await signUp(florin.url, inbox, 'bench@shop.example')
    open ??= await fill(florin.url, shop)
    const told = await run(florin.url, play(florin.url, open))
    const s = (ms: number): string => (ms / 1_000).toFixed(1)
    process.stdout.write(
      `${title}: ${ORDERS} open orders, ${told.requestsPerS.toFixed(2)} requests a second (${told.busiest.toFixed(1)} in the ` +
        `busiest ten seconds), ${told.paid} paid, heard of after ${s(told.medianMs)} s, ${s(told.worstMs)} s at the latest\n`,
    )
    return told.requestsPerS <= PER_S * 1.05 && told.worstMs <= WITHIN_MS
  } finally {
    await florin.close()
  }
}

let open: Open[] | null = null
/** Spread over all of them, and never the same twice. */
const some = (orders: readonly Open[], from: number, count: number): Open[] =>
  Array.from({ length: count }, (_, n) => orders[(from + n * 97) % orders.length]).filter((one) => one !== undefined)

const nothing = async (): Promise<void> => undefined
const feed = { feedKeyEnv: 'FEED_KEY', feedUrl: provider.url }
const plays: readonly (readonly [string, boolean, Parameters<typeof measured>[2]])[] = [
  ['with the list of swaps', true, (_, orders) => ({ orders: some(orders, 1, SECONDS), hear: nothing, pages: [] })],
  [
    'while it is silent, pages open',
    false,
    (_, orders) => {
      const pages = some(orders, 11, PAGES)
      return { orders: pages, hear: nothing, pages }
    },
  ],
  [
    'while it is silent, pages closed, transactions named',
    false,
    (origin, orders) => {
      const hear = ({ token }: Open) =>
        call(`${origin}/checkout/${token}/look`, 'POST', {
          ...{ headers: { cookie }, body: { tx_hash: `0x${randomBytes(32).toString('hex')}` } },
        })
      return { orders: some(orders, 29, PAGES), hear, pages: [] }
    },
  ],
]
const reached: boolean[] = []
// The last one waits for nothing.
for (const [title, isListRead, play] of orSmoke(plays, plays.slice(-1)))
  reached.push(await measured(title, isListRead, play))
await receiver.close()
await inbox.close()
await provider.close()
await sql.end({ timeout: 5 })
await admin.unsafe(`drop database ${name} with (force)`)
await admin.end()
process.exitCode = verdict(reached)
