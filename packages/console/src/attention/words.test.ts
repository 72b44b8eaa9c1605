// Promises of the wording: what the server may name later is still readable, and asked about as if it were dangerous.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actText, evidenceLines, kindText, readable } from './words.ts'

test('kinds and known actions have words of their own', () => {
  assert.equal(kindText('move_money'), 'Move the money of an order')
  assert.equal(actText('dismiss').isDangerous, false)
  assert.equal(actText('refund').isDangerous, true)
})

test('new ones are made readable', () => {
  assert.equal(actText('accept-late').label, 'Accept late')
  assert.equal(actText('accept-late').isDangerous, true)
  assert.equal(readable('api_key.created'), 'Api key created')
  assert.equal(readable(''), '')
})

test('an amount is one line in whole coins, and the rest stays as it is', () => {
  const chains = { name: () => 'Base', decimals: (_chain: string, asset: string) => (asset === 'USDC' ? 6 : null) }
  const evidence = { failure: 'Refused.', amount: '49900000', asset: 'USDC', chain: 'base', note: '' }
  assert.deepEqual(evidenceLines(evidence, chains), [
    { key: 'amount', name: 'Amount', value: '49.90 USDC on Base' },
    { key: 'failure', name: 'Failure', value: 'Refused.' },
  ])
  const unknown = { amount: '7', asset: 'ODD', chain: 'base' }
  assert.deepEqual(evidenceLines(unknown, chains), [{ key: 'amount', name: 'Amount', value: '7 ODD on Base' }])
  assert.deepEqual(evidenceLines({ tx_hash: '0xab' }, chains), [{ key: 'tx_hash', name: 'Transaction', value: '0xab' }])
  assert.deepEqual(evidenceLines({}, chains), [])
})
