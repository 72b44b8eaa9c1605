// Whole flows on a real litecoind, over HTTP: what a shop and its payers do, with webhooks verified and the books
// compared with the node at the end of each.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { deriveAddresses, parseAccount } from '@florin/accounts'
import { DAY_MS, MINUTE_MS, type Order } from '@florin/protocol'
import { SIGNATURE_HEADER, verify } from '@florin/protocol/signature'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { needsDebian } from '../../../test/debian.ts'
import { aMerchant, anApiKey, aReceivingAccount, type TestApiKey, type TestMerchant } from '../../../test/factories.ts'
import { testDeps } from '../../../test/harness.ts'
import { settleDue } from '../../../test/orders.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { accountAddresses } from '../../addresses/accounts/assign.ts'
import { buildApp } from '../../app.ts'
import type { Deps } from '../../deps.ts'
import { nameRefundAddress } from '../../orders/acts.ts'
import { expireDue } from '../../orders/expire.ts'
import { getOrder } from '../../orders/store.ts'
import { partitionedTables } from '../../partitions.ts'
import { makePartitions } from '../../platform/db/partitions.ts'
import type { App } from '../../platform/http/server.ts'
import { webhookJobs } from '../../webhooks/jobs.ts'
import { networkOf } from './chain/networks.ts'
import { addressOf, scriptOf } from './chain/script.ts'
import { nodeRpc } from './node/rpc.ts'
import { coins, type Litecoind, PASSWORD, startLitecoind, USER } from './test/litecoind.fixture.ts'
import { ACCOUNT, chainOver, type Process, startProcess } from './test/world.fixture.ts'

/** $50 at $100. */
const DUE = 50_000_000n
const own = HDKey.fromMasterSeed(randomBytes(32), { public: 0x043587cf, private: 0x04358394 })
const wifOf = (key: Uint8Array | null): string =>
  createBase58check(sha256).encode(new Uint8Array([0xef, ...(key ?? []), 0x01]))
const regtest = networkOf('ltc', 'regtest')
const main = networkOf('ltc', 'main')
assert.ok(regtest && main)

interface Shop {
  node: Litecoind
  deps: Deps
  app: App
  clock: { now(): Date; advance(ms: number): void }
  process: Process
  merchant: TestMerchant
  key: TestApiKey
  hooks: Receiver
  order(body?: object): Promise<Order>
  read(order: Order): Promise<Order>
  /** Reads the chain, and does all that follows. */
  work(): Promise<void>
  /** Later, for the service and the node. */
  advance(ms: number): Promise<void>
  /** Webhooks of an order so far, each with a signature that holds. */
  eventsOf(order: Order): Promise<string[]>
}

const ends: (() => Promise<void>)[] = []
let shop: Shop
before(async () => {
  await needsDebian('litecoind')
  const node = await startLitecoind({ mweb: false })
  ends.push(() => node.stop())
  shop = await aShopOn(node)
})
after(async () => {
  for (const end of ends.toReversed()) await end()
})

const fingerprintOf = (key: HDKey): string => key.fingerprint.toString(16).padStart(8, '0')

async function aShopOn(node: Litecoind, text = ACCOUNT): Promise<Shop> {
  const t = { name: 'flows', after: (end: () => Promise<void>) => void ends.push(async () => end()) }
  const { deps: parts, clock } = await testDeps(t as never)
  const chain = chainOver({ node: node.url }, { confirmations: [{ blocks: 2 }], prices: priceOf('100') }, 'ltc')
  const process = startProcess(parts, [chain], accountAddresses(parts.sql))
  const { deps } = process
  const app = await buildApp(deps)
  ends.push(async () => void (await app.close()))
  const hooks = await startReceiver({})
  ends.push(() => hooks.close())
  const merchant = await aMerchant(deps)
  const key = await anApiKey(deps, merchant)
  const account = { chain: 'ltc', text, network: 'regtest' as const, walletLimit: 1_000 }
  await aReceivingAccount(deps, merchant, account)
  const jobs = webhookJobs(deps)
  const { signal } = new AbortController()
  const setTime = (): Promise<unknown> => node.rpc.call('setmocktime', Math.floor(clock.now().getTime() / 1000))
  await setTime()
  await node.mine(1)
  await process.look()
  const made: Shop = {
    ...{ node, deps, app, clock, process, key, hooks, merchant },
    async order(body = {}) {
      const payload = {
        ...{ amount_usd: 50, pay_chain: 'ltc', pay_asset: 'LTC', settle_chain: 'ltc', settle_asset: 'LTC' },
        ...{ webhook_url: hooks.url, ...body },
      }
      const reply = await app.inject({ method: 'POST', url: '/v1/orders', headers: key.headers, payload })
      assert.equal(reply.statusCode, 201, reply.payload)
      return reply.json() as Order
    },
    async read({ order_no }) {
      const reply = await app.inject({ method: 'GET', url: `/v1/orders/${order_no}`, headers: key.headers })
      assert.equal(reply.statusCode, 200)
      return reply.json() as Order
    },
    async work() {
      await process.look()
      for (let round = 0; round < 20; round++) {
        if ((await settleDue(deps)) + (await expireDue(deps)) === 0) return
      }
    },
    async advance(ms) {
      clock.advance(ms)
      await makePartitions(deps.sql, partitionedTables, clock.now())
      await setTime()
    },
    async eventsOf({ order_no }) {
      for (let round = 0; round < 200; round++) {
        for (const job of jobs) if (/^(deliver|promote)/.test(job.name)) await job.run(signal)
        const [open] = await deps.sql<{ n: bigint }[]>`
          select count(*) as n from deliveries where status not in ('succeeded', 'dead')`
        if (open?.n === 0n) break
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      const events = new Map<string, string>()
      for (const { body, headers } of hooks.requests) {
        const header = headers[SIGNATURE_HEADER.toLowerCase()] ?? ''
        const now = Math.floor(clock.now().getTime() / 1000)
        const secrets = [key.webhookSecret]
        // Older ones were signed when they were sent.
        const verdict = verify({ header, body, secrets, now, toleranceSeconds: 100 * 24 * 3600 })
        assert.ok(verdict.ok, JSON.stringify(verdict))
        const event = JSON.parse(body.toString()) as { id: string; event: string; order: Order }
        if (event.order.order_no !== order_no) continue
        assert.ok(!events.has(event.id), 'an event that was taken is not sent again')
        events.set(event.id, event.event)
      }
      return [...events.values()]
    },
  }
  return made
}

const priceOf = (usd: string) => ({ sources: [{ kind: 'fixed', usd }], spreadBps: 0 })
const addressIn = (order: Order): string => order.pay?.address ?? ''
const state = (order: Order): string[] => [order.status, order.status_detail]

/** What the node has of the order's address is what the books say came in. */
async function booksEqualTheNode({ node }: Shop, order: Order): Promise<void> {
  const scan = await node.rpc.call<{ unspents: { amount: number }[] }>('scantxoutset', 'start', [
    `addr(${addressIn(order)})`,
  ])
  const there = scan.unspents.reduce((sum, one) => sum + BigInt(Math.round(one.amount * 1e8)), 0n)
  const received = order.balance?.reduce((sum, line) => sum + BigInt(line.received), 0n) ?? 0n
  assert.equal(received, there)
}

/** In every flow: the receiver heard each change once, signed, and the books are what the node has. */
async function proven(at: Shop, order: Order, events: readonly string[]): Promise<void> {
  assert.deepEqual(await at.eventsOf(order), events)
  await booksEqualTheNode(at, await at.read(order))
}

test('the exact amount: announced, in a block, deep enough', async () => {
  const order = await shop.order()
  assert.match(order.pay?.uri ?? '', /^litecoin:rltc1q[a-z0-9]+\?amount=0\.5$/)
  const txid = await shop.node.send(addressIn(order), DUE)
  await shop.work()
  assert.deepEqual(state(await shop.read(order)), ['pending', 'seen_unconfirmed'])
  await shop.node.mine()
  await shop.work()
  assert.deepEqual(state(await shop.read(order)), ['processing', 'confirming'])
  await shop.node.mine()
  await shop.work()
  const done = await shop.read(order)
  assert.deepEqual([...state(done), done.amount_out, done.settle_tx_hash], ['success', 'paid', String(DUE), txid])
  await proven(shop, order, ['order.processing', 'order.success'])
})

test('a refund that the wallet only signs: the node takes it, and the request ends', async () => {
  const made = await aShopOn(
    shop.node,
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

test('two payments, too little and the rest, too much', async () => {
  const [two, much] = [await shop.order(), await shop.order()]
  await shop.node.send(addressIn(two), DUE / 2n)
  await shop.node.send(addressIn(much), DUE + DUE / 2n)
  await shop.node.mine(2)
  await shop.work()
  assert.deepEqual(state(await shop.read(two)), ['pending', 'partially_paid'])
  assert.deepEqual(state(await shop.read(much)), ['success', 'refund_address_needed'])
  const last = await shop.node.send(addressIn(two), DUE / 2n)
  await shop.node.mine(2)
  await shop.work()
  const whole = await shop.read(two)
  assert.deepEqual([...state(whole), whole.settle_tx_hash, whole.payments.length], ['success', 'paid', last, 2])

  const row = await getOrder(shop.deps.sql, much.order_no)
  const refundId = row.refunds[0]?.id ?? ''
  const to = await shop.node.address()
  const script = scriptOf(regtest, to) ?? ''
  const address = addressOf(main, script) ?? ''
  await nameRefundAddress(shop.deps, row, { actor: 'test', refundId, address }, async () => undefined)
  await shop.work()
  const [item] = await shop.deps.sql<{ evidence: { uri: string } }[]>`
    select evidence from attention where kind = 'refund_by_wallet' and resolved_at is null`
  assert.equal(item?.evidence.uri, `litecoin:${to}?amount=0.25`)
  await shop.node.send(to, DUE / 2n)
  await shop.node.mine()
  await shop.work()
  assert.deepEqual(state(await shop.read(much)), ['success', 'overpaid'])
  for (const order of [two, much]) await proven(shop, order, ['order.processing', 'order.success'])
})

test('replaced by fee: a bump of the payer goes on, a replacement that pays nobody ends it', async () => {
  const order = await shop.order()
  const txid = await shop.node.rpc.call<string>('sendtoaddress', addressIn(order), coins(DUE), '', '', false, true)
  await shop.work()
  const bumped = await shop.node.rpc.call<{ txid: string }>('bumpfee', txid)
  await shop.work()
  const seen = await shop.read(order)
  assert.deepEqual(state(seen), ['pending', 'seen_unconfirmed'])
  assert.deepEqual(
    new Map(seen.payments.map((row) => [row.tx_hash, row.status])),
    new Map([
      [txid, 'dropped'],
      [bumped.txid, 'unconfirmed'],
    ]),
  )
  const raw = await shop.node.rpc.call<{ vin: { txid: string; vout: number }[]; vout: { value: string }[] }>(
    'getrawtransaction',
    bumped.txid,
    true,
  )
  const inputs = raw.vin.map(({ txid: id, vout }) => ({ txid: id, vout, sequence: 0xfffffffd }))
  const total = raw.vout.reduce((sum, one) => sum + BigInt(String(one.value).replace('.', '')), 0n)
  const empty = await shop.node.rpc.call<string>('createrawtransaction', inputs, [
    { [await shop.node.address()]: coins(total - 2_000_000n) },
  ])
  const signed = await shop.node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', empty)
  await shop.node.rpc.call('sendrawtransaction', signed.hex, 0)
  await shop.work()
  assert.deepEqual(state(await shop.read(order)), ['pending', 'awaiting_payment'])
  await shop.node.mine()
  await shop.advance(31 * MINUTE_MS)
  await shop.node.mine()
  await shop.work()
  assert.deepEqual(state(await shop.read(order)), ['expired', 'unpaid'])
  await proven(shop, order, ['order.expired'])
})

test('double-spent by a block that nobody announced', async () => {
  const order = await shop.order()
  const [coin] = await shop.node.rpc.call<{ txid: string; vout: number; amount: number }[]>(
    'listunspent',
    1,
    9999999,
    [],
    true,
    { minimumAmount: 1 },
  )
  assert.ok(coin)
  const pay = async (to: string, sat: bigint): Promise<string> => {
    const change = BigInt(Math.round(coin.amount * 1e8)) - sat - 100_000n
    const raw = await shop.node.rpc.call<string>(
      'createrawtransaction',
      [{ txid: coin.txid, vout: coin.vout }],
      [{ [to]: coins(sat) }, { [await shop.node.address()]: coins(change) }],
    )
    return (await shop.node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)).hex
  }
  const rival = await pay(await shop.node.address(), DUE)
  await shop.node.rpc.call('sendrawtransaction', await pay(addressIn(order), DUE))
  await shop.work()
  assert.equal((await shop.read(order)).status_detail, 'seen_unconfirmed')
  await shop.node.rpc.call('generateblock', await shop.node.address(), [rival])
  await shop.work()
  const left = await shop.read(order)
  assert.deepEqual([...state(left), left.payments[0]?.status], ['pending', 'awaiting_payment', 'dropped'])
  await proven(shop, order, [])
})

for (const depth of [1, 2, 3, 4, 5, 6]) {
  test(`a reorg of ${depth} before and after success`, async () => {
    const order = await shop.order()
    // Blocks that hold nobody else's payment leave with it.
    await shop.node.mine(depth)
    const txid = await shop.node.send(addressIn(order), DUE)
    await shop.node.mine()
    await shop.work()
    assert.deepEqual(state(await shop.read(order)), ['processing', 'confirming'])
    await shop.node.reorg(depth, { keepPool: false })
    await shop.work()
    const announced = await shop.read(order)
    assert.deepEqual(state(announced), ['processing', 'reorged'], 'out of its block')
    await booksEqualTheNode(shop, announced)
    const { hex } = await shop.node.rpc.call<{ hex: string }>('gettransaction', txid)
    // The node lets go of it where it spends a reward that a shorter chain makes unripe: the payer's wallet sends it again.
    const announce = async (): Promise<void> => {
      const pool = await shop.node.rpc.call<string[]>('getrawmempool')
      if (!pool.includes(txid)) await shop.node.rpc.call('sendrawtransaction', hex)
    }
    await announce()
    await shop.node.mine()
    await shop.work()
    assert.deepEqual(state(await shop.read(order)), ['processing', 'confirming'])
    await shop.node.reorg(depth, { keepPool: false })
    await announce()
    await shop.node.mine(depth + 1)
    await shop.work()
    const moved = await shop.read(order)
    assert.deepEqual(state(moved), ['success', 'paid'], 'moved, and deep enough in the other branch')
    await booksEqualTheNode(shop, moved)

    // With two confirmations needed, the least that takes a paid order's payment is two: here two to seven.
    await shop.node.reorg(depth + 1, { keepPool: false })
    await shop.work()
    const gone = await shop.read(order)
    assert.deepEqual(state(gone), ['success', 'reorged'])
    assert.ok(gone.version > moved.version)
    await booksEqualTheNode(shop, gone)
    await announce()
    await shop.node.mine(2)
    await shop.work()
    const again = await shop.read(order)
    assert.deepEqual([...state(again), again.settle_tx_hash], ['success', 'paid', txid])
    await shop.node.mine(depth - 1)
    await shop.work()
    // As deep, above the payment: nothing is heard of it.
    await shop.node.reorg(depth, { keepPool: false })
    await shop.work()
    const kept = await shop.read(order)
    assert.deepEqual([...state(kept), kept.version], ['success', 'paid', again.version])
    await proven(shop, order, ['order.processing', 'order.success'])
  })
}

test('a miner pays out of his coinbase, and one pays with two hundred inputs', async () => {
  const [coinbase, many] = [await shop.order(), await shop.order()]
  // The reward of a block is more than is due.
  await shop.node.rpc.call('generatetoaddress', 1, addressIn(coinbase))
  const addresses = await shop.node.rpc.batch<string>(
    Array.from({ length: 200 }, () => ({ method: 'getnewaddress', params: ['', 'bech32'] })),
  )
  const small = Object.fromEntries(addresses.map((address) => [address ?? '', 0.0026]))
  await shop.node.rpc.call('sendmany', '', small)
  await shop.node.mine()
  const unspent = await shop.node.rpc.call<{ txid: string; vout: number; amount: number }[]>(
    'listunspent',
    1,
    9999999,
    Object.keys(small),
  )
  assert.equal(unspent.length, 200)
  const inputs = unspent.map(({ txid, vout }) => ({ txid, vout }))
  const raw = await shop.node.rpc.call<string>('createrawtransaction', inputs, [{ [addressIn(many)]: coins(DUE) }])
  const { hex } = await shop.node.rpc.call<{ hex: string }>('signrawtransactionwithwallet', raw)
  await shop.node.rpc.call('sendrawtransaction', hex, 0)
  await shop.work()
  assert.equal((await shop.read(many)).status_detail, 'seen_unconfirmed')
  await shop.node.mine(2)
  await shop.work()
  assert.equal((await shop.read(coinbase)).status, 'success')
  assert.deepEqual(state(await shop.read(many)), ['success', 'paid'])
  for (const order of [coinbase, many]) await proven(shop, order, ['order.processing', 'order.success'])
})

test('late, and an address that is paid again a month later', async () => {
  const [late, again] = [await shop.order(), await shop.order()]
  await shop.node.send(addressIn(again), DUE)
  await shop.node.mine(2)
  await shop.work()
  assert.equal((await shop.read(again)).status, 'success')
  await shop.advance(40 * MINUTE_MS)
  await shop.node.mine()
  await shop.work()
  await shop.node.send(addressIn(late), DUE)
  await shop.node.mine(2)
  await shop.work()
  assert.deepEqual(state(await shop.read(late)), ['expired', 'refund_address_needed'])
  await shop.advance(30 * DAY_MS)
  await shop.node.mine()
  await shop.node.send(addressIn(again), DUE)
  await shop.node.mine(2)
  await shop.work()
  const paid = await shop.read(again)
  assert.deepEqual([...state(paid), paid.payments.length], ['success', 'refund_address_needed', 2])
  await proven(shop, late, ['order.expired'])
  await proven(shop, again, ['order.processing', 'order.success'])
})

test('payers out of the extension block: seen, mined under another id, one payment each', async () => {
  const node = await startLitecoind({ mweb: true })
  ends.push(() => node.stop())
  // The extension block begins at 432, with what is pegged in by then.
  await node.mine(320)
  const mweb = await aShopOn(node)
  await node.rpc.call('createwallet', 'hidden')
  const at = (wallet: string) => {
    const login = { kind: 'user', user: USER, password: PASSWORD } as const
    return nodeRpc({ name: wallet, url: `${node.url}/wallet/${wallet}`, login }, { timeoutMs: 60_000 })
  }
  const [payer, hidden] = [at('payer'), at('hidden')]
  await payer.call('sendtoaddress', await hidden.call<string>('getnewaddress', '', 'mweb'), coins(4n * DUE))
  await payer.call('sendtoaddress', await hidden.call<string>('getnewaddress', '', 'mweb'), coins(4n * DUE))
  await payer.call('generatetoaddress', 12, await payer.call<string>('getnewaddress', '', 'bech32'))
  await mweb.work()
  const orders = [await mweb.order(), await mweb.order()]
  const ids: string[] = []
  for (const order of orders) ids.push(await hidden.call<string>('sendtoaddress', addressIn(order), coins(DUE)))
  await mweb.work()
  for (const order of orders) assert.deepEqual(state(await mweb.read(order)), ['pending', 'seen_unconfirmed'])
  const mine = async (n: number): Promise<void> => {
    await payer.call('generatetoaddress', n, await payer.call<string>('getnewaddress', '', 'bech32'))
    await mweb.work()
  }
  await mine(2)
  const done = await Promise.all(orders.map((order) => mweb.read(order)))
  for (const order of done) {
    assert.deepEqual([...state(order), order.payments.length], ['success', 'paid', 1])
    assert.ok(!ids.includes(order.settle_tx_hash ?? ''), 'the block shows it under an id of its own')
    await proven(mweb, order, ['order.processing', 'order.success'])
  }
  assert.equal(new Set(done.map((order) => order.settle_tx_hash)).size, 1, 'all of a block come in one transaction')
})

test('an account that holds coins, or held them once, begins behind them', async () => {
  const { accountHistory } = shop.process.rail
  const text = ACCOUNT.replace('/0/*)', '/7/*)')
  const verdict = parseAccount(text, { chain: 'ltc', network: 'regtest' })
  assert.ok(verdict.ok)
  const { account } = verdict
  const asked = { chain: 'ltc', account }
  assert.equal(await accountHistory.unspent(asked), 'none')
  await shop.node.send(deriveAddresses(account, 41, 1)[0]?.address ?? '', DUE)
  await shop.node.mine()
  assert.equal(await accountHistory.unspent(asked), 41n)

  assert.equal(await readWhole(account), 41n)
  const taproot = parseAccount(text.replace('wpkh(', 'tr('), { chain: 'ltc', network: 'regtest' })
  assert.ok(taproot.ok)
  assert.equal(await accountHistory.unspent({ chain: 'ltc', account: taproot.account }), 'none', 'script by script')

  // Coins of the node's own wallet, paid and swept: nothing but blocks tells of them.
  const tpub = await ownAccount()
  for (let n = 0; n < 5; n++) await shop.node.send(deriveAddresses(tpub, n, 1)[0]?.address ?? '', DUE)
  await shop.node.mine()
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
    const { rpc } = shop.node
    const { unspents } = await rpc.call<{
      unspents: { txid: string; vout: number; scriptPubKey: string; amount: number }[]
    }>('scantxoutset', 'start', [{ desc: of.descriptor, range: [0, 4] }])
    const raw = await rpc.call<string>(
      'createrawtransaction',
      unspents.map(({ txid, vout }) => ({ txid, vout })),
      [{ [await shop.node.address()]: coins(5n * DUE - 100_000n) }],
    )
    const keys = [0, 1, 2, 3, 4].map((n) => wifOf(own.derive(`m/84'/1'/0'/0/${n}`).privateKey))
    const signed = await rpc.call<{ hex: string; complete: boolean }>('signrawtransactionwithkey', raw, keys, unspents)
    assert.ok(signed.complete)
    await rpc.call('sendrawtransaction', signed.hex)
    await shop.node.mine()
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
