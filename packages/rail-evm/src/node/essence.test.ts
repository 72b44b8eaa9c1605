import assert from 'node:assert/strict'
import { test } from 'node:test'
import { essenceOf } from './essence.ts'

const log = (overrides: object = {}) => ({
  ...{ address: '0xAB', topics: ['0x01', '0x02'], data: '0xFF', blockNumber: '0x7', blockHash: '0xcc' },
  ...{ transactionHash: '0xdd', logIndex: '0x0' },
  ...overrides,
})
const receipt = (overrides: object = {}) => ({
  ...{ transactionHash: '0xdd', blockHash: '0xcc', blockNumber: '0x7', status: '0x1', from: '0xa', to: '0xb' },
  logs: [log()],
  ...overrides,
})
const block = (overrides: object = {}) => ({
  ...{ number: '0x7', hash: '0xcc', parentHash: '0xbb', timestamp: '0x5', baseFeePerGas: '0x1' },
  ...overrides,
})

const fullBlock = (overrides: object = {}) =>
  block({ transactions: [{ hash: '0xdd', from: '0xa', to: '0xb', value: '0x1', ...overrides }] })

test('what providers word differently is the same answer', () => {
  for (const [method, one, other] of [
    [
      'eth_getLogs',
      [log(), log({ logIndex: '0x1' })],
      [log({ logIndex: '0x1', removed: false }), log({ address: '0xab' })],
    ],
    ['eth_getTransactionReceipt', receipt(), receipt({ l1Fee: '0x9', blobGasUsed: null })],
    ['eth_getBlockByNumber', block(), block({ size: '0x99', hash: '0xCC', transactions: [] })],
    ['eth_getBlockByHash', fullBlock(), fullBlock({ from: '0xA', gas: '0x5208', yParity: '0x0' })],
    ['eth_call', '0xABC', '0xabc'],
  ] as const) {
    assert.equal(essenceOf(method, one), essenceOf(method, other), method)
  }
})

test('what moves money tells answers apart', () => {
  const differ: [string, unknown, unknown][] = [
    ...['address', 'data', 'blockHash', 'transactionHash', 'logIndex'].map((field): [string, unknown, unknown] => [
      ...(['eth_getLogs', [log()], [log({ [field]: '0x77' })]] as const),
    ]),
    ['eth_getLogs', [log()], [log({ topics: ['0x01', '0x03'] })]],
    ['eth_getLogs', [log()], []],
    ['eth_getLogs', [log()], [log(), log({ logIndex: '0x1' })]],
    ...['blockHash', 'status'].map((field): [string, unknown, unknown] => [
      ...(['eth_getTransactionReceipt', receipt(), receipt({ [field]: '0x0' })] as const),
    ]),
    ['eth_getTransactionReceipt', receipt(), receipt({ logs: [] })],
    ['eth_getTransactionReceipt', receipt(), null],
    ...['hash', 'parentHash', 'timestamp', 'baseFeePerGas'].map((field): [string, unknown, unknown] => [
      ...(['eth_getBlockByNumber', block(), block({ [field]: '0x9' })] as const),
    ]),
    ...['hash', 'from', 'to', 'value'].map((field): [string, unknown, unknown] => [
      ...(['eth_getBlockByHash', fullBlock(), fullBlock({ [field]: '0x9' })] as const),
    ]),
    ['eth_getBlockByHash', fullBlock(), block({ transactions: [] })],
    ['eth_getBalance', '0x1', '0x2'],
  ]
  for (const [method, one, other] of differ) assert.notEqual(essenceOf(method, one), essenceOf(method, other), method)
})
