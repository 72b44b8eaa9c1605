// What is written can be read, checked and signed by another library, for every kind of script.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as ecc from '@bitcoinerlab/secp256k1'
import { deriveAddress, openAccount, receiveOrigin, redeemScript, type ScriptType } from '@florin/accounts'
import { HDKey } from '@scure/bip32'
import { crypto, initEccLib, Psbt, Transaction } from 'bitcoinjs-lib'
import { TestChain } from '../test/chain.fixture.ts'
import { readTransaction } from './block.ts'
import { type KeyPlace, writePsbt } from './psbt.ts'

initEccLib(ecc)
const { taggedHash } = crypto
const purpose: Readonly<Record<ScriptType, number>> = { pkh: 44, 'sh-wpkh': 49, wpkh: 84, tr: 86 }

for (const script of ['pkh', 'sh-wpkh', 'wpkh', 'tr'] as const) {
  test(`a ${script} wallet finds its keys in it, and signs`, () => {
    const top = HDKey.fromMasterSeed(randomBytes(32))
    const path = `m/${purpose[script]}'/0'/0'`
    const fingerprint = top.fingerprint.toString(16).padStart(8, '0')
    const key = `[${fingerprint}${path.slice(1)}]${top.derive(path).publicExtendedKey}/0/*`
    const inner = script === 'sh-wpkh' ? `sh(wpkh(${key}))` : `${script}(${key})`
    const account = openAccount(inner, { chain: 'btc', network: 'main' })
    const origin = receiveOrigin(account)
    assert.ok(origin !== null)
    const place = (index: number): KeyPlace => {
      const { publicKey } = deriveAddress(account, index)
      const redeem = script === 'sh-wpkh' ? redeemScript(publicKey) : null
      return { script, publicKey, redeemScript: redeem, fingerprint, path: [...origin.path, index] }
    }
    const coins = [3, 70].map((index) => {
      const { scriptPubKey } = deriveAddress(account, index)
      const previous = TestChain.transaction([
        { script: '51', amount: 7n },
        { script: scriptPubKey, amount: 50_000n },
      ])
      const { txid } = readTransaction(previous)
      return { txid, vout: 1, amount: 50_000n, scriptPubKey, previous, key: place(index) }
    })
    const to = `0014${'ab'.repeat(20)}`
    const change = deriveAddress(account, 71).scriptPubKey
    const raw = writePsbt(coins, [
      { amount: 60_000n, scriptPubKey: to, key: null },
      { amount: 39_000n, scriptPubKey: change, key: place(71) },
    ])
    const psbt = Psbt.fromBuffer(raw)
    assert.deepEqual(
      psbt.txOutputs.map((one) => [one.value, Buffer.from(one.script).toString('hex')]),
      [
        [60_000n, to],
        [39_000n, change],
      ],
    )
    const signer = {
      fingerprint: Buffer.from(fingerprint, 'hex'),
      publicKey: top.publicKey,
      derivePath: (at: string) => {
        const { publicKey, privateKey } = top.derive(at)
        assert.ok(publicKey !== null && privateKey !== null)
        return { publicKey, sign: (hash: Uint8Array) => ecc.sign(hash, privateKey), privateKey }
      },
    }
    if (script === 'tr') {
      // By the places that it names, as a wallet does; what is signed with is the internal key, tweaked (BIP-341).
      for (const [n, input] of psbt.data.inputs.entries()) {
        const [derivation] = input.tapBip32Derivation ?? []
        assert.ok(derivation !== undefined && input.tapInternalKey !== undefined)
        assert.equal(Buffer.from(derivation.masterFingerprint).toString('hex'), fingerprint)
        const { publicKey, privateKey } = top.derive(derivation.path)
        assert.ok(publicKey !== null && privateKey !== null)
        const internal = publicKey.subarray(1)
        assert.deepEqual(Buffer.from(derivation.pubkey), Buffer.from(internal))
        assert.deepEqual(Buffer.from(input.tapInternalKey), Buffer.from(internal))
        const even = publicKey[0] === 3 ? ecc.privateNegate(privateKey) : privateKey
        const tweaked = ecc.privateAdd(even, taggedHash('TapTweak', internal)) ?? assert.fail()
        const signing = ecc.pointFromScalar(tweaked, true) ?? assert.fail()
        const sign = (digest: Uint8Array) => ecc.signSchnorr(digest, tweaked)
        psbt.signInput(n, { publicKey: signing, sign, signSchnorr: sign })
      }
      assert.ok(
        psbt.validateSignaturesOfAllInputs((key, digest, signature) => ecc.verifySchnorr(digest, key, signature)),
      )
    } else psbt.signAllInputsHD(signer as never)
    psbt.finalizeAllInputs()
    const signed = psbt.extractTransaction(true)
    assert.ok(signed instanceof Transaction)
    assert.equal(signed.ins.length, 2)
    assert.equal(psbt.getFee(), 1_000n)
  })
}
