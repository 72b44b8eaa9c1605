// Another library derives the same addresses: random keys and paths of every form, on Bitcoin and its test networks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networks, Output } from '@bitcoinerlab/descriptors'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { sized } from '../../../scripts/sizes.ts'
import { deriveAddresses, openAccount } from '../src/index.ts'
import { withVersion } from './wallet.ts'

const forms = ['pkh', 'wpkh', 'sh-wpkh', 'tr'] as const

test('random descriptors give what @bitcoinerlab/descriptors gives', () => {
  const step = fc.oneof(fc.nat(5), fc.nat(0x7fffffff))
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 64 }),
      fc.constantFrom(...forms),
      // The path of change alone is refused.
      fc.array(step, { maxLength: 3 }).filter((path) => path.join() !== '1'),
      step,
      fc.constantFrom('main', 'regtest'),
      (seed, form, path, index, network) => {
        const xpub = HDKey.fromMasterSeed(seed).derive("m/84'/0'/0'").publicExtendedKey
        const shown = network === 'main' ? xpub : withVersion(xpub, '043587cf')
        const branch = path.map((one) => `/${one}`).join('')
        const inner = `[0a0b0c0d/84h/0h/0h]${shown}${branch}/*`
        const descriptor = form === 'sh-wpkh' ? `sh(wpkh(${inner}))` : `${form}(${inner})`
        const theirs = new Output({ descriptor, index, network: networks[network === 'main' ? 'bitcoin' : 'regtest'] })
        const [ours] = deriveAddresses(openAccount(descriptor, { chain: 'btc', network }), index, 1)
        assert.equal(ours?.address, theirs.getAddress())
        assert.equal(ours?.scriptPubKey, Buffer.from(theirs.getScriptPubKey()).toString('hex'))
      },
    ),
    { numRuns: sized({ short: 40, full: 2_000 }) },
  )
})
