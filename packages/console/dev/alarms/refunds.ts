// Items about money on its way back to the payer.
import type { Alarm } from './alarm.ts'

export const refundAlarms: readonly Alarm[] = [
  {
    kind: 'refund_failed',
    summary: 'A refund of 49.9 USDC on Base failed: RefundsArePaused.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      failure: 'RefundsArePaused',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f6f',
      to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    },
    actions: ['refund', 'dismiss'],
  },
  {
    kind: 'refund_address_needed',
    summary:
      '49.9 USDC on Base has to go back to the payer, and no refund address is known yet. The checkout asks for it; the merchant may name it as well.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      reason: 'underpaid',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      from: '0x8617E340B3D01FA5F11F306F4090FD50E238070D 0xde709f2102306220921060314715629080e2fb77 0x52908400098527886E0F7030069857D2E4169EE7 and 3 more',
      tx_hash: '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e',
    },
    actions: ['refund-to', 'dismiss'],
  },
  {
    kind: 'refund_approval',
    summary:
      'Somebody with the checkout link says that a refund of 49.9 USDC on Base should go to 0x8617E340B3D01FA5F11F306F4090FD50E238070D. Only your approval sends it; left alone, the request lapses 24 hours after it came.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      from: '0xde709f2102306220921060314715629080e2fb77',
      tx_hash: '0x5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e',
      asked_by: 'somebody with the checkout link',
      lapses_at: '2026-11-24T09:30:00.000Z',
    },
    actions: ['approve', 'refuse'],
  },
  {
    kind: 'refund_left_the_chain',
    summary:
      'The chain dropped a refund of 49.9 USDC on Base, or its announcement, that was final. The same transaction is offered again; this ends by itself once it is back.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d',
      to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'refund_not_asked_for',
    summary:
      '49.9 USDC on Base went back to 0xde709f2102306220921060314715629080e2fb77, which nobody here asked for. Find out who holds the refunder key.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      to: '0xde709f2102306220921060314715629080e2fb77',
      tx_hash: '0x3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'refund_announced_not_asked_for',
    summary:
      'A refund of 49.9 USDC on Base to 0xde709f2102306220921060314715629080e2fb77 was announced, which nobody here asked for. Strike it out or pause refunds with the guardian key before its 24 hours are over.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      to: '0xde709f2102306220921060314715629080e2fb77',
      tx_hash: '0x2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'returned_by_others',
    summary:
      'Somebody had the contract send 49.9 USDC on Base back to 0x8617E340B3D01FA5F11F306F4090FD50E238070D. The books of the order say so; nothing is left to do.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      tx_hash: '0x1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'refund_short',
    summary:
      'Your wallet sent 0.0006 BTC on Bitcoin to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4, where a refund of this order asks for 0.001 BTC on Bitcoin: 0.0004 BTC on Bitcoin less. A part of a refund is none, so the request stays and this transfer is in no book. To have the refund recorded, send the whole amount in one transfer, and come to terms with the payer about the first. Or send the payer what is missing and dismiss both items: the order then goes on to show the refund as not made.',
    evidence: {
      refund: 'ref_01kb9x5j4e8t6w2r3q7p5n9m1h',
      amount: '60000',
      asset: 'BTC',
      chain: 'btc',
      tx_hash: '1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d',
      to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      asked: '100000',
      missing: '40000',
    },
    actions: ['dismiss'],
  },
]
