import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parseRailsConfig } from '../settings/config.ts'
import { aLyingNode, type Lie } from '../test/lying-node.fixture.ts'
import { openRpc } from './rpc.ts'

const contract = `0x${'fa'.repeat(20)}`

/** A connection over providers that answer as they are told. */
async function over(t: TestContext, lies: readonly Lie[]) {
  const nodes = await Promise.all(lies.map((lie) => aLyingNode(t, 'http://127.0.0.1:1', lie)))
  const base = {
    ...{ mode: 'test', chainId: 31_337, rpc: nodes.map((node) => node.url), rpcTimeoutMs: 2_000 },
    ...{ factory: contract, impl: contract, collector: contract, tokens: [] },
  }
  const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
  assert.ok(chain)
  const rpc = openRpc(chain)
  return { rpc, asked: () => nodes.map((node) => node.lies()), head: () => rpc.client.getBlockNumber() }
}

const stands = (height: number): Lie => {
  return () => ({ result: `0x${height.toString(16)}` })
}
const refuses = (code: number, message: string): Lie => {
  return () => ({ error: { code, message } })
}

test('a provider that does not answer is passed over, and asked last for a while', async (t) => {
  for (const silent of [() => 503, () => 429, refuses(-32_005, 'too many requests')] satisfies Lie[]) {
    const { rpc, asked, head } = await over(t, [silent, stands(7)])
    assert.equal(await head(), 7n)
    assert.deepEqual(await Promise.all([head(), head()]), [7n, 7n])
    assert.deepEqual([asked()[0], rpc.health().map((provider) => provider.ok)], [1, [false, true]])
  }
})

test('a provider that refuses one call is asked again for the next', async (t) => {
  const { rpc, asked, head } = await over(t, [refuses(-32_000, 'unknown block'), stands(7)])
  for (const _ of [1, 2]) assert.equal(await head(), 7n)
  assert.deepEqual(
    [asked(), rpc.health().map((provider) => provider.ok)],
    [
      [2, 2],
      [true, true],
    ],
  )
})

test('a revert is an answer: no other provider is asked', async (t) => {
  const { rpc, asked } = await over(t, [refuses(3, 'execution reverted'), stands(7)])
  await assert.rejects(rpc.client.call({ to: contract as `0x${string}` }), /reverted/)
  assert.deepEqual(asked(), [1, 0])
})

test('the second look prefers another provider; when all are silent, the error names none of their keys', async (t) => {
  const { rpc, head } = await over(t, [stands(7), stands(8)])
  assert.deepEqual([await head(), await rpc.second.getBlockNumber()], [7n, 8n])
  const silent = await over(t, [() => 503, () => 503])
  await assert.rejects(silent.head())
  for (const { ok, lastError, host } of silent.rpc.health()) {
    assert.equal(ok, false)
    assert.doesNotMatch(`${lastError} ${host}`, /http/)
  }
})
