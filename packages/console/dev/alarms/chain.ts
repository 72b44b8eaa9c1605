// Items about what came in, and of chain and books that do not agree.
import type { Alarm } from './alarm.ts'

export const chainAlarms: readonly Alarm[] = [
  {
    kind: 'wrong_asset',
    summary: 'A payment of 120 USDT on Base came in, which is not the asset that the order asked for.',
    evidence: {
      payment: 'pay_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '120000000',
      asset: 'USDT',
      chain: 'base',
      tx_hash: '0x2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c',
      from: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      expected: 'USDC',
    },
    actions: ['refund', 'dismiss'],
  },
  {
    kind: 'wrong_asset',
    summary:
      'A payment of 0.0001 USDT on Base came in, which is not the asset that the order asked for. It is held: it is below the cost of sending it back. Should more come, all of it goes back together.',
    evidence: {
      payment: 'pay_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '100',
      asset: 'USDT',
      chain: 'base',
      tx_hash: '0x2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c2c',
      from: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      expected: 'USDC',
      held: 'below the cost of sending it back',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'wrong_chain',
    summary: 'A payment of 0.02 ETH on Optimism came in on another chain than the order asked for.',
    evidence: {
      payment: 'pay_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '20000000000000000',
      asset: 'ETH',
      chain: 'op',
      tx_hash: '0x3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d3d',
      from: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      expected: 'USDC',
    },
    actions: ['refund', 'dismiss'],
  },
  {
    kind: 'books_differ',
    summary:
      'The books of the order and the chain differ by 49.9 USDC on Base: less lies on its address than was booked, at two final blocks. Nothing is done about it by itself; it ends when they agree again.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      booked: '49900000',
      found: '0',
      expected: '',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'transaction_not_mined',
    summary:
      'The transaction that moves 49.9 USDC on Base waits for a block for too long. The operator sees why on the chain page: a fee cap that is too low, a chain that stands still, providers that drop it. It ends by itself once it is mined.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'providers_contradict',
    summary:
      "The chain's providers contradict each other about 49.9 USDC on Base. It is neither counted, settled nor refunded until they agree; the operator sees who says what on the chain page. It ends by itself.",
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'reorg_after_final',
    summary:
      'The chain dropped a payment that was final and already passed on. What was settled or refunded may lack its cover.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a6a',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'settled_more_than_received',
    summary: 'More was settled than is known to have come in. Compare with the chain.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b7b',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'refunded_more_than_received',
    summary: 'More was refunded than is known to have come in. Compare with the chain.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c8c',
    },
    actions: ['dismiss'],
  },
]
