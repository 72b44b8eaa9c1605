// One transaction has one spelling on its chain, and what no chain writes so is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalTransactionId, typedTransactionId } from '../src/index.ts'

const hex = 'ab'.repeat(32)
const upper = hex.toUpperCase()

test('every spelling of a transaction becomes the one of its chain', () => {
  const spelled: [chain: string, texts: string[], canonical: string][] = [
    ['base', [`0x${hex}`, `0x${upper}`, `0X${upper}`, `0xAb${hex.slice(2)}`, hex], `0x${hex}`],
    ['btc', [hex, upper, `AB${hex.slice(2)}`], hex],
    ['aptos', [`0x${hex}`, `0X${upper}`, upper], `0x${hex}`],
    ['starknet', ['0x0abc', '0xABC', '0X000abc'], '0xabc'],
    ['tron', [hex, upper, `0x${hex}`], hex],
    ['xrp', [hex, upper], upper],
    [
      'ton',
      [hex, upper, Buffer.from(hex, 'hex').toString('base64'), Buffer.from(hex, 'hex').toString('base64url')],
      hex,
    ],
  ]
  for (const [chain, texts, canonical] of spelled)
    for (const text of texts) assert.equal(canonicalTransactionId(chain, text), canonical, `${chain} ${text}`)
  // Letters of other alphabets are told apart.
  const base58 = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
  assert.equal(canonicalTransactionId('sol', base58), base58)
})

test('what is no transaction of a chain has no spelling', () => {
  for (const chain of ['base', 'btc', 'sol', 'near', 'ton', 'tron'])
    for (const text of ['', 'not a hash', `${hex} `, `0x${hex}00`.repeat(3), 'a/../b'])
      assert.equal(canonicalTransactionId(chain, text), null, `${chain} ${text}`)
  assert.equal(canonicalTransactionId('base', `0x${hex.slice(2)}`), null)
})

test('what people type is read as wallets show it, and a slip is none', () => {
  const base58 = '9wvxNR3hXzD8Yk2mPq7sT4uVbC5dE6fGhJ1K2L3M4N5P'
  const taken: [chain: string, text: string, canonical: string][] = [
    ['base', `0x${upper}`, `0x${hex}`],
    ['ronin', `0x${upper}`, `0x${hex}`],
    ['btc', upper, hex],
    ['tron', `0x${hex}`, hex],
    ['xrp', hex, upper],
    ['starknet', '0x00abc', '0xabc'],
    ['near', base58, base58],
    ['ton', Buffer.from(hex, 'hex').toString('base64url'), hex],
  ]
  for (const [chain, text, canonical] of taken)
    assert.equal(typedTransactionId(chain, text), canonical, `${chain} ${text}`)
  // Bare digits of an account chain may be a key; an address, or a hash of another chain, is a slip.
  const refused: [chain: string, text: string][] = [
    ...(['base', 'aptos', 'starknet'] as const).map((chain): [string, string] => [chain, hex]),
    ...([
      ['btc', `0x${hex}`],
      ['near', hex],
      ['sol', base58],
      ['base', `0x${hex.slice(24)}`],
      ['tron', base58],
    ] as [string, string][]),
  ]
  for (const [chain, text] of refused) assert.equal(typedTransactionId(chain, text), null, `${chain} ${text}`)
})
