import assert from 'node:assert/strict'
import { after } from 'node:test'
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { quickTest as test } from '../../../../scripts/sizes.ts'
import { aWorld, stopNodes } from '../test/world.fixture.ts'

after(stopNodes)

test('wallet signature: an account signs in 65 bytes or in the 64 of EIP-2098 → both are taken, others are not', async (t) => {
  const { services } = (await aWorld(t)).forwarder
  // Of several keys: the parity is 0 in some and 1 in others.
  for (let n = 0; n < 8; n++) {
    const [account, other] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
    assert.ok(account && other)
    const whole = await account.signMessage({ message: 'refund' })
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(whole)))
    const isSigned = (a: object) =>
      services.isSignedBy?.({ chain: 'base', account: account.address, text: 'refund', signature: compact, ...a })
    assert.deepEqual([compact.length, await isSigned({}), await isSigned({ signature: whole })], [130, true, true])
    assert.equal(await isSigned({ account: other.address }), false)
    assert.equal(await isSigned({ text: 'another' }), false)
  }
})
