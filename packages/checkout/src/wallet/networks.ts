// What a wallet is told of a network that it does not know yet (EIP-3085): the seven chains our contracts run on,
// with the public endpoint of each network's own makers. Any other network is added by the payer.

export interface Network {
  chainId: string
  chainName: string
  nativeCurrency: { name: string; symbol: string; decimals: 18 }
  rpcUrls: readonly [string]
  blockExplorerUrls: readonly [string]
}

const network = (id: number, chainName: string, symbol: string, rpc: string, explorer: string): [number, Network] => [
  id,
  {
    chainId: `0x${id.toString(16)}`,
    chainName,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: [rpc],
    blockExplorerUrls: [explorer],
  },
]

export const networks: ReadonlyMap<number, Network> = new Map([
  // Every wallet knows Ethereum itself and lets nobody add it.
  network(10, 'OP Mainnet', 'ETH', 'https://mainnet.optimism.io', 'https://optimistic.etherscan.io'),
  network(56, 'BNB Smart Chain', 'BNB', 'https://bsc-dataseed.bnbchain.org', 'https://bscscan.com'),
  network(137, 'Polygon', 'POL', 'https://polygon-rpc.com', 'https://polygonscan.com'),
  network(8453, 'Base', 'ETH', 'https://mainnet.base.org', 'https://basescan.org'),
  network(42161, 'Arbitrum One', 'ETH', 'https://arb1.arbitrum.io/rpc', 'https://arbiscan.io'),
  network(43114, 'Avalanche C-Chain', 'AVAX', 'https://api.avax.network/ext/bc/C/rpc', 'https://snowtrace.io'),
])
