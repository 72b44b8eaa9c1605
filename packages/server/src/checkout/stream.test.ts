import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { HEARTBEAT_MS } from '@florin/platform/http/event-stream'
import { type Checkout, MINUTE_MS } from '@florin/protocol'
import { type TestApp, testApp, testDeps } from '../../test/harness.ts'
import { aCaller, anOrder } from '../../test/orders.ts'
import {
  anotherProcess,
  endsInTime,
  listening,
  type OpenStream,
  openStream,
  whileTimePasses,
} from '../../test/streams.ts'
import { advanceOrder } from '../orders/advance.ts'
import { expireDue } from '../orders/expire.ts'
import { chooseLeg } from '../orders/payer.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'
import { STREAMS } from './routes.ts'
import { watchOrders } from './watch.ts'

interface Shown extends TestApp {
  base: string
  order: OrderState
  /** The next checkout that the stream tells. */
  told(stream: OpenStream): Promise<Checkout>
  open(order?: OrderState): Promise<OpenStream>
}

async function aShownOrder(t: TestContext): Promise<Shown> {
  const at = await testApp(t)
  const order = await anOrder(at.deps, await aCaller(at.deps), { pay_chain: undefined } as never)
  const base = await listening(at.app)
  return {
    ...at,
    base,
    order,
    open: (which = order) => openStream(t, `${base}/checkout/${which.checkoutToken}/stream`),
    async told(stream) {
      const event = await whileTimePasses(at, stream.next())
      assert.equal(event?.event, 'checkout')
      return JSON.parse(event?.data ?? 'null') as Checkout
    },
  }
}

test('a stream tells the checkout at once and after each change', async (t) => {
  const at = await aShownOrder(t)
  const stream = await at.open()
  assert.equal(stream.status, 200)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(stream.headers.get('cache-control'), 'no-store')
  assert.equal(stream.headers.get('x-content-type-options'), 'nosniff')
  const first = await at.told(stream)
  const read = await at.app.inject(`/checkout/${at.order.checkoutToken}`)
  assert.deepEqual({ ...first, server_time: '' }, { ...read.json(), server_time: '' })

  const chosen = await chooseLeg(at.deps, at.order, { chain: 'base', asset: 'USDC' })
  assert.equal((await at.told(stream)).pay?.id, chosen.payLegId)
  const paid = await simulate(at.deps, chosen, 'pay', null)
  const seen = await at.told(stream)
  assert.deepEqual([seen.status, seen.version], ['processing', paid.version])
  await simulate(at.deps, paid, 'settle', null)
  let last = await at.told(stream)
  while (last.status !== 'success') last = await at.told(stream)
  assert.equal(last.settled_at, (await getOrder(at.deps.sql, at.order.orderNo)).settledAt?.toISOString())
})

test('a change that another process made is told as well', async (t) => {
  const at = await aShownOrder(t)
  const other = anotherProcess(t, at)
  const streams = [await at.open(), await at.open()]
  for (const stream of streams) await at.told(stream)
  await simulate(other, at.order, 'pay', null)
  for (const stream of streams) {
    let told = await at.told(stream)
    while (told.status !== 'processing') told = await at.told(stream)
    assert.equal(told.payments.length, 1)
  }
})

test('the deadline is told when it passes, and what the clock then does to the order', async (t) => {
  const at = await aShownOrder(t)
  const stream = await at.open()
  assert.ok((await at.told(stream)).choices.length > 0)
  at.clock.advance(30 * MINUTE_MS)
  const passed = await at.told(stream)
  assert.deepEqual([passed.status, passed.choices.length], ['pending', 0])
  await expireDue(at.deps)
  assert.equal((await at.told(stream)).status, 'expired')
})

test('a silent stream carries comments at least every 20 seconds', async (t) => {
  assert.ok(HEARTBEAT_MS <= 20_000)
  const at = await aShownOrder(t)
  const stream = await at.open()
  await at.told(stream)
  const before = stream.comments()
  await whileTimePasses(
    at,
    (async () => {
      while (stream.comments() < before + 3) await at.deps.sql`select 1`
    })(),
  )
})

test('an order has twenty streams and no more; one that is closed makes room', async (t) => {
  const at = await aShownOrder(t)
  const streams: OpenStream[] = []
  for (let n = 0; n < STREAMS.perHolder.order; n++) streams.push(await at.open())
  const refused = await at.open()
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('retry-after'), '10')
  assert.match(refused.text ?? '', /"code":"rate_limited"/)
  const neighbour = await anOrder(at.deps, await aCaller(at.deps))
  assert.equal((await at.open(neighbour)).status, 200)
  streams[0]?.close()
  const again = async (): Promise<void> => {
    for (;;) if ((await at.open()).status === 200) return
  }
  await again()
})

test('streams end when the server stops, and the server stops though they are open', async (t) => {
  const at = await aShownOrder(t)
  const stream = await at.open()
  await at.told(stream)
  await at.app.close()
  await stream.ended
  assert.equal(await stream.next(), null)
})

test('a stream ends within five seconds of the token that opened it', async (t) => {
  const at = await aShownOrder(t)
  const neighbour = await anOrder(at.deps, await aCaller(at.deps))
  const [stream, other] = [await at.open(), await at.open(neighbour)]
  for (const each of [stream, other]) await at.told(each)
  await anotherProcess(t, at).sql`
    update orders set checkout_token = ${'0'.repeat(32)} where order_no = ${at.order.orderNo}`
  await endsInTime(at, [stream])
  assert.equal((await at.open()).status, 404)
  await simulate(at.deps, neighbour, 'pay', null)
  assert.equal((await at.told(other)).status, 'processing')
})

test('asking for the head of a stream opens none', async (t) => {
  const at = await aShownOrder(t)
  const head = await fetch(`${at.base}/checkout/${at.order.checkoutToken}/stream`, { method: 'HEAD' })
  assert.equal(head.status, 405)
})

test('confirmations change no version, and are told', async (t) => {
  const { deps } = await testDeps(t)
  let height = 100n
  const watch = watchOrders({ ...deps, tips: () => height })
  t.after(() => watch.close())
  const order = await anOrder(deps, await aCaller(deps))
  const leg = order.legs[0]
  assert.ok(leg)
  const { chain, asset, contract, decimals } = leg
  const { order: seen } = await advanceOrder(deps, order.orderNo, [
    {
      kind: 'payment_seen',
      key: 'base:100:0',
      legRef: leg.ref,
      txHash: '0x1',
      outputIndex: 0,
      asset: { chain, asset, contract, decimals },
      amount: leg.amountDue,
      from: null,
      height: 100n,
      seenAt: deps.clock.now(),
    },
  ])
  let told = 0
  const stop = watch.follow(seen, () => {
    told++
  })
  assert.equal(told, 1)
  height = 101n
  const clock = deps.clock as TestApp['clock']
  await whileTimePasses(
    { deps, clock },
    (async () => {
      while (told < 2) await deps.sql`select 1`
    })(),
  )
  stop()
})
