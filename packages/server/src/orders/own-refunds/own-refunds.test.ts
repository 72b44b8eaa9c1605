// Refunds that a merchant pays from an own wallet: the calls in the sandbox, and the chain's part on a real node.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, type TestContext, test } from 'node:test'
import { toAnvil } from '@florin/contracts/anvil'
import { refundableByMerchant } from '@florin/order-model/own-refunds'
import type { OrderState } from '@florin/order-model/state'
import { sendDueMail } from '@florin/platform/mail/send'
import type { MerchantRefund, Order } from '@florin/protocol'
import { type Address, createWalletClient, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import {
  aWorld,
  chainOver,
  payers,
  stopNodes,
  testNode,
  type World,
} from '../../../../rail-evm/src/test/world.fixture.ts'
import { aMerchant, anApiKey, aReceivingAddress, freshen } from '../../../test/factories.ts'
import { type TestApp, testApp } from '../../../test/harness.ts'
import type { Caller } from '../../define-route.ts'
import { getOrder } from '../store.ts'
import { sendOrderMails } from '../tell/order-mails.ts'
import { askOwnRefund, cancelOwnRefund, nameTransaction } from './acts.ts'
import { ownRefundJob } from './watch.ts'

after(stopNodes)

const PAYER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const HASH = `0x${'ab'.repeat(32)}`

async function aPaidOrder(t: TestContext, beside?: TestApp) {
  const at = beside ?? (await testApp(t))
  const merchant = await aMerchant(at.deps)
  await aReceivingAddress(at.deps, merchant)
  const key = await anApiKey(at.deps, merchant, { scopes: ['orders:read', 'orders:write', 'refunds:write'] })
  const call = async (headers: object, method: string, url: string, payload?: object) => {
    const reply = await at.app.inject({
      ...{ method: method as 'GET', url, headers: headers as Record<string, string> },
      ...(payload === undefined ? {} : { payload }),
    })
    const body = reply.json()
    return { status: reply.statusCode, data: body.data ?? body, error: body.error as { code: string; message: string } }
  }
  const order: Order = (
    await call(key.headers, 'POST', '/v1/orders', { amount_usd: 50, settle_chain: 'base', pay_chain: 'base' })
  ).data
  const refunds = `orders/${order.order_no}/merchant_refunds`
  const v1 = (method: string, end = '', payload?: object) => call(key.headers, method, `/v1/${refunds}${end}`, payload)
  const boss = (method: string, end = '', payload?: object) =>
    call(merchant.headers, method, `/api/v1/boss/${refunds}${end}`, payload)
  const simulate = (action: string) =>
    call(key.headers, 'POST', `/v1/test/orders/${order.order_no}/simulate`, { action })
  const read = async (): Promise<Order> => (await call(key.headers, 'GET', `/v1/orders/${order.order_no}`)).data
  return { at, merchant, key, order, v1, boss, simulate, read, call }
}

test('full or in parts, never more than the merchant got without saying so, to an address that no key and no old session names', async (t) => {
  const { at, merchant, v1, boss, simulate, read } = await aPaidOrder(t)
  const early = await boss('POST', '', {})
  assert.equal(early.error.code, 'refund_not_possible')
  await simulate('pay')
  await simulate('settle')
  const before = await read()
  const unknown = await v1('POST', '', {})
  assert.deepEqual([unknown.status, unknown.error.code], [409, 'refund_not_possible'])
  assert.match(unknown.error.message, /No address of the payer/)
  const named = await v1('POST', '', { address: PAYER })
  assert.deepEqual([named.status, named.error.code], [422, 'validation_failed'], 'a key names no address')
  at.clock.advance(1_000_000)
  assert.equal((await boss('POST', '', { address: PAYER })).error?.code, 'confirmation_required')
  await freshen(at.deps, merchant)
  assert.equal((await boss('POST', '', { address: 'nonsense' })).error.code, 'invalid_address')
  for (const amount of ['0', '-1', '1.5', 5]) {
    assert.equal((await boss('POST', '', { address: PAYER, amount })).status, 422, String(amount))
  }
  const part = await boss('POST', '', { address: PAYER, amount: '20000000', reason: 'One mug was broken' })
  assert.equal(part.status, 200, JSON.stringify(part.error))
  assert.match(part.data.uri, /^florin-test:base\//)
  await sendDueMail(at.deps)
  assert.ok(at.mailbox.mails.some(({ subject, text }) => /refund address/.test(subject) && text.includes(PAYER)))
  const over = await boss('POST', '', { address: PAYER, amount: '30000001' })
  assert.equal(over.error.code, 'refund_not_possible')
  assert.match(over.error.message, /allow_over: true/)
  const rest = await boss('POST', '', { address: PAYER })
  assert.equal(rest.data.amount, '30000000', 'all that is left')
  assert.equal((await boss('POST', '', { address: PAYER })).error.code, 'refund_not_possible')
  const more = await boss('POST', '', { address: PAYER, amount: '5000000', allow_over: true })
  assert.equal(more.status, 200)
  const most = await boss('POST', '', { address: PAYER, amount: '99999999999999999999', allow_over: true })
  assert.equal(most.error.code, 'refund_not_possible')
  assert.match(most.error.message, /above 2 times what it brought\.$/)
  const left = { address: PAYER, amount: '45000000', allow_over: true }
  assert.equal((await boss('POST', '', { ...left, amount: '45000001' })).error?.code, 'refund_not_possible')
  for (const hash of [`0x${'g'.repeat(64)}`, `0x${'0'.repeat(65)}`, '0'.repeat(64), 'yesterday']) {
    const slip = await v1('POST', `/${part.data.id}/transaction`, { tx_hash: hash })
    assert.deepEqual(
      [slip.status, slip.error.code, slip.error.message.slice(0, 39)],
      [422, 'validation_failed', 'This is not a transaction hash of Base.'],
    )
  }
  const canceled = await v1('POST', `/${rest.data.id}/cancel`, {})
  assert.equal(canceled.data.status, 'canceled')
  const sent = await v1('POST', `/${part.data.id}/transaction`, {
    tx_hash: ` ${HASH.toUpperCase().replace('0X', '0x')} `,
  })
  assert.deepEqual([sent.data.status, sent.data.tx_hash], ['requested', HASH])
  await v1('POST', `/${more.data.id}/transaction`, { tx_hash: HASH })
  await ownRefundJob(at.deps).run(AbortSignal.any([]))
  await ownRefundJob(at.deps).run(AbortSignal.any([]))
  const list: MerchantRefund[] = (await v1('GET')).data
  const states = list.map((row) => row.status).sort()
  assert.deepEqual(states, ['canceled', 'recorded', 'requested'], 'one transfer counts once')
  assert.match(list.find((row) => row.status === 'requested')?.failure ?? '', /counts already/)
  const { refunds, balance, status, version } = await read()
  assert.deepEqual(
    refunds.map((row) => [row.by, row.status]).sort(),
    [
      ['merchant', 'succeeded'],
      ['merchant', 'waiting'],
    ].sort(),
  )
  assert.deepEqual([status, balance], ['success', before.balance], 'status and balance stay')
  assert.ok(version > before.version)
  const again = await v1('POST', `/${part.data.id}/cancel`, {})
  assert.equal(again.error.code, 'refund_not_possible', 'what is recorded stays')
})

test('sandbox: two merchants name the same transaction → it counts once for each', async (t) => {
  const shops = [await aPaidOrder(t)]
  const [first] = shops
  shops.push(await aPaidOrder(t, first?.at))
  for (const { at, merchant, boss, v1, simulate } of shops) {
    await simulate('pay')
    await simulate('settle')
    await freshen(at.deps, merchant)
    const parts = [
      await boss('POST', '', { address: PAYER, amount: '10000000' }),
      await boss('POST', '', { address: PAYER, amount: '20000000' }),
    ]
    for (const { data } of parts) await v1('POST', `/${data.id}/transaction`, { tx_hash: HASH })
    for (let run = 0; run < 2; run++) await ownRefundJob(at.deps).run(AbortSignal.any([]))
    const list: MerchantRefund[] = (await v1('GET')).data
    assert.deepEqual(list.map((row) => row.status).sort(), ['recorded', 'requested'])
  }
})

test('one Idempotency-Key asks for one refund, also side by side, and none with another body', async (t) => {
  const { at, merchant, simulate, order, call } = await aPaidOrder(t)
  await simulate('pay')
  await simulate('settle')
  await freshen(at.deps, merchant)
  const url = `/api/v1/boss/orders/${order.order_no}/merchant_refunds`
  const ask = (key: string, amount = '5000000') =>
    call({ ...merchant.headers, 'idempotency-key': key }, 'POST', url, { address: PAYER, amount })
  const made = await Promise.all([ask('a'), ask('a'), ask('a')])
  assert.deepEqual([...new Set(made.map(({ status, data }) => `${status} ${data.id}`))].length, 1, JSON.stringify(made))
  assert.deepEqual(
    [(await ask('a')).data.id, (await ask('a', '1')).error?.code],
    [made[0]?.data.id, 'idempotency_key_reused'],
  )
  assert.notEqual((await ask('b')).data.id, made[0]?.data.id)
  assert.equal((await call(merchant.headers, 'GET', url)).data.data.length, 2)
})

test("another merchant's refunds and those of the other mode are not there, and a key needs refunds:write", async (t) => {
  const { at, boss, merchant, simulate, order, call } = await aPaidOrder(t)
  await simulate('pay')
  await simulate('settle')
  await freshen(at.deps, merchant)
  const made = (await boss('POST', '', { address: PAYER, amount: '1' })).data as MerchantRefund
  const url = `/v1/orders/${order.order_no}/merchant_refunds`
  const stranger = await anApiKey(at.deps, await aMerchant(at.deps), { scopes: ['orders:read', 'refunds:write'] })
  const live = await anApiKey(at.deps, merchant, { mode: 'live', scopes: ['orders:read', 'refunds:write'] })
  for (const { headers } of [stranger, live]) {
    for (const [method, end, payload] of [
      ['GET', '', undefined],
      ['POST', '', {}],
      ['GET', `/${made.id}`, undefined],
      ['POST', `/${made.id}/transaction`, { tx_hash: HASH }],
      ['POST', `/${made.id}/cancel`, {}],
    ] as const) {
      assert.equal((await call(headers, method, `${url}${end}`, payload)).status, 404, `${method} ${end}`)
    }
  }
  const plain = await anApiKey(at.deps, merchant)
  assert.equal((await call(plain.headers, 'POST', url, {})).error.code, 'scope_missing')
  assert.equal((await boss('GET', '/mrf_unknown')).error.code, 'refund_not_found')
})

const owner = (world: World): Caller => ({
  ...{ merchantId: world.caller.merchantId, merchantNo: world.caller.merchantNo, livemode: false },
  ...{ actor: 'owner@shop.example', isConsole: true, isFresh: true },
})

/** The node's own unlocked accounts stand for the merchant's wallet, which has what was settled. */
const [wallet = '0x' as Address, other = '0x' as Address, paying = '0x' as Address] = payers

async function aSettled(world: World): Promise<OrderState> {
  const order = await world.order({ settle_chain: 'base', settle_asset: 'USDC' })
  await world.deps.sql`
    update orders set status = 'success', status_detail = 'paid', amount_out = 49500000, settled_at = ${world.clock.now()},
      settle_address = ${wallet}, payer_email = 'ann@buyer.example' where order_no = ${order.orderNo}`
  // As the relay would have settled it.
  await world.deps.sql`
    insert into settlements (id, order_no, pay_leg_id, status, gross, fee_bps, fee, amount_out, tx_hash, is_released, created_at,
                             updated_at, hand_over_at)
    values ('set_1', ${order.orderNo}, ${order.legs[0]?.id ?? ''}, 'final', 50000000, 100, 500000, 49500000, ${HASH}, false,
            ${world.clock.now()}, ${world.clock.now()}, ${world.clock.now()})`
  await world.deps.sql`
    insert into payments (key, id, order_no, pay_leg_id, tx_hash, output_index, chain, asset, contract, decimals, amount,
                          confirmations_required, status, use, seen_at, detected_at, transfers, from_address)
    select 'p1', 'pay_1', l.order_no, l.id, ${HASH}, 0, l.chain, l.asset, l.contract, l.decimals, 50000000, 3, 'confirmed', 'counted',
           l.created_at, l.created_at, 1, ${paying.toLowerCase()} from pay_legs l where l.order_no = ${order.orderNo}`
  await world.deps.sql`update pay_legs set settle_address = ${wallet} where order_no = ${order.orderNo}`
  return getOrder(world.deps.sql, order.orderNo)
}

async function send(world: World, from: Address, a: { to: string; data: string; value: string }): Promise<Hex> {
  const client = createWalletClient({ transport: toAnvil(world.node.url), account: from })
  const hash = await client.sendTransaction({
    ...{ chain: null, account: from, to: a.to as Address, data: a.data as Hex, value: BigInt(a.value) },
  })
  await world.client.waitForTransactionReceipt({ hash })
  return hash
}

const transfer = (token: Address, to: Address, amount: bigint) => ({
  to: token,
  value: '0',
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
})

test('on a chain: what was named or found is recorded once it is final, and only if amount, token and recipient fit', async (t) => {
  const world = await aWorld(t)
  const order = await aSettled(world)
  const deps = world.deps
  await world.pay(wallet, world.node.usdc, 500_000_000n)
  await world.pay(other, world.node.usdc, 500_000_000n)
  const ask = (amount: bigint) =>
    askOwnRefund(deps, owner(world), order, { amount, address: PAYER, reason: null, mayExceed: false })
  const read = async (id: string) => {
    const row = (await getOrder(deps.sql, order.orderNo)).ownRefunds.find((one) => one.id === id)
    assert.ok(row)
    return row
  }
  const look = async (): Promise<void> => {
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
  }
  const name = (id: string, txHash: string) => nameTransaction(deps, owner(world), order, { id, txHash })

  // Of the very amount, from the receiving address, and there before anybody asked.
  const early = await send(world, wallet, transfer(world.node.usdc, PAYER, 10_000_000n))
  const first = await ask(10_000_000n)
  assert.equal(
    first.uri,
    `ethereum:${first.uri.split(':')[1]?.split('@')[0]}@31337/transfer?address=${PAYER}&uint256=10000000`,
  )
  assert.ok(first.transaction !== null)
  const paid = await send(world, other, first.transaction)
  const named = await name(first.id, paid)
  assert.deepEqual([named.transaction, named.uri], [null, PAYER], 'no wallet is asked to pay it twice')
  await look()
  assert.equal((await read(first.id)).status, 'requested', 'not before it is final')
  await world.mine(5)
  await look()
  const recorded = await read(first.id)
  assert.deepEqual(
    [recorded.status, recorded.txHash, recorded.failure, recorded.sender],
    ['recorded', paid, null, other.toLowerCase()],
  )
  while ((await sendOrderMails(deps)) > 0);
  assert.equal(
    (await deps.sql`select 1 from tasks where kind = 'order-mails' and subject like ${`%${first.id}`}`).length,
    1,
  )

  // Wrong amount, wrong recipient, wrong token, and the same transfer again.
  const second = await ask(10_000_000n)
  await world.pay(other, world.node.usdt, 50_000_000n)
  // The payer's own money: to himself, and from the wallet that paid the order.
  await world.anvil.impersonateAccount({ address: PAYER })
  await world.anvil.setBalance({ address: PAYER, value: 10n ** 18n })
  await world.pay(paying, world.node.usdc, 10_000_000n)
  const wrong: [hash: Hex, why: RegExp][] = [
    [await send(world, other, transfer(world.node.usdc, PAYER, 9_999_999n)), /moves 9999999 .*not 10000000/],
    [await send(world, wallet, transfer(world.node.usdc, PAYER, 9_999_998n)), /moves 9999998 .*not 10000000/],
    [await send(world, other, transfer(world.node.usdc, wallet, 10_000_000n)), /moves no USDC/],
    [await send(world, other, transfer(world.node.usdt, PAYER, 10_000_000n)), /moves no USDC/],
    [paid, /there before this refund was asked for/],
    [early, /there before this refund was asked for/],
    [await send(world, PAYER, transfer(world.node.usdc, PAYER, 10_000_000n)), /of the payer's: it is no refund/],
    [await send(world, paying, transfer(world.node.usdc, PAYER, 10_000_000n)), /of the payer's: it is no refund/],
  ]
  await world.mine(5)
  for (const [hash, why] of wrong) {
    await name(second.id, hash)
    await look()
    const row = await read(second.id)
    assert.deepEqual([row.status, row.txHash], ['requested', null])
    assert.match(row.failure ?? '', why)
  }
  // Where it has to stay, what came is counted less what the same transaction took.
  const { outside } = world.forwarder.services
  const about = { livemode: false, asset: { chain: 'base', asset: 'USDC', contract: world.node.usdc, decimals: 6 } }
  const stays = async (txHash: Hex, amount = 10_000_000n, more: { atMost?: bigint } = {}): Promise<string> => {
    const asked = { ...about, to: PAYER, amount, ...more, notBefore: new Date(0), isKept: true, txHash }
    return (await outside.look(asked)).kind
  }
  assert.deepEqual(await Promise.all([wrong[6]?.[0], wrong[7]?.[0]].map((hash) => stays(hash ?? '0x'))), [
    'other',
    'found',
  ])
  // A little more counts where that was said, and as what it is.
  const sent = wrong[7]?.[0] ?? '0x'
  const upTo = { atMost: 10_000_000n }
  assert.deepEqual(
    [await stays(sent, 9_999_999n), await stays(sent, 9_999_999n, upTo), await stays(sent, 10_000_001n, upTo)],
    ['other', 'found', 'other'],
  )
  // From where another merchant got money: it is his to name, not whoever's refund it fits.
  const neighbour = await aMerchant(deps)
  await deps.sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${neighbour.id}, 'base', ${getAddress(other)}, ${deps.clock.now()})`
  const sold = await world.order({ settle_chain: 'base', settle_asset: 'USDC' })
  const soldTo = (address: Address) => deps.sql`
    update orders set merchant_id = ${neighbour.id}, status = 'success', settle_address = ${getAddress(address)}
    where order_no = ${sold.orderNo}`
  await soldTo(paying)
  // To have set it is not to have got money there: a stranger may set an exchange's.
  const small = await ask(3_000_000n)
  const exchanged = await send(world, other, transfer(world.node.usdc, PAYER, 3_000_000n))
  await world.mine(5)
  await name(small.id, exchanged)
  await look()
  assert.deepEqual([(await read(small.id)).status, (await read(small.id)).sentFrom], ['recorded', 'word'])
  await soldTo(other)
  const theirs = await send(world, other, transfer(world.node.usdc, PAYER, 10_000_000n))
  await world.mine(5)
  await name(second.id, theirs)
  await look()
  const kept = await read(second.id)
  assert.deepEqual([kept.status, kept.txHash], ['requested', null])
  assert.match(kept.failure ?? '', /another merchant gets money/)
  // Another merchant waits for the same amount there: a transfer of it could be for either.
  const next = await world.order({ settle_chain: 'base', settle_asset: 'USDC' })
  await deps.sql`update orders set merchant_id = ${neighbour.id} where order_no = ${next.orderNo}`
  await deps.sql`
    insert into merchant_refunds (id, order_no, status, chain, asset, contract, decimals, amount, address, created_at, updated_at)
    select 'mrf_theirs', ${next.orderNo}, 'requested', chain, asset, contract, decimals, 2000000, address, created_at, updated_at
    from merchant_refunds where id = ${second.id}`
  await assert.rejects(ask(2_000_000n), /Another merchant waits for 2000000 .* such as 1999999\./)
  const more = await ask(1_999_999n)
  const owed = await send(world, wallet, transfer(world.node.usdc, PAYER, 1_999_999n))
  await world.mine(5)
  await look()
  const plain = await read(more.id)
  assert.deepEqual([plain.status, plain.txHash, plain.amount, plain.sentFrom], ['recorded', owed, 1_999_999n, 'own'])
  // From a stranger, nothing is found by itself; from the receiving address it is.
  await send(world, other, transfer(world.node.usdc, PAYER, 10_000_000n))
  await world.mine(5)
  await look()
  assert.equal((await read(second.id)).status, 'requested')
  const own = await send(world, wallet, transfer(world.node.usdc, PAYER, 10_000_000n))
  await world.mine(5)
  await look()
  const found = await read(second.id)
  assert.deepEqual([found.status, found.txHash], ['recorded', own])

  // Florin's own payments out of a pay address are nobody's refund.
  const third = await ask(1_000_000n)
  const vault = order.legs[0]?.address as Address
  await world.anvil.impersonateAccount({ address: vault })
  await world.anvil.setBalance({ address: vault, value: 10n ** 18n })
  await world.pay(vault, world.node.usdc, 1_000_000n)
  const florins = await send(world, vault, transfer(world.node.usdc, PAYER, 1_000_000n))
  await world.mine(5)
  await name(third.id, florins)
  await look()
  assert.match((await read(third.id)).failure ?? '', /Florin made it itself/)
})

test('what may be the payout of a swap waits until that has ended, named or found, and is recorded by itself then', async (t) => {
  const world = await aWorld(t)
  const order = await aSettled(world)
  const { deps } = world
  for (const from of [wallet, other]) await world.pay(from, world.node.usdc, 100_000_000n)
  const ask = (amount: bigint) =>
    askOwnRefund(deps, owner(world), order, { amount, address: PAYER, reason: null, mayExceed: false })
  const [found, named] = [await ask(7_000_000n), await ask(8_000_000n)]
  await deps.sql`
    insert into intents_legs (ref, order_ref, livemode, pay, settle, merchant_address, refund_address, address, opened, reply, created_at,
      pay_until, returns_from, watch_until, amount_due, amount_least, amount_out, refund_fee, fee_bps, stage, due_at)
    select 'swap_' || amount, 'another', false, '{}', '{"chain":"base","asset":"USDC"}', ${PAYER}, '', 'place_' || amount, '{}', '{}', now.at,
      now.at, now.at, now.at, 1, 1, amount, 0, 0, 'paid', now.at
    from unnest(array[7000000, 8000000]) as amount, (select timestamptz '2000-01-01' as at) now`
  await send(world, wallet, transfer(world.node.usdc, PAYER, 7_000_000n))
  const hash = await send(world, other, transfer(world.node.usdc, PAYER, 8_000_000n))
  await world.mine(5)
  await nameTransaction(deps, owner(world), order, { id: named.id, txHash: hash })
  const look = async (): Promise<unknown[]> => {
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    const rows = (await getOrder(deps.sql, order.orderNo)).ownRefunds
    return [found, named].map(({ id }) => rows.find((one) => one.id === id)).map((row) => [row?.status, row?.failure])
  }
  const waits = ['requested', null]
  assert.deepEqual(await look(), [waits, waits])
  assert.deepEqual(await look(), [waits, waits])
  await deps.sql`update intents_legs set stage = 'done', due_at = null`
  assert.deepEqual(await look(), [
    ['recorded', null],
    ['recorded', null],
  ])
})

test('one provider that tells of a transfer nobody made records nothing', async (t) => {
  const node = await testNode()
  const liar = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(String(Buffer.concat(chunks)))
    const answer = await fetch(node.url, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    })
    const text = await answer.text()
    // Whatever is asked for reached the payer, in the amount that was asked for.
    const forged = /eth_getTransactionReceipt/.test(JSON.stringify(body))
      ? text.replace(/(?<="data":"0x)[0-9a-f]{64}/g, (10_000_000).toString(16).padStart(64, '0'))
      : text
    response.setHeader('content-type', 'application/json').end(forged)
  })
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve))
  t.after(() => liar.close())
  const { port } = liar.address() as { port: number }
  const rpc = [
    { url: `http://127.0.0.1:${port}`, operator: 'liar' },
    { url: node.url, operator: 'honest' },
  ]
  const world = await aWorld(t, { node, chains: [chainOver(node, { rpc })] })
  const order = await aSettled(world)
  await world.pay(other, world.node.usdc, 5n)
  const asked = await askOwnRefund(world.deps, owner(world), order, {
    ...{ amount: 10_000_000n, address: PAYER, reason: null, mayExceed: false },
  })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [PAYER, 5n] })
  const tiny = await send(world, other, { to: world.node.usdc, data, value: '0' })
  await world.mine(6)
  await nameTransaction(world.deps, owner(world), order, { id: asked.id, txHash: tiny })
  await ownRefundJob(world.deps).run(AbortSignal.any([]))
  const [row] = (await getOrder(world.deps.sql, order.orderNo)).ownRefunds
  assert.deepEqual([row?.status, row?.txHash, row?.failure], ['requested', tiny, null], 'it waits while they differ')
})

test('what was paid before its request was canceled is booked, found or named, and the next request says so', async (t) => {
  const world = await aWorld(t)
  const order = await aSettled(world)
  const { deps } = world
  await world.pay(wallet, world.node.usdc, 500_000_000n)
  await world.pay(other, world.node.usdc, 500_000_000n)
  const now = () => getOrder(deps.sql, order.orderNo)
  const ask = async (amount: bigint | null) =>
    askOwnRefund(deps, owner(world), await now(), { amount, address: PAYER, reason: null, mayExceed: false })
  const cancel = async (id: string) => cancelOwnRefund(deps, owner(world), await now(), id)
  const statuses = async () => {
    await world.mine(5)
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    return (await now()).ownRefunds.map((row) => row.status)
  }
  // Sent, and canceled before it was final; then all is asked for again.
  const first = await ask(null)
  await send(world, wallet, transfer(world.node.usdc, PAYER, BigInt(first.amount)))
  await cancel(first.id)
  const second = await ask(null)
  assert.equal(second.amount, first.amount, 'nothing shows it yet')
  assert.deepEqual(await statuses(), ['recorded', 'requested'])
  const warned = (await now()).ownRefunds.find((row) => row.id === second.id)
  assert.match(warned?.failure ?? '', /was canceled and had been paid by 0x.*Do not pay this one/)
  assert.equal(refundableByMerchant(await now()), -BigInt(first.amount))
  await cancel(second.id)
  assert.deepEqual(await statuses(), ['recorded', 'canceled'])
})

test('a transfer after the next request is of that one; what another wallet sent before is named at the canceled one', async (t) => {
  const world = await aWorld(t)
  const order = await aSettled(world)
  const { deps } = world
  await world.pay(wallet, world.node.usdc, 500_000_000n)
  await world.pay(other, world.node.usdc, 500_000_000n)
  const now = () => getOrder(deps.sql, order.orderNo)
  const ask = async (amount: bigint) =>
    askOwnRefund(deps, owner(world), await now(), { amount, address: PAYER, reason: null, mayExceed: false })
  const cancel = async (id: string) => cancelOwnRefund(deps, owner(world), await now(), id)
  const name = async (id: string, txHash: Hex) => nameTransaction(deps, owner(world), await now(), { id, txHash })
  const statuses = async () => {
    await world.mine(5)
    world.clock.advance(60_000)
    await ownRefundJob(deps).run(AbortSignal.any([]))
    return (await now()).ownRefunds.map((row) => row.status)
  }
  const first = await ask(10_000_000n)
  const early = await send(world, other, transfer(world.node.usdc, PAYER, 10_000_000n))
  await cancel(first.id)
  const second = await ask(10_000_000n)
  const later = await send(world, wallet, transfer(world.node.usdc, PAYER, 10_000_000n))
  assert.deepEqual(await statuses(), ['canceled', 'recorded'])
  await name(first.id, later)
  assert.deepEqual(await statuses(), ['canceled', 'recorded'], 'it counts once')
  await name(first.id, early)
  assert.deepEqual(await statuses(), ['recorded', 'recorded'])
  assert.notEqual(second.id, first.id)
})
