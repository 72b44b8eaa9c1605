// Nobody is paid at a contract of a token, an issuer, a service or the chain itself: coins would be lost there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chains, checkAddress, checkPayee, placeOf } from '../src/index.ts'

test('no contract of the catalogue, issuer or package is an address that can be paid, on any chain of its family', () => {
  let judged = 0
  for (const chain of chains)
    for (const { asset, contract } of chain.assets) {
      if (contract === null) continue
      for (const other of chains.filter((one) => one.family === chain.family)) {
        const verdict = checkPayee(other, placeOf(chain, contract))
        assert.ok(!verdict.valid, `${asset} of ${chain.id} on ${other.id}`)
        assert.equal(verdict.reason, 'not_payable', `${asset} of ${chain.id} on ${other.id}`)
        judged++
      }
    }
  assert.ok(judged > 500, String(judged))
})

test('services that hold coins for others, and what chains are born with, are nobody’s wallet', () => {
  const cases: readonly (readonly [string, ...string[]])[] = [
    [
      'near',
      'intents.near',
      'wrap.near',
      'aurora',
      'near',
      'eth.omft.near',
      'v2_1.omni.hot.tg',
      'usdt.tether-token.near',
    ],
    ['base', '0x4200000000000000000000000000000000000006', '0x0000000000000000000000000000000000001010'],
    ['eth', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', '0x00000000219ab540356cBB839Cbe05303d7705Fa'],
    ['arb', '0xffffffffffffffffffffffffffffffffffffffff'],
    ['sol', 'So11111111111111111111111111111111111111112', 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'],
    ['stellar', 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
    ['sui', '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7', `0x${'0'.repeat(60)}dee9`],
    ['starknet', '0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d'],
    ['tron', 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
    ['ton', 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
  ]
  for (const [chain, ...texts] of cases)
    for (const text of texts) {
      assert.ok(checkAddress(chain, text).valid, `${text} is spelled as its chain asks`)
      const verdict = checkPayee(chain, text)
      assert.equal(verdict.valid ? 'valid' : verdict.reason, 'not_payable', `${chain} ${text}`)
    }
  // What only looks like it.
  for (const [chain, text] of [
    ['near', 'myintents.near'],
    ['near', 'alice.near'],
    ['base', '0x4200000000000000000000000000000000100006'],
    ['eth', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ] as const)
    assert.ok(checkPayee(chain, text).valid, text)
})
