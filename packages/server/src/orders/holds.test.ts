// A settlement that its rail would rather not carry out now waits, says why, and goes on by itself or by the merchant's word.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import type { Hold } from '@florin/rail-kit/interface/moves'
import type { RailServices } from '@florin/rail-kit/interface/services'
import { makeRails } from '@florin/rail-kit/registry'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { testConsole } from '../../test/console.ts'
import { settleDue } from '../../test/orders.ts'
import type { OrderDeps } from './advance.ts'
import { simulate } from './simulate.ts'
import { getOrder } from './store.ts'

const depegged: Hold = { why: 'depegged', evidence: { price: '0.91', below: '0.98' } }

interface Item {
  id: string
  reason: string
  summary: string
  actions: string[]
}

async function heldOrder(t: TestContext) {
  const at = await testConsole(t)
  let isOff = true
  const holds: RailServices['holds'] = async (requests) =>
    new Map(isOff ? requests.map((one) => [one.settlementId, depegged]) : [])
  const deps: OrderDeps = { ...at.deps, rails: makeRails([sandboxRail(at.deps)], { sandbox: { holds } }) }
  const made = await at.order()
  const { orderNo } = made
  await simulate(deps, made, 'pay', null)
  await simulate(deps, await getOrder(deps.sql, orderNo), 'confirm', null)
  const read = () => getOrder(deps.sql, orderNo)
  const items = async (status: 'open' | 'resolved'): Promise<Item[]> => {
    const { data } = await at.get<{ data: Item[] }>(`attention?livemode=false&status=${status}`)
    return data.data.filter((item) => item.reason === 'settlement_held')
  }
  return {
    at,
    deps,
    read,
    items,
    back() {
      isOff = false
    },
  }
}

test('it is not given to the rail, the order and the inbox say why, and it goes on once the price is back', async (t) => {
  const { at, deps, read, items, back } = await heldOrder(t)
  const held = await read()
  assert.deepEqual([held.status, held.detail], ['processing', 'needs_attention'])
  assert.deepEqual([held.settlements[0]?.status, held.settlements[0]?.hold], ['wanted', 'depegged'])
  const [item, ...more] = await items('open')
  assert.deepEqual([more, item?.actions], [[], ['settle-now', 'dismiss']])
  assert.match(item?.summary ?? '', /worth 0\.91 USD, below 0\.98/)
  for (let round = 0; round < 3; round++) {
    at.clock.advance(MINUTE_MS)
    await settleDue(deps)
  }
  const [row] =
    await deps.sql`select 1 from settlements where order_no = ${held.orderNo} and handed_over_at is not null`
  assert.equal(row, undefined)
  assert.equal((await items('open')).length, 1, 'it is asked about once')
  back()
  at.clock.advance(MINUTE_MS)
  await settleDue(deps)
  assert.equal((await read()).detail, 'settling')
  assert.deepEqual(await items('open'), [])
  const done = await simulate(deps, await read(), 'settle', null)
  assert.equal(done.status, 'success')
})

test('the merchant may have it settled in the coin as it stands', async (t) => {
  const { at, deps, read, items } = await heldOrder(t)
  const [item] = await items('open')
  const answer = await at.post(`attention/${item?.id}/settle-now`)
  assert.equal(answer.status, 200)
  at.clock.advance(MINUTE_MS)
  await settleDue(deps)
  const released = await read()
  assert.deepEqual([released.detail, released.settlements[0]?.hold], ['settling', null])
  assert.equal((await simulate(deps, released, 'settle', null)).status, 'success')
  assert.deepEqual((await at.post(`attention/${item?.id}/settle-now`)).status, 409)
})
