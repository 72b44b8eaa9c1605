// The pieces that example checkouts are made of: chains, ways to pay, legs, payments, refunds. All invented.
import type { Checkout, PayChoice, PayLeg, Payment, Refund } from '@florin/protocol'

/** When the examples' server thinks it is; the playground moves it to the present. */
export const START = Date.parse('2026-11-21T10:00:00.000Z')

export const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()

type Row = readonly [chain: string, name: string, family: string, native: string, tokens?: readonly string[]]

const dollars = ['USDC', 'USDT']
const rows: readonly Row[] = [
  ['eth', 'Ethereum', 'evm', 'ETH', [...dollars, 'DAI']],
  ['base', 'Base', 'evm', 'ETH', dollars],
  ['arb', 'Arbitrum One', 'evm', 'ETH', dollars],
  ['op', 'OP Mainnet', 'evm', 'ETH', dollars],
  ['pol', 'Polygon', 'evm', 'POL', dollars],
  ['bsc', 'BNB Smart Chain', 'evm', 'BNB', dollars],
  ['avax', 'Avalanche C-Chain', 'evm', 'AVAX', dollars],
  ['linea', 'Linea', 'evm', 'ETH', ['USDC']],
  ['gnosis', 'Gnosis', 'evm', 'xDAI', ['USDC']],
  ['btc', 'Bitcoin', 'utxo', 'BTC'],
  ['sol', 'Solana', 'solana', 'SOL', dollars],
  ['tron', 'Tron', 'tron', 'TRX', ['USDT']],
  ['xrp', 'XRP Ledger', 'xrpl', 'XRP'],
  ['stellar', 'Stellar', 'stellar', 'XLM', ['USDC']],
  ['ton', 'TON', 'ton', 'TON', ['USDT']],
  ['ltc', 'Litecoin', 'utxo', 'LTC'],
  ['doge', 'Dogecoin', 'utxo', 'DOGE'],
  ['bch', 'Bitcoin Cash', 'utxo', 'BCH'],
  ['ada', 'Cardano', 'cardano', 'ADA'],
  ['near', 'NEAR', 'near', 'NEAR', dollars],
  ['apt', 'Aptos', 'move', 'APT', dollars],
  ['sui', 'Sui', 'sui', 'SUI', ['USDC']],
  ['dot', 'Polkadot', 'substrate', 'DOT', dollars],
  ['algo', 'Algorand', 'algorand', 'ALGO', ['USDC']],
  ['xtz', 'Tezos', 'tezos', 'XTZ'],
  ['hbar', 'Hedera', 'hedera', 'HBAR', ['USDC']],
  ['kas', 'Kaspa', 'kaspa', 'KAS'],
  ['xmr', 'Monero', 'monero', 'XMR'],
]

const decimalsOf: Readonly<Record<string, number>> = { USDC: 6, USDT: 6, BTC: 8, SOL: 9, XRP: 6 }

export const choices: readonly PayChoice[] = rows.flatMap(([chain, name, family, native, tokens = []]) =>
  [native, ...tokens].map((asset) => ({
    chain,
    chain_name: name,
    family,
    asset,
    name: asset,
    contract: asset === native ? null : `contract-of-${asset}`,
    decimals: decimalsOf[asset] ?? 18,
    is_stable: [...dollars, 'DAI', 'xDAI'].includes(asset),
    rail: 'sandbox',
    custody: 'none' as const,
    total_usd: '120.50',
    expected_s: 0,
    refund_address: 'optional' as const,
  })),
)

export const explorer = {
  name: 'Base',
  family: 'evm',
  explorer_tx: 'https://explorer.example/tx/{tx}',
  explorer_address: 'https://explorer.example/address/{address}',
  evm_chain_id: 8453,
} as const satisfies Checkout['pay_chain']

const direct: PayLeg['route'] = {
  custody: 'none',
  reason: 'direct',
  total_usd: '120.50',
  expected_s: 0,
  passed_over: [],
}

export const usdcLeg: PayLeg = {
  id: 'leg_usdc',
  rail: 'forwarder',
  route: direct,
  chain: 'base',
  asset: 'USDC',
  contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  decimals: 6,
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  memo: null,
  uri: 'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x52908400098527886E0F7030069857D2E4169EE7&uint256=120500000',
  amount_due: '120500000',
  amount_received: '0',
  amount_remaining: '120500000',
  rate: '1',
  rate_source: 'pegged',
  rate_expires_at: at(30),
  proof: null,
}

/** The terms that a real vault of `usdcLeg` would be bound to. */
export const proof: NonNullable<PayLeg['proof']> = {
  kind: 'evm-route',
  chain_id: 8453,
  factory: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  impl: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
  vault: usdcLeg.address,
  route: {
    chainId: '8453',
    ref: `0x${'0a'.repeat(32)}`,
    token: usdcLeg.contract ?? '',
    merchant: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    collector: '0xde709f2102306220921060314715629080e2fb77',
    feeBps: '125',
    minAmount: '0',
    openAfter: '1760000000',
    refundTo: '0x0000000000000000000000000000000000000000',
  },
}

export const btcLeg: PayLeg = {
  ...usdcLeg,
  id: 'leg_btc',
  rail: 'utxo',
  chain: 'btc',
  asset: 'BTC',
  contract: null,
  decimals: 8,
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  uri: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00123977',
  amount_due: '123977',
  amount_remaining: '123977',
  rate: '97195.41',
  rate_source: 'median of 3',
  rate_expires_at: at(15),
}

export const xrpLeg: PayLeg = {
  ...usdcLeg,
  id: 'leg_xrp',
  chain: 'xrp',
  asset: 'XRP',
  contract: null,
  address: 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
  memo: '2147483648',
  uri: 'xrpl://rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?amount=58.25&dt=2147483648',
  amount_due: '58250000',
  amount_remaining: '58250000',
  rate: '2.0687',
  rate_expires_at: at(15),
}

/** A leg whose money a third party holds for some minutes, on a chain where payments need a memo. */
export const throughLeg: PayLeg = {
  ...usdcLeg,
  id: 'leg_through',
  rail: 'intents',
  route: {
    ...{ custody: 'third-party', reason: 'cheapest', total_usd: '121.41', expected_s: 120 },
    refund_fee: '3300000',
    passed_over: [{ rail: 'forwarder', why: 'in_trouble' }],
  },
  chain: 'stellar',
  asset: 'XLM',
  contract: null,
  decimals: 7,
  address: 'GDJ4JZXZELZD737NVFORH4PSSQDWFDZTKW3AIDKHYQG23ZXBPDGGQBJK',
  memo: '3141592653',
  uri: 'web+stellar:pay?destination=GDJ4JZXZELZD737NVFORH4PSSQDWFDZTKW3AIDKHYQG23ZXBPDGGQBJK&amount=428.2&memo=3141592653',
  amount_due: '4282000000',
  amount_remaining: '4282000000',
  rate: '0.283536',
  rate_source: '1click',
  rate_expires_at: at(28),
}

/** What a rail that turns anything into anything adds: hundreds of coins. */
export const moreChoices: readonly PayChoice[] = choices.flatMap((choice) =>
  ['', 'A', 'B'].map((suffix) => ({
    ...choice,
    ...{ asset: `${choice.asset}${suffix}`, rail: 'intents', custody: 'third-party' as const },
    ...{ refund_address: 'required' as const, total_usd: '121.41', expected_s: 120 },
  })),
)

export function aPayment(overrides: Partial<Payment> = {}): Payment {
  return {
    id: 'pay_1',
    pay_leg: 'leg_usdc',
    tx_hash: '0x8f0c5b7a3f7f1d2e4c6b8a9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b',
    output_index: 0,
    chain: 'base',
    asset: 'USDC',
    contract: usdcLeg.contract,
    decimals: 6,
    amount: '120500000',
    transfers: 1,
    from: null,
    confirmations: 1,
    confirmations_required: 3,
    status: 'detected',
    use: 'counted',
    detected_at: at(4),
    mined_at: at(4),
    ...overrides,
  }
}

export function aRefund(overrides: Partial<Refund> = {}): Refund {
  return {
    id: 'ref_1',
    by: 'florin',
    status: 'sending',
    amount: '60250000',
    asset: 'USDC',
    chain: 'base',
    address: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    tx_hash: null,
    reason: 'underpaid',
    created_at: at(40),
    ...overrides,
  }
}
