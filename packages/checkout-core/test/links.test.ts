// Promises: only web pages and wallets are linked to; nothing that came as text can run as code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayLeg } from '@florin/protocol'
import fc from 'fast-check'
import { explorerUrl, proofFile, walletUrl, webUrl } from '../src/links.ts'
import { usdcLeg } from './parts.ts'

test('an explorer page is the template with the hash in it', () => {
  assert.equal(explorerUrl('https://x.example/tx/{tx}', 'tx', '0xab'), 'https://x.example/tx/0xab')
  assert.equal(explorerUrl('https://x.example/tx/{tx}', 'tx', 'a/b?c#$&'), 'https://x.example/tx/a%2Fb%3Fc%23%24%26')
  assert.equal(explorerUrl('https://x.example/{address}', 'address', 'kaspa:qq'), 'https://x.example/kaspa:qq')
  assert.equal(explorerUrl(null, 'tx', '0xab'), null)
  assert.equal(explorerUrl('javascript:{tx}', 'tx', 'alert(1)'), null)
})

test('the way back is http or https', () => {
  assert.equal(webUrl('https://shop.example/a?b=1'), 'https://shop.example/a?b=1')
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example', '/relative', '', null]) {
    assert.equal(webUrl(url), null)
  }
})

test('payment links open wallets; bare addresses and the sandbox open nothing', () => {
  for (const uri of [
    'ethereum:0xab@1',
    'bitcoin:bc1?amount=1',
    'solana:abc',
    'web+stellar:pay?x',
    'kaspa:qq',
    'xrpl://r',
  ]) {
    assert.equal(walletUrl(uri), uri)
  }
  for (const uri of [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    'florin-test:base/0x1',
    'JavaScript:alert(1)',
    'data:x',
  ]) {
    assert.equal(walletUrl(uri), null)
  }
})

test('no text becomes a link that runs', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('javascript', 'JAVASCRIPT', 'vbscript', 'data', 'file', 'blob'),
      fc.string(),
      (scheme, rest) => {
        assert.equal(walletUrl(`${scheme}:${rest}`), null)
        assert.equal(webUrl(`${scheme}:${rest}`), null)
      },
    ),
  )
})

test('a proof is saved under the order’s number, byte for byte; without one there is no link', () => {
  const proof = { kind: 'evm-route', vault: '0xé"#&' } as unknown as NonNullable<PayLeg['proof']>
  const file = proofFile({ order_no: 'ord_1', pay: { ...usdcLeg, proof } })
  assert.equal(file?.name, 'proof-ord_1.json')
  assert.match(file?.href ?? '', /^data:application\/json;charset=utf-8,[\w%.!~*'()-]+$/)
  assert.deepEqual(JSON.parse(decodeURIComponent(file?.href.split(',')[1] ?? '')), proof)
  assert.equal(proofFile({ order_no: 'ord_1', pay: usdcLeg }), null)
  assert.equal(proofFile({ order_no: 'ord_1', pay: null }), null)
})
