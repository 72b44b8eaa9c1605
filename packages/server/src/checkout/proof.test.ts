// The proof of a pay address goes with the address: whoever is shown the one is shown the other, and nobody else
// (docs/decisions/0020-refund-address.md).

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkProof, shown } from '@florin/exit'
import type { Viewer } from '@florin/order-model/shown'
import type { OrderState } from '@florin/order-model/state'
import { getAddress } from 'viem'
import { aWorld, stopNodes } from '../../../rail-evm/src/test/world.fixture.ts'
import { settleDue } from '../../test/orders.ts'
import { noBrand } from '../brand/brand.ts'
import { noConditions } from '../orders/create/route.ts'
import { chooseLeg } from '../orders/payer.ts'
import { getOrder } from '../orders/store.ts'
import { orderView, webhookBody } from '../orders/view.ts'
import { checkoutView } from './view.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const HOLDER = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)

test('an open leg shows its proof in the API, in webhooks and on the checkout', async (t) => {
  const world = await aWorld(t)
  const order = await world.order()
  const view = orderView(order, { baseUrl: '', tips: () => null })
  const exit = checkProof(view.pay?.proof)
  assert.equal(shown(exit.vault), view.pay?.address)
  assert.equal(shown(exit.route.merchant), getAddress(order.settleAddress))
  assert.equal(exit.route.refundTo, `0x${'0'.repeat(40)}`)
  const body = webhookBody({ id: 'evt_1', event: 'order.processing', createdAt: world.clock.now(), order: view })
  assert.deepEqual(JSON.parse(new TextDecoder().decode(body)).order.pay.proof, view.pay?.proof)
  const checkout = checkoutView(order, {
    ...{ rails: world.deps.rails, tips: () => null, brand: noBrand(''), now: world.clock.now(), service: '' },
    ...{ viewer: null, conditions: noConditions },
  })
  assert.deepEqual(checkout.pay?.proof, view.pay?.proof)
})

test('the proof of a private leg is shown to its browser alone until the leg has paid the order', async (t) => {
  const world = await aWorld(t)
  const made = await world.order()
  const open = made.legs[0]?.address ?? ''
  const order = await chooseLeg(world.deps, made, { chain: 'base', asset: 'USDC', refundAddress: PAYER }, HOLDER)
  const bound = order.legs.find((leg) => leg.holder !== null)
  assert.ok(bound)
  const seenBy = (state: OrderState, viewer: Viewer) => {
    const full = orderView(state, { baseUrl: '', tips: () => null, viewer })
    const now = world.clock.now()
    const parts = {
      rails: world.deps.rails,
      tips: () => null,
      brand: noBrand(''),
      now,
      service: '',
      conditions: noConditions,
    }
    const checkout = checkoutView(state, { ...parts, viewer })
    assert.deepEqual(checkout.pay?.proof, full.pay?.proof)
    return { vault: full.pay?.proof?.vault, text: JSON.stringify([full, checkout]).toLowerCase() }
  }
  for (const viewer of [null, OTHER]) {
    const { vault, text } = seenBy(order, viewer)
    assert.equal(vault, open)
    assert.ok(!text.includes(bound.address.toLowerCase()) && !text.includes(PAYER.toLowerCase()), String(viewer))
  }
  assert.equal(seenBy(order, HOLDER).vault, bound.address)
  await world.look()
  // A part payment reveals nothing.
  await world.pay(bound.address, world.node.usdc, 1n)
  await world.mine(3)
  await world.look()
  await settleDue(world.deps)
  assert.equal(seenBy(await getOrder(world.deps.sql, order.orderNo), null).vault, open)
  await world.pay(bound.address, world.node.usdc, bound.amountDue)
  await world.mine(3)
  await world.look()
  await settleDue(world.deps)
  const paid = await getOrder(world.deps.sql, order.orderNo)
  for (const viewer of [null, OTHER, HOLDER]) assert.equal(seenBy(paid, viewer).vault, bound.address)
})
