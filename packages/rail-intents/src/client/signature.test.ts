// Real answers of the vendor's staging server, as its own library publishes them for its tests.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedBy } from './signature.ts'

const STAGING = 'ed25519:5J5tkaxyPoR3Q9S8LXfo5bWnXK5Z2bctJ4mB9gENh7co'
const USDT = 'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near'

const request = {
  ...{ depositMode: 'SIMPLE', swapType: 'EXACT_INPUT', slippageTolerance: 100, originAsset: '1cs_v1:btc:native:coin' },
  ...{ depositType: 'ORIGIN_CHAIN', destinationAsset: USDT, amount: '10000', refundType: 'ORIGIN_CHAIN' },
  ...{ refundTo: 'bc1q6mte80265ghwq4vsrpm9lnaz46uvdreu9z8wly', recipientType: 'DESTINATION_CHAIN' },
  ...{ recipient: '0xcac3C41676deF4FE375E57118f3eB83A99105577', deadline: '2026-06-23T19:00:00.000Z' },
  ...{ confidentiality: 'public', quoteWaitingTimeMs: 0 },
}
const amounts = {
  ...{ amountIn: '10000', amountInFormatted: '0.0001', amountInUsd: '6.237600000000', minAmountIn: '10000' },
  ...{ timeEstimate: 812, refundFee: '1900', withdrawFee: '300000' },
}

const dry = {
  ...{ correlationId: '7d6d78f0', timestamp: '2026-06-23T17:10:55.616Z' },
  signature: 'ed25519:3yVRcYGXRVj2YqrUng4Ne2yiWgh9YQfer46KW6sXiWzoyRHgsifwDp1HSZW7VLRTdKXoMgxJce22LQ9dcoihyfu5',
  quoteRequest: { ...request, dry: true },
  quote: {
    ...{ ...amounts, amountOut: '5935024', amountOutFormatted: '5.935024' },
    ...{ amountOutUsd: '5.928631979152', minAmountOut: '5875673' },
  },
}
const live = {
  ...{ correlationId: 'd4f1b110', timestamp: '2026-06-23T17:10:41.104Z' },
  signature: 'ed25519:53wcpim7FDNLbBHVezUpakthWq2TR9Lag3PwW3e8Cxmz4bFEodcc4rui5BiVHRRaHocYE9URVapzJD8JxLNDs8K9',
  quoteRequest: { ...request, dry: false },
  quote: {
    ...{ ...amounts, amountOut: '5931560', amountOutFormatted: '5.93156' },
    ...{ amountOutUsd: '5.925171709880', minAmountOut: '5872244', deadline: '2026-06-26T19:00:00.000Z' },
    ...{ timeWhenInactive: '2026-06-26T19:00:00.000Z', depositAddress: 'bc1q873cxltdc560dth6tpwqpehq9uvhxxcdgwnmnw' },
  },
}

test('the vendor’s own vectors: a dry quote, a live one, and one from a status', () => {
  assert.ok(isSignedBy(STAGING, dry))
  assert.ok(isSignedBy(STAGING, live))
  const { quoteWaitingTimeMs: _, ...unset } = live.quoteRequest
  assert.ok(isSignedBy(STAGING, { ...live, quoteRequest: { ...unset, virtualChainRecipient: null, referral: null } }))
})

test('nothing that it covers can be changed, and nothing that is no signature passes', () => {
  const changed = [
    { ...live, quote: { ...live.quote, depositAddress: 'bc1qother' } },
    { ...live, quote: { ...live.quote, amountOut: '1' } },
    { ...live, quoteRequest: { ...live.quoteRequest, recipient: '0x0' } },
    { ...live, timestamp: '2026-06-23T17:10:42.104Z' },
    { ...live, signature: dry.signature },
    { ...live, signature: '' },
    { ...live, signature: 'not a signature' },
  ]
  for (const reply of changed) assert.equal(isSignedBy(STAGING, reply), false)
  assert.equal(isSignedBy('ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc', live), false)
  assert.equal(isSignedBy('no key', live), false)
  // What it does not cover is the echo's to compare: the request's own deadline and the fees.
  assert.ok(
    isSignedBy(STAGING, { ...live, quoteRequest: { ...live.quoteRequest, deadline: '2030-01-01T00:00:00.000Z' } }),
  )
})
