import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asWrittenLike, checkPayee } from '../src/index.ts'

/** BIP-173's key, BIP-350's output, and the same hashes in the older forms, by chain. */
const pairs = {
  btc: [
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6',
    ],
    ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'mrS8eVKXguwufwvsVe9GtgGb7fif9UQeAu'],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '2N9hLwkSqr1cPQAPxbrGVUjxyjD11G2e1he'],
  ],
  ltc: [
    ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3'],
    ['LW98ceYNxYki9e9QxDACLn82TtVEPm4qmy', 'mrS8eVKXguwufwvsVe9GtgGb7fif9UQeAu'],
    ['MQMHBtvnBfxTzt3K2bdxgSE7qZPHSXWsGM', 'Qd474mK5s7fUYMA1DxJWZSQQsbSq6maeug'],
  ],
} as const

test('an address is written as the network of another writes it, and of the main network as it is', () => {
  for (const [chain, rows] of Object.entries(pairs)) {
    for (const [main, regtest] of rows) {
      assert.equal(checkPayee(chain, main).valid, true, main)
      for (const [, like] of rows) assert.equal(asWrittenLike(chain, main, like), regtest)
      for (const [like] of rows) assert.equal(asWrittenLike(chain, main, like), main)
      assert.equal(asWrittenLike(chain, regtest, regtest), regtest)
      assert.equal(asWrittenLike(chain, main, 'florin:somewhere'), main)
    }
  }
  const evm = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
  assert.equal(asWrittenLike('base', evm, evm), evm)
  assert.equal(asWrittenLike('btc', 'no address', pairs.btc[0][1]), 'no address')
})
