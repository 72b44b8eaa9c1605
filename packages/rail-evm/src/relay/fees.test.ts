import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSendAnswer } from './answers.ts'
import { bumpedFees, firstFees } from './fees.ts'

const gwei = fc.bigInt({ min: 0n, max: 500_000_000_000n })
const markets = fc.record({ baseFee: gwei, suggestedTip: gwei, minTip: gwei, cap: gwei })

test('a first offer pays the base fee and never passes the cap', () => {
  fc.assert(
    fc.property(markets, (market) => {
      const fees = firstFees(market)
      if (fees === null) return
      assert.ok(fees.maxFee <= market.cap && fees.tip <= fees.maxFee)
      assert.ok(fees.maxFee >= market.baseFee + fees.tip)
    }),
  )
})

test('a bump raises both numbers by what every node asks for, or says that the cap is reached', () => {
  fc.assert(
    fc.property(markets, gwei, gwei, (market, maxFee, tip) => {
      const last = { maxFee: maxFee + tip, tip }
      const next = bumpedFees(last, market)
      if (next === null) return
      assert.ok(next.maxFee * 100n >= last.maxFee * 110n && next.tip * 100n >= last.tip * 110n)
      assert.ok(next.maxFee <= market.cap && next.tip <= next.maxFee && next.maxFee >= market.baseFee + next.tip)
    }),
  )
})

test('a base fee that jumps tenfold is followed at once', () => {
  const market = { baseFee: 10_000_000_000n, suggestedTip: 0n, minTip: 1_000_000n, cap: 100_000_000_000n }
  const next = bumpedFees({ maxFee: 2_000_000_000n, tip: 1_000_000n }, market)
  assert.deepEqual(next, { maxFee: 20_001_150_000n, tip: 1_150_000n })
  assert.equal(bumpedFees({ maxFee: 90_000_000_000n, tip: 1n }, market), null)
})

test('what nodes answer is told apart', () => {
  const answers: Record<string, string> = {
    'already known': 'known',
    'transaction already imported': 'known',
    'ALREADY_EXISTS: already known': 'known',
    'nonce too low: next nonce 5, tx nonce 4': 'nonce_used',
    'nonce too low': 'nonce_used',
    'replacement transaction underpriced': 'bump',
    'transaction underpriced: gas tip cap 0, minimum needed 1000000': 'bump',
    'max fee per gas less than block base fee: address 0x…, maxFeePerGas: 1': 'bump',
    'insufficient funds for gas * price + value': 'no_funds',
    'Insufficient funds for gas * price + value': 'no_funds',
    'the method does not exist': 'refused',
  }
  for (const [message, answer] of Object.entries(answers)) assert.equal(readSendAnswer(message), answer, message)
})
