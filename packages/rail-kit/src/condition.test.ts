// What a rail says of itself, as ways that payers are offered or not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fault } from '@florin/platform/check'
import { HELD_MS, stateOf, troublesOf, type Way } from './condition.ts'
import type { RailCapabilities, RailCheck } from './interface/rail.ts'

const now = new Date('2026-03-01T12:00:00Z')
const swaps: RailCapabilities = {
  ...{
    kind: 'intents',
    isSandbox: false,
    custody: 'third-party',
    crossChain: true,
    refundAddress: 'required',
    isOnChain: false,
    isLive: true,
  },
}
const way = (pay: string, settle: string): Way => ({
  ...{ rail: 'intents', livemode: true },
  pay: { chain: pay, asset: 'USDC' },
  settle: { chain: settle, asset: 'USDC' },
})
const trouble: RailCheck = {
  ...fault(['provider', '1click'], 'it is out', 'wait'),
  ...{ chain: 'near', livemode: true, since: new Date(now.getTime() - HELD_MS) },
  holdsUp: ['payments', 'settlements', 'refunds'],
}
const states = (capabilities: RailCapabilities, check: RailCheck, ways: readonly Way[]): string[] => {
  const troubles = troublesOf(capabilities, [check], now)
  return ways.map((one) => stateOf(troubles, one))
}

test('a rail that asks one provider is out on every chain when that is, and one that reads a chain on that chain alone', () => {
  const ways = [way('arb', 'base'), way('near', 'base')]
  assert.deepEqual(states(swaps, trouble, ways), ['down', 'down'])
  assert.deepEqual(states({ ...swaps, crossChain: false }, trouble, ways), ['well', 'down'])
  // What has just begun sends nobody elsewhere.
  const young = { ...trouble, since: new Date(now.getTime() - HELD_MS + 1) }
  assert.deepEqual(states(swaps, young, ways), ['well', 'well'])
})

test('what cannot be paid out is out for whoever pays for it, and what cannot be paid in for whoever pays with it', () => {
  const ways = [way('arb', 'base'), way('base', 'arb'), way('arb', 'eth')]
  const sick = (side: 'pay' | 'settle'): RailCheck => ({
    ...{ ...trouble, since: now, chain: 'base', holdsUp: [], route: { asset: 'USDC', side } },
  })
  assert.deepEqual(states(swaps, sick('settle'), ways), ['down', 'well', 'well'])
  assert.deepEqual(states(swaps, sick('pay'), ways), ['well', 'down', 'well'])
})
