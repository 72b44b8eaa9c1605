// Change of the merchant's wallet on a real litecoind, where its inputs show their keys as wallets write them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, deriveAddresses, openAccount } from '@florin/accounts'
import { HDKey } from '@scure/bip32'
import { keepWallets } from '../../../server/src/addresses/accounts/wallets.ts'
import { askOwnRefund, nameTransaction } from '../../../server/src/orders/own-refunds/acts.ts'
import { ownRefundJob } from '../../../server/src/orders/own-refunds/watch.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { aMerchant, aReceivingAccount } from '../../../server/test/factories.ts'
import { coins } from '../test/litecoind.fixture.ts'
import { addressIn, aShop, aShopOn, DUE, fingerprintOf, own, wifOf } from './shop.fixture.ts'

const shop = aShop()

test('a refund that is paid from the wallet’s change is recorded, and no stranger can set that change as an account', async () => {
  const key = own.derive("m/84'/1'/8'")
  const text = `wpkh([${fingerprintOf(own)}/84h/1h/8h]${key.publicExtendedKey}/0/*)`
  const made = await aShopOn(shop().node, text)
  const { deps, node } = made
  const paid = await made.order()
  await node.send(addressIn(paid), DUE)
  await node.mine(2)
  await made.work()
  await keepWallets(deps.sql)
  // Written as the account of another wallet.
  const { publicKey, chainCode } = key.deriveChild(1)
  assert.ok(publicKey !== null && chainCode !== null)
  const place = { depth: 3, index: 0x80000000, parentFingerprint: 1 }
  const hidden = new HDKey({ publicKey, chainCode, versions: key.versions, ...place }).publicExtendedKey
  const stranger = await aMerchant(deps)
  const theirs = `wpkh([deadbeef/84h/1h/0h]${hidden}/*)`
  const set = aReceivingAccount(deps, stranger, { chain: 'ltc', text: theirs, network: 'regtest' })
  await assert.rejects(set, /in use by another account of this service/)

  const changes = changeOf(openAccount(text, { chain: 'ltc', network: 'regtest' }))
  assert.ok(changes)
  await node.send(deriveAddresses(changes, 4, 1)[0]?.address ?? '', DUE)
  await node.mine()
  await made.work()
  const caller = {
    ...{ merchantId: made.merchant.id, actor: 'test', isConsole: true, isFresh: true, livemode: false },
  } as never
  const read = () => getOrder(deps.sql, paid.order_no)
  const address = await node.address()
  const wish = { amount: 10_000_000n, address, reason: null, mayExceed: false }
  const { id } = await askOwnRefund(deps, caller, await read(), wish)
  const { unspents } = await node.rpc.call<{
    unspents: { txid: string; vout: number; scriptPubKey: string; amount: number }[]
  }>('scantxoutset', 'start', [{ desc: changes.descriptor, range: [4, 4] }])
  const outputs = [
    { [address]: coins(10_000_000n) },
    { [deriveAddresses(changes, 5, 1)[0]?.address ?? '']: coins(39_900_000n) },
  ]
  const raw = await node.rpc.call<string>(
    'createrawtransaction',
    unspents.map(({ txid, vout }) => ({ txid, vout })),
    outputs,
  )
  const wif = wifOf(key.deriveChild(1).deriveChild(4).privateKey)
  const signed = await node.rpc.call<{ hex: string }>('signrawtransactionwithkey', raw, [wif], unspents)
  const txHash = await node.rpc.call<string>('sendrawtransaction', signed.hex)
  await node.mine(2)
  await made.work()
  await nameTransaction(deps, caller, await read(), { id, txHash })
  await made.advance(60_000)
  await ownRefundJob(deps).run(AbortSignal.any([]))
  const [row] = (await read()).ownRefunds
  assert.deepEqual([row?.status, row?.sentFrom, row?.failure], ['recorded', 'own', null])
})
