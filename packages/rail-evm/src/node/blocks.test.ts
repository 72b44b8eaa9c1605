// Logs that would count at a depth they do not have, or that could not be kept, are refused when they are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { parseRailsConfig } from '../settings/config.ts'
import { aLyingNode } from '../test/lying-node.fixture.ts'
import { readLogs } from './blocks.ts'
import { openRpc } from './rpc.ts'

const word = (byte: string): Hex => `0x${byte.repeat(32)}`
const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const block = { height: 7n, hash: word('b7') }
const log = {
  ...{ address: address('fa'), topics: [word('01')], data: '0x', blockNumber: '0x7', blockHash: block.hash },
  ...{ transactionHash: word('dd'), logIndex: '0x0' },
}

test('a provider tells logs of the blocks that it was asked for, well formed, each once', async (t) => {
  let told: unknown = []
  const node = await aLyingNode(t, 'http://127.0.0.1:1', () => ({ result: told }))
  const contracts = { factory: address('fa'), impl: address('fb'), collector: address('fc'), tokens: [] }
  const base = { mode: 'test', chainId: 31_337, rpc: [node.url], ...contracts }
  const [chain] = parseRailsConfig(JSON.stringify({ chains: { base } }), {})
  assert.ok(chain)
  const [reader] = openRpc(chain).readers()
  assert.ok(reader)
  const read = (logs: unknown, where: Parameters<typeof readLogs>[2] = { block }) => {
    told = logs
    return readLogs(reader.client, chain, where, new Map())
  }
  assert.equal((await read([log, { ...log, logIndex: '0x1' }])).entries, 2)
  assert.equal((await read([log], { from: 5n, to: 7n })).entries, 1)
  await assert.rejects(read([log], { from: 8n, to: 9n }), /logs of other blocks/)
  await assert.rejects(read([{ ...log, blockNumber: '0x1' }]), /logs of other blocks/)
  await assert.rejects(read([{ ...log, blockHash: word('b6') }]), /logs of other blocks/)
  await assert.rejects(read([log, log]), /two logs of one place/)
  for (const wrong of [
    null,
    ...['address', 'transactionHash', 'data', 'logIndex', 'blockNumber'].map((field) => ({
      ...log,
      [field]: 'x\u0000',
    })),
    ...[{ topics: ['0x1'] }, { topics: Array(5).fill(word('01')) }, { logIndex: '0xffffffff' }].map((part) => ({
      ...log,
      ...part,
    })),
  ])
    await assert.rejects(read([wrong]), /no log/, JSON.stringify(wrong))
  await assert.rejects(read({}), /no list of logs/)
})
