// Money goes back, and to merchants, at wallets only: contracts of tokens and services, and addresses of swaps, are refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAddress } from '@florin/chains'
import { AppError } from '@florin/platform/errors'
import { buildApp } from '../../../server/src/app.ts'
import { takeRefundAddress } from '../../../server/src/orders/create/refund-address.ts'
import { aMerchant } from '../../../server/test/factories.ts'
import { depositAddress } from '../test/addresses.fixture.ts'
import { aWorld } from '../test/world.fixture.ts'

test('no refund and no payout goes to a contract of a token, to a service or to a swap, however it is spelled', async (t) => {
  const world = await aWorld(t)
  const { deps } = world
  const take = (chain: string, text: string) =>
    takeRefundAddress(deps, { chain, livemode: false, text, param: 'refund_address' }).then(
      () => 'taken',
      (error: unknown) => (error instanceof AppError ? error.entry.code : error),
    )
  const toTon = { pay_chain: 'ton', pay_asset: 'GRAM', refund_address: depositAddress('ton', 2_000) }
  const swap = (await world.order(toTon)).legs[0]?.address ?? ''
  const verdict = checkAddress('ton', swap)
  assert.ok(verdict.valid)
  const app = await buildApp(deps)
  t.after(() => app.close())
  const merchant = await aMerchant(deps)
  const set = async (chain: string, address: string) => {
    const headers = merchant.headers
    const reply = await app.inject({
      method: 'PUT',
      url: '/api/v1/boss/addresses',
      headers,
      payload: { chain, address },
    })
    return reply.statusCode === 200 ? 'taken' : `${reply.statusCode} ${reply.json().error.code}`
  }
  const nobodys: readonly (readonly [string, string])[] = [
    // Of the catalogue, and of what the provider lists alone, also on a chain where it lists it not.
    ['eth', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['base', '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'],
    ['near', 'intents.near'],
    ['near', 'usdt.tether-token.near'],
    ['stellar', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    ['sol', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['ton', swap],
    ['ton', verdict.canonical],
  ]
  const judged = async (chain: string, address: string): Promise<unknown> => {
    const url = '/api/v1/boss/addresses/validate'
    const reply = await app.inject({ method: 'POST', url, headers: merchant.headers, payload: { chain, address } })
    return reply.json().data.reason
  }
  for (const [chain, text] of nobodys) {
    assert.equal(await take(chain, text), 'invalid_address', `${chain} ${text}`)
    assert.equal(await set(chain, text), '422 invalid_address', `${chain} ${text}`)
    // What is judged without being set is told the same.
    assert.notEqual(await judged(chain, text), null, `${chain} ${text}`)
  }
  assert.equal(await judged('near', 'intents.near'), 'not_payable')
  for (const chain of ['eth', 'near', 'ton']) assert.equal(await take(chain, depositAddress(chain, 7_000)), 'taken')
  assert.equal(await set('ton', depositAddress('ton', 7_000)), 'taken')
})
