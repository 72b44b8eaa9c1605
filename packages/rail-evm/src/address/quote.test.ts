import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import { quote, REFUND_GAS, refundCostMicros } from './quote.ts'

const usdc = { decimals: 6, priceMicros: 1_000_000n, spreadBps: 0 }

test('the merchant is told what will come, the fee taken off and rounded down', () => {
  const asked = { ...usdc, amountUsdMicros: 33_333_333n, feeBps: 37, refundCostMicros: 0n }
  assert.deepEqual(quote(asked), { amountDue: 33_333_333n, amountOut: 33_210_000n, dust: 0n })
})

test('dust is twice what a refund costs, in the asset that is paid', () => {
  // 110,000 gas at 20 gwei and $3,000: $6.60.
  const cost = refundCostMicros(20_000_000_000n, 3_000_000_000n)
  assert.deepEqual([REFUND_GAS, cost], [110_000n, 6_600_000n])
  const asked = { amountUsdMicros: 50_000_000n, feeBps: 0, refundCostMicros: cost }
  assert.equal(quote({ ...usdc, ...asked }).dust, 13_200_000n)
  assert.equal(
    quote({ decimals: 18, priceMicros: 3_000_000_000n, spreadBps: 100, ...asked }).dust,
    4_400_000_000_000_000n,
    'what a refund costs has no spread',
  )
})

test('an amount that no route can hold is refused by its code', () => {
  const refusal = (code: string) => (error: unknown) => error instanceof AppError && error.entry.code === code
  const asked = { ...usdc, amountUsdMicros: 1_000_000n, feeBps: 0, refundCostMicros: 0n }
  // A route's smallest amount is a uint128.
  const fits = { ...asked, decimals: 37 }
  assert.equal(quote(fits).amountDue, 10n ** 37n)
  for (const decimals of [39, 40, 45]) {
    assert.throws(() => quote({ ...asked, decimals }), refusal('amount_too_large'), String(decimals))
  }
  assert.throws(() => quote({ ...asked, feeBps: 10_000 }), refusal('amount_too_small'))
})
