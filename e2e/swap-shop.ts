// A shop whose payers pay with any coin: the real program over HTTP with the double of NEAR Intents as provider, a receiver of
// webhooks, and a database whose time is moved. Florin is killed at whatever moment a test names.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { verify } from '@florin/protocol/signature'
import { depositAddress } from '../packages/rail-intents/src/test/addresses.fixture.ts'
import { type Provider, startProvider } from '../packages/rail-intents/src/test/provider.fixture.ts'
import type { DoubleSwap } from '../packages/rail-intents/src/test/swaps.fixture.ts'
import { MASTER_KEY } from '../packages/server/test/deploy/master-keys.ts'
import { type Florin, startFlorin, until } from './florin.ts'
import { call, type Inbox, type Merchant, signIn, signUp, startInbox } from './merchant.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type SteeredDatabase, steeredDatabase } from './steered.ts'

export interface OrderJson {
  order_no: string
  status: string
  status_detail: string
  amount_out: string | null
  amount_out_expected: string
  settle_chain: string
  settle_address: string
  settle_tx_hash: string | null
  settlement_proven?: boolean
  checkout_url: string
  pay: { rail: string; address: string; memo: string | null; amount_due: string } | null
  payments: { status: string }[]
  refunds: { status: string; address: string }[]
  balance: { asset: string; received: string; settled: string; fee: string; refunded: string; held: string }[]
}

export interface Route {
  settle: string
  asset: string
  pay: string
  payAsset: string
}

/** Longer than any lease that a process which dies leaves behind. */
const DEAD_FOR_MS = 3 * MINUTE_MS
export const LIFE_S = 4 * 3_600

export interface SwapShop {
  florin: Florin
  shop: Merchant
  provider: Provider
  receiver: Receiver
  inbox: Inbox
  time: SteeredDatabase
  kills(): number
  /** Anew, as acts in the console ask for. */
  signIn(): Promise<void>
  create(route: Route): Promise<OrderJson>
  /** What a payer's browser does; the answer's status, and its pay address. */
  choose(order: OrderJson, route: Route): Promise<number>
  list(): Promise<Map<string, OrderJson>>
  swapOf(order: OrderJson): DoubleSwap
  /** Killed wherever it stands; the world goes on meanwhile, and it starts again. */
  dies(meanwhile?: () => Promise<void> | void, ms?: number): Promise<void>
  /** Killed when the double has made up such an answer, and before it is sent. */
  diesAtAnswer(path: string, words: string, act?: () => Promise<unknown>): Promise<void>
  /** Killed when the first of these webhooks has arrived, and before it is answered. */
  diesAtWebhook(event: string): Promise<void>
  /** Until every order is as `isThere` says. */
  all(what: string, isThere: (order: OrderJson) => boolean): Promise<void>
}

const shopAddress = (chain: string): string => depositAddress(chain, 1_000)
export const payerAddress = (chain: string): string => depositAddress(chain, 2_000)

export async function aSwapShop(t: TestContext, settles: readonly string[]): Promise<SwapShop> {
  const time = await steeredDatabase(t)
  const provider = await startProvider({ now: () => time.now() })
  t.after(() => provider.close())
  const inbox = await startInbox()
  t.after(() => inbox.close())
  let webhook: { event: string; strike(): Promise<void> } | null = null
  const receiver = await startReceiver((received, _before, response) => {
    if (webhook?.event !== received.event.event) return void response.end()
    const { strike } = webhook
    webhook = null
    void strike().finally(() => response.destroy())
  })
  t.after(() => receiver.close())
  const intents = {
    ...{ mode: 'test', url: provider.url, signer: provider.signer, feeAccount: 'florin.near' },
    ...{ feedKeyEnv: 'FEED_KEY', feedUrl: provider.url, requestsPerS: 50, windowS: LIFE_S, timeoutMs: 5_000 },
  }
  const florin = await startFlorin({
    ...{ SMTP_URL: inbox.smtpUrl, DATABASE_URL: time.url, MASTER_KEY, FEE_BPS: '100' },
    ...{ FEED_KEY: provider.rules.feedKey, RAILS_CONFIG: JSON.stringify({ chains: {}, intents }) },
    ...{ WEBHOOK_RETRY_WAITS: '1,5,60,300' },
  })
  t.after(() => florin.close())
  const shop = await signUp(florin.url, inbox, 'swaps@shop.example')
  for (const chain of settles) {
    if (chain === 'base') continue
    const set = await call(`${florin.url}/api/v1/boss/addresses`, 'PUT', {
      ...{ headers: shop.console, body: { chain, address: shopAddress(chain) } },
    })
    assert.equal(set.status, 200, `${chain}: ${set.text}`)
  }
  let kills = 0
  const kill = async (): Promise<void> => {
    kills++
    await florin.kill()
  }
  const again = async (ms = DEAD_FOR_MS): Promise<void> => {
    await time.advance(ms)
    await florin.start()
  }
  const cookies = new Map<string, string>()

  const at: SwapShop = {
    ...{ florin, shop, provider, receiver, inbox, time, kills: () => kills },
    async signIn() {
      at.shop.console.authorization = `Bearer ${await signIn(florin.url, inbox, shop.email)}`
    },
    async create(route) {
      const body = {
        ...{ amount_usd: 50, settle_chain: route.settle, settle_asset: route.asset, expires_in: LIFE_S },
        webhook_url: `${receiver.url}/`,
      }
      const made = await call<OrderJson>(`${florin.url}/v1/orders`, 'POST', { headers: shop.key, body })
      assert.equal(made.status, 201, `${route.settle}: ${made.text}`)
      return made.body
    },
    async choose(order, route) {
      const { status, cookie, address } = await choose(order.checkout_url, route, cookies.get(order.order_no))
      cookies.set(order.order_no, cookie)
      if (status === 200) shown.set(order.order_no, address)
      return status
    },
    async list() {
      const { body } = await call<{ data: OrderJson[] }>(`${florin.url}/v1/orders?limit=100`, 'GET', {
        headers: shop.key,
      })
      return new Map(body.data.map((order) => [order.order_no, order]))
    },
    swapOf: (order) => provider.find(shown.get(order.order_no) ?? ''),
    async dies(meanwhile, ms) {
      await kill()
      await meanwhile?.()
      await again(ms)
    },
    async diesAtAnswer(path, words, act) {
      const dead = Promise.withResolvers<void>()
      provider.beforeAnswer = async (asked, answer) => {
        if (asked !== path || !JSON.stringify(answer).includes(words)) return
        provider.beforeAnswer = null
        await kill().finally(() => dead.resolve())
      }
      await Promise.all([act?.().catch(() => undefined), dead.promise])
      await again()
    },
    async diesAtWebhook(event) {
      const dead = Promise.withResolvers<void>()
      webhook = { event, strike: () => kill().finally(() => dead.resolve()) }
      await dead.promise
      await again()
    },
    async all(what, isThere) {
      const missing = async (): Promise<OrderJson[]> => [...(await at.list()).values()].filter((one) => !isThere(one))
      await until(async () => (await missing().catch(() => null))?.length === 0, what).catch(async (cause: unknown) => {
        const rest = (await missing()).map((one) => `${one.settle_chain} ${one.status} ${one.status_detail}`)
        throw new Error(`${what}: not ${rest.join(', ')}`, { cause })
      })
    },
  }
  const shown = new Map<string, string>()
  return at
}

/** As a payer's browser does it: told through whom the money goes, with a refund address, and with its cookie afterwards. */
export async function choose(
  checkoutUrl: string,
  { pay, payAsset }: Pick<Route, 'pay' | 'payAsset'>,
  cookie = '',
): Promise<{ status: number; address: string; cookie: string }> {
  const answer = await call<Partial<OrderJson>>(`${checkoutUrl.replace('/pay/', '/checkout/')}/pay`, 'POST', {
    headers: { cookie },
    body: { chain: pay, asset: payAsset, custody: 'third-party', refund_address: payerAddress(pay) },
  })
  const [given] = answer.headers.getSetCookie()
  return {
    ...{ status: answer.status, address: answer.body.pay?.address ?? '' },
    cookie: given?.split(';')[0] ?? cookie,
  }
}

interface Told {
  id: string
  event: string | null
}

/** Every change of an order was one event, it came, and it came signed and the same each time. */
export async function judgeEvents(
  { florin, shop, receiver, now }: Pick<SwapShop, 'florin' | 'shop' | 'receiver'> & { now(): Date },
  orderNo: string,
): Promise<string[]> {
  const url = `${florin.url}/v1/orders/${orderNo}/events`
  const { body } = await call<{ data: Told[] }>(url, 'GET', { headers: shop.key })
  const told = body.data.filter((row) => row.event !== null)
  const of = () => receiver.of(orderNo)
  await until(() => told.every(({ id }) => of().some((one) => one.event.id === id)), `the webhooks of ${orderNo}`)
  for (const id of new Set(of().map((one) => one.event.id))) {
    assert.ok(
      told.some((row) => row.id === id),
      'nothing is sent that was not committed',
    )
    const bodies = of().filter((one) => one.event.id === id)
    assert.equal(new Set(bodies.map((one) => one.body.toString('utf8'))).size, 1, 'the same bytes every time')
  }
  for (const { headers, body: bytes } of of()) {
    const header = String(headers['x-service-signature'])
    const signedAt = Number(/^t=(\d+)/.exec(header)?.[1])
    assert.ok(Math.abs(signedAt - now().getTime() / 1000) < 12 * 3_600, 'signed in the time of the database')
    const verdict = verify({ header, body: bytes, secrets: [shop.webhookSecret], now: signedAt })
    assert.ok(verdict.ok, JSON.stringify(verdict))
  }
  return told.map(({ event }) => event ?? '')
}

/** Nothing is held, and nothing came from nowhere. */
export function addsUp({ order_no: no, balance }: Pick<OrderJson, 'order_no' | 'balance'>): void {
  for (const line of balance) {
    const [received = 0n, settled = 0n, fee = 0n, refunded = 0n, held = 0n] = [
      ...[line.received, line.settled, line.fee, line.refunded, line.held].map(BigInt),
    ]
    assert.equal(received, settled + fee + refunded + held, no)
    assert.equal(held, 0n, `${no} holds ${held} ${line.asset}`)
  }
}
