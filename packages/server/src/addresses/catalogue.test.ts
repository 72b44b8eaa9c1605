import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chains } from '@florin/chains'
import { makeRails } from '@florin/rail-kit/registry'
import { sandboxRail } from '@florin/rail-kit/sandbox/rail'
import { aMerchant, anApiKey } from '../../test/factories.ts'
import { testApp, testDeps } from '../../test/harness.ts'
import { buildApp } from '../app.ts'

test('the catalogue is public and names every chain with its assets, explorer and rails', async (t) => {
  const { app } = await testApp(t)
  const answer = await app.inject('/api/v1/chains')
  assert.equal(answer.statusCode, 200)
  const { code, data } = answer.json()
  assert.equal(code, 0)
  assert.deepEqual(
    data.data.map((chain: { id: string }) => chain.id),
    chains.map((chain) => chain.id),
  )
  assert.deepEqual([data.has_more, data.next_cursor], [false, null])
  const base = data.data.find((chain: { id: string }) => chain.id === 'base')
  assert.deepEqual(Object.keys(base), [
    'id',
    'name',
    'aliases',
    'family',
    'caip2',
    'assets',
    'explorer',
    'memo',
    'rails',
    'settles',
  ])
  assert.deepEqual([base.name, base.family, base.caip2, base.memo], ['Base', 'evm', 'eip155:8453', null])
  assert.deepEqual(base.assets[0], { asset: 'ETH', contract: null, decimals: 18 })
  assert.ok(
    base.assets.some((asset: { asset: string; decimals: number }) => asset.asset === 'USDC' && asset.decimals === 6),
  )
  assert.match(base.explorer.tx, /\{tx\}/)
  assert.deepEqual(base.rails, [
    {
      rail: 'sandbox',
      livemode: false,
      custody: 'none',
      pay: base.assets.map((asset: { asset: string }) => asset.asset),
      settle: base.assets.map((asset: { asset: string }) => asset.asset),
    },
  ])
  assert.equal(base.settles, 'none', 'no real money is carried here')
  const xrp = data.data.find((chain: { id: string }) => chain.id === 'xrp')
  assert.ok(xrp.memo.name.length > 0)
})

test('a key sees the rails of its own mode, whatever its scopes', async (t) => {
  const { app, deps } = await testApp(t)
  const merchant = await aMerchant(deps)
  const rails = async (mode: 'live' | 'test') => {
    const key = await anApiKey(deps, merchant, { mode, scopes: ['webhooks:read'] })
    const answer = await app.inject({ url: '/v1/chains', headers: key.headers })
    assert.equal(answer.statusCode, 200)
    return answer.json().data[0].rails.map((rail: { rail: string }) => rail.rail)
  }
  assert.deepEqual([await rails('test'), await rails('live')], [['sandbox'], []])
  const nobody = await app.inject('/v1/chains')
  assert.deepEqual([nobody.statusCode, nobody.json().error.code], [401, 'invalid_api_key'])
})

test('catalogue: a rail carries between chains → each chain shows its side alone', async (t) => {
  const { deps } = await testDeps(t)
  const sandbox = sandboxRail({ sql: deps.sql })
  const carries: typeof sandbox.carries = (a) => a.livemode && a.pay.chain === 'eth' && a.settle.chain === 'base'
  const rail = { ...sandbox, carries }
  const app = await buildApp({ ...deps, rails: makeRails([rail]) })
  t.after(() => app.close())
  const railsOf = async (id: string) =>
    (await app.inject('/api/v1/chains')).json().data.data.find((chain: { id: string }) => chain.id === id).rails
  const [onEth] = await railsOf('eth')
  const [onBase] = await railsOf('base')
  assert.deepEqual([onEth.pay.includes('USDC'), onEth.settle, onEth.livemode], [true, [], true])
  assert.deepEqual([onBase.pay, onBase.settle.includes('USDC')], [[], true])
  assert.deepEqual(await railsOf('btc'), [])
})
