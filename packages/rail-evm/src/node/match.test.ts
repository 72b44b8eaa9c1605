// Which of a node's raw logs are payments to a watched address, and which only look like one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSFER, topicOf } from '@florin/rail-kit/transfer-log'
import { matchTransfers, type RawLog } from './match.ts'

const vault = `0x${'ab'.repeat(20)}`
const token = `0x${'Cd'.repeat(20)}`
const word = (amount: bigint): string => `0x${amount.toString(16).padStart(64, '0')}`

const entry = (overrides: Partial<RawLog> = {}): RawLog => ({
  address: token,
  topics: [TRANSFER, topicOf(`0x${'11'.repeat(20)}`), topicOf(vault)],
  data: word(50_000_000n),
  blockNumber: '0x10',
  blockHash: `0x${'EE'.repeat(32)}`,
  transactionHash: `0x${'FF'.repeat(32)}`,
  logIndex: '0x2',
  ...overrides,
})
const found = (...logs: RawLog[]) => matchTransfers(logs, new Map([[vault, 'ours']]))

test('a transfer to a watched address is found however a node spells it', () => {
  const wanted = {
    ...{ to: 'ours', token: token.toLowerCase(), from: `0x${'11'.repeat(20)}`, amount: 50_000_000n },
    ...{ txHash: `0x${'ff'.repeat(32)}`, logIndex: 2, height: 16n, blockHash: `0x${'ee'.repeat(32)}` },
  }
  assert.deepEqual(found(entry()), [wanted])
  const [event, from] = entry().topics
  const inCapitals = [event ?? '', from ?? '', `0x${topicOf(vault).slice(2).toUpperCase()}`]
  assert.deepEqual(found(entry({ topics: inCapitals })), [wanted])
})

test('what moves nothing, is no money or goes elsewhere is passed over, and stops nothing', () => {
  const { topics } = entry()
  const odd: Partial<RawLog>[] = [
    { data: word(0n) },
    // A collectible has its number as a fourth topic; some of them have data as well.
    { topics: [...topics, word(7n)] },
    { topics: [...topics, word(7n)], data: '0x' },
    { topics: topics.slice(0, 2) },
    { topics: [] },
    { data: '0x' },
    { data: `${word(5n)}00` },
    { topics: [`0x${'12'.repeat(32)}`, ...topics.slice(1)] },
    { topics: [...topics.slice(0, 2), topicOf(`0x${'22'.repeat(20)}`)] },
  ]
  for (const overrides of odd) assert.deepEqual(found(entry(overrides)), [], JSON.stringify(overrides))
  assert.equal(found(...odd.map((overrides) => entry(overrides)), entry()).length, 1)
})
