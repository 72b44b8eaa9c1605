// Where an order goes whose merchant set an account of a wallet: to rails that give each order an address of its own, and to
// no other; what is shown of it names the address and never the account's key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountRef } from '@florin/rail-kit/account-ref'
import type { AssetRef } from '@florin/rail-kit/interface/asset'
import type { Rail, RailCapabilities } from '@florin/rail-kit/interface/rail'
import { makeRails } from '@florin/rail-kit/registry'
import { parseAsset, parseChain } from '../../parse-chain.ts'
import { findRoute } from './route.ts'
import { noRoute, openTargetOf } from './target.ts'

const asset = (chain: string, symbol: string): AssetRef => parseAsset(parseChain(chain, 'chain'), symbol, 'asset')
const btc = asset('btc', 'BTC')
const usdc = asset('base', 'USDC')
const account = accountRef('ab'.repeat(32))
const plain = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const evm = '0x52908400098527886E0F7030069857D2E4169EE7'

const rail = (carried: AssetRef, capabilities: Partial<RailCapabilities>): Rail =>
  ({
    capabilities: {
      kind: 'forwarder',
      isSandbox: false,
      custody: 'none',
      crossChain: false,
      refundAddress: 'unused',
      ...capabilities,
    },
    carries: ({ pay, settle }: { pay: AssetRef; settle: AssetRef }) =>
      pay.chain === carried.chain && settle.chain === carried.chain,
  }) as unknown as Rail
const toAccounts = rail(btc, { settlesTo: 'account' })
const toAddresses = rail(btc, {})
const dollars = rail(usdc, {})
const order = (settleAddress: string, settle = btc) => ({
  ...{ livemode: true, settle, settleAddress, open: null, thirdParty: false },
})

test('an account is paid through rails that take one, a plain address through the others', () => {
  for (const rails of [makeRails([toAccounts, toAddresses]), makeRails([toAddresses, toAccounts])]) {
    assert.equal(findRoute(rails, order(account), btc)?.rail, toAccounts)
    assert.equal(findRoute(rails, order(plain), btc)?.rail, toAddresses)
  }
  assert.equal(findRoute(makeRails([toAddresses]), order(account), btc), null)
  assert.equal(findRoute(makeRails([toAccounts]), order(plain), btc), null)
  assert.match(noRoute(makeRails([toAccounts]), order(plain), btc, true).message, /account of your wallet/)
  assert.doesNotMatch(noRoute(makeRails([toAccounts]), order(plain), btc, false).message, /account/)
})

test('an open order takes the coin of an account beside dollars, and of a plain address only where that was asked', () => {
  const rails = makeRails([toAccounts, toAddresses, dollars])
  const addresses = (place: string) => [
    { chain: 'base', address: evm, isDefault: true },
    { chain: 'btc', address: place, isDefault: false },
  ]
  const openTo = (place: string) => {
    const target = { settle: usdc, settleAddress: evm }
    const open = openTargetOf(rails, { livemode: true, asset: null, addresses: addresses(place), target })
    return findRoute(rails, { livemode: true, ...target, open, thirdParty: false }, btc)
  }
  assert.deepEqual([openTo(account)?.rail, openTo(account)?.settleAddress], [toAccounts, account])
  assert.equal(openTo(plain), null)
})
