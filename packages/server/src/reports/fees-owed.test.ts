import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeesOwed } from '@florin/protocol'
import { OPERATOR, testConsole } from '../../test/console.ts'

test('fees that are owed are told by month and coin: a merchant’s to that merchant, all of them to operators', async (t) => {
  const at = await testConsole(t)
  const stranger = await at.another()
  const operator = await at.another(OPERATOR)
  const { sql, clock } = at.deps
  const month = clock.now().toISOString().slice(0, 7)
  const last = new Date(Date.parse(`${month}-01T00:00:00Z`) - 1)
  const [one, two] = [await at.order(), await at.order()]
  const theirs = await stranger.order()
  const settled = (
    id: string,
    { orderRef }: { orderRef: string },
    a: { fee: number; state?: string; at?: Date; chain?: string },
  ) => sql`
    insert into utxo_settlements (id, order_ref, leg_ref, chain, gross, fee_bps, fee_owed, state, created_at)
    values (${id}, ${orderRef}, ${id}, ${a.chain ?? 'btc'}, 100000, 100, ${a.fee}, ${a.state ?? 'final'}, ${a.at ?? clock.now()})`
  await settled('s1', one, { fee: 1_000 })
  await settled('s2', two, { fee: 500 })
  await settled('s3', two, { fee: 70, chain: 'ltc' })
  await settled('s4', theirs, { fee: 3 })
  await settled('s5', one, { fee: 9_000, state: 'waiting' })
  await settled('s6', one, { fee: 40, at: last })
  await settled('s7', one, { fee: 0 })
  const read = async (who: typeof at | typeof stranger, more = '') =>
    (await who.get<FeesOwed>(`fees-owed?livemode=false${more}`)).data
  const btc = { chain: 'btc', asset: 'BTC', decimals: 8 }
  const mine = { merchant: null, ...btc, orders: 2, amount: '1500' }
  const ltc = { merchant: null, chain: 'ltc', asset: 'LTC', decimals: 8, orders: 1, amount: '70' }
  assert.deepEqual(await read(at), { month, data: [mine, ltc] })
  assert.deepEqual(await read(stranger), { month, data: [{ ...mine, orders: 1, amount: '3' }] })
  const { email } = at.merchant
  assert.deepEqual((await read(operator)).data, [
    { ...mine, merchant: email },
    { ...ltc, merchant: email },
    { merchant: stranger.merchant.email, ...btc, orders: 1, amount: '3' },
  ])
  const before = last.toISOString().slice(0, 7)
  assert.deepEqual(await read(at, `&month=${before}`), { month: before, data: [{ ...mine, orders: 1, amount: '40' }] })
  assert.deepEqual((await at.get<FeesOwed>('fees-owed?livemode=true')).data.data, [])
  for (const bad of ['2026-13', 'now']) {
    const reply = await at.app.inject({ url: `/api/v1/boss/fees-owed?month=${bad}`, headers: at.merchant.headers })
    assert.equal(reply.statusCode, 422)
  }
})
