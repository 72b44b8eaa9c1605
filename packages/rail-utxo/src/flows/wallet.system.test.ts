// The merchant's own wallet, on a real litecoind: a refund that it only signs, and an account that was used before it came here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveAddresses, parseAccount } from '@florin/accounts'
import { nameRefundAddress, refundToSign } from '../../../server/src/orders/acts.ts'
import { getOrder } from '../../../server/src/orders/store.ts'
import { anApiKey } from '../../../server/test/factories.ts'
import { dustOf } from '../chain/networks.ts'
import { addressOf, scriptOf } from '../chain/script.ts'
import { coins } from '../test/litecoind.fixture.ts'
import { ACCOUNT } from '../test/world.fixture.ts'
import { addressIn, aShop, aShopOn, DUE, fingerprintOf, main, own, regtest, state, wifOf } from './shop.fixture.ts'

const shop = aShop()

test('a refund that the wallet only signs: the node takes it, and the request ends', async () => {
  const made = await aShopOn(
    shop().node,
    `wpkh([${fingerprintOf(own)}/84h/1h/9h]${own.derive("m/84'/1'/9'").publicExtendedKey}/0/*)`,
  )
  const order = await made.order()
  await made.node.send(addressIn(order), 2n * DUE)
  await made.node.mine(2)
  await made.work()
  const row = await getOrder(made.deps.sql, order.order_no)
  const refundId = row.refunds[0]?.id ?? ''
  const address = addressOf(main, scriptOf(regtest, await made.node.address()) ?? '') ?? ''
  await nameRefundAddress(made.deps, row, { actor: 'test', refundId, address }, async () => undefined)
  await made.work()
  const reply = await made.app.inject({
    ...{ method: 'POST', url: `/v1/orders/${order.order_no}/refunds/${refundId}/psbt`, payload: {} },
    headers: (await anApiKey(made.deps, made.merchant, { scopes: ['orders:read', 'refunds:write'] })).headers,
  })
  const { psbt, why } = reply.json() as { psbt: string; why: string | null }
  assert.deepEqual([reply.statusCode, why], [200, null], reply.payload)
  const told = await made.node.rpc.call<{ next: string; fee: number }>('analyzepsbt', psbt)
  assert.equal(told.next, 'signer')
  const index = 0
  await made.node.rpc.call('importprivkey', wifOf(own.derive(`m/84'/1'/9'/0/${index}`).privateKey), '', false)
  const signed = await made.node.rpc.call<{ psbt: string; complete: boolean }>('walletprocesspsbt', psbt)
  assert.ok(signed.complete)
  const { hex } = await made.node.rpc.call<{ hex: string }>('finalizepsbt', signed.psbt)
  const txid = await made.node.rpc.call<string>('sendrawtransaction', hex)
  await made.node.mine()
  await made.work()
  const done = await made.read(order)
  assert.deepEqual([...state(done), done.refunds[0]?.tx_hash], ['success', 'overpaid', txid])
})

test('what is left over is an output only where the node relays it, at a fee that it takes', async () => {
  const key = own.derive("m/84'/1'/8'")
  const made = await aShopOn(shop().node, `wpkh([${fingerprintOf(own)}/84h/1h/8h]${key.publicExtendedKey}/0/*)`)
  const { rpc } = made.node
  for (const [n, left] of [1_000n, 2_939n, 2_940n].entries()) {
    const order = await made.order()
    // The refund spends the first of two coins; of what is left over after the fee some is dust on Litecoin and none on Bitcoin.
    await made.node.send(addressIn(order), DUE)
    await made.node.send(addressIn(order), DUE - 5n * (11n + 31n + 68n + 31n) - left)
    await made.node.mine(2)
    await made.work()
    const row = await getOrder(made.deps.sql, order.order_no)
    const refundId = row.refunds[0]?.id ?? ''
    const address = addressOf(main, scriptOf(regtest, await made.node.address()) ?? '') ?? ''
    await nameRefundAddress(made.deps, row, { actor: 'test', refundId, address }, async () => undefined)
    await made.work()
    const toSign = await refundToSign(made.deps, await getOrder(made.deps.sql, order.order_no), refundId)
    assert.equal(toSign.why, null)
    // This order's key alone: with the next one's, the node would pay the second coin out of the first.
    await rpc.call('importprivkey', wifOf(key.derive(`m/0/${n}`).privateKey), '', false)
    const signed = await rpc.call<{ psbt: string; complete: boolean }>('walletprocesspsbt', toSign.psbt)
    const { hex } = await rpc.call<{ hex: string }>('finalizepsbt', signed.psbt)
    const decoded = await rpc.call<{ vout: unknown[] }>('decoderawtransaction', hex)
    assert.equal(decoded.vout.length, left < 2_940n ? 1 : 2)
    await rpc.call<string>('sendrawtransaction', hex)
    await made.node.mine()
    await made.work()
    assert.equal((await made.read(order)).refunds[0]?.status, 'succeeded')
  }
})

test('the node relays the least of each script that is known here, and nothing less', async () => {
  const { rpc } = shop().node
  type Coin = { txid: string; vout: number; amount: number }
  const [coin] = (await rpc.call<Coin[]>('listunspent', 1)).toSorted((a, b) => b.amount - a.amount)
  assert.ok(coin)
  const hash = 'ab'.repeat(20)
  for (const script of [`76a914${hash}88ac`, `a914${hash}87`, `0014${hash}`, `0020${'ab'.repeat(32)}`]) {
    const takes = async (amount: bigint): Promise<string> => {
      const rest = BigInt(Math.round(coin.amount * 1e8)) - amount - 100_000n
      const outputs = [
        { [addressOf(regtest, script) ?? '']: coins(amount) },
        { [await shop().node.address()]: coins(rest) },
      ]
      const raw = await rpc.call<string>('createrawtransaction', [{ txid: coin.txid, vout: coin.vout }], outputs)
      const { hex } = await rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)
      const [answer] = await rpc.call<{ allowed: boolean; 'reject-reason'?: string }[]>('testmempoolaccept', [hex])
      return answer?.allowed === true ? 'taken' : (answer?.['reject-reason'] ?? '')
    }
    const least = dustOf(regtest, script)
    assert.deepEqual([await takes(least - 1n), await takes(least)], ['dust', 'taken'], script)
  }
  const told = await rpc.call<{ minrelaytxfee: number }>('getmempoolinfo')
  assert.equal(BigInt(Math.round(told.minrelaytxfee * 1e8)), regtest.relay.least)
})

test('an account that holds coins, or held them once, begins behind them', async () => {
  const { accountHistory } = shop().process.rail
  const text = ACCOUNT.replace('/0/*)', '/7/*)')
  const verdict = parseAccount(text, { chain: 'ltc', network: 'regtest' })
  assert.ok(verdict.ok)
  const { account } = verdict
  const asked = { chain: 'ltc', account }
  assert.equal(await accountHistory.unspent(asked), 'none')
  await shop().node.send(deriveAddresses(account, 41, 1)[0]?.address ?? '', DUE)
  await shop().node.mine()
  assert.equal(await accountHistory.unspent(asked), 41n)

  assert.equal(await readWhole(account), 41n)
  const taproot = parseAccount(text.replace('wpkh(', 'tr('), { chain: 'ltc', network: 'regtest' })
  assert.ok(taproot.ok)
  assert.equal(await accountHistory.unspent({ chain: 'ltc', account: taproot.account }), 'none', 'script by script')

  // Coins of the node's own wallet, paid and swept: nothing but blocks tells of them.
  const tpub = await ownAccount()
  for (let n = 0; n < 5; n++) await shop().node.send(deriveAddresses(tpub, n, 1)[0]?.address ?? '', DUE)
  await shop().node.mine()
  assert.equal(await accountHistory.unspent({ chain: 'ltc', account: tpub }), 4n)
  await sweep(tpub)
  assert.equal(await accountHistory.unspent({ chain: 'ltc', account: tpub }), 'none')
  assert.equal(await readWhole(tpub), 4n)

  /** An account whose keys the test has: the node signs with them. */
  async function ownAccount(): Promise<typeof account> {
    const key = `[d34db33f/84h/1h/0h]${own.derive("m/84'/1'/0'").publicExtendedKey}`
    const read = parseAccount(`wpkh(${key}/0/*)`, { chain: 'ltc', network: 'regtest' })
    assert.ok(read.ok)
    return read.account
  }

  async function sweep(of: typeof account): Promise<void> {
    const { rpc } = shop().node
    const { unspents } = await rpc.call<{
      unspents: { txid: string; vout: number; scriptPubKey: string; amount: number }[]
    }>('scantxoutset', 'start', [{ desc: of.descriptor, range: [0, 4] }])
    const raw = await rpc.call<string>(
      'createrawtransaction',
      unspents.map(({ txid, vout }) => ({ txid, vout })),
      [{ [await shop().node.address()]: coins(5n * DUE - 100_000n) }],
    )
    const keys = [0, 1, 2, 3, 4].map((n) => wifOf(own.derive(`m/84'/1'/0'/0/${n}`).privateKey))
    const signed = await rpc.call<{ hex: string; complete: boolean }>('signrawtransactionwithkey', raw, keys, unspents)
    assert.ok(signed.complete)
    await rpc.call('sendrawtransaction', signed.hex)
    await shop().node.mine()
  }

  async function readWhole(of: typeof account): Promise<bigint | null> {
    let top: bigint | null = null
    let readDownTo: bigint | null = null
    let highest: bigint | null = null
    for (;;) {
      const part = await accountHistory.read({ chain: 'ltc', account: of, top, readDownTo, usedBelow: 0n, from: 0n })
      ;({ top, readDownTo } = part)
      if (part.highest !== null && (highest === null || part.highest > highest)) highest = part.highest
      if (part.end !== null) {
        assert.equal(part.end, 'whole')
        return highest
      }
    }
  }
})
