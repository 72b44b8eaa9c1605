// What is asked of the provider and what is refused of its answers: nobody is shown an address that is not proven to be for
// this order, this merchant and this payer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrderState } from '@florin/order-model/state'
import { MINUTE_MS } from '@florin/protocol'
import { getAddress } from 'viem'
import { listChoices } from '../../server/src/checkout/choices/choices.ts'
import { noConditions } from '../../server/src/orders/create/route.ts'
import { orderView } from '../../server/src/orders/view.ts'
import { aMerchant } from '../../server/test/factories.ts'
import { BROWSER } from '../../server/test/orders.ts'
import type { QuoteReply } from './client/wire.ts'
import { depositAddress } from './test/addresses.fixture.ts'
import { deposit, fill } from './test/swaps.fixture.ts'
import { aWorld, KEY, PAYER } from './test/world.fixture.ts'

const OTHER = '0x52908400098527886E0F7030069857D2E4169EE8'.toLowerCase()
type Change = (reply: QuoteReply) => void
const request =
  (name: string, value: unknown): Change =>
  (reply) =>
    void Object.assign(reply.quoteRequest, { [name]: value })
const quote =
  (name: string, value: unknown): Change =>
  (reply) =>
    void Object.assign(reply.quote, { [name]: value })

/** Each signed by the provider's own key: the signature proves who said it, not that it answers the question. */
const lies: readonly (readonly [string, Change])[] = [
  ['amount', request('amount', '1')],
  ['amount for the merchant', quote('amountOut', '1')],
  ['recipient', request('recipient', OTHER)],
  ['refundTo', request('refundTo', OTHER)],
  ['recipientType', request('recipientType', 'INTENTS')],
  ['refundType', request('refundType', 'INTENTS')],
  ['depositType', request('depositType', 'INTENTS')],
  ['depositMode', request('depositMode', 'MEMO')],
  ['swapType', request('swapType', 'FLEX_INPUT')],
  ['slippageTolerance', request('slippageTolerance', 500)],
  ['deadline', request('deadline', '2030-01-01T00:00:00.000Z')],
  ['destinationAsset', request('destinationAsset', 'nep141:eth.omft.near')],
  ['dry', request('dry', true)],
  ['virtualChainRecipient', request('virtualChainRecipient', OTHER)],
  ['virtualChainRefundRecipient', quote('virtualChainRefundRecipient', OTHER)],
  ['customRecipientMsg', request('customRecipientMsg', 'to somebody')],
  [
    'fees',
    request('appFees', [
      { recipient: 'florin.near', fee: 100 },
      { recipient: 'somebody', fee: 900 },
    ]),
  ],
  ['fee of the operator', request('appFees', [{ recipient: 'florin.near', fee: 400 }])],
  ['fee of the operator', request('appFees', [{ recipient: 'somebody', fee: 20 }])],
  ['deposit address', quote('depositAddress', 'f'.repeat(64))],
  ['deposit address', quote('depositAddress', undefined)],
  ['do not fit', quote('minAmountIn', '999999999999')],
  ['refunds that cannot be read', quote('refundFee', 'much')],
  ['less for the merchant', quote('minAmountOut', '49499999')],
  ['ends before', quote('timeWhenInactive', '2026-01-01T00:00:00.000Z')],
  ['ends before', quote('timeWhenInactive', 'soon')],
  ['ends before', quote('deadline', '2026-01-01T00:00:00.000Z')],
]

test('a quote with a wrong signature, or not as it was asked for, is shown to nobody and reported', async (t) => {
  const world = await aWorld(t)
  const { provider } = world
  const { sql } = world.deps
  const refused = async (why: RegExp, legs = 0): Promise<void> => {
    await assert.rejects(world.order(), (error: Error & { cause?: Error }) => why.test(error.cause?.message ?? ''))
    assert.equal((await sql`select 1 from intents_legs`).length, legs)
    const [check] = await world.rail.rail.checks()
    assert.deepEqual([check?.id, check?.status], ['provider', 'fault'])
    assert.match(check?.summary ?? '', why)
    await sql`delete from intents_sick`
  }
  for (const [name, change] of lies) {
    provider.rules.lie = { change, isSigned: true }
    await refused(new RegExp(name))
  }
  provider.rules.lie = { change: quote('amountIn', '1'), isSigned: false }
  await refused(/signature/)
  provider.rules.lie = null
  const order = await world.order()
  assert.equal(order.legs[0]?.rail, 'intents')
  // An address that another order has, also in another spelling.
  const taken = order.legs[0]?.address ?? ''
  for (const address of [taken, `0x${taken.slice(2).toUpperCase()}`]) {
    provider.rules.lie = { change: quote('depositAddress', address), isSigned: true }
    await refused(/another order/, 1)
  }
  // The payer's own address, and a merchant's: it would be taken from its owner.
  const shop = order.legs[0]?.settleAddress ?? ''
  const neighbour = await aMerchant(world.deps)
  const theirs = getAddress('0x27b1fdb04752bbc536007a920d24acb045561c26')
  await sql`
    insert into receiving_addresses (merchant_id, chain, address, updated_at)
    values (${neighbour.id}, 'op', ${theirs}, ${world.clock.now()})`
  for (const address of [
    PAYER,
    PAYER.toLowerCase(),
    shop,
    `0x${shop.slice(2).toUpperCase()}`,
    theirs,
    theirs.toLowerCase(),
  ]) {
    provider.rules.lie = { change: quote('depositAddress', address), isSigned: true }
    await refused(/somebody who is known here/, 1)
  }
  // Nothing of the key is in any error, and it is sent in both headers.
  const { headers } = provider.requests.findLast((one) => one.path === '/v0/quote') ?? {}
  assert.deepEqual([headers?.['x-api-key'], headers?.authorization], [KEY, `Bearer ${KEY}`])
})

test('a quote that is far from the list of prices, or for less than the way is worth, is shown to nobody, and is no lie', async (t) => {
  const world = await aWorld(t)
  const { provider } = world
  const least = 50_000_000n
  const all =
    (fields: Record<string, bigint>): Change =>
    (reply) =>
      void Object.assign(reply.quote, Object.fromEntries(Object.entries(fields).map(([name, n]) => [name, String(n)])))
  const times = (amountIn: bigint, minAmountIn: bigint, more: Record<string, bigint> = {}): Change =>
    all({ amountIn, minAmountIn, ...more })
  const dear: [Change, RegExp][] = [
    [times(1_000n * least, 1_000n * least), /near its price/],
    [times((least * 13n) / 10n, (least * 13n) / 10n), /near its price/],
    [times((least * 103n) / 100n, least), /near its price/],
    // What it says that the payout costs explains half of what is paid out, whatever it said before.
    [times(4n * least, 4n * least, { withdrawFee: 3n * least }), /too small/],
    [times(2n * least, 2n * least, { withdrawFee: 24_000_000n }), /near its price/],
    [all({ refundFee: least }), /too small/],
  ]
  for (const [change, says] of dear) {
    provider.rules.lie = { change, isSigned: true }
    await assert.rejects(world.order(), says)
    // The coin stays on offer, to this payer and to others.
    assert.deepEqual(
      (await world.rail.rail.checks()).filter(({ status }) => status !== 'ok'),
      [],
    )
  }
  const usual = times((least * 102n) / 100n, least, { withdrawFee: 300_000n })
  provider.rules.lie = { change: usual, isSigned: true }
  assert.equal((await world.order()).legs[0]?.amountDue, (least * 102n) / 100n)
  // Of a few dollars a payout may cost five.
  const small = times(8_000_000n, 7_950_000n, { withdrawFee: 4_900_000n, refundFee: 1_000_000n })
  provider.rules.lie = { change: small, isSigned: true }
  assert.equal((await world.order({ amount_usd: 3 })).legs[0]?.amountDue, 8_000_000n)
})

test('refusals become our own words, the way is out for a while and comes back, and a live quote is asked once', async (t) => {
  const world = await aWorld(t)
  const { provider, clock } = world
  const said = async (body: Parameters<typeof world.order>[0] = {}): Promise<string> => {
    const error = await world.order(body).then(
      () => assert.fail('it was refused'),
      (caught: Error) => caught,
    )
    return error.message
  }
  const quotes = (): number => provider.requests.filter((one) => one.path === '/v0/quote').length
  const sick = async (): Promise<string[]> =>
    (await world.rail.rail.checks()).flatMap(({ route, chain }) =>
      route === undefined ? [] : `${route.side} ${route.asset} on ${chain}`,
    )

  assert.match(await said({ amount_usd: 1 }), /too small/)
  provider.rules.off.add('nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near')
  assert.match(await said(), /Nobody exchanges this coin/)
  assert.deepEqual(await sick(), ['pay USDC on arb'])
  clock.advance(6 * MINUTE_MS)
  assert.deepEqual(await sick(), [])
  provider.rules.off.clear()

  // A refusal for what somebody's money is said to be is neutral, and not remembered as a fault of the coin.
  provider.rules.blocked.add(PAYER)
  assert.match(await said(), /not available/)
  assert.deepEqual(await sick(), [])
  provider.rules.blocked.clear()
  provider.rules.key = 'another-key-altogether'
  assert.match(await said(), /not available/)
  provider.rules.key = null

  const before = quotes()
  const faults = [
    { kind: 'status', status: 500, body: '{"message":"Internal server error"}' },
    { kind: 'status', status: 502, body: '<html>Bad gateway</html>', html: true },
    { kind: 'status', status: 403, body: '<html>Request blocked</html>', html: true },
    { kind: 'status', status: 429, body: '{"message":"slow down"}' },
    { kind: 'half' },
    { kind: 'reset' },
    // It allocated an address, and nobody heard of it.
    { kind: 'reset', after: true },
    { kind: 'silence', after: true },
  ] as const
  for (const fault of faults) {
    provider.faults.set('/v0/quote', [fault])
    await said()
  }
  assert.equal(quotes() - before, faults.length, 'no live quote was asked for twice')
  // 201 is an answer as well.
  provider.rules.created = true
  assert.equal((await world.order()).status, 'pending')
})

test('what a payout costs is in the price that is shown before anybody chooses: asked without an address, once an hour', async (t) => {
  const world = await aWorld(t)
  const { provider, clock } = world
  const asset = (chain: string, contract: string) => ({ chain, asset: 'USDC', contract, decimals: 6 })
  const settle = asset('base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
  const pay = asset('arb', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831')
  const merchantAddress = '0x52908400098527886E0F7030069857D2E4169EE7'
  const asked = { livemode: false, pay, settle, merchantAddress, amountUsdMicros: 50_000_000n, feeBps: 100 }
  const estimate = () => world.rail.rail.estimate?.(asked) ?? assert.fail('it is carried')
  const quotes = () => provider.requests.filter((one) => one.path === '/v0/quote').map(({ body }) => body)
  const refresh = async (ms = 21_000): Promise<void> => {
    clock.advance(ms)
    await world.rail.tips.refresh()
  }
  const { costUsdMicros: unknown } = estimate()
  // What cannot be is not believed: nobody signs it.
  provider.rules.lie = { change: quote('withdrawFee', '99000000'), isSigned: false }
  await refresh()
  provider.rules.lie = null
  assert.equal(estimate().costUsdMicros, unknown)
  await refresh()
  assert.equal(quotes().length, 1, 'a question without an answer is not put again at once')
  await refresh(11 * MINUTE_MS)
  const [, dry] = quotes()
  assert.deepEqual([dry?.dry, dry?.recipient, provider.swaps.length], [true, merchantAddress, 0])
  // Thirty cents, and what is taken of them too.
  const grew = estimate().costUsdMicros - unknown
  assert.ok(grew > 300_000n && grew < 312_000n, String(grew))
  await refresh()
  estimate()
  await refresh(59 * MINUTE_MS)
  assert.equal(quotes().length, 2)
  const order = await world.order()
  const due = order.legs[0]?.amountDue ?? 0n
  const said = estimate().amountDue ?? 0n
  assert.ok(said > due - due / 100n && said < due + due / 100n, `${said} for ${due}`)
  estimate()
  await refresh(59 * MINUTE_MS)
  assert.equal(quotes().length, 3, 'the live quote said it as well')
  await refresh(2 * MINUTE_MS)
  estimate()
  await refresh()
  assert.deepEqual([quotes().length, quotes().at(-1)?.dry], [4, true])
})

test('a leg that was chosen says what the choice said before: what the payer pays in all, whatever a coin is worth', async (t) => {
  const world = await aWorld(t)
  const chosen = async (chain: string, asset: string): Promise<OrderState> =>
    world.order({
      ...{ amount_usd: 20, settle_chain: 'base', settle_asset: 'USDC', pay_chain: chain, pay_asset: asset },
      refund_address: depositAddress(chain, 3_000),
    })
  // The live quote of the first says what a payout costs, as choices tell it from then on.
  await chosen('arb', 'USDC')
  const coins = [
    ['arb', 'USDC', '1'],
    ['btc', 'BTC', '60000'],
    ['eth', 'SHIB', '0.0000085123'],
    ['near', 'NEAR', '2.5'],
  ] as const
  for (const [chain, asset, price] of coins) {
    const order = await chosen(chain, asset)
    const { pay } = orderView(order, { baseUrl: '', tips: () => null, viewer: BROWSER })
    const open = { ...order, legs: [], payLegId: null }
    const asked = { now: world.clock.now(), viewer: null, conditions: noConditions }
    const offered = listChoices(world.deps.rails, open, asked).find((one) => one.chain === chain && one.asset === asset)
    assert.equal(pay?.rate, price)
    // Thirty cents of the payout, the provider's part, twice the operator's, and a hundredth for a price that moves.
    assert.ok(Number(pay?.route?.total_usd) > 20.5, `${asset} ${pay?.route?.total_usd}`)
    assert.equal(pay?.route?.total_usd, offered?.total_usd, asset)
  }
})

test('the double is faithful to the vendor’s own library, which completes a swap on it', async (t) => {
  const { provider, clock } = await aWorld(t)
  // Named so that types of a test's dependency are needed by nobody else.
  const library: string = '@defuse-protocol/one-click-sdk-typescript'
  const { OneClickService, OpenAPI, verifyQuoteSignature } = await import(library)
  OpenAPI.BASE = provider.url
  const tokens = await OneClickService.getTokens()
  const [sol, usdc] = ['nep141:sol.omft.near', 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near']
  assert.ok(tokens.some((token: { assetId: string }) => token.assetId === sol))
  const asked = {
    ...{ dry: true, swapType: 'EXACT_INPUT', slippageTolerance: 100, originAsset: sol, destinationAsset: usdc },
    ...{ amount: '1000000000', depositType: 'ORIGIN_CHAIN', recipient: PAYER, recipientType: 'DESTINATION_CHAIN' },
    ...{ refundTo: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', refundType: 'ORIGIN_CHAIN' },
    deadline: new Date(clock.now().getTime() + 60 * MINUTE_MS).toISOString(),
  }
  const preview = await OneClickService.getQuote(asked)
  assert.equal(preview.quote.depositAddress, undefined)
  assert.ok(verifyQuoteSignature(preview, provider.signer))
  const live = await OneClickService.getQuote({ ...asked, dry: false })
  assert.ok(verifyQuoteSignature(live, provider.signer))
  const address = live.quote.depositAddress
  const status = async () => OneClickService.getExecutionStatus(address)
  assert.equal((await status()).status, 'PENDING_DEPOSIT')
  await OneClickService.submitDepositTx({ depositAddress: address, txHash: '0x1' })
  deposit(provider.find(address), 1_000_000_000n, clock.now())
  assert.equal((await status()).status, 'PROCESSING')
  fill(provider.find(address), clock.now())
  const done = await status()
  assert.equal(done.status, 'SUCCESS')
  assert.ok(
    done.swapDetails.destinationChainTxHashes.length === 1 && verifyQuoteSignature(done.quoteResponse, provider.signer),
  )
})
