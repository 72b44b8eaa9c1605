// Signed messages: Bitcoin Core's own example, and which keys count for an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base64, hex } from '@scure/base'
import { payTo } from '../src/address.ts'
import { isSignedBy, openAccount, overlapOf } from '../src/index.ts'
import { signerOf } from '../src/signed.ts'
import { key, top, withVersion } from './wallet.ts'

const sized = (text: string) => [text.length, ...new TextEncoder().encode(text)]

function sign(path: string, text: string, a: { title?: string; header?: number } = {}): string {
  const { title = 'Bitcoin Signed Message:\n', header = 31 } = a
  const digest = sha256(sha256(new Uint8Array([...sized(title), ...sized(text)])))
  const signature = secp256k1.sign(digest, top.derive(path).privateKey ?? assert.fail())
  return base64.encode(new Uint8Array([header + signature.recovery, ...signature.toCompactRawBytes()]))
}

const of = (text: string) => openAccount(text, { chain: 'btc', network: 'main' })
const account = key("m/84'/0'/0'")
const mine = of(`wpkh(${account}/0/*)`)

test('the example of Bitcoin Core is read as Bitcoin Core reads it', () => {
  const signature = 'IPojfrX2dfPnH26UegfbGQQLrdK844DlHq5157/P6h57WyuS/Qsl+h/WSVGDF4MUi4rWSswW38oimDYfNNUBUOk='
  const signer = signerOf('btc', 'Trust no one', signature) ?? assert.fail()
  const { address } = payTo({ chain: 'btc', network: 'main', script: 'pkh' }, hex.decode(signer))
  assert.equal(address, '15CRxFdyRpGZLW9w8HnHvVduizdL5jKNbs')
})

test('an account is signed for by its own keys and by those of its first addresses, over that text alone', () => {
  for (const path of ["m/84'/0'/0'", "m/84'/0'/0'/0", "m/84'/0'/0'/0/0", "m/84'/0'/0'/0/99", "m/84'/0'/0'/1/19"])
    assert.equal(isSignedBy(mine, 'a text', sign(path, 'a text')), true, path)
  for (const path of ["m/84'/0'/1'/0/0", "m/84'/0'", 'm', "m/84'/0'/0'/0/100", "m/84'/0'/0'/7/0"])
    assert.equal(isSignedBy(mine, 'a text', sign(path, 'a text')), false, path)
  const path = "m/84'/0'/0'/0/0"
  // The header of every type of address counts: the account says the type.
  for (const header of [27, 31, 35, 39]) assert.equal(isSignedBy(mine, 'a', sign(path, 'a', { header })), true)
  assert.equal(isSignedBy(mine, 'a', sign(path, 'a', { header: 43 })), false)
  assert.equal(isSignedBy(mine, 'another text', sign(path, 'a text')), false)
  assert.equal(isSignedBy(mine, 'a', sign(path, 'a', { title: 'Litecoin Signed Message:\n' })), false)
  const ltc = openAccount(`wpkh(${account}/0/*)`, { chain: 'ltc', network: 'main' })
  assert.equal(isSignedBy(ltc, 'a', sign(path, 'a')), false)
  assert.equal(isSignedBy(ltc, 'a', sign(path, 'a', { title: 'Litecoin Signed Message:\n' })), true)
  for (const broken of ['', 'x', 'A'.repeat(88), `${'A'.repeat(87)}=`, sign(path, 'a').slice(4)])
    assert.equal(isSignedBy(mine, 'a', broken), false)
  // Of a chain alone that text is not enough for what stands above it.
  assert.equal(isSignedBy(of(`wpkh(${key("m/84'/0'/0'/1")}/*)`), 'a', sign(path, 'a')), false)
})

test('accounts of one wallet are known by their keys, and which has the keys of the other', () => {
  const bare = (path: string, said?: { depth: number; child: number }) => {
    const text = key(path)
    return of(`wpkh(${said === undefined ? text : withVersion(text, '0488b21e', said)}/*)`)
  }
  const hidden = { depth: 3, child: 0x80000000 }
  for (const [other, here, there] of [
    [of(`sh(wpkh(${account}/0/*))`), 'covered', 'covered'],
    [of(`wpkh(${account}/7/*)`), 'covered', 'covered'],
    [of(`wpkh(${account}/0/5/*)`), 'covered', 'covered'],
    [bare("m/84'/0'/0'/0"), 'covered', 'covered'],
    [bare("m/84'/0'/0'/1"), 'covered', 'above'],
    [bare("m/84'/0'/0'/1", hidden), 'covered', 'above'],
    [bare("m/84'/0'/0'/9"), 'covered', 'above'],
    [of(`wpkh(${key("m/84'/0'/1'")}/0/*)`), null, null],
    [of(`wpkh(${key("m/49'/0'/0'")}/0/*)`), null, null],
  ] as const) {
    assert.deepEqual([overlapOf(mine, other), overlapOf(other, mine)], [here, there], other.descriptor)
  }
  // Two chains that only name their parent; a parent that is shown shows the name to be false.
  const [zero, one] = [bare("m/84'/0'/0'/0"), bare("m/84'/0'/0'/1")]
  assert.equal(overlapOf(zero, one), 'claimed')
  const parent = top.derive("m/84'/0'/0'").fingerprint
  const stranger = top.derive("m/99'/0'")
  const forged = Object.assign(stranger, { depth: 4, index: 0, parentFingerprint: parent }).publicExtendedKey
  const claiming = of(`wpkh(${forged}/*)`)
  assert.deepEqual([overlapOf(mine, claiming), overlapOf(claiming, mine)], [null, null])
  assert.equal(overlapOf(one, claiming), 'claimed')
  assert.equal(overlapOf(mine, openAccount(`wpkh(${account}/0/*)`, { chain: 'ltc', network: 'main' })), null)
})
