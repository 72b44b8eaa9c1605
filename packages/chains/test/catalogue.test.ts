// The catalogue: complete, without contradictions, and found by the names people use.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  chains,
  checkAddress,
  explorerAddressUrl,
  explorerTxUrl,
  findAsset,
  findChain,
  formatAmount,
} from '../src/index.ts'

interface Known {
  readonly id: string
  readonly name: string
  readonly family: string
  readonly caip2: string | null
  readonly native: { readonly symbol: string; readonly decimals: number }
  readonly explorer: { readonly tx: string | null; readonly address: string | null }
  readonly memo: string | null
}

const known: readonly Known[] = JSON.parse(readFileSync(new URL('../vectors/chains.json', import.meta.url), 'utf8'))

test(`the ${known.length} collected chains are all there, as collected`, () => {
  assert.equal(chains.length, known.length)
  for (const row of known) {
    const chain = findChain(row.id)
    assert.ok(chain, row.id)
    const { id, name, family, caip2, native, explorer } = chain
    assert.deepEqual(
      { id, name, family, caip2, explorer },
      { id: row.id, name: row.name, family: row.family, caip2: row.caip2, explorer: row.explorer },
    )
    assert.deepEqual(native, { asset: row.native.symbol, contract: null, decimals: row.native.decimals })
    assert.equal(chain.memo === null, row.memo === null)
  }
})

test('no two chains share a name of any kind', () => {
  const names = chains.flatMap((chain) => [chain.id, ...chain.aliases])
  assert.equal(new Set(names).size, names.length)
  for (const each of names) assert.match(each, /^[a-z0-9-]+$/)
  const caip2 = chains.flatMap((chain) => chain.caip2 ?? [])
  assert.equal(new Set(caip2).size, caip2.length)
})

test('a chain is found by id, alias and CAIP-2 id; case matters for the last only', () => {
  for (const text of ['eth', 'ETH', 'ethereum', 'Ethereum', 'eip155:1']) assert.equal(findChain(text)?.id, 'eth', text)
  for (const text of ['polygon', 'matic', 'eip155:137']) assert.equal(findChain(text)?.id, 'pol', text)
  for (const text of ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana'])
    assert.equal(findChain(text)?.id, 'sol', text)
  const strange = [
    'EIP155:1',
    'solana:5EYKT4USFV8P8NJDTREPY1VZQKQZKVDP',
    ' eth',
    'eth ',
    '',
    'constructor',
    '__proto__',
    '\u212Aava',
    'x'.repeat(1000),
  ]
  for (const text of strange) assert.equal(findChain(text), null, text)
  assert.throws(() => checkAddress('nowhere', '0x'), RangeError)
})

test('every chain lists its native coin first and each asset once, with contracts its own rules accept', () => {
  for (const chain of chains) {
    assert.equal(chain.assets[0], chain.native)
    const symbols = chain.assets.map((asset) => asset.asset)
    assert.equal(new Set(symbols).size, symbols.length)
    for (const asset of chain.assets) {
      assert.ok(Number.isInteger(asset.decimals) && asset.decimals >= 0 && asset.decimals <= 30)
      assert.equal(findAsset(chain, asset.asset.toLowerCase()), asset)
      if (asset.contract === null) continue
      // A Sui coin type and a Stellar asset hold the account inside; the others are addresses themselves.
      const account = asset.contract.split('::')[0]?.split(':').at(-1) ?? ''
      const verdict = checkAddress(chain, account)
      assert.ok(verdict.valid, `${chain.id} ${asset.asset}`)
      if (chain.family === 'evm') assert.equal(verdict.canonical, asset.contract)
    }
  }
  assert.deepEqual(findAsset('bsc', 'USDC')?.decimals, 18)
  assert.deepEqual(findAsset('base', 'USDC'), {
    asset: 'USDC',
    contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
  })
  assert.equal(findAsset('btc', 'USDC'), null)
})

test('the catalogue survives JSON unchanged', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(chains)), chains)
})

test('the sources import nothing a browser lacks', () => {
  const folder = new URL('../src/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  assert.ok(files.length > 40)
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), 'utf8')
    for (const [, from = ''] of source.matchAll(/from '([^']+)'/g))
      assert.match(from, /^(?:\.{1,2}\/|@scure\/base$|@noble\/hashes\/)/, file)
    assert.doesNotMatch(source, /\b(?:Buffer|process|require)\b[.(]/, file)
  }
})

test('explorer links escape what they are given and are null where no explorer is known', () => {
  assert.equal(explorerTxUrl('btc', 'ab12'), 'https://mempool.space/tx/ab12')
  assert.equal(
    explorerAddressUrl('bch', 'bitcoincash:qq'),
    'https://blockchair.com/bitcoin-cash/address/bitcoincash:qq',
  )
  assert.equal(explorerTxUrl('stacks', '0x1'), 'https://explorer.hiro.so/txid/0x1?chain=mainnet')
  assert.equal(explorerTxUrl('eth', '../x?y#$&'), 'https://etherscan.io/tx/..%2Fx%3Fy%23%24%26')
  assert.equal(explorerTxUrl('fogo', 'x'), null)
  assert.equal(explorerAddressUrl('monero', 'x'), null)
})

test('amounts are written in whole coins without needless zeros', () => {
  const cases: readonly (readonly [bigint, number, string])[] = [
    [0n, 6, '0'],
    [1n, 6, '0.000001'],
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [123n, 0, '123'],
    [10n ** 30n, 30, '1'],
    [123_456_789_012_345_678_901n, 18, '123.456789012345678901'],
  ]
  for (const [amount, decimals, text] of cases) assert.equal(formatAmount(amount, decimals), text)
})
