import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { AppError } from '@florin/platform/errors'
import { agreed, makePrices } from '@florin/rail-kit/prices'
import { encodeAbiParameters, type Hex } from 'viem'
import { falseClock } from '../../../server/test/harness.ts'
import { openRpc } from '../node/rpc.ts'
import { parseRailsConfig } from '../settings/config.ts'
import { aLyingNode } from '../test/lying-node.fixture.ts'
import { aWorld, chainOver, stopNodes, testNode } from '../test/world.fixture.ts'

after(stopNodes)

const NOW = new Date('2026-11-21T12:00:00.000Z')
const nowS = BigInt(NOW.getTime() / 1000)
const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const [feed, sequencer, pegFeed, usdc, factory] = ['f1', 'f2', 'f3', 'c0', 'fa'].map(address) as [
  ...[Hex, Hex, Hex, Hex, Hex],
]
const word = { type: 'uint256' } as const

const BLOCK = { number: '0x7', hash: `0x${'b7'.repeat(32)}`, parentHash: `0x${'b6'.repeat(32)}`, timestamp: '0x5' }

/** What a Chainlink feed answers, by its address: the answer with eight decimals, and the two times. */
type Feeds = Record<string, { answer: bigint; startedAt?: bigint; updatedAt?: bigint }>

async function feedsNode(t: TestContext, feeds: Feeds): Promise<string> {
  const node = await aLyingNode(t, 'http://127.0.0.1:1', ({ method, params: [call] }) => {
    if (method === 'eth_chainId') return { result: '0x7a69' }
    if (method === 'eth_getBlockByNumber') return { result: BLOCK }
    const { to, data } = call as { to: string; data: string }
    const found = feeds[to.toLowerCase()]
    if (found === undefined) return 500
    if (data.startsWith('0x313ce567')) return { result: encodeAbiParameters([word], [8n]) }
    const { answer, startedAt = nowS, updatedAt = nowS } = found
    return { result: encodeAbiParameters([word, word, word, word, word], [1n, answer, startedAt, updatedAt, 1n]) }
  })
  return node.url
}

/** An exchange's ticker. null: it is out of order. */
const aTicker = (t: TestContext, price: () => string | null): Promise<string> =>
  aServer(t, () => {
    const now = price()
    return now === null ? null : JSON.stringify({ data: { amount: now } })
  })

async function aServer(t: TestContext, answer: () => string | null): Promise<string> {
  const server = createServer((_request, response) => {
    const body = answer()
    response.writeHead(body === null ? 500 : 200).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ticker = (name: string, url: string) => ({ kind: 'http', name, url, path: 'data.amount' })

function pricesOver(rpc: string | string[], sources: object[], fields: object = {}) {
  const base = {
    ...{ mode: 'test', chainId: 31_337, rpc: [rpc].flat(), factory, impl: factory, collector: factory },
    tokens: [{ asset: 'USDC', contract: usdc, decimals: 6 }],
    prices: { sources },
    ...fields,
  }
  const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
  assert.ok(chain)
  const [token] = chain.tokens
  assert.ok(token)
  return { ...makePrices(openRpc(chain, falseClock(NOW.getTime())), { clock: falseClock(NOW.getTime()) }), token }
}

const isNoPrice = (error: unknown): boolean =>
  error instanceof AppError && error.entry.code === 'no_price' && error.entry.status === 503

test('two sources that agree make a price, which says who and when', async (t) => {
  const url = await aTicker(t, () => '3010.12345678')
  const node = await feedsNode(t, { [feed]: { answer: 3_000_00000000n } })
  const prices = pricesOver(node, [{ kind: 'chainlink', feed }, ticker('exchange', url)])
  assert.deepEqual(await prices.native(), {
    micros: (3_000_000_000n + 3_010_123_456n) / 2n,
    source: 'chainlink+exchange 2026-11-21T12:00:00.000Z',
  })
})

test('one source alone, or two that are more than a hundredth apart, make none', () => {
  const rules = { agreeBps: 100 }
  const say = (name: string, micros: bigint) => ({ name, micros })
  assert.equal(agreed([], rules), null)
  assert.equal(agreed([say('a', 100_000n)], rules), null)
  assert.equal(agreed([say('a', 100_000n), say('b', 101_001n)], rules), null)
  assert.equal(agreed([say('b', 101_000n), say('a', 100_000n)], rules)?.micros, 100_500n)
  const three = agreed([say('a', 100_000n), say('wrongChainDeposit', 140_000n), say('b', 100_200n)], rules)
  assert.deepEqual(three, { micros: 100_100n, source: 'a+b' })
})

test('a feed that is stale, empty, or behind a sequencer that was just down is not believed', async (t) => {
  const url = await aTicker(t, () => '3000')
  const asked = async (feeds: Feeds, withSequencer = false) => {
    const source = { kind: 'chainlink', feed, heartbeatS: 3_600, ...(withSequencer ? { sequencer } : {}) }
    return pricesOver(await feedsNode(t, feeds), [source, ticker('exchange', url)]).native()
  }
  const answer = 3_000_00000000n
  assert.ok(await asked({ [feed]: { answer, updatedAt: nowS - 4_200n } }))
  await assert.rejects(asked({ [feed]: { answer, updatedAt: nowS - 4_201n } }), isNoPrice)
  await assert.rejects(asked({ [feed]: { answer: 0n } }), isNoPrice)
  const up = { answer: 0n, startedAt: nowS - 3_600n }
  assert.ok(await asked({ [feed]: { answer }, [sequencer]: up }, true))
  await assert.rejects(asked({ [feed]: { answer }, [sequencer]: { ...up, startedAt: nowS - 3_599n } }, true), isNoPrice)
  await assert.rejects(asked({ [feed]: { answer }, [sequencer]: { ...up, answer: 1n } }, true), isNoPrice)
})

test('a ticker is read to the end of its number, and has to be of the pair and the time that are asked for', async (t) => {
  let body: unknown = null
  const serve = (): string => JSON.stringify(body)
  const urls = [await aServer(t, serve), await aServer(t, serve)]
  const over = (fields: object, price: unknown, more: object = {}) => {
    body = { data: { amount: price, base: 'ETH', ...more } }
    return pricesOver(
      'http://127.0.0.1:1',
      urls.map((url, n) => ({ ...ticker(`t${n}`, url), ...fields })),
    )
  }
  const micros = async (price: unknown): Promise<bigint> => (await over({}, price).native()).micros
  assert.equal(await micros('3.0e3'), 3_000_000_000n)
  assert.equal(await micros(3000.123456789), 3_000_123_456n)
  assert.equal(await micros('0.000001999'), 1n)
  for (const wrong of ['8.1e-7', '1.2E-08', '49,90', '1.234,50', 1e21, '1e21', '-5', '', null, true, [5], '5 USD', '0'])
    await assert.rejects(over({}, wrong).native(), isNoPrice, JSON.stringify(wrong))
  const pair = { expect: { 'data.base': 'ETH' } }
  assert.ok(await over(pair, '3000').native())
  await assert.rejects(over(pair, '3000', { base: 'BTC' }).native(), isNoPrice)
  const time = { time: 'data.at', maxAgeS: 60 }
  for (const at of [nowS, Number(nowS) * 1000, NOW.toISOString(), Number(nowS) - 60])
    assert.ok(await over(time, '3000', { at: typeof at === 'bigint' ? Number(at) : at }).native(), String(at))
  for (const at of [Number(nowS) - 61, Number(nowS) + 61, '2026-11-21T12:00:00', '21.11.2026', null, undefined, 5])
    await assert.rejects(over(time, '3000', { at }).native(), isNoPrice, String(at))
})

test('a stable coin away from its peg is not quoted, nor one whose sources do not agree', async (t) => {
  const at = (answer: bigint): Feeds => ({ [pegFeed]: { answer } })
  const fixed = [{ kind: 'fixed', usd: '3000' }]
  const over = async (feeds: Feeds, shown: string | null) => {
    const url = await aTicker(t, () => shown)
    const peg = [{ kind: 'chainlink', feed: pegFeed, heartbeatS: 86_400 }, ticker('exchange', url)]
    return pricesOver(await feedsNode(t, feeds), fixed, { peg: { USDC: peg } })
  }
  const near = await over(at(99_500_000n), '0.995')
  await near.checkPeg({ asset: 'USDC' })
  assert.equal(await near.depegged('USDC'), null)
  await pricesOver(await feedsNode(t, {}), fixed).checkPeg({ asset: 'USDC' })
  const refused = async (feeds: Feeds, shown: string | null): Promise<bigint | null> => {
    const prices = await over(feeds, shown)
    await assert.rejects(prices.checkPeg({ asset: 'USDC' }), isNoPrice)
    return prices.depegged('USDC')
  }
  assert.equal(await refused(at(99_400_000n), '0.994'), null, 'not quoted any more, but what was quoted is settled')
  assert.equal(await refused(at(100_600_000n), '1.006'), null)
  assert.equal(await refused(at(97_900_000n), '0.979'), 979_000n)
  assert.equal(await refused(at(50_000_000n), '1.0'), null, 'one liar stops quotes and holds no settlement')
  assert.equal(await refused({}, '0.5'), null, 'nor does one alone')
  assert.equal(await refused(at(97_900_000n), '9.79e-1'), 979_000n)
  assert.equal(await refused(at(97_900_000n), '0,979'), null)
})

test('without a price the native coin is refused with a 503, and the other assets go on', async (t) => {
  let shown: string | null = '2500'
  const urls = [await aTicker(t, () => shown), await aTicker(t, () => '2500')]
  const prices = { sources: [ticker('one', urls[0] ?? ''), ticker('two', urls[1] ?? '')], spreadBps: 0 }
  const world = await aWorld(t, { chains: [chainOver(await testNode(), { prices })] })
  const inCoins = { pay_asset: 'ETH', settle_asset: 'ETH' }
  const [leg] = (await world.order(inCoins)).legs
  assert.equal(leg?.amountDue, 20_000_000_000_000_000n)
  shown = null
  world.clock.advance(6_000)
  await assert.rejects(world.order(inCoins), isNoPrice)
  assert.equal((await world.order()).legs[0]?.amountDue, 50_000_000n)
})

test('a feed is read from two providers at one block: they have to say the same, and the block to be new', async (t) => {
  const url = await aTicker(t, () => '3000')
  const answers = async (...all: bigint[]) =>
    Promise.all(all.map((answer) => feedsNode(t, { [feed]: { answer }, [pegFeed]: { answer } })))
  const sources = [{ kind: 'chainlink', feed }, ticker('exchange', url)]
  const [truth, other] = [3_000_00000000n, 3_000_00000001n]
  assert.equal((await pricesOver(await answers(truth, truth), sources).native()).micros, 3_000_000_000n)
  await assert.rejects(pricesOver(await answers(truth, other), sources).native(), isNoPrice)
  assert.equal((await pricesOver(await answers(other, truth, truth), sources).native()).micros, 3_000_000_000n)
  const dollar = [{ kind: 'chainlink', feed: pegFeed }, ticker('dollar', await aTicker(t, () => '1.0'))]
  const pegged = { peg: { USDC: dollar } }
  await pricesOver(await answers(100_000_000n, 100_000_000n), sources, pegged).checkPeg({ asset: 'USDC' })
  const peg = pricesOver(await answers(100_000_000n, 99_000_000n), sources, pegged)
  await assert.rejects(peg.checkPeg(peg.token), isNoPrice)
  const old = pricesOver(await answers(truth, truth), sources, { headMaxAgeS: 600 })
  await assert.rejects(old.native(), isNoPrice)
})
