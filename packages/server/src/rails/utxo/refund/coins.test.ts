// What a refund spends adds up, and never to an output that nobody relays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseCoins } from './coins.ts'

test('inputs are the refund, the fee and the change; the fee is the rate, and at most a dust and an output more', () => {
  const coin = fc.bigInt(600n, 200_000n).map((amount) => ({ txid: 'aa', vout: 0, amount }))
  fc.assert(
    fc.property(
      fc.array(coin, { maxLength: 60 }),
      fc.bigInt(1_000n, 400_000n),
      fc.bigInt(1n, 100n),
      fc.constantFrom('pkh' as const, 'sh-wpkh' as const, 'wpkh' as const, 'tr' as const),
      (coins, amount, rate, script) => {
        const choice = chooseCoins(coins, { amount, rate, script, toScript: `0014${'ab'.repeat(20)}` })
        const all = coins.slice(0, 50).reduce((sum, one) => sum + one.amount, 0n)
        if (choice === null) {
          assert.ok(all < amount + rate * (42n + 148n * BigInt(coins.length)))
          return
        }
        const there = choice.coins.reduce((sum, one) => sum + one.amount, 0n)
        assert.equal(there, amount + choice.fee + choice.change)
        assert.ok(choice.change === 0n || choice.change >= 294n)
        const least = rate * (11n + 31n + 57n * BigInt(choice.coins.length))
        const most = rate * (11n + 31n + 43n + 148n * BigInt(choice.coins.length)) + 546n + rate * 43n
        assert.ok(choice.fee >= least && choice.fee <= most, `${choice.fee} of ${least} to ${most}`)
      },
    ),
    { numRuns: 500 },
  )
})
