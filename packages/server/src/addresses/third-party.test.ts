import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@florin/protocol'
import { aMerchant, anApiKey, freshen } from '../../test/factories.ts'
import { testApp } from '../../test/harness.ts'

const url = '/api/v1/boss/third-party'

test('third parties are off in live mode until a fresh sign-in switches them on, each merchant for himself', async (t) => {
  const { app, deps, clock } = await testApp(t)
  const merchant = await aMerchant(deps)
  const other = await aMerchant(deps)
  const list = async (headers: { authorization: string }, livemode: boolean) =>
    (await app.inject({ url: `${url}?livemode=${livemode}`, headers })).json().data.data
  const put = (body: object, headers = merchant.headers) => app.inject({ method: 'PUT', url, headers, payload: body })
  const on = { chain: 'base', livemode: true, on: true }

  clock.advance(20 * MINUTE_MS)
  assert.equal((await put(on)).statusCode, 403, 'an old sign-in')
  await freshen(deps, merchant)
  assert.deepEqual(await list(merchant.headers, true), [])
  const set = (await put(on)).json().data
  assert.deepEqual([set.chain, set.on, set.takes_unproven], ['base', true, false])
  // What is left out stays as it is; an alias is its chain.
  assert.equal((await put({ ...on, takes_unproven: true })).json().data.takes_unproven, true)
  const off = (await put({ ...on, chain: 'eip155:8453', on: false })).json().data
  assert.deepEqual([off.chain, off.on, off.takes_unproven], ['base', false, true])
  assert.deepEqual(
    (await list(merchant.headers, true)).map((row: { chain: string; on: boolean }) => [row.chain, row.on]),
    [['base', false]],
  )
  assert.deepEqual([await list(other.headers, true), await list(merchant.headers, false)], [[], []])
  assert.equal((await put({ ...on, chain: 'nowhere' })).statusCode, 422)
  assert.equal((await put({ chain: 'base', on: 'yes', livemode: true })).statusCode, 422)
  assert.equal((await app.inject({ url })).statusCode, 401)
  const key = await anApiKey(deps, merchant)
  const seen = await app.inject({ url: '/v1/third-party', headers: key.headers })
  assert.deepEqual([seen.statusCode, seen.json().data], [200, []], 'a test key sees test mode')
  assert.equal((await app.inject({ url: '/v1/third-party' })).statusCode, 401)
})
