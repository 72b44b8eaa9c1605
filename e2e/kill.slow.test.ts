// Power cuts: the server and its PostgreSQL are killed at random moments while orders change status. Each restart comes
// up by itself; in the end nothing that was committed is lost and nothing was made twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { orderMoves } from '@florin/protocol'
import { sized } from '../scripts/sizes.ts'
import { startFlorin, until } from './florin.ts'
import { call, signUp, startInbox } from './merchant.ts'
import { startReceiver } from './receiver.ts'

const { ORDERS, KILLS } = sized({
  short: { ORDERS: 30, KILLS: 2 },
  full: { ORDERS: 500, KILLS: 30 },
  soak: { ORDERS: 10_000, KILLS: 600 },
})

interface OrderJson {
  order_no: string
  status: string
  external_id: string
}

test(`${KILLS} kills while ${ORDERS} orders change status lose nothing and make nothing twice`, async (t) => {
  const inbox = await startInbox()
  const receiver = await startReceiver()
  const florin = await startFlorin({ SMTP_URL: inbox.smtpUrl, WEBHOOK_RETRY_WAITS: '1,1,1,2' })
  t.after(async () => {
    await florin.close()
    await receiver.close()
    await inbox.close()
  })
  const shop = await signUp(florin.url, inbox, 'kill@shop.example')

  /** Sends until an answer comes: what a careful merchant's server does. */
  const insist = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: T }> => {
    for (;;) {
      t.signal.throwIfAborted()
      const answer = await call<T>(`${florin.url}${path}`, method, {
        headers: { ...shop.key, ...headers },
        ...(body === undefined ? {} : { body }),
      }).catch(() => null)
      // 409 in progress: the request that was cut off still holds the key's lease.
      if (
        answer !== null &&
        answer.status < 500 &&
        !(answer.status === 409 && JSON.stringify(answer.body).includes('idempotency_in_progress'))
      )
        return answer
      await wait(100, undefined, { signal: t.signal })
    }
  }

  const made = new Map<string, string>()
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < ORDERS) {
      const n = next++
      const body = { amount_usd: 10, external_id: `kill-${n}`, pay_chain: 'base', webhook_url: `${receiver.url}/` }
      const created = await insist<OrderJson>('POST', '/v1/orders', body, { 'idempotency-key': `kill-${n}` })
      assert.equal(created.status, 201)
      const no = created.body.order_no
      made.set(`kill-${n}`, no)
      const goal = n % 10 === 0 ? 'expired' : n % 10 === 1 ? 'failed' : 'success'
      for (;;) {
        t.signal.throwIfAborted()
        const { body: order } = await insist<OrderJson>('GET', `/v1/orders/${no}`)
        if (order.status === goal) break
        const action =
          goal === 'expired' ? 'expire' : order.status === 'pending' ? 'pay' : goal === 'failed' ? 'fail' : 'settle'
        // Cut off or not applicable any more: the next look tells.
        await call(`${florin.url}/v1/test/orders/${no}/simulate`, 'POST', {
          headers: shop.key,
          body: { action },
        }).catch(() => undefined)
      }
      done++
    }
  }
  const workers = Promise.all(Array.from({ length: 8 }, worker))
  let fault: unknown = null
  workers.catch((error: unknown) => {
    fault = error
  })

  let kills = 0
  let slowestMs = 0
  while (kills < KILLS && fault === null) {
    await wait(50 + Math.random() * 700, undefined, { signal: t.signal })
    await florin.kill()
    const began = performance.now()
    await florin.start()
    slowestMs = Math.max(slowestMs, performance.now() - began)
    kills++
    // The kills are spread over the whole work, however fast this machine is.
    if (done >= (ORDERS * kills) / KILLS) continue
    await until(
      () => fault !== null || done >= (ORDERS * kills) / KILLS - ORDERS / KILLS || done === ORDERS,
      'progress between two kills',
      t.signal,
    )
  }
  await workers
  assert.equal(made.size, ORDERS)

  // Nothing was made twice.
  const numbers = new Set<string>()
  let cursor: string | null = null
  do {
    const page: { body: { data: OrderJson[]; next_cursor: string | null } } = await insist(
      'GET',
      `/v1/orders?limit=100${cursor ? `&cursor=${cursor}` : ''}`,
    )
    for (const order of page.body.data) numbers.add(order.order_no)
    cursor = page.body.next_cursor
  } while (cursor)
  assert.deepEqual([...numbers].sort(), [...made.values()].sort(), 'one order for each idempotency key')

  // Every event of every history is legal, came at least once, and under one id.
  let events = 0
  const idOf = new Map<string, string>()
  const expected: string[] = []
  for (const no of numbers) {
    const { body } = await insist<{
      data: { id: string; event: string | null; status: keyof typeof orderMoves; version: number }[]
    }>('GET', `/v1/orders/${no}/events`)
    let from: keyof typeof orderMoves = 'pending'
    for (const row of body.data) {
      if (row.status !== from) assert.ok(orderMoves[from].includes(row.status), `${no}: ${from} → ${row.status}`)
      from = row.status
      if (row.event === null) continue
      events++
      expected.push(row.id)
      assert.ok(!idOf.has(`${no} ${row.version}`), 'one event a version')
      idOf.set(`${no} ${row.version}`, row.id)
    }
    const { body: order } = await insist<OrderJson>('GET', `/v1/orders/${no}`)
    assert.equal(order.status, from, 'the status is the end of its history')
    assert.equal(
      new Set(body.data.filter((row) => row.event !== null).map((row) => row.event)).size,
      body.data.filter((row) => row.event !== null).length,
      'no event twice',
    )
  }
  const received = (): Set<string> => new Set(receiver.received.map((one) => one.event.id))
  await until(() => expected.every((id) => received().has(id)), 'every event to be received', t.signal)
  for (const one of receiver.received) {
    assert.equal(
      idOf.get(`${one.event.order.order_no} ${one.event.order.version}`),
      one.event.id,
      'nothing is sent that was not committed',
    )
  }
  t.diagnostic(
    `${kills} kills, ${events} events, ${receiver.received.length} deliveries received, slowest restart ${Math.round(slowestMs)} ms`,
  )
})
