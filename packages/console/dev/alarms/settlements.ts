// Items about money on its way to the merchant.
import type { Alarm } from './alarm.ts'

export const settlementAlarms: readonly Alarm[] = [
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
