import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAsset } from '@florin/chains'
import type { OrderState } from '@florin/order-model/state'
import { withTx } from '@florin/platform/db/tx'
import type { AttentionItem } from '@florin/protocol'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { RailFact } from '@florin/rail-kit/interface/fact'
import { reportFacts } from '@florin/rail-kit/report.store'
import { OPERATOR, type TestConsole, testConsole } from '../../test/console.ts'
import { sentenceOf } from '../attention/words.ts'
import { nameRefundAddress } from '../orders/acts.ts'
import { settleOrder } from '../orders/rail-outbox.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'

interface Page {
  data: AttentionItem[]
  has_more: boolean
  next_cursor: string | null
}

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const NOBODYS = 'att_01jd0000000000000000000000'

/** An order whose settlement failed, with a refund address bound. */
async function aFailedOrder(at: TestConsole, who: Pick<TestConsole, 'order'> = at): Promise<OrderState> {
  const order = await who.order({ refund_address: PAYER })
  await simulate(at.deps, order, 'pay', null)
  return simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'fail', null)
}

const list = async (who: Pick<TestConsole, 'get'>, query = ''): Promise<AttentionItem[]> =>
  (await who.get<Page>(`attention?livemode=false${query}`)).data.data

test('a failed settlement needs a person, and says so in a sentence', async (t) => {
  const at = await testConsole(t)
  const order = await aFailedOrder(at)
  const [item] = await list(at)
  assert.deepEqual(item, {
    id: item?.id,
    livemode: false,
    kind: 'move_money',
    reason: 'settlement_failed',
    order_no: order.orderNo,
    summary:
      'The money could not be settled to the receiving address: The receiving address refused the money (simulated).',
    evidence: {
      failure: 'The receiving address refused the money (simulated).',
      ...{ amount: '50000000', asset: 'USDC', chain: 'base' },
      tx_hash: order.payments[0]?.txHash,
      to: order.settleAddress,
    },
    // Settlements are retried by operators.
    actions: ['refund', 'dismiss'],
    created_at: at.clock.now().toISOString(),
    resolved_at: null,
    resolved_by: null,
    resolution: null,
  })
  assert.deepEqual((await at.get<Page>('attention?livemode=true')).data.data, [])
})

test('the merchant refunds: the act and the end of the item are one, and it stays on record', async (t) => {
  const at = await testConsole(t)
  const order = await aFailedOrder(at)
  const [item] = await list(at)
  const acted = await at.post<AttentionItem>(`attention/${item?.id}/refund`)
  assert.equal(acted.status, 200)
  assert.deepEqual(
    [acted.data.resolved_by, acted.data.resolution, acted.data.actions],
    [at.merchant.email, 'refund', []],
  )
  assert.equal((await getOrder(at.deps.sql, order.orderNo)).detail, 'refunding')
  assert.deepEqual(await list(at, '&status=open'), [])
  assert.deepEqual(await list(at, '&status=resolved'), [acted.data])
  for (const action of ['refund', 'dismiss']) {
    const again = await at.post(`attention/${item?.id}/${action}`)
    assert.deepEqual([again.status, again.error?.code], [409, 'action_not_possible'])
  }
})

test('an act that the order does not allow leaves the item as it was', async (t) => {
  const at = await testConsole(t)
  const order = await aFailedOrder(at)
  const [item] = await list(at)
  await at.post(`orders/${order.orderNo}/refund`)
  const late = await at.post(`attention/${item?.id}/refund`)
  assert.deepEqual([late.status, late.error?.code], [409, 'refund_not_possible'])
  assert.equal((await list(at, '&status=open')).length, 1)
})

test('an item is dismissed once, and it is written down by whom', async (t) => {
  const at = await testConsole(t)
  await aFailedOrder(at)
  const [item] = await list(at)
  const results = await Promise.all(Array.from({ length: 6 }, () => at.post(`attention/${item?.id}/dismiss`)))
  assert.deepEqual(results.map((result) => result.status).sort(), [200, 409, 409, 409, 409, 409])
  const rows = await at.deps.sql<{ actor: string }[]>`select actor from audit_log where subject = ${item?.id ?? ''}`
  assert.deepEqual([...rows], [{ actor: at.merchant.email }])
})

test('operators see the items of all merchants and retry settlements', async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  const order = await aFailedOrder(at)
  const [item] = await list(operator)
  assert.equal(item?.evidence.merchant, at.merchant.email)
  assert.deepEqual(item?.actions, ['retry-settlement', 'refund', 'dismiss'])
  const own = await at.post(`attention/${item?.id}/retry-settlement`)
  assert.deepEqual([own.status, own.error?.code], [403, 'operator_required'])
  const retried = await operator.post<AttentionItem>(`attention/${item?.id}/retry-settlement`)
  assert.deepEqual([retried.data.resolved_by, retried.data.resolution], [`operator:${OPERATOR}`, 'retry-settlement'])
  assert.equal((await getOrder(at.deps.sql, order.orderNo)).status, 'processing')
  const [entry] = await at.deps.sql<{ actor: string; merchant: string }[]>`
    select actor, merchant_id as merchant from audit_log where subject = ${order.orderNo}`
  assert.deepEqual(entry, { actor: `operator:${OPERATOR}`, merchant: at.merchant.id })
  // It fails again: that is another item.
  await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'fail', null)
  assert.deepEqual(
    (await list(operator)).map((each) => each.resolution),
    [null, 'retry-settlement'],
  )
})

test("another merchant's item is not there, and neither is one that never was", async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  await aFailedOrder(at)
  const [item] = await list(at)
  assert.deepEqual(await list(stranger), [])
  for (const id of [item?.id, NOBODYS, 'x']) {
    for (const action of ['dismiss', 'fly']) {
      const answer = await stranger.post(`attention/${id}/${action}`)
      assert.deepEqual([answer.status, answer.error?.code], [404, 'attention_not_found'])
    }
  }
  const unknown = await at.post(`attention/${item?.id}/fly`)
  assert.deepEqual([unknown.status, unknown.error?.code], [409, 'action_not_possible'])
  assert.equal((await at.post(`attention/${item?.id}/dismiss`, { why: 'x' })).error?.code, 'unknown_field')
  assert.equal((await list(at, '&status=open')).length, 1)
})

test('an item that the order outgrew resolves itself', async (t) => {
  const at = await testConsole(t)
  const order = await at.order()
  await simulate(at.deps, order, 'overpay', null)
  const waiting = await simulate(at.deps, await getOrder(at.deps.sql, order.orderNo), 'settle', null)
  const [item] = await list(at)
  assert.equal(item?.reason, 'refund_address_needed')
  assert.match(item?.summary ?? '', /^25 USDC on Base has to go back to the payer/)
  await nameRefundAddress(
    at.deps,
    waiting,
    { actor: 'test', refundId: waiting.refunds[0]?.id ?? '', address: PAYER },
    async () => undefined,
  )
  const [after] = await list(at)
  assert.deepEqual([after?.resolved_by, after?.resolution], ['system', 'a refund address was given'])

  const failed = await aFailedOrder(at)
  const operator = await at.another(OPERATOR)
  await operator.post(`orders/${failed.orderNo}/retry-settlement`)
  assert.deepEqual(await list(at, '&status=open'), [])
})

/** What a rail would report, brought all the way into the order. */
async function report(at: TestConsole, order: OrderState, ...facts: RailFact[]): Promise<OrderState> {
  const now = at.clock.now()
  await withTx(at.deps.sql, (tx) => reportFacts(tx, { rail: 'sandbox', orderRef: order.orderRef, facts, now }))
  await settleOrder(at.deps, order)
  return getOrder(at.deps.sql, order.orderNo)
}

const tetherOf = (order: OrderState): AssetRef => {
  const { contract } = findAsset('base', 'USDT') ?? { contract: null }
  return { chain: order.legs[0]?.chain ?? '', asset: 'USDT', contract, decimals: 6 }
}

/** Another coin than was asked for, on the address that was shown. */
async function strayMoney(at: TestConsole, order: OrderState): Promise<OrderState> {
  const key = `base:0xb10c:${order.orderNo}`
  return report(
    at,
    order,
    {
      ...{ kind: 'payment_seen', key, legRef: order.legs[0]?.ref ?? '', txHash: '0x57a1', outputIndex: 3 },
      ...{ asset: tetherOf(order), amount: 7_000_000n, from: PAYER, height: 9n, seenAt: at.clock.now() },
    },
    { kind: 'payment_confirmed', key },
  )
}

test('money in another coin: the merchant sends it back to the address that the payer told it', async (t) => {
  const at = await testConsole(t)
  const order = await strayMoney(at, await at.order())
  const [stray] = await list(at)
  assert.deepEqual(stray?.evidence, {
    payment: order.payments[0]?.id,
    ...{ amount: '7000000', asset: 'USDT', chain: 'base', tx_hash: '0x57a1', from: PAYER, expected: 'USDC' },
  })
  assert.equal((await at.post(`attention/${stray?.id}/refund`)).status, 200)
  const [waiting, done] = await list(at)
  assert.deepEqual([done?.id, done?.resolved_by], [stray?.id, at.merchant.email])
  assert.deepEqual([waiting?.reason, waiting?.actions], ['refund_address_needed', ['refund-to', 'dismiss']])
  assert.equal(waiting?.evidence.tx_hash, '0x57a1')

  const act = (body?: object) => at.post<AttentionItem>(`attention/${waiting?.id}/refund-to`, body)
  for (const [body, status, code] of [
    [undefined, 422, 'missing_field'],
    [{ address: PAYER.slice(0, -1) }, 422, 'invalid_address'],
    [{ address: PAYER, to: PAYER }, 422, 'unknown_field'],
  ] as const) {
    const refused = await act(body)
    assert.deepEqual([refused.status, refused.error?.code], [status, code])
  }
  assert.equal((await at.post(`attention/${waiting?.id}/dismiss`, { address: PAYER })).error?.code, 'unknown_field')
  const named = await act({ address: PAYER.toLowerCase() })
  assert.deepEqual([named.status, named.data.resolved_by, named.data.resolution], [200, at.merchant.email, 'refund-to'])
  const after = await getOrder(at.deps.sql, order.orderNo)
  assert.deepEqual(
    after.refunds.map((row) => [row.status, row.address, row.amount, row.reason]),
    [['sending', PAYER, 7_000_000n, 'merchant_request']],
  )
  const [entry] = await at.deps.sql<{ detail: unknown }[]>`
    select detail from audit_log where action = 'order.refund_address_given'`
  assert.deepEqual(entry?.detail, { refund: after.refunds[0]?.id, address: PAYER.toLowerCase() })
})

test('who dismissed the question where a refund goes can still answer it while the checkout asks the payer', async (t) => {
  const at = await testConsole(t)
  const order = await strayMoney(at, await at.order())
  await at.post(`attention/${(await list(at))[0]?.id}/refund`)
  const [waiting] = await list(at)
  await at.post(`attention/${waiting?.id}/dismiss`)
  assert.deepEqual(await list(at, '&status=open'), [])
  const [dismissed] = await list(at)
  assert.deepEqual([dismissed?.resolution, dismissed?.actions], ['dismiss', ['refund-to']])
  assert.equal((await at.post(`attention/${waiting?.id}/dismiss`)).error?.code, 'action_not_possible')
  const named = await at.post<AttentionItem>(`attention/${waiting?.id}/refund-to`, { address: PAYER })
  assert.deepEqual([named.status, named.data.resolution, named.data.actions], [200, 'refund-to', []])
  assert.equal((await getOrder(at.deps.sql, order.orderNo)).refunds[0]?.address, PAYER)
})

test('where money goes back to is never for the operator to say', async (t) => {
  const at = await testConsole(t)
  const operator = await at.another(OPERATOR)
  await strayMoney(at, await at.order())
  const [stray] = await list(operator)
  await operator.post(`attention/${stray?.id}/refund`)
  const [waiting] = await list(operator)
  assert.deepEqual(waiting?.actions, ['dismiss'])
  const refused = await operator.post(`attention/${waiting?.id}/refund-to`, { address: PAYER })
  assert.deepEqual([refused.status, refused.error?.code], [409, 'action_not_possible'])
})

test('money in another coin that goes back by itself, or leaves the chain, asks nobody any more', async (t) => {
  const at = await testConsole(t)
  const own = await strayMoney(at, await at.order({ refund_address: PAYER }))
  await simulate(at.deps, own, 'expire', null)
  const left = await strayMoney(at, await at.order())
  await report(at, left, { kind: 'payment_orphaned', key: left.payments[0]?.key ?? '' })
  assert.deepEqual(
    (await list(at)).map(({ reason, resolved_by, resolution }) => [reason, resolved_by, resolution]),
    [
      ['wrong_asset', 'system', 'the payment left the chain'],
      ['wrong_asset', 'system', 'it goes back to the payer'],
    ],
  )
})

test('what the chain shows and nobody here asked for is an alarm, and moves no order', async (t) => {
  const at = await testConsole(t)
  const order = await at.order()
  const token = order.legs[0]?.contract?.toLowerCase() ?? null
  const alarm: RailFact = {
    ...{ kind: 'alarm_raised', what: 'refund_announced_not_asked_for', chain: 'base', token },
    ...{ amount: 5_000_000n, to: PAYER, txHash: '0xa1a', why: null },
  }
  const after = await report(at, order, alarm, alarm)
  assert.equal(after.version, order.version)
  const items = await list(at)
  assert.equal(items.length, 1)
  assert.match(items[0]?.summary ?? '', /^A refund of 5 USDC on Base to 0x8617\S+ was announced, which nobody here/)
  assert.equal(items[0]?.evidence.tx_hash, '0xa1a')
})

test('items come by page, newest first', async (t) => {
  const at = await testConsole(t)
  const made: string[] = []
  for (let n = 0; n < 3; n++) {
    at.clock.advance(1000)
    made.unshift((await aFailedOrder(at)).orderNo)
  }
  const first = (await at.get<Page>('attention?livemode=false&limit=2')).data
  const rest = (await at.get<Page>(`attention?livemode=false&limit=2&cursor=${first.next_cursor}`)).data
  assert.deepEqual(
    [...first.data, ...rest.data].map((item) => item.order_no),
    made,
  )
  const ofOne = await list(at, `&order_no=${made[1]}`)
  assert.deepEqual(
    ofOne.map((item) => item.order_no),
    [made[1]],
  )
  assert.deepEqual(await list(await at.another(), `&order_no=${made[1]}`), [], 'of another merchant there is none')
  for (const [query, code] of [
    ['', 'missing_field'],
    ['?livemode=false&status=new', 'validation_failed'],
    ['?livemode=false&cursor=x', 'malformed_cursor'],
    ['?livemode=false&kind=x', 'unknown_field'],
    [`?livemode=false&order_no=${'x'.repeat(41)}`, 'validation_failed'],
  ]) {
    assert.equal((await at.get(`attention${query}`)).error?.code, code)
  }
  for (const [method, url] of [
    ['GET', 'attention?livemode=false'],
    ['POST', `attention/${NOBODYS}/dismiss`],
  ] as const) {
    assert.equal((await at.app.inject({ method, url: `/api/v1/boss/${url}` })).statusCode, 401)
  }
})

test('every kind has its sentence, and one that is not known yet has one too', () => {
  const evidence = { amount: '1500000', asset: 'USDC', chain: 'base', failure: 'out of gas' }
  assert.equal(sentenceOf('refund_failed', evidence), 'A refund of 1.50 USDC on Base failed: out of gas.')
  assert.match(sentenceOf('wrong_asset', { ...evidence, asset: 'PEPE' }), /1500000 smallest units of PEPE on Base/)
  assert.equal(sentenceOf('settlement_failed', {}).endsWith('no reason was given.'), true)
  assert.equal(sentenceOf('moon_is_full', {}), 'This needs a look: moon is full.')
})
