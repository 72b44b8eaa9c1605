// What people call the coins that they know by name, so that a search finds them by it. Others go by their symbol. Pure.
const names: Readonly<Record<string, string>> = {
  ...{ AAVE: 'Aave', ADA: 'Cardano', ALEO: 'Aleo', ALGO: 'Algorand', APT: 'Aptos', ARB: 'Arbitrum', ATOM: 'Cosmos' },
  ...{ AVAX: 'Avalanche', BCH: 'Bitcoin Cash', BERA: 'Berachain', BNB: 'BNB', BONK: 'Bonk', BTC: 'Bitcoin' },
  ...{
    CBBTC: 'Coinbase Wrapped BTC',
    DAI: 'Dai',
    DASH: 'Dash',
    DOGE: 'Dogecoin',
    DOT: 'Polkadot',
    ETC: 'Ethereum Classic',
  },
  ...{ ETH: 'Ether', EURC: 'Euro Coin', FIL: 'Filecoin', FRAX: 'Frax', GMX: 'GMX', GNO: 'Gnosis', GRAM: 'Toncoin' },
  ...{
    HBAR: 'Hedera',
    HYPE: 'Hyperliquid',
    ICP: 'Internet Computer',
    KAS: 'Kaspa',
    LINK: 'Chainlink',
    LTC: 'Litecoin',
  },
  ...{
    MON: 'Monad',
    MOVE: 'Movement',
    NEAR: 'NEAR',
    OP: 'Optimism',
    PEPE: 'Pepe',
    POL: 'Polygon',
    PYUSD: 'PayPal USD',
  },
  ...{ S: 'Sonic', SHIB: 'Shiba Inu', SOL: 'Solana', STRK: 'Starknet', SUI: 'Sui', TON: 'Toncoin', TRX: 'Tron' },
  ...{ TRUMP: 'Official Trump', UNI: 'Uniswap', USDC: 'USD Coin', USDT: 'Tether USD', USDT0: 'Tether USD' },
  ...{ WBTC: 'Wrapped Bitcoin', WETH: 'Wrapped Ether', WIF: 'dogwifhat', WNEAR: 'Wrapped NEAR', XAUT: 'Tether Gold' },
  ...{ XDAI: 'xDai', XLM: 'Stellar Lumens', XMR: 'Monero', XRP: 'XRP', XTZ: 'Tezos', ZEC: 'Zcash' },
}

export const coinName = (symbol: string): string => names[symbol.toUpperCase()] ?? symbol
