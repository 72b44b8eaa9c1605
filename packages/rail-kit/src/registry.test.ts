// Which rail is found: those that hold nothing first, and those of a third party only where the merchant allows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultSwitch } from '../../server/src/addresses/third-party.store.ts'
import type { Rail } from './interface/rail.ts'
import { makeRails } from './registry.ts'

const usdc = { chain: 'base', asset: 'USDC', contract: null, decimals: 6 }
const btc = { chain: 'btc', asset: 'BTC', contract: null, decimals: 8 }
const rail = (kind: 'forwarder' | 'intents', custody: 'none' | 'third-party'): Rail =>
  ({
    capabilities: {
      kind,
      isSandbox: false,
      custody,
      crossChain: true,
      refundAddress: 'required',
      isOnChain: false,
      isLive: true,
    },
    carries: () => true,
  }) as unknown as Rail

test('a rail of a third party is found only where it is allowed, and after those that hold nothing', () => {
  const [direct, swaps] = [rail('forwarder', 'none'), rail('intents', 'third-party')]
  const asked = { livemode: true, pay: btc, settle: usdc, settleAddress: '0x1' }
  const alone = makeRails([swaps], { intents: { assets: () => [{ ...btc, takes: true } as never] } })
  assert.equal(alone.find(asked), null)
  assert.equal(alone.find({ ...asked, thirdParty: false }), null)
  assert.equal(alone.find({ ...asked, thirdParty: true }), swaps)
  assert.equal(alone.reaching(asked), swaps)
  const both = makeRails([direct, swaps])
  assert.deepEqual(both.list(asked), [direct])
  assert.deepEqual(both.list({ ...asked, thirdParty: true }), [direct, swaps])
  // By default nobody allows it for real money, nor takes a payout on its word.
  const { isOn, takesUnproven } = defaultSwitch('base', true).wished
  assert.deepEqual([isOn, takesUnproven], [false, false])
})
