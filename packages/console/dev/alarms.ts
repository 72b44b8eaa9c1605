// One item of every kind that can stand about an order, as the service words it: what the pictures and axe look at.
import type { AttentionItem } from '@florin/protocol'

export const alarms: readonly Pick<AttentionItem, 'kind' | 'summary' | 'evidence' | 'actions'>[] = [
  {
    kind: 'settlement_failed',
    summary:
      'The money could not be settled to the receiving address: TokenTransferFailed: Blacklistable: account is blacklisted.',
    evidence: {
      failure: 'TokenTransferFailed: Blacklistable: account is blacklisted',
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    actions: ['retry-settlement', 'refund', 'dismiss'],
  },
  {
    kind: 'settlement_held',
    summary:
      'The settlement of 49.9 USDC on Base is held: USDC is worth 0.9712 USD, below 0.98. It is settled by itself once the price is back; you may have it settled now, in the coin as it stands.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      price: '0.9712',
      below: '0.98',
    },
    actions: ['settle-now', 'dismiss'],
  },
  {
    kind: 'settlement_unproven',
    summary:
      'NEAR Intents says that it paid out 49.5 USDC on Solana, and nobody else has seen it. Look whether it is at your receiving address. It ends by itself once a second source shows it. If it is there, say so: the order is a success then. What you set for this chain counts for pay addresses that are opened from then on.',
    evidence: {
      amount: '49500000',
      asset: 'USDC',
      chain: 'sol',
      to: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
      tx_hash: '0x5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d5d',
    },
    actions: ['take-word', 'dismiss'],
  },
  {
    kind: 'settlement_left_the_chain',
    summary:
      'The chain dropped a settlement of 49.9 USDC on Base that was final. The same transaction is offered again; this ends by itself once it is back. Until then the receiving address does not have the money.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'settlement_left_the_chain',
    summary:
      'A settlement of 49.9 USDC on Base that was final left the chain and cannot be sent again: the address holds 0 of 49900000. The receiving address does not have the money.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      tx_hash: '0x8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b8b',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
      failure: 'the address holds 0 of 49900000',
    },
    actions: ['retry-settlement', 'dismiss'],
  },
  {
    kind: 'settlement_not_as_bound',
    summary:
      'The chain shows a settlement of 49900000 smallest units of 0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2 on Base to 0xde709f2102306220921060314715629080e2fb77 that does not count for this order: it is not the asset that the order asked for. Find out who holds the relayer key.',
    evidence: {
      amount: '49900000',
      asset: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
      chain: 'base',
      to: '0xde709f2102306220921060314715629080e2fb77',
      tx_hash: '0x7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a',
      failure: 'it is not the asset that the order asked for',
    },
    actions: ['dismiss'],
  },
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
    kind: 'push_failed',
    summary:
      'Somebody asked the contract to pay out 49.9 USDC on Base, and your receiving address could not be paid: TokenTransferFailed: Blacklistable: account is blacklisted. From 2026-11-30 09:30 UTC on anybody may have it sent to the refund address of the payer instead. See why the address cannot be paid, such as a block by the issuer of the token, and have it paid before then; this ends by itself once the money has moved.',
    evidence: {
      amount: '49900000',
      asset: 'USDC',
      chain: 'base',
      to: '0x52908400098527886E0F7030069857D2E4169EE7',
      tx_hash: '0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b',
      failure: 'TokenTransferFailed: Blacklistable: account is blacklisted',
      cannot_be_paid: 'merchant',
      goes_to: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      opens_at: '2026-11-30T09:30:00.000Z',
      lapses_at: '2026-12-23T09:30:00.000Z',
    },
    actions: ['dismiss'],
  },
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
  {
    kind: 'not_handed_over',
    summary:
      'The settlement waits: the rail "forwarder" has not taken it. It is asked again every 30 seconds; its health and the log say why.',
    evidence: {
      work: 'settlement',
      id: 'set_01kb9x5j4e8t6w2r3q7p5n9m1h',
      rail: 'forwarder',
    },
    actions: ['dismiss'],
  },
  {
    kind: 'money_waits',
    summary:
      'Money that was paid on Base for 3 orders (the oldest is ord_01kb9x5j4e8t6w2r3q7p5n9m1h) cannot be passed on to you at the moment. It lies where only you can be paid from, and goes on by itself. The operator of the service was told.',
    evidence: {
      chain: 'base',
      work: 'settlements',
      why: 'out_of_gas',
      orders: '3',
      oldest: 'ord_01kb9x5j4e8t6w2r3q7p5n9m1h',
    },
    actions: [],
  },
]
