import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startJobs } from '@florin/platform/worker/loop'
import type { ConsoleChange } from '@florin/protocol'
import { type ConsoleUser, OPERATOR, type TestConsole, testConsole } from '../../test/console.ts'
import { givePositions } from '../../test/deliveries.ts'
import {
  anotherProcess,
  endsInTime,
  listening,
  type OpenStream,
  openStream,
  whileTimePasses,
} from '../../test/streams.ts'
import { buildApp } from '../app.ts'
import { chooseLeg } from '../orders/payer.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'
import { sequencerJob } from '../webhooks/feed/sequencer.ts'
import { CHANGES_MAX, changeFeed } from './changes.ts'

interface Followed extends TestConsole {
  open(who?: ConsoleUser): Promise<OpenStream>
  /** Reads on until this change is told; answers all that was told up to it. */
  until(stream: OpenStream, wanted: Partial<ConsoleChange>): Promise<ConsoleChange[]>
}

async function aFollowedConsole(t: TestContext): Promise<Followed> {
  const at = await testConsole(t)
  // It looks once a second, without a connection that listens: that one would come back to a closed database.
  const jobs = startJobs([{ ...sequencerJob(at.deps), wakeOn: () => () => undefined }], at.deps)
  t.after(() => jobs.stop())
  const base = await listening(at.app)
  return {
    ...at,
    open: (who = at) => openStream(t, `${base}/api/v1/boss/stream`, who.merchant.headers),
    async until(stream, wanted) {
      const told: ConsoleChange[] = []
      for (;;) {
        const event = await whileTimePasses(at, stream.next())
        assert.equal(event?.event, 'change')
        const change = JSON.parse(event?.data ?? '') as ConsoleChange
        assert.deepEqual(Object.keys(change).sort(), ['kind', 'livemode', 'order_no'])
        told.push(change)
        if (Object.entries(wanted).every(([name, value]) => change[name as keyof ConsoleChange] === value)) return told
      }
    },
  }
}

test('a console is told of orders, deliveries and attention, and of nothing that is not its own', async (t) => {
  const at = await aFollowedConsole(t)
  const neighbour = await at.another()
  const stream = await at.open()
  const other = await at.open(neighbour)
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const order = await at.order({ webhook_url: 'https://shop.example/hook', refund_address: undefined })
  const own = { livemode: false, order_no: order.orderNo }
  await at.until(stream, { kind: 'order', ...own })
  await simulate(at.deps, order, 'pay', null)
  await at.until(stream, { kind: 'delivery', ...own })
  await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'fail', null)
  await at.until(stream, { kind: 'attention', ...own })

  const theirs = await neighbour.order()
  const told = await at.until(other, { kind: 'order', order_no: theirs.orderNo })
  assert.deepEqual(told, [{ kind: 'order', livemode: false, order_no: theirs.orderNo }])
})

test('a delivery that only changes in place is told, and so is a resolved item', async (t) => {
  const at = await aFollowedConsole(t)
  const order = await at.order({ webhook_url: 'https://shop.example/hook' })
  await simulate(at.deps, order, 'pay', null)
  const other = anotherProcess(t, at)
  const stream = await at.open()
  await other.sql`update deliveries set status = 'retrying', attempt_count = 1, xid = pg_current_xact_id()`
  await at.until(stream, { kind: 'delivery', order_no: order.orderNo })
  await simulate(other, await getOrder(other.sql, order.orderNo), 'fail', null)
  await at.until(stream, { kind: 'attention' })
  await other.sql`update attention set resolved_at = ${at.clock.now()}`
  await at.until(stream, { kind: 'attention', order_no: order.orderNo })
})

test('a choice of the payer changes neither status nor detail, and is told all the same', async (t) => {
  const at = await aFollowedConsole(t)
  const order = await at.order({ pay_chain: undefined })
  const stream = await at.open()
  const chosen = await chooseLeg(anotherProcess(t, at), order, { chain: 'base', asset: 'USDC' })
  assert.equal(chosen.detail, order.detail)
  await at.until(stream, { kind: 'order', order_no: order.orderNo })
})

test('a transaction that began early and commits late is not passed over', async (t) => {
  const at = await aFollowedConsole(t)
  const stream = await at.open()
  const late = await at.order()
  const prompt = await at.order()
  await at.until(stream, { order_no: prompt.orderNo })
  const slow = anotherProcess(t, at)
  const touch = (orderNo: string) => `
    insert into order_events (id, order_no, merchant_id, api_key_id, livemode, status, status_detail, version, created_at)
    select 'evt_' || left(md5(random()::text), 26), order_no, merchant_id, api_key_id, livemode, status, status_detail, 9,
      created_at from orders where order_no = '${orderNo}'`
  await slow.sql.begin(async (tx) => {
    await tx.unsafe(touch(late.orderNo))
    await at.deps.sql.unsafe(touch(prompt.orderNo))
    // The one that began later is told without waiting for the other.
    const told = await at.until(stream, { order_no: prompt.orderNo })
    assert.ok(told.every((change) => change.order_no === prompt.orderNo))
  })
  await at.until(stream, { order_no: late.orderNo })
})

test('operators are told of the attention that any order needs, and of no other order', async (t) => {
  const at = await aFollowedConsole(t)
  const operator = await at.another(OPERATOR)
  const stream = await at.open(operator)
  const order = await at.order()
  await simulate(at.deps, order, 'pay', null)
  await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'fail', null)
  const told = await at.until(stream, { kind: 'attention' })
  assert.deepEqual(told, [{ kind: 'attention', livemode: false, order_no: order.orderNo }])
})

test('a stream ends within five seconds of its session, wherever and however that ended', async (t) => {
  const at = await aFollowedConsole(t)
  const elsewhere = await buildApp(anotherProcess(t, at))
  t.after(() => elsewhere.close())
  const post = async (url: string, who: ConsoleUser, method: 'POST' | 'DELETE' = 'POST') => {
    const path = `/api/v1/boss/${url}`
    const answer = await elsewhere.inject({ method, url: path, headers: who.merchant.headers, payload: {} })
    assert.equal(answer.statusCode, 200, answer.payload)
  }
  const users = await Promise.all(Array.from({ length: 6 }, () => at.another()))
  const [out, revoked, expired, suspended, closed, renamed] = users as [ConsoleUser, ...ConsoleUser[]] & ConsoleUser[]
  const streams = await Promise.all(users.map((user) => at.open(user)))
  const neighbour = await at.open()
  await post('logout', out)
  await post(`sessions/${revoked?.merchant.sessionId}`, revoked ?? out, 'DELETE')
  const { sql } = at.deps
  const soon = new Date(at.clock.now().getTime() + 500)
  await sql`update sessions set expires_at = ${soon} where id = ${expired?.merchant.sessionId ?? ''}`
  await sql`update merchants set suspended_at = now() where id = ${suspended?.merchant.id ?? ''}`
  await sql`update merchants set closed_at = now() where id = ${closed?.merchant.id ?? ''}`
  // Operators are known by their email, so a stream is no longer what it was when that changes.
  await sql`update merchants set email = 'other@shop.example' where id = ${renamed?.merchant.id ?? ''}`
  await endsInTime(at, streams)
  for (const user of [out, revoked, expired]) assert.equal((await at.open(user)).status, 401)
  const order = await at.order()
  await at.until(neighbour, { kind: 'order', order_no: order.orderNo })
  await at.app.close()
  await neighbour.ended
})

test('a session has ten streams and no more, and a stranger none', async (t) => {
  const at = await aFollowedConsole(t)
  for (let n = 0; n < 10; n++) assert.equal((await at.open()).status, 200)
  const refused = await at.open()
  assert.equal(refused.status, 429)
  assert.match(refused.text ?? '', /"code":42901/)
  const base = `http://127.0.0.1:${(at.app.server.address() as { port: number }).port}`
  assert.equal((await openStream(t, `${base}/api/v1/boss/stream`)).status, 401)
})

test('very many changes at once are told as a whole', async (t) => {
  const at = await testConsole(t)
  const feed = changeFeed(at.deps)
  t.after(() => feed.close())
  const order = await at.order()
  const told: ConsoleChange[] = []
  const stop = await feed.follow({ merchantId: at.merchant.id, isOperator: false }, (changes) => told.push(...changes))
  const many = async (count: number) => {
    await at.deps.sql`
      insert into order_events (id, order_no, merchant_id, api_key_id, livemode, status, status_detail, version, created_at)
      select 'evt_' || ${count}::int || '_' || g, 'ord_' || g, merchant_id, api_key_id, livemode, status, status_detail, 9, created_at
      from orders, generate_series(1, ${count}::int) g where order_no = ${order.orderNo}`
    await givePositions(at.deps)
  }
  await many(CHANGES_MAX + 1)
  const whole = { kind: 'order', livemode: false, order_no: null }
  const isTold = async (): Promise<void> => {
    while (!told.some((change) => change.order_no === null)) await at.deps.sql`select 1`
  }
  await whileTimePasses(at, isTold())
  assert.deepEqual(told.at(-1), whole)
  // More than one reading takes, where the feed does not happen to read while they are given their places.
  const modes = (): Set<boolean> => new Set(told.map((change) => change.livemode))
  for (let tries = 0; tries < 5 && modes().size < 2; tries++) {
    told.length = 0
    await many(5_000 + tries)
    await whileTimePasses(at, isTold())
  }
  assert.deepEqual(modes(), new Set([true, false]))
  stop()
})
