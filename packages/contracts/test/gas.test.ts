// What each call costs. The table is committed; a change of more than 2 % either way must be looked at and written down with
//   GAS_SNAPSHOT=write node --test test/gas.test.ts
// It keeps the figures of the first version of the contracts as well: no call of it may become more than 5 % dearer.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Address } from 'viem'
import type { Route } from '../src/index.ts'
import { DAY, freshAddress, itemOf, NATIVE, openStage, routeOn, type Stage, vaultAt } from './stage.ts'

const FILE = join(import.meta.dirname, 'gas-snapshot.json')
const TOLERANCE = 0.02
const DEARER_THAN_FIRST = 0.05
const CEILING_PER_ORDER = 80_000
const ITEM_GAS = 400_000n

const measured: Record<string, number> = {}
let stage: Stage
before(async () => {
  stage = await openStage({ args: ['--hardfork', 'osaka', '--enable-tx-gas-limit'] })
})
after(() => stage.chain.stop())

function readSnapshot(): Record<'first' | 'second', Record<string, number>> {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

/** Receivers hold the token already, as merchants do after their first order. */
async function funded(changes: Partial<Route> = {}): Promise<Route> {
  const [route] = await fundedMany(1, () => changes)
  assert.ok(route)
  return route
}

async function fundedMany(count: number, changes: () => Partial<Route>): Promise<Route[]> {
  const routes = Array.from({ length: count }, () =>
    routeOn(stage, { collector: stage.feeVault.address, ...changes() }),
  )
  const token = routes[0]?.token ?? NATIVE
  await give(token, [...new Set(routes.flatMap((route) => [route.merchant, route.collector]))], 1n)
  await refill(routes)
  return routes
}

async function refill(routes: readonly Route[]): Promise<void> {
  const vaults = routes.map((route) => vaultAt(stage, route))
  await give(routes[0]?.token ?? NATIVE, vaults, 10_000_000n)
}

async function give(token: Address, to: readonly Address[], amount: bigint): Promise<void> {
  const { chain, payer, usdc } = stage
  if (token !== NATIVE) await chain.do({ ...usdc, address: token }, 'mintMany', [to, amount], { from: payer })
  else for (const one of to) await chain.transact({ from: payer, to: one, value: amount })
}

async function gasOf(name: string, args: readonly unknown[], from = stage.relayer): Promise<number> {
  return (await stage.chain.do(stage.factory, name, args, { from, gas: 16_000_000 })).gasUsed
}

const settled = (route: Route, feeBps = 100) => gasOf('settle', [route, route.token, 10_000_000n, feeBps])

describe('gas', () => {
  it('of deploying', () => {
    for (const { what, gasUsed } of stage.deployment.sent) measured[`deploy ${what}`] = Number(gasUsed)
  })

  it('of settling one order', async () => {
    const tokens = { 'proxied USDC': stage.usdc.address, USDT: stage.usdt.address, native: NATIVE }
    for (const [name, token] of Object.entries(tokens)) {
      const route = await funded({ token })
      measured[`settle 1 ${name}, fresh vault`] = await settled(route)
      await refill([route])
      measured[`settle 1 ${name}, vault exists`] = await settled(route)
    }
    measured['settle 1 proxied USDC, fresh vault, no fee'] = await settled(await funded(), 0)
    const open = await funded({ openAfter: 0 })
    measured['settle open proxied USDC, fresh vault'] = await gasOf('settleOpen', [open], stage.stranger)
  })

  it('of batches, per order', async () => {
    const batch = async (label: string, size: number, changes: () => Partial<Route>) => {
      const routes = await fundedMany(size, changes)
      const items = routes.map((route) => itemOf(route))
      const perOrder = async () => Math.round((await gasOf('settleBatch', [items, ITEM_GAS])) / size)
      measured[`batch ${size} ${label}, fresh vaults, per order`] = await perOrder()
      await refill(routes)
      measured[`batch ${size} ${label}, vaults exist, per order`] = await perOrder()
    }
    await batch('proxied USDC', 10, () => ({}))
    await batch('proxied USDC', 50, () => ({}))
    const merchant = freshAddress('merchant of them all')
    await batch('proxied USDC to one merchant', 50, () => ({ merchant }))
    await batch('USDT', 50, () => ({ token: stage.usdt.address }))
    await batch('native', 50, () => ({ token: NATIVE }))
  })

  it('of refunds', async () => {
    const { refunder, stranger } = stage
    const to = freshAddress('payer')
    await give(stage.usdc.address, [to], 1n)
    const bound = await funded({ refundTo: to })
    measured['refund bound, fresh vault'] = await gasOf('refundBound', [bound, bound.token, 5n], refunder)
    const announced = await funded()
    const args = [announced, announced.token, to, 5n]
    measured['refund announced: propose'] = await gasOf('proposeRefund', args, refunder)
    await stage.chain.warpBy(DAY)
    measured['refund announced: execute, fresh vault'] = await gasOf('executeRefund', args, stranger)
  })

  it('of a rescue', async () => {
    const { chain, payer, usdc } = stage
    const [merchant, refundTo] = [freshAddress('merchant'), freshAddress('payer')]
    await give(usdc.address, [refundTo], 1n)
    const route = await funded({ merchant, refundTo, openAfter: 0 })
    const healthy = await funded({ refundTo, openAfter: 0 })
    const rescued = (given: Route) => gasOf('rescue', [given, given.token], stage.stranger)
    measured['rescue: the merchant is paid, fresh vault'] = await rescued(healthy)
    await chain.do(usdc, 'setBlacklisted', [merchant, true], { from: payer })
    measured['rescue: a failure is recorded, fresh vault'] = await rescued(route)
    await chain.warpBy(7 * DAY)
    measured['rescue: the payer is paid'] = await rescued(route)
  })

  it("of the payer's transfer", async () => {
    const { chain, payer, usdc } = stage
    const route = routeOn(stage)
    await give(usdc.address, [payer], 11n)
    const pay = async () => (await chain.do(usdc, 'transfer', [vaultAt(stage, route), 5n], { from: payer })).gasUsed
    measured['payer: proxied USDC to a fresh address'] = await pay()
    measured['payer: proxied USDC to a used address'] = await pay()
  })
})

describe('the gas table', () => {
  it(`stays within ${TOLERANCE * 100} % of the committed one`, () => {
    const { first } = readSnapshot()
    const written = `${JSON.stringify({ first, second: measured }, null, 2)}\n`
    if (process.env.GAS_SNAPSHOT === 'write') writeFileSync(FILE, written)
    const committed = readSnapshot().second
    assert.deepEqual(Object.keys(measured), Object.keys(committed))
    const moved = Object.entries(committed).filter(
      ([name, gas]) => Math.abs((measured[name] ?? 0) - gas) > gas * TOLERANCE,
    )
    assert.deepEqual(
      moved.map(([name, gas]) => `${name}: ${gas} → ${measured[name]}`),
      [],
    )
  })

  it(`costs no call more than ${DEARER_THAN_FIRST * 100} % over the first version`, () => {
    const dearer = Object.entries(readSnapshot().first).filter(
      ([name, gas]) => (measured[name] ?? Number.POSITIVE_INFINITY) > gas * (1 + DEARER_THAN_FIRST),
    )
    assert.deepEqual(
      dearer.map(([name, gas]) => `${name}: ${gas} → ${measured[name]}`),
      [],
    )
  })

  it(`asks at most ${CEILING_PER_ORDER} gas an order in a batch of 50 fresh vaults`, () => {
    for (const token of ['proxied USDC', 'USDT', 'native']) {
      const gas = measured[`batch 50 ${token}, fresh vaults, per order`] ?? Number.POSITIVE_INFINITY
      assert.ok(gas <= CEILING_PER_ORDER, `${token}: ${gas}`)
    }
  })
})
