// Payment links follow the standard of each chain; sandbox addresses can never be paid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chains, checkAddress, payUri, sandboxAddress, sandboxUri, uriForAmount } from '../src/index.ts'

const evm = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

test('each scheme as its standard writes it', () => {
  const x = 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi'
  const stellar = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
  const cases: readonly (readonly [Parameters<typeof payUri>[0], string])[] = [
    // EIP-681
    [{ chain: 'eth', asset: 'ETH', address: evm, amount: 10n ** 18n }, `ethereum:${evm}@1?value=1000000000000000000`],
    [{ chain: 'eth', asset: 'ETH', address: evm, amount: 0n }, `ethereum:${evm}@1`],
    [
      { chain: 'base', asset: 'USDC', address: evm, amount: 1_500_000n },
      `ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=${evm}&uint256=1500000`,
    ],
    [
      {
        chain: 'eth',
        asset: { asset: 'TST', contract: evm, decimals: 6 },
        address: evm,
        amount: 5n,
        evmChainId: 31337,
      },
      `ethereum:${evm}@31337/transfer?address=${evm}&uint256=5`,
    ],
    [{ chain: 'hypercore', asset: 'HYPE', address: evm, amount: 5n }, evm],
    // BIP-21 and its kin
    [{ chain: 'btc', asset: 'BTC', address: 'bc1qx', amount: 150_000n }, 'bitcoin:bc1qx?amount=0.0015'],
    [{ chain: 'btc', asset: 'BTC', address: 'bc1qx', amount: 0n }, 'bitcoin:bc1qx'],
    [{ chain: 'ltc', asset: 'LTC', address: 'ltc1qx', amount: 100_000_000n }, 'litecoin:ltc1qx?amount=1'],
    [{ chain: 'doge', asset: 'DOGE', address: 'Dx', amount: 1n }, 'dogecoin:Dx?amount=0.00000001'],
    [{ chain: 'bch', asset: 'BCH', address: 'bitcoincash:qx', amount: 50_000_000n }, 'bitcoincash:qx?amount=0.5'],
    [{ chain: 'xec', asset: 'XEC', address: 'ecash:qx', amount: 150n }, 'ecash:qx?amount=1.5'],
    // Solana Pay
    [{ chain: 'sol', asset: 'SOL', address: 'So1', amount: 10n ** 9n }, 'solana:So1?amount=1'],
    [
      { chain: 'sol', asset: 'USDC', address: 'So1', amount: 10_000n, memo: 'order 7&8' },
      'solana:So1?amount=0.01&spl-token=EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v&memo=order%207%268',
    ],
    [{ chain: 'ton', asset: 'GRAM', address: 'UQx', amount: 5n, memo: 'hi' }, 'ton://transfer/UQx?amount=5&text=hi'],
    [
      { chain: 'ton', asset: 'USDT', address: 'UQx', amount: 5n },
      'ton://transfer/UQx?amount=5&jetton=EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
    ],
    // SEP-7
    [
      { chain: 'stellar', asset: 'XLM', address: stellar, amount: 12_345_678n, memo: '77' },
      `web+stellar:pay?destination=${stellar}&amount=1.2345678&memo=77&memo_type=MEMO_TEXT`,
    ],
    [
      { chain: 'stellar', asset: 'USDC', address: stellar, amount: 1_000_000_000n },
      `web+stellar:pay?destination=${stellar}&amount=100&asset_code=USDC&asset_issuer=GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN`,
    ],
    [
      { chain: 'xrp', asset: 'XRP', address: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY', amount: 2_500_000n, memo: '495' },
      'xrpl://rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=2.5&dt=495',
    ],
    [
      { chain: 'xrp', asset: 'XRP', address: x, amount: 1_000_000n },
      'xrpl://rGWrZyQqhTp9Xu7G5Pkayo7bXjH4k4QYpf?amount=1&dt=4294967295',
    ],
    [{ chain: 'monero', asset: 'XMR', address: '4A', amount: 5n * 10n ** 11n }, 'monero:4A?tx_amount=0.5'],
    [
      { chain: 'nano', asset: 'XNO', address: 'nano_1', amount: 10n ** 30n },
      'nano:nano_1?amount=1000000000000000000000000000000',
    ],
    [{ chain: 'algorand', asset: 'ALGO', address: 'AB', amount: 7n }, 'algorand://AB?amount=7'],
    // No scheme: the bare address
    [{ chain: 'near', asset: 'USDC', address: 'shop.near', amount: 7n }, 'shop.near'],
    [{ chain: 'tron', asset: 'USDT', address: 'TX5', amount: 7n }, 'TX5'],
  ]
  for (const [request, uri] of cases) assert.equal(payUri(request), uri)
})

test('every EVM asset gives a link by the grammar of EIP-681, which says the same when it is read back', () => {
  // request = "ethereum" ":" target_address [ "@" chain_id ] [ "/" function_name ] [ "?" parameters ]; the examples of
  // the standard itself are read by it.
  const grammar = /^ethereum:(?:pay-)?(0x[0-9a-fA-F]{40})(?:@(\d+))?(?:\/(\w+))?(?:\?(.+))?$/
  for (const example of [
    'ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2014000000000000000',
    'ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7/transfer?address=0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1',
  ]) {
    assert.match(example, grammar)
  }
  let count = 0
  for (const chain of chains.filter((one) => one.family.startsWith('evm') && /^eip155:\d+$/.test(one.caip2 ?? ''))) {
    for (const asset of chain.assets) {
      const amount = 12_345_678_901_234_567_890n
      const uri = payUri({ chain, asset, address: evm, amount })
      const [, target, chainId, call, query] = grammar.exec(uri) ?? assert.fail(uri)
      const asked = new URLSearchParams(query)
      assert.equal(`eip155:${chainId}`, chain.caip2)
      assert.equal(target, asset.contract ?? evm)
      const said =
        asset.contract === null
          ? [call, asked.get('value'), asked.size]
          : [call, asked.get('uint256'), asked.size, asked.get('address')]
      const meant = asset.contract === null ? [undefined, `${amount}`, 1] : ['transfer', `${amount}`, 2, evm]
      assert.deepEqual(said, meant, uri)
      count++
    }
  }
  assert.ok(count >= 21, `${count}`)
})

test('a link cannot be broken out of, and nonsense is refused', () => {
  assert.equal(
    payUri({ chain: 'btc', asset: 'BTC', address: 'a?amount=9&x=#', amount: 1n }),
    'bitcoin:a%3Famount%3D9%26x%3D%23?amount=0.00000001',
  )
  assert.throws(() => payUri({ chain: 'btc', asset: 'USDC', address: 'a', amount: 1n }), RangeError)
  assert.throws(() => payUri({ chain: 'btc', asset: 'BTC', address: 'a', amount: -1n }), RangeError)
  assert.throws(() => payUri({ chain: 'none', asset: 'BTC', address: 'a', amount: 1n }), RangeError)
})

test('every chain and asset gives a link that holds the address', () => {
  for (const chain of chains)
    for (const asset of chain.assets) {
      const uri = payUri({ chain, asset: asset.asset, address: evm, amount: 12n })
      assert.ok(uri.includes(evm) && !/[\s"<>]/.test(uri))
    }
})

test('sandbox addresses are refused by every chain, are stable, and differ by seed and chain', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (seed) => {
      const addresses = chains.map((chain) => sandboxAddress(chain, seed))
      assert.equal(new Set(addresses).size, chains.length)
      for (const [at, chain] of chains.entries()) {
        const address = addresses[at] ?? ''
        assert.equal(sandboxAddress(chain.id, seed), address)
        assert.notEqual(sandboxAddress(chain, new Uint8Array([...seed, 1])), address)
        assert.match(address, /^[!-~]{10,120}$/)
        for (const other of chains) assert.equal(checkAddress(other, address).valid, false, `${address} on ${other.id}`)
      }
    }),
    { numRuns: 10 },
  )
})

test('where the format carries the network, a sandbox address is recognised as of a test network', () => {
  const networks = [
    'btc',
    'ltc',
    'doge',
    'dash',
    'bch',
    'zec',
    'dgb',
    'rvn',
    'dcr',
    'xec',
    'near',
    'ton',
    'xrp',
    'cardano',
    'filecoin',
    'kaspa',
    'monero',
    'zilliqa',
    'stacks',
    'flow',
  ]
  for (const chain of networks) {
    const verdict = checkAddress(chain, sandboxAddress(chain, new Uint8Array([1, 2, 3])))
    assert.equal(verdict.valid ? '' : verdict.reason, 'wrong_network', chain)
  }
  assert.match(sandboxAddress('eth', new Uint8Array(8)), /^TEST_eth_[0-9a-f]{32}$/)
  assert.match(sandboxAddress('btc', new Uint8Array(8)), /^tb1q/)
})

test('a sandbox link has a scheme no wallet opens', () => {
  const address = sandboxAddress('base', new Uint8Array(8))
  assert.equal(
    sandboxUri({ chain: 'base', asset: 'USDC', address, amount: 5n }),
    `florin-test:base/${address}?asset=USDC&amount=5`,
  )
})

test('links: another amount → every link is what it would be for that amount', () => {
  const evm = '0x52908400098527886E0F7030069857D2E4169EE7'
  for (const chain of chains.filter((one) => one.assets.length > 0)) {
    for (const { asset, decimals } of chain.assets) {
      for (const make of [payUri, sandboxUri]) {
        const request = { chain, asset, address: evm, memo: '12345' }
        const [from, to] = [12_345_678_901n, 10n]
        const other = uriForAmount(make({ ...request, amount: from }), { from, to, decimals })
        assert.equal(other, make({ ...request, amount: to }), `${chain.id} ${asset}`)
      }
    }
  }
})
