import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type FalseClock, falseClock } from '../../../server/test/harness.ts'
import { parseRailsConfig } from '../settings/config.ts'
import { aLyingNode, type Lie } from '../test/lying-node.fixture.ts'
import { NoQuorum, noQuorumIn } from './quorum.ts'
import { openRpc } from './rpc.ts'

const contract = `0x${'fa'.repeat(20)}` as const

/** A connection over providers that answer as they are told. */
async function over(t: TestContext, lies: readonly Lie[], clock: FalseClock = falseClock()) {
  const nodes = await Promise.all(lies.map((lie) => aLyingNode(t, 'http://127.0.0.1:1', lie)))
  const base = {
    ...{ mode: 'test', chainId: 31_337, rpc: nodes.map((node) => node.url), rpcTimeoutMs: 2_000 },
    ...{ factory: contract, impl: contract, collector: contract, tokens: [] },
  }
  const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
  assert.ok(chain)
  const rpc = openRpc(chain, clock)
  return {
    ...{ rpc, clock, asked: () => nodes.map((node) => node.lies()) },
    verdicts: () => rpc.health().providers.map((provider) => provider.verdict),
    suggestion: () => rpc.client.estimateGas({ to: contract }),
    balance: () => rpc.client.getBalance({ address: contract, blockNumber: 5n }),
  }
}

const refuses = (code: number, message: string): Lie => {
  return () => ({ error: { code, message } })
}
const hash = (height: number, branch: string): string => `0x${branch.repeat(2)}${height.toString(16).padStart(60, '0')}`

/** A node that stands at a height on a branch. */
interface Stand {
  height: number
  branch?: string
  balance?: number
  chainId?: number
  gas?: number
  /** Seconds. */
  time?: (height: number) => number
}

const stands = (stand: Stand): Lie => {
  return ({ method, params }) => {
    const { height, branch = 'aa', balance = 9, chainId = 31_337, gas, time = () => 0 } = stand
    if (method === 'eth_chainId') return { result: `0x${chainId.toString(16)}` }
    if (method === 'eth_estimateGas') return { result: `0x${(gas ?? 7).toString(16)}` }
    if (method === 'eth_gasPrice') return { result: `0x${balance.toString(16)}` }
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? height : Number(params[0])
      if (number > height) return { result: null }
      const block = {
        number: `0x${number.toString(16)}`,
        hash: hash(number, branch),
        timestamp: `0x${time(number).toString(16)}`,
      }
      return { result: { ...block, parentHash: hash(number - 1, branch) } }
    }
    return { result: `0x${balance.toString(16)}` }
  }
}

const twice = [stands({ height: 7 }), stands({ height: 7 })]

test('a provider that does not answer is passed over, and asked last for a while', async (t) => {
  for (const silent of [() => 503, () => 429, refuses(-32_005, 'too many requests')] satisfies Lie[]) {
    const { asked, suggestion, verdicts } = await over(t, [silent, ...twice])
    assert.equal(await suggestion(), 7n)
    assert.deepEqual(await Promise.all([suggestion(), suggestion()]), [7n, 7n])
    assert.deepEqual([asked()[0], verdicts()], [1, ['silent', 'ok', 'ok']])
  }
})

test('a provider that refuses one call is asked again for the next', async (t) => {
  const { asked, suggestion, verdicts } = await over(t, [refuses(-32_000, 'unknown block'), ...twice])
  for (const _ of [1, 2]) assert.equal(await suggestion(), 7n)
  assert.deepEqual(
    [asked(), verdicts()],
    [
      [2, 2, 2],
      ['ok', 'ok', 'ok'],
    ],
  )
})

test('a revert is an answer when two say so; when all are silent, the error names no key', async (t) => {
  const reverts = refuses(3, 'execution reverted')
  const { rpc } = await over(t, [reverts, reverts])
  await assert.rejects(rpc.client.call({ to: contract, blockNumber: 5n }), /reverted/)
  const alone = await over(t, [reverts, stands({ height: 7 })])
  await assert.rejects(alone.rpc.client.call({ to: contract, blockNumber: 5n }), /contradict each other about eth_call/)
  const silent = await over(t, [() => 503, () => 503])
  await assert.rejects(silent.suggestion())
  for (const { verdict, reason, name } of silent.rpc.health().providers) {
    assert.equal(verdict, 'silent')
    assert.doesNotMatch(`${reason} ${name}`, /http/)
  }
})

test('one provider alone is not believed; two that agree are, and outvote a third, who comes back by itself', async (t) => {
  const truth = { height: 9 }
  const one = await over(t, [stands(truth), () => 503])
  await assert.rejects(one.balance(), (error) => /only 127\S+ answers/.test(noQuorumIn(error)?.message ?? ''))

  const two = await over(t, [stands(truth), stands({ ...truth, balance: 8 })])
  await assert.rejects(two.balance(), /127\S+ and 127\S+ contradict each other about eth_getBalance/)
  assert.match(two.rpc.health().disputes.join(), /contradict/)
  assert.deepEqual(two.verdicts(), ['ok', 'ok'], 'who lied is not known')

  const liar = { ...truth, balance: 8 }
  const three = await over(t, [stands(liar), stands(truth), stands(truth)])
  for (const _ of [1, 2, 3]) assert.equal(await three.balance(), 9n)
  assert.deepEqual(three.verdicts(), ['liar', 'ok', 'ok'])
  const before = three.asked()[0]
  assert.equal(await three.balance(), 9n)
  assert.equal(three.asked()[0], before, 'it is set aside')
  liar.balance = 9
  three.clock.advance(60_000)
  await three.rpc.head()
  assert.deepEqual(three.verdicts(), ['ok', 'ok', 'ok'])
})

test('the head is the highest block that two agree on, however far one runs ahead or on another branch', async (t) => {
  const heads = async (...at: Stand[]) => (await (await over(t, at.map(stands))).rpc.head()).height
  assert.equal(await heads({ height: 9 }, { height: 9 }), 9n)
  assert.equal(await heads({ height: 900 }, { height: 7 }), 7n)
  assert.equal(await heads({ height: 9, branch: 'bb' }, { height: 7 }, { height: 8 }), 7n)
  assert.equal(await heads({ height: 12 }, { height: 9 }, { height: 8 }), 9n)
  await assert.rejects(heads({ height: 9, branch: 'bb' }, { height: 9 }), /different branches/)
  await assert.rejects(heads({ height: 9, chainId: 1 }, { height: 9 }), /only 127\S+ tells the newest block/)
})

test('who lags, stands still, follows another branch or changes its chain is named, and is all right again after it', async (t) => {
  const time = (height: number): number => 1_800_000_000 + height * 10
  const now = new Date(time(20) * 1000)
  const at: Stand[] = [20, 20, 17].map((height) => ({ height, time }))
  const [first, second, third] = at
  assert.ok(first && second && third)
  const { rpc, clock, verdicts } = await over(t, at.map(stands), falseClock(now.getTime()))
  const look = async (ms: number): Promise<string[]> => {
    clock.advance(ms)
    first.height += ms / 10_000
    second.height += ms / 10_000
    await rpc.head()
    return verdicts()
  }
  assert.deepEqual(await look(0), ['ok', 'ok', 'laggard'])
  assert.deepEqual(await look(70_000), ['ok', 'ok', 'frozen'])
  assert.match(rpc.health().providers[2]?.reason ?? '', /its newest block 17 is 100 s behind/)
  third.height = first.height
  assert.deepEqual(await look(0), ['ok', 'ok', 'ok'])
  third.branch = 'bb'
  for (const verdict of ['ok', 'ok', 'liar']) assert.equal((await look(0))[2], verdict)
  third.branch = 'aa'
  assert.equal((await look(10_000))[2], 'liar', 'it is not asked')
  third.height = first.height + 6
  assert.equal((await look(60_000))[2], 'ok')
  third.chainId = 1
  assert.equal((await look(60_000))[2], 'wrong_chain')
  assert.match(rpc.health().providers[2]?.reason ?? '', /on chain 1, not on 31337/)
  third.chainId = 31_337
  third.height = first.height + 6
  assert.equal((await look(60_000))[2], 'ok')
})

test('what asks for the newest block is asked at the one that two agree on', async (t) => {
  const asked: unknown[] = []
  const noting = (lie: Lie): Lie => {
    return (call) => {
      if (call.method === 'eth_getBalance') asked.push(call.params[1])
      return lie(call)
    }
  }
  const { rpc } = await over(t, [noting(stands({ height: 9 })), noting(stands({ height: 7 }))])
  assert.equal(await rpc.client.getBalance({ address: contract }), 9n)
  assert.deepEqual(asked, ['0x7', '0x7'])
  assert.equal(await rpc.client.getBlockNumber(), 7n)
})

test('an estimate of gas is the larger of two that are close: one alone could wedge all that follows', async (t) => {
  const estimateOf = async (...gas: number[]) =>
    (
      await over(
        t,
        gas.map((one) => stands({ height: 1, gas: one })),
      )
    ).suggestion()
  assert.equal(await estimateOf(21_000, 40_000), 40_000n)
  await assert.rejects(estimateOf(21_000, 1_000_000_000), /agree about eth_estimateGas/)
  await assert.rejects(estimateOf(1, 21_000), /agree about eth_estimateGas/)
})

test('two that revert for different reasons contradict each other', async (t) => {
  const reverts = (data: string): Lie => {
    return () => ({ error: { code: 3, message: 'execution reverted', data } })
  }
  const call = async (...data: string[]) =>
    (await over(t, data.map(reverts))).rpc.client.call({ to: contract, blockNumber: 5n })
  await assert.rejects(call('0x01', '0x01'), (error) => noQuorumIn(error) === null)
  await assert.rejects(call('0x01', '0x02'), (error) => noQuorumIn(error)?.isContradiction === true)
})

test('the price of gas is the lower of two that are close, and none where they are not', async (t) => {
  const priceOf = async (...balances: number[]) =>
    (
      await over(
        t,
        balances.map((balance) => stands({ height: 1, balance })),
      )
    ).rpc.gasPrice()
  assert.equal(await priceOf(40, 10), 10n)
  await assert.rejects(priceOf(41, 10), NoQuorum)
})

test('an answer of thirty megabytes is cut off, whether its length is told or not', async (t) => {
  for (const isTold of [true, false]) {
    const { suggestion, verdicts, rpc } = await over(t, [() => ({ bytes: 30 * 2 ** 20, isTold }), ...twice])
    assert.equal(await suggestion(), 7n)
    assert.equal(verdicts()[0], 'silent')
    assert.match(rpc.health().providers[0]?.reason ?? '', /longer than 10485760 bytes/)
  }
})
