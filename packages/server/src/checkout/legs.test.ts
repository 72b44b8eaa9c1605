// A stranger with the checkout link takes no way to pay from the payer: not by clicks, not by refund addresses, not by dust.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BROWSERS_MAX, LEGS_FOR_ALL_MAX, LEGS_OF_A_BROWSER_MAX } from '@florin/order-model/commands'
import { OPERATOR } from '../../test/console.ts'
import { simulate } from '../orders/simulate.ts'
import { getOrder } from '../orders/store.ts'
import { aShop } from './payer.fixture.ts'

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const address = (n: number): string => `0x${n.toString(16).padStart(40, '1')}`

test('however many browsers strangers open, the payer changes coin', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  const first = await payer.post('/pay', { chain: 'base', asset: 'USDC', refund_address: PAYER })
  assert.equal(first.status, 200)
  let refused = 0
  for (let n = 1; n <= BROWSERS_MAX + 5; n++) {
    const stranger = shop.browser()
    const { status } = await stranger.post('/pay', { chain: 'base', asset: 'USDC', refund_address: address(n) })
    if (status === 409) refused++
  }
  assert.ok(refused >= 5, 'strangers are bounded')
  for (const asset of ['USDT', 'USDC', 'ETH']) {
    const { status, body } = await payer.post('/pay', { chain: 'base', asset })
    assert.deepEqual([status, body.pay?.asset, body.refund_address], [200, asset, PAYER])
  }
  // A payer who comes now still pays, and names the address afterwards.
  const late = shop.browser()
  const bound = await late.post('/pay', { chain: 'eth', asset: 'USDC', refund_address: PAYER })
  assert.deepEqual([bound.status, bound.body.error?.code], [409, 'leg_not_changeable'])
  assert.match(bound.body.error?.message ?? '', /give it afterwards/)
  const plain = await late.post('/pay', { chain: 'eth', asset: 'USDC' })
  assert.deepEqual([plain.status, plain.body.pay?.chain], [200, 'eth'])
})

test('a browser that binds one address after another uses up its own room alone', async (t) => {
  const shop = await aShop(t)
  const [stranger, payer] = [shop.browser(), shop.browser()]
  let last = 200
  for (let n = 1; last === 200 && n <= 40; n++) {
    last = (await stranger.post('/pay', { chain: 'base', asset: 'USDC', refund_address: address(n) })).status
  }
  assert.equal(last, 409)
  assert.equal((await shop.read()).legs.length, LEGS_OF_A_BROWSER_MAX)
  const mine = await payer.post('/pay', { chain: 'base', asset: 'USDC', refund_address: PAYER })
  assert.deepEqual([mine.status, mine.body.refund_address], [200, PAYER])
  const changed = await payer.post('/pay', { chain: 'base', asset: 'USDT', refund_address: PAYER })
  assert.deepEqual([changed.status, changed.body.pay?.asset], [200, 'USDT'], 'who has a leg has its own room too')
})

test('clicking through every coin again and again opens each once', async (t) => {
  const shop = await aShop(t)
  const stranger = shop.browser()
  const { choices } = (await stranger.get()).body
  for (let round = 0; round < 3; round++) {
    for (const { chain, asset } of choices) assert.equal((await stranger.post('/pay', { chain, asset })).status, 200)
  }
  const { legs } = await shop.read()
  assert.equal(legs.length, choices.length)
  assert.ok(legs.length < LEGS_FOR_ALL_MAX, 'there is room for quotes that lapse')
  const back = await shop.browser().post('/pay', { chain: 'base', asset: 'USDC' })
  assert.equal(back.body.pay?.address, legs.find((leg) => leg.chain === 'base' && leg.asset === 'USDC')?.address)
  assert.equal(
    (await shop.browser().get()).body.pay?.address,
    back.body.pay?.address,
    'all are shown what was chosen last',
  )
})

test('dust on the address does not keep the payer from another coin, nor the merchant from canceling', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  await payer.post('/pay', { chain: 'base', asset: 'USDC' })
  const [leg] = (await shop.read()).legs
  for (let n = 0; n < 3; n++) await shop.pay(leg?.id ?? '', 1n)
  const other = await payer.post('/pay', { chain: 'base', asset: 'USDT' })
  assert.deepEqual([other.status, other.body.pay?.asset], [200, 'USDT'])
  const canceled = await shop.app.inject({
    ...{ method: 'POST', url: `/v1/orders/${shop.orderNo}/cancel` },
    ...{ headers: shop.key.headers, payload: {} },
  })
  assert.equal(canceled.statusCode, 200, canceled.payload)
  const { balance, refunds } = await shop.api()
  assert.deepEqual([balance[0]?.held, balance[0]?.held_below_cost, refunds], ['3', '3', []])
})

test('legs: an asset that nothing carries any more → who chose it keeps its address, and nobody gets a new one', async (t) => {
  const shop = await aShop(t)
  const payer = shop.browser()
  const bound = await payer.post('/pay', { chain: 'base', asset: 'USDT', refund_address: PAYER })
  assert.equal(bound.status, 200, bound.text)
  const other = await payer.post('/pay', { chain: 'base', asset: 'USDC' })
  assert.notEqual(other.body.pay?.id, bound.body.pay?.id)
  // As a third party carried it that lists it no more; and the payer's address has become one that takes no refunds.
  await shop.deps.sql`update pay_legs set asset = 'GONE', contract = '0xgone' where id = ${bound.body.pay?.id ?? ''}`
  await shop.deps.sql`update pay_legs set address = ${PAYER} where id = ${other.body.pay?.id ?? ''}`
  for (const asset of ['gone', 'GONE', '0xGone']) {
    const again = await payer.post('/pay', { chain: 'base', asset, refund_address: PAYER })
    assert.deepEqual([again.status, again.body.pay?.id], [200, bound.body.pay?.id], again.text)
  }
  const stranger = await shop.browser().post('/pay', { chain: 'base', asset: 'GONE' })
  assert.deepEqual([stranger.status, stranger.body.error?.code], [422, 'unknown_asset'])
  const refused = await shop.browser().post('/pay', { chain: 'base', asset: 'USDT', refund_address: PAYER })
  assert.deepEqual([refused.status, refused.body.error?.code], [422, 'invalid_address'])
})

for (const [act, done, code] of [
  ['suspend', 'suspended', 'merchant_suspended'],
  ['close', 'closed', 'merchant_closed'],
] as const) {
  test(`payers: their shop's account is ${done} → no further pay address, and those that were shown settle`, async (t) => {
    const shop = await aShop(t)
    const operator = await shop.another(OPERATOR)
    const unpaid = await shop.order({ pay_chain: undefined, settle_chain: 'base' })
    const chosen = await shop.browser().post('/pay', { chain: 'base' })
    assert.equal(chosen.status, 200)
    const acted = await operator.post(`merchants/${shop.merchant.id}/${act}`, { reason: 'a complaint' })
    assert.equal(acted.status, 200)

    const first = await shop.app.inject({
      ...{ method: 'POST', url: `/checkout/${unpaid.checkoutToken}/pay`, payload: { chain: 'base' } },
    })
    assert.deepEqual([first.statusCode, first.json().error.code], [403, code])
    assert.match(first.json().error.message, /^This shop takes no payments here at the moment/)
    assert.equal((await getOrder(shop.deps.sql, unpaid.orderNo)).legs.length, 0)
    assert.equal((await shop.browser().post('/pay', { chain: 'base', asset: 'USDT' })).body.error?.code, code)
    assert.equal((await shop.browser().post('/pay', { chain: 'base' })).status, 200, 'the address that was shown')

    const { legs } = await shop.read()
    assert.equal(legs.length, 1)
    await simulate(shop.deps, await shop.read(), 'pay', null)
    assert.equal((await simulate(shop.deps, await shop.read(), 'settle', null)).status, 'success')
  })
}
