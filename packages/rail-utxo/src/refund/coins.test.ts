// What a refund spends adds up, and never to an output that nobody relays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dustOf, networkOf } from '../chain/networks.ts'
import { chooseCoins } from './coins.ts'

const hash = 'ab'.repeat(20)
const scripts = {
  ...{ pkh: `76a914${hash}88ac`, 'sh-wpkh': `a914${hash}87`, wpkh: `0014${hash}` },
  ...{ wsh: `0020${'ab'.repeat(32)}`, tr: `5120${'ab'.repeat(32)}` },
}

function dustAt(chain: string, script: string): bigint {
  const network = networkOf(chain, 'main')
  assert.ok(network)
  return dustOf(network, script)
}

test('each coin has its own dust, by the kind of script', () => {
  const all = (chain: string) => Object.values(scripts).map((script) => dustAt(chain, script))
  assert.deepEqual(all('btc'), [546n, 540n, 294n, 330n, 330n])
  assert.deepEqual(all('ltc'), [5_460n, 5_400n, 2_940n, 3_300n, 3_300n])
})

test('inputs are the refund, the fee and the change; the fee is the rate, and at most a dust and an output more', () => {
  const coin = fc.bigInt(600n, 200_000n).map((amount) => ({ txid: 'aa', vout: 0, amount }))
  fc.assert(
    fc.property(
      fc.array(coin, { maxLength: 60 }),
      fc.bigInt(1_000n, 400_000n),
      fc.bigInt(1n, 100n),
      fc.constantFrom('pkh' as const, 'sh-wpkh' as const, 'wpkh' as const, 'tr' as const),
      fc.constantFrom('btc', 'ltc'),
      (coins, amount, rate, script, chain) => {
        const dust = dustAt(chain, scripts[script])
        const choice = chooseCoins(coins, { amount, rate, script, dust, toScript: scripts.wpkh })
        const all = coins.slice(0, 50).reduce((sum, one) => sum + one.amount, 0n)
        if (choice === null) {
          assert.ok(all < amount + rate * (42n + 148n * BigInt(coins.length)))
          return
        }
        const there = choice.coins.reduce((sum, one) => sum + one.amount, 0n)
        assert.equal(there, amount + choice.fee + choice.change)
        assert.ok(choice.change === 0n || choice.change >= dust)
        const least = rate * (11n + 31n + 57n * BigInt(choice.coins.length))
        const most = rate * (11n + 31n + 43n + 148n * BigInt(choice.coins.length)) + dust + rate * 43n
        assert.ok(choice.fee >= least && choice.fee <= most, `${choice.fee} of ${least} to ${most}`)
      },
    ),
    { numRuns: 500 },
  )
})
