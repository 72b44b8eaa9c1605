import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttentionItem } from '@florin/protocol'
import { OPERATOR, type TestConsole, testConsole } from '../../test/console.ts'
import { giveRefundAddress } from '../orders/acts.ts'
import { simulate } from '../orders/simulate.ts'
import type { OrderState } from '../orders/state.ts'
import { getOrder } from '../orders/store.ts'
import { sentenceOf } from './attention.words.ts'

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
    kind: 'settlement_failed',
    order_no: order.orderNo,
    summary:
      'The money could not be settled to the receiving address: The receiving address refused the money (simulated).',
    evidence: { failure: 'The receiving address refused the money (simulated).' },
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
  assert.equal(item?.kind, 'refund_address_needed')
  assert.match(item?.summary ?? '', /^25 USDC on Base has to go back to the payer/)
  await giveRefundAddress(at.deps, waiting, PAYER)
  const [after] = await list(at)
  assert.deepEqual([after?.resolved_by, after?.resolution], ['system', 'a refund address was given'])

  const failed = await aFailedOrder(at)
  const operator = await at.another(OPERATOR)
  await operator.post(`orders/${failed.orderNo}/retry-settlement`)
  assert.deepEqual(await list(at, '&status=open'), [])
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
  for (const [query, code] of [
    ['', 'missing_field'],
    ['?livemode=false&status=new', 'validation_failed'],
    ['?livemode=false&cursor=x', 'malformed_cursor'],
    ['?livemode=false&kind=x', 'unknown_field'],
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
  assert.equal(sentenceOf('refund_failed', evidence), 'A refund of 1.5 USDC on Base failed: out of gas.')
  assert.match(sentenceOf('wrong_asset', { ...evidence, asset: 'PEPE' }), /1500000 smallest units of PEPE on Base/)
  assert.equal(sentenceOf('settlement_failed', {}).endsWith('no reason was given.'), true)
  assert.equal(sentenceOf('moon_is_full', {}), 'This needs a look: moon is full.')
})
