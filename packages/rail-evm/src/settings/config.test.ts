import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SettingsError } from '@florin/platform/errors'
import { masterKeyOf } from '../../../server/test/deploy/master-keys.ts'
import { parseRailsConfig } from './config.ts'
import { smallestOrderMicros } from './costs.ts'

const key = `0x${masterKeyOf('relayer')}`
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`

const aChain = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  mode: 'live',
  rpc: ['https://one.example/secret-key', 'https://two.example'],
  factory: address(1),
  impl: address(2),
  collector: address(3),
  peg: 'none',
  ...overrides,
})

const faultsOf = (chains: unknown): string => {
  try {
    parseRailsConfig(JSON.stringify({ chains }), {})
  } catch (error) {
    assert.ok(error instanceof SettingsError)
    return error.message
  }
  return ''
}

test('a key that follows a pattern is refused, and never repeated', () => {
  for (const bad of [`0x${'ab'.repeat(32)}`, `0x${'0'.repeat(63)}1`]) {
    const faults = faultsOf({ base: aChain({ relayer: { privateKey: bad }, refunder: { privateKey: bad } }) })
    for (const name of ['relayer', 'refunder'])
      assert.match(faults, new RegExp(`base\\.${name}\\.privateKey: it follows`))
    assert.ok(!faults.includes(bad.slice(2)))
  }
})

test('a live chain needs its nodes and contracts; the rest is known', () => {
  const [base] = parseRailsConfig(
    JSON.stringify({ chains: { base: aChain({ relayer: { privateKeyEnv: 'RELAYER_KEY' } }) } }),
    { RELAYER_KEY: key },
  )
  assert.equal(base?.chainId, 8453)
  assert.deepEqual(base?.confirmations, { seen: 1, settle: 1 })
  assert.deepEqual(base?.finality, { tag: null, depth: 5 })
  const large = { fromMicros: 1_000_000_000n, settle: 5, finality: { tag: 'finalized', depth: null } }
  assert.deepEqual(base?.large, large)
  assert.deepEqual(
    base?.tokens.map((token) => [token.asset, token.contract]),
    [
      ['USDC', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
      ['USDT', '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'],
    ],
  )
  assert.equal(base?.relayer?.privateKey, key)
  assert.ok(Object.isFrozen(base))
})

test('every fault is named at once, and no key is ever shown', () => {
  const text = faultsOf({
    nowhere: {},
    base: aChain({
      chainId: 1,
      factory: 'no address',
      rpc: [],
      tokns: [],
      tokens: [
        { asset: 'USDC', contract: address(9), decimals: 6 },
        { asset: 'USDT', contract: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', decimals: 18 },
        { asset: 'PEPE', contract: address(9), decimals: 6 },
      ],
      confirmations: { seen: 3, settle: 2 },
      reorgWindow: 8,
      prices: { sources: [{ kind: 'fixed', usd: '3000' }] },
      relayer: { privateKey: `${key}f` },
    }),
  })
  for (const place of [
    'chains.nowhere:',
    'chains.base.chainId:',
    'chains.base.factory:',
    'chains.base.rpc:',
    'chains.base.tokns:',
    'chains.base.tokens[0].contract:',
    'chains.base.tokens[1].decimals:',
    'chains.base.tokens[2].asset:',
    'chains.base.confirmations:',
    'chains.base.reorgWindow:',
    'chains.base.prices.sources[0].kind:',
    'chains.base.relayer.privateKey:',
  ]) {
    assert.ok(text.includes(`- ${place}`), `${place} is not named in\n${text}`)
  }
  assert.ok(!text.includes('abab') && !text.includes('secret-key'))
})

test('a test chain says its number and its tokens', () => {
  const [chain] = parseRailsConfig(
    JSON.stringify({
      chains: {
        base: aChain({
          mode: 'test',
          chainId: 31_337,
          tokens: [{ asset: 'USDC', contract: address(9), decimals: 6 }],
          prices: { sources: [{ kind: 'fixed', usd: '3000.5' }] },
        }),
      },
    }),
    {},
  )
  assert.equal(chain?.chainId, 31_337)
  assert.deepEqual(chain?.prices?.sources, [{ kind: 'fixed', micros: 3_000_500_000n }])
  assert.match(faultsOf({ base: aChain({ mode: 'test' }) }), /chainId: it is missing[\s\S]*tokens: it is missing/)
})

test('real money takes two providers of different operators, or an own node said aloud', () => {
  const chainOf = (rpc: unknown, more: object = {}) => aChain({ rpc, ...more })
  const refused = (rpc: unknown): string => faultsOf({ base: chainOf(rpc) })
  const one = 'https://base.one.example/secret-key'
  for (const [rpc, voice] of [
    [[one], 'one.example'],
    [[one, 'https://other.one.example/secret-key'], 'one.example'],
    [[one, { url: 'https://two.example', upstream: 'One.example' }], 'one.example'],
    [
      [
        { url: one, operator: 'us' },
        { url: 'https://two.example', operator: 'us' },
      ],
      'us',
    ],
    [['http://10.0.0.1:8545', 'http://10.0.0.1:8546'], '10.0.0.1'],
  ] as const) {
    const text = refused(rpc)
    assert.match(
      text,
      new RegExp(`chains\\.base\\.rpc: real money takes two providers[^\\n]*the word of ${voice}: add one`),
    )
    assert.match(text, /"ownNode": true/)
    assert.doesNotMatch(text, /secret-key/)
  }
  const accepted = (rpc: unknown, more: object = {}) =>
    parseRailsConfig(JSON.stringify({ chains: { base: chainOf(rpc, more) } }), {})[0]
  const two = accepted([one, { url: 'https://user:pass@other.one.example:444', operator: 'Somebody else' }])
  assert.equal(two?.quorum, 2)
  const shown = [
    ['base.one.example', 'one.example'],
    ['other.one.example:444', 'somebody else'],
  ]
  assert.deepEqual(
    two?.rpc.map(({ name, voice }) => [name, voice]),
    shown,
  )
  assert.equal(accepted(['http://10.0.0.1:8545'], { ownNode: true })?.quorum, 1)
  assert.equal(accepted([one, 'https://two.example'], { ownNode: true })?.quorum, 2, 'a second one is believed too')
  assert.deepEqual(
    accepted([one, one, 'https://two.example'])?.rpc.map(({ name }) => name),
    [...['base.one.example', 'base.one.example (2)', 'two.example']],
  )
  assert.equal(accepted([one, 'https://two.example'])?.headMaxAgeMs, 120_000)
  assert.match(refused([{ url: 'ftp://one.example' }, 7]), /chains\.base\.rpc: it takes a list/)
  assert.match(refused([{ url: one, upstraem: 'x' }, 'https://two.example']), /rpc\[0\]\.upstraem: there is no such/)
})

test('real money says where the price of its coins is read, or aloud that nobody looks', () => {
  const ticker = (name: string) => ({ kind: 'http', name, url: `https://${name}.example/usdc`, path: 'price' })
  const two = [ticker('one'), ticker('two')]
  const without = aChain()
  delete without.peg
  assert.match(faultsOf({ base: without }), /chains\.base\.peg\.USDC: it takes two price sources, or "none" said aloud/)
  assert.match(faultsOf({ base: aChain({ peg: { USDC: [ticker('one')], USDT: 'none' } }) }), /peg\.USDC: it takes two/)
  const twice = [ticker('one'), ticker('api.one')]
  assert.match(faultsOf({ base: aChain({ peg: { USDC: twice, USDT: 'none' } }) }), /peg\.USDC: two of its sources/)
  assert.match(faultsOf({ base: aChain({ peg: { USDC: two, USDT: 'none', DAI: two } }) }), /peg\.DAI/)
  for (const [url, why] of [
    ['https://ann:hunter2@one.example/usdc', /url: it has a user or a password in it/],
    ['file:///etc/passwd', /url: it takes an http or https address/],
  ] as const) {
    const faults = faultsOf({
      base: aChain({ peg: { USDC: [{ ...ticker('one'), url }, ticker('two')], USDT: 'none' } }),
    })
    assert.match(faults, why)
    assert.doesNotMatch(faults, /hunter2/)
  }
  const [chain] = parseRailsConfig(
    JSON.stringify({ chains: { base: aChain({ peg: { USDC: two, USDT: 'none' } }) } }),
    {},
  )
  assert.deepEqual([...(chain?.pegs.keys() ?? [])], ['USDC'])
})

test('a live chain has a smallest order, and what the catalogue lists beside its tokens is looked for', () => {
  const tokens = [{ asset: 'USDC', contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 }]
  const [eth] = parseRailsConfig(JSON.stringify({ chains: { eth: aChain({ tokens }) } }), {})
  assert.ok(eth)
  assert.deepEqual(
    [eth.minOrderMicros, eth.feeFloorMicros, eth.otherTokens.map((token) => token.asset)],
    [10_000_000n, 300_000n, ['USDT']],
  )
  assert.deepEqual(
    [0, 100, 1_000].map((feeBps) => smallestOrderMicros(eth, feeBps)),
    [10_000_000n, 30_000_000n, 10_000_000n],
    'a fee of one percent covers its settlement from $30 on',
  )
})
