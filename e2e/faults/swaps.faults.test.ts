// Orders settle on every chain that the interface names and a swap reaches, each paid from another one, over HTTP against a
// provider that fails in every way it was seen to, while Florin is killed at each step and the provider is away in each
// phase: each order ends in the right status, tells each change once, and its books add up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, MINUTE_MS } from '@florin/protocol'
import {
  announce,
  claimWithoutPaying,
  fail,
  fill,
  giveBack,
} from '../../packages/rail-intents/src/test/swaps.fixture.ts'
import { call } from '../merchant.ts'
import { addsUp, aSwapShop, judgeEvents, LIFE_S, type OrderJson, payerAddress, type Route } from '../swap-shop.ts'

type Ending =
  | 'paid'
  | 'slipped'
  | 'failed'
  | 'topped up'
  | 'short'
  | 'over'
  | 'late'
  | 'wrong memo'
  | 'hollow'
  | 'unproven'
  | 'never'

interface Play extends Route {
  ending: Ending
}

const play = (settle: string, asset: string, pay: string, payAsset: string, ending: Ending = 'paid'): Play => ({
  ...{ settle, asset, pay, payAsset, ending },
})

/** EVM, Solana, Bitcoin and its kin, NEAR, Aptos, Sui, TON, Tron, Stellar, XRP, Cardano, Starknet, Aleo. */
const plays: readonly Play[] = [
  play('eth', 'USDC', 'sol', 'USDC'),
  play('base', 'USDC', 'btc', 'BTC'),
  play('arb', 'USDC', 'zec', 'ZEC'),
  play('op', 'USDC', 'tron', 'TRX'),
  play('pol', 'USDC', 'ltc', 'LTC'),
  play('bsc', 'USDC', 'stellar', 'USDC'),
  play('avax', 'USDC', 'bch', 'BCH'),
  play('gnosis', 'XDAI', 'dash', 'DASH'),
  play('bera', 'BERA', 'gnosis', 'XDAI', 'unproven'),
  play('sol', 'USDC', 'arb', 'USDC'),
  play('btc', 'BTC', 'eth', 'ETH'),
  play('ltc', 'LTC', 'tron', 'USDT'),
  play('doge', 'DOGE', 'xrp', 'XRP'),
  play('bch', 'BCH', 'pol', 'POL'),
  play('dash', 'DASH', 'avax', 'AVAX'),
  play('zec', 'ZEC', 'op', 'USDC'),
  play('near', 'USDC', 'ton', 'GRAM'),
  play('aptos', 'APT', 'sui', 'SUI'),
  play('sui', 'SUI', 'aptos', 'APT'),
  play('ton', 'GRAM', 'near', 'NEAR'),
  play('tron', 'USDT', 'bera', 'BERA'),
  play('stellar', 'USDC', 'cardano', 'ADA'),
  play('xrp', 'XRP', 'doge', 'DOGE'),
  play('cardano', 'ADA', 'starknet', 'STRK'),
  play('starknet', 'STRK', 'base', 'USDC'),
  play('aleo', 'ALEO', 'bsc', 'BNB'),
  play('base', 'USDC', 'aleo', 'ALEO'),
  play('base', 'USDC', 'sol', 'SOL', 'slipped'),
  play('sol', 'USDC', 'stellar', 'XLM', 'slipped'),
  play('btc', 'BTC', 'arb', 'USDC', 'failed'),
  play('near', 'USDC', 'xrp', 'XRP', 'topped up'),
  play('base', 'USDC', 'arb', 'USDC', 'short'),
  play('eth', 'USDC', 'ton', 'GRAM', 'over'),
  play('tron', 'USDT', 'sol', 'USDC', 'late'),
  play('sol', 'USDC', 'stellar', 'USDC', 'wrong memo'),
  play('ton', 'GRAM', 'eth', 'USDC', 'hollow'),
  play('base', 'USDC', 'cardano', 'ADA', 'never'),
]

/** What reaches the merchant, in the order of the changes. */
const told: Readonly<Record<Ending, readonly string[]>> = {
  paid: ['order.processing', 'order.success'],
  slipped: ['order.processing', 'order.refunded'],
  failed: ['order.processing', 'order.failed'],
  'topped up': ['order.processing', 'order.success'],
  short: ['order.refunded'],
  over: ['order.processing', 'order.success'],
  late: ['order.expired', 'order.refunded'],
  'wrong memo': ['order.expired'],
  hollow: ['order.processing', 'order.refunded'],
  unproven: ['order.processing', 'order.success'],
  never: ['order.expired'],
}

const isPaid = (ending: Ending): boolean => !['short', 'late', 'wrong memo', 'never'].includes(ending)

test('over HTTP, on every chain, through kills and outages: right statuses, each change told once, nothing twice', async (t) => {
  const at = await aSwapShop(t, [...new Set(plays.map(({ settle }) => settle))])
  const { florin, provider, time } = at
  const endings = new Map<string, Play>()
  const endingOf = ({ order_no: no }: OrderJson): Ending => endings.get(no)?.ending ?? 'never'
  const takesItsWord = async (on: boolean): Promise<void> => {
    const body = { chain: 'bera', livemode: false, on: true, takes_unproven: on }
    const set = await call(`${florin.url}/api/v1/boss/third-party`, 'PUT', { headers: at.shop.console, body })
    assert.equal(set.status, 200, set.text)
  }
  await takesItsWord(false)

  // Ten minutes in which nobody can choose: the way is refused, and no order suffers by it.
  const orders: OrderJson[] = []
  for (const one of plays) {
    const order = await at.create(one)
    endings.set(order.order_no, one)
    orders.push(order)
  }
  provider.rules.isDown = true
  await at.dies(undefined, 10 * MINUTE_MS)
  const [first] = orders
  assert.ok(first)
  assert.equal(await at.choose(first, endings.get(first.order_no) as Play), 503)
  provider.rules.isDown = false
  await at.dies()
  // The quote was made, and its address never reached anybody: the next one is another.
  const before = provider.swaps.length
  await at.diesAtAnswer('/v0/quote', 'depositAddress', () => at.choose(first, endings.get(first.order_no) as Play))
  for (const order of orders) {
    const status = await at.choose(order, endings.get(order.order_no) as Play)
    assert.equal(status, 200, JSON.stringify(endings.get(order.order_no)))
  }
  assert.equal(provider.swaps.length, before + 1 + orders.length, 'one live quote a choice, and the one that was lost')
  assert.equal(new Set(orders.map((order) => at.swapOf(order).address)).size, orders.length)

  // Seen, not counted yet.
  await at.dies(() => {
    for (const order of orders) if (isPaid(endingOf(order))) announce(at.swapOf(order), time.now())
  })
  await at.diesAtAnswer('/v0/status', 'KNOWN_DEPOSIT_TX')
  const isSeen = (order: OrderJson): boolean =>
    !isPaid(endingOf(order)) || order.status_detail === 'seen_unconfirmed' || order.status !== 'pending'
  await at.all('announced payments to be shown', isSeen)

  // Deposits come while the provider cannot be asked.
  provider.rules.isDown = true
  await at.dies(() => {
    for (const order of orders) {
      const swap = at.swapOf(order)
      const { amountIn, minAmountIn } = swap.priced
      const ending = endingOf(order)
      const half = ending === 'topped up' || ending === 'short'
      if (ending === 'wrong memo') for (const memo of [null, '1']) provider.send({ ...swap, memo }, amountIn)
      if (isPaid(ending) || half)
        provider.send(swap, half ? minAmountIn / 2n : ending === 'over' ? 2n * amountIn : amountIn)
    }
  }, 10 * MINUTE_MS)
  assert.ok([...(await at.list()).values()].every((order) => order.status === 'pending'))
  provider.rules.isDown = false
  await at.dies()
  await at.diesAtAnswer('/v0/status', 'INCOMPLETE_DEPOSIT')
  await at.diesAtAnswer('/v0/status', '"PROCESSING"')
  const isHalf = (order: OrderJson): boolean => order.status_detail === 'partially_paid'
  await at.all('payments to count', (order) => {
    const ending = endingOf(order)
    if (ending === 'topped up' || ending === 'short') return isHalf(order)
    return order.status === (isPaid(ending) ? 'processing' : 'pending')
  })
  const topped = orders.find((order) => endingOf(order) === 'topped up')
  assert.ok(topped)
  await at.dies(() => provider.send(at.swapOf(topped), at.swapOf(topped).priced.amountIn))
  await at.all('the rest to count', (order) => endingOf(order) !== 'topped up' || order.status === 'processing')

  // It swaps while nobody hears of it.
  provider.rules.isDown = true
  await at.dies(() => {
    for (const order of orders) {
      const swap = at.swapOf(order)
      const ending = endingOf(order)
      if (ending === 'slipped') giveBack(swap, 'SLIPPAGE_EXCEEDED', time.now())
      else if (ending === 'failed') fail(swap, time.now())
      else if (ending === 'hollow') claimWithoutPaying(swap, time.now())
      else fill(swap, time.now())
    }
  }, 10 * MINUTE_MS)
  const meanwhile = [...(await at.list()).values()]
  assert.ok(meanwhile.every((order) => order.status === 'processing' || !isPaid(endingOf(order)) || isHalf(order)))
  provider.rules.isDown = false
  await at.dies()
  await at.diesAtAnswer('/v0/status', '"SUCCESS"')
  await at.diesAtWebhook('order.success')
  const endsAs: Partial<Record<Ending, string>> = {
    ...{ paid: 'success', over: 'success', 'topped up': 'success', slipped: 'refunded', failed: 'failed' },
    hollow: 'processing',
  }
  const ended =
    (as: Partial<Record<Ending, string>>) =>
    (order: OrderJson): boolean => {
      const status = as[endingOf(order)]
      return status === undefined || order.status === status
    }
  await at.all('swaps to end', ended(endsAs))
  await at.all(
    'a payout without a witness',
    (order) => endingOf(order) !== 'unproven' || order.status_detail === 'settlement_unproven',
  )
  await at.signIn()
  await takesItsWord(true)
  // The switch is for what is opened from now on; of this payout the merchant says that it is there.
  const alone = [...(await at.list()).values()].find((order) => endingOf(order) === 'unproven')
  const { body: inbox } = await call<{ data: { data: { id: string; reason: string }[] } }>(
    `${florin.url}/api/v1/boss/attention?livemode=false&order_no=${alone?.order_no}`,
    'GET',
    { headers: at.shop.console },
  )
  const item = inbox.data.data.find(({ reason }) => reason === 'settlement_unproven')
  const said = await call(`${florin.url}/api/v1/boss/attention/${item?.id}/take-word`, 'POST', {
    headers: at.shop.console,
  })
  assert.equal(said.status, 200, said.text)
  await at.dies(undefined, 11 * MINUTE_MS)
  await at.all('the provider to be believed where the merchant says so', ended({ unproven: 'success' }))
  await at.dies(undefined, 11 * MINUTE_MS)
  await at.all('money that went back not to be taken for a payout', ended({ hollow: 'refunded' }))

  // The end of the time: nothing expires while nobody can say whether it was paid.
  provider.rules.isDown = true
  await at.dies(undefined, LIFE_S * 1_000)
  await at.dies(undefined, 10 * MINUTE_MS)
  const unheard = ['late', 'wrong memo', 'never']
  for (const order of (await at.list()).values())
    if (unheard.includes(endingOf(order))) assert.equal(order.status, 'pending', endingOf(order))
  provider.rules.isDown = false
  await at.dies()
  await at.diesAtWebhook('order.expired')
  await at.all('unpaid orders to expire', (order) => !unheard.includes(endingOf(order)) || order.status === 'expired')
  await at.dies(() => {
    for (const order of orders) {
      const swap = at.swapOf(order)
      if (endingOf(order) === 'late') provider.send(swap, swap.priced.amountIn)
    }
  }, HOUR_MS)
  await at.diesAtWebhook('order.refunded')
  await at.all('late and short money to go back', ended({ late: 'refunded', short: 'refunded' }))

  for (const order of (await at.list()).values()) {
    const { ending, pay, settle } = endings.get(order.order_no) as Play
    const name = `${settle} from ${pay}, ${ending}`
    const events = await judgeEvents({ ...at, now: () => time.now() }, order.order_no)
    // What is short goes back after the end of the time; whichever is heard of first.
    if (ending === 'short' && events.length === 2) assert.equal(events.shift(), 'order.expired')
    assert.deepEqual(events, told[ending], name)
    const swap = at.swapOf(order)
    assert.equal(swap.echo.recipient, order.settle_address, name)
    assert.ok(isSameAddress(swap.echo.refundTo, payerAddress(pay)), name)
    assert.equal(swap.memo !== null, pay === 'stellar', name)
    // A leg that a payer bound a refund address to is the payer's alone until money has come.
    if (order.pay !== null) assert.equal(order.pay.memo, swap.memo, name)
    if (order.status === 'success') {
      assert.equal(order.amount_out, order.amount_out_expected, name)
      assert.equal(order.settle_tx_hash, swap.destination[0], name)
      assert.equal(order.settlement_proven, false, name)
    } else {
      assert.equal(order.amount_out, null, name)
    }
    for (const { address } of order.refunds) assert.ok(isSameAddress(address, payerAddress(pay)), name)
    // A failed swap's money is at the provider, and still owed.
    if (ending !== 'failed') addsUp(order)
  }
  // Of a call that was answered 503 the provider's silence is an error.
  const errors = florin
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"') && !line.includes('ProviderAway'))
  assert.deepEqual(errors, [])
  t.diagnostic(`${orders.length} orders, ${at.kills()} kills, ${provider.requests.length} requests`)
})

/** EVM chains write one address in several ways. */
const isSameAddress = (a: string, b: string): boolean =>
  a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase())
