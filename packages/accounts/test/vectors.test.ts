// The published vectors of BIP-32, 44, 49, 84, 86, 380, 381, 382, 386 and 389.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptorChecksum } from '../src/checksum.ts'
import { readDescriptor, readKey } from '../src/descriptor.ts'
import { deriveAddresses, firstAddresses, openAccount, parseAccount } from '../src/index.ts'
import { readExtendedKey } from '../src/keys.ts'
import { Refused } from '../src/refusal.ts'
import vectors from '../vectors/bips.json' with { type: 'json' }
import { fingerprint, key } from './wallet.ts'

const btc = { chain: 'btc' } as const
const main = { chain: 'btc', network: 'main' } as const
const reasonOf = (act: () => unknown): string => {
  try {
    act()
    return 'read'
  } catch (error) {
    assert.ok(error instanceof Refused, String(error))
    return error.reason
  }
}

test('BIP-32: public children, and every broken or private key refused', () => {
  let steps = 0
  for (const chain of vectors.bip32.chains) {
    chain.forEach((link, n) => {
      assert.equal(
        reasonOf(() => readExtendedKey(link.private)),
        'private_key',
      )
      const { key } = readExtendedKey(link.public)
      assert.equal(key.publicExtendedKey, link.public)
      const next = chain[n + 1]
      if (next === undefined || next.path.endsWith('h')) return
      steps++
      assert.equal(key.deriveChild(Number(next.path.split('/').at(-1))).publicExtendedKey, next.public)
    })
  }
  assert.equal(steps, 6)
  const reasons = vectors.bip32.invalid.map(({ key }) => [key.slice(0, 4), reasonOf(() => readExtendedKey(key))])
  assert.equal(reasons.length, 16)
  for (const [prefix, reason] of reasons) {
    const expected = prefix === 'xprv' ? ['private_key', 'bad_checksum'] : ['bad_key', 'private_key']
    assert.ok(expected.includes(reason ?? ''), `${prefix}: ${reason}`)
  }
})

test('BIP-380: checksums and key expressions', () => {
  assert.equal(descriptorChecksum('raw(deadbeef)'), '89f8spxm')
  const answers = vectors.bip380.checksums.map(({ text, why }) => [why, reasonOf(() => readDescriptor(text))])
  // A right checksum leads to the next reason: raw() is not for accounts.
  assert.deepEqual(answers, [
    ['Valid checksum', 'unsupported'],
    ['No checksum', 'unsupported'],
    ['Missing checksum', 'bad_checksum'],
    ['Too long checksum (9 chars)', 'bad_checksum'],
    ['Too short checksum (7 chars)', 'bad_checksum'],
    ['Error in payload', 'bad_checksum'],
    ['Error in checksum', 'bad_checksum'],
    ['Invalid characters in payload', 'bad_descriptor'],
  ])
  for (const { text, why } of vectors.bip380.keys.valid) {
    const expected = /private key/.test(why)
      ? 'private_key'
      : /ublic key( with (key )?origin.*)?$/.test(why) && !/Extended/.test(why)
        ? 'single_address'
        : /hardened derivation/.test(why)
          ? 'hardened'
          : /derivation$/.test(why)
            ? 'single_address'
            : 'read'
    const full = /private key/.test(why) ? parseAccount(`wpkh(${text})`, btc) : null
    assert.equal(full === null ? reasonOf(() => readKey(text)) : !full.ok && full.reason, expected, why)
  }
  assert.equal(vectors.bip380.keys.invalid.length, 16)
  for (const { text, why } of vectors.bip380.keys.invalid) {
    const verdict = parseAccount(`wpkh(${text})`, btc)
    assert.ok(!verdict.ok, why)
    // The public ones are refused for what is wrong with them.
    if (!/prv|L4rK/.test(text))
      assert.ok(['bad_descriptor', 'bad_key'].includes(verdict.reason), `${why}: ${verdict.reason}`)
  }
})

test('BIP-381, 382, 386: the scripts of what is taken, a reason for the rest', () => {
  let derived = 0
  for (const { valid, invalid } of [vectors.bip381, vectors.bip382, vectors.bip386]) {
    for (const { text, gives } of valid) {
      const verdict = parseAccount(text, btc)
      const isAccount = !/prv|[(\]][5L]/.test(text) && text.includes('*') && /^(wpkh|pkh|tr|sh\(wpkh)/.test(text)
      if (!isAccount) {
        assert.ok(!verdict.ok && verdict.candidates.length === 0, text)
        continue
      }
      const account = openAccount(text, main)
      assert.deepEqual(
        deriveAddresses(account, 0, 3).map(({ scriptPubKey }) => scriptPubKey),
        gives,
      )
      derived++
    }
    for (const { text, why } of invalid) assert.ok(!parseAccount(text, btc).ok, why)
  }
  assert.equal(derived, 1)
  const ofTree = vectors.bip386.valid.find(({ text }) => text.includes('02df12b7'))
  assert.match(
    reasonOf(() => readDescriptor(ofTree?.text ?? '')),
    /unsupported/,
  )
})

test('BIP-389: the first of several paths is the receiving one', () => {
  let read = 0
  for (const { text, gives } of vectors.bip389.valid) {
    const verdict = parseAccount(text, btc)
    if (!text.startsWith('wpkh') || text.includes('prv')) {
      assert.ok(!verdict.ok && verdict.candidates.length === 0, text)
      continue
    }
    assert.equal(openAccount(text, main).descriptor, openAccount(gives[0] ?? '', main).descriptor)
    read++
  }
  assert.equal(read, 1)
  assert.equal(vectors.bip389.invalid.length, 8)
  for (const { text, why } of vectors.bip389.invalid) {
    const verdict = parseAccount(text, btc)
    assert.ok(!verdict.ok && verdict.candidates.length === 0, why)
  }
})

test('BIP-44, 49, 84, 86: the addresses of the twelve words', () => {
  const cases = [
    [`pkh([${fingerprint}/44'/0'/0']${key("m/44'/0'/0'")}/<0;1>/*)`, '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA'],
    [`sh(wpkh([${fingerprint}/49'/0'/0']${key("m/49'/0'/0'")}/0/*))`, '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
    [`wpkh([${fingerprint}/84'/0'/0']${key("m/84'/0'/0'")}/**)`, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    [
      `tr([${fingerprint}/86'/0'/0']${key("m/86'/0'/0'")}/0/*)`,
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
    ],
  ] as const
  for (const [text, first] of cases) {
    const verdict = parseAccount(text, btc)
    assert.ok(verdict.ok, !verdict.ok ? verdict.message : '')
    assert.equal(firstAddresses(verdict.account)[0], first)
    assert.equal(verdict.account.fingerprint, fingerprint)
    // What is stored is read back as the same account.
    assert.deepEqual(openAccount(verdict.account.descriptor, main), verdict.account)
  }
  assert.equal(
    key("m/84'/0'/0'", 'zpub'),
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  )
  // BIP-49's own vector is on the test network.
  const upub =
    'upub5EFU65HtV5TeiSHmZZm7FUffBGy8UKeqp7vw43jYbvZPpoVsgU93oac7Wk3u6moKegAEWtGNF8DehrnHtv21XXEMYRUocHqguyjknFHYfgY'
  const test49 = parseAccount(upub, { chain: 'btc', network: 'test' })
  assert.ok(test49.ok)
  assert.equal(firstAddresses(test49.account)[0], '2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2')
  const path86 = deriveAddresses(openAccount(`tr(${key("m/86'/0'/0'")}/0/*)`, main), 1, 1)[0]
  assert.equal(path86?.scriptPubKey, '5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb')
})
