// A private key or seed phrase pasted by mistake is called what it is and never comes back in any answer.
// All values are published examples or made from fixed bytes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '@noble/hashes/sha2.js'
import { base32nopad, base58, base58check, base58xrp, bech32 } from '@scure/base'
import { chains, checkAddress } from '../src/index.ts'

const key = Uint8Array.from({ length: 32 }, (_, at) => at + 1)
const check58 = base58check(sha256)

const secrets: readonly (readonly [string, string])[] = [
  ['WIF, uncompressed', check58.encode(new Uint8Array([0x80, ...key]))],
  ['WIF, compressed', check58.encode(new Uint8Array([0x80, ...key, 1]))],
  ['Litecoin WIF', check58.encode(new Uint8Array([0xb0, ...key, 1]))],
  ['Dogecoin WIF', check58.encode(new Uint8Array([0x9e, ...key, 1]))],
  ['Dash WIF', check58.encode(new Uint8Array([0xcc, ...key, 1]))],
  ['testnet WIF', check58.encode(new Uint8Array([0xef, ...key, 1]))],
  ['extended private key', check58.encode(new Uint8Array([0x04, 0x88, 0xad, 0xe4, ...new Uint8Array(42), ...key]))],
  ['encrypted key', check58.encode(new Uint8Array([0x01, 0x42, 0xc0, ...key, 0, 0, 0, 0]))],
  ['Ripple seed', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb'],
  [
    'Ripple Ed25519 seed',
    (() => {
      const body = new Uint8Array([0x01, 0xe1, 0x4b, ...key.subarray(0, 16)])
      return base58xrp.encode(new Uint8Array([...body, ...sha256(sha256(body)).subarray(0, 4)]))
    })(),
  ],
  ['Stellar seed', base32nopad.encode(new Uint8Array([18 << 3, ...key, 1, 2]))],
  ['Aleo key', `APrivateKey1${'z'.repeat(47)}`],
  ['Tezos key', check58.encode(new Uint8Array([13, 15, 58, 7, ...key]))],
  ['Vaulta key', `PVT_K1_${'3'.repeat(49)}`],
  ['Sui key', bech32.encode('suiprivkey', bech32.toWords(new Uint8Array([0, ...key])))],
  ['Cardano key', bech32.encode('addr_xsk', bech32.toWords(new Uint8Array([...key, ...key])), false)],
  ['NEAR key', `ed25519:${base58.encode(new Uint8Array([...key, ...key]))}`],
  ['Solana key', base58.encode(new Uint8Array([...key, ...key]))],
  ['Solana key as a list', `[${[...key, ...key].join(',')}]`],
  ['seed phrase of 12 words', 'legal winner thank year wave sausage worth useful legal winner thank yellow'],
  [
    'numbered seed phrase',
    '1. legal 2. winner 3. thank 4. year 5. wave 6. sausage 7. worth 8. useful 9. legal 10. winner 11. thank 12. yellow',
  ],
  ['seed phrase with commas', 'legal, winner, thank, year, wave, sausage, worth, useful, legal, winner, thank, yellow'],
  ['codex32 seed', 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw'],
  ['seed phrase of 24 words', `${'abandon '.repeat(23)}art`],
]

test(`${secrets.length} kinds of secrets are refused by name on every chain and never repeated`, () => {
  for (const [name, secret] of secrets)
    for (const chain of chains) {
      // Any word of small letters may be the name of an account there.
      if (name === 'codex32 seed' && chain.family === 'near') continue
      const verdict = checkAddress(chain, secret)
      assert.ok(!verdict.valid, `${name} accepted on ${chain.id}`)
      // 64 bytes of base58 are a transaction signature as often as a key, so only Solana's own chains call them a secret.
      if (name !== 'Solana key' || chain.family === 'solana')
        assert.equal(verdict.reason, 'secret_key', `${name} on ${chain.id}`)
      const said = JSON.stringify(verdict)
      for (let at = 0; at + 8 <= secret.length; at += 4) assert.ok(!said.includes(secret.slice(at, at + 8)), name)
    }
})

test('a mistyped secret is still treated as one', () => {
  const wif = check58.encode(new Uint8Array([0x80, ...key, 1]))
  const slip = `${wif.slice(0, -1)}${wif.endsWith('1') ? '2' : '1'}`
  for (const text of [slip, 'ssoPBrXtMeMyMHUVTgbuqAfg1SUTb']) {
    const verdict = checkAddress('btc', text)
    assert.equal(verdict.valid ? '' : verdict.reason, 'secret_key')
  }
})

test('32 bytes of hexadecimal are a possible private key wherever they are no address', () => {
  for (const chain of ['eth', 'btc', 'tron', 'sol', 'polkadot', 'cosmos', 'monero'])
    for (const prefix of ['', '0x']) {
      const verdict = checkAddress(chain, `${prefix}${'1f'.repeat(32)}`)
      assert.equal(verdict.valid ? '' : verdict.reason, 'secret_key', chain)
    }
  assert.ok(checkAddress('near', '1f'.repeat(32)).valid)
})
