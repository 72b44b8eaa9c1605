// What the double lists: native coins and dollars of every chain family, with the oddities that the real list has.

export interface ListedToken {
  assetId: string
  decimals: number
  blockchain: string
  symbol: string
  price: number
  contractAddress?: string | null
}

const row = (
  assetId: string,
  blockchain: string,
  symbol: string,
  decimals: number,
  price: number,
  contractAddress?: string | null,
): ListedToken => ({
  ...{ assetId, decimals, blockchain, symbol, price },
  ...(contractAddress === undefined ? {} : { contractAddress }),
})

const hot = 'nep245:v2_1.omni.hot.tg'

export const listedTokens: readonly ListedToken[] = [
  row('nep141:eth.omft.near', 'eth', 'ETH', 18, 3000, null),
  row(
    'nep141:eth-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48.omft.near',
    'eth',
    'USDC',
    6,
    0.9998,
    '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  ),
  row(
    'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.omft.near',
    'eth',
    'USDT',
    6,
    1.0001,
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
  ),
  // No name of the catalogue: it can be paid with, and nobody is paid in it.
  row(
    'nep141:eth-0x2260fac5e5542a773aa44fbcfedf7c193bc2c599.omft.near',
    'eth',
    'WBTC',
    8,
    59_900,
    '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599',
  ),
  // A hundred thousand of them make a dollar.
  row(
    'nep141:eth-0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce.omft.near',
    'eth',
    'SHIB',
    18,
    0.0000085123,
    '0x95ad61b0a150d79219dcf64e1e6cc01f0b64c4ce',
  ),
  row('nep141:base.omft.near', 'base', 'ETH', 18, 3000, null),
  row(
    'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
    'base',
    'USDC',
    6,
    0.9998,
    '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  ),
  row(
    'nep141:arb-0xaf88d065e77c8cc2239327c5edb3a432268e5831.omft.near',
    'arb',
    'USDC',
    6,
    0.9998,
    '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  ),
  // Another token that calls itself as one that is known.
  row(
    'nep141:arb-0x1111111111111111111111111111111111111111.omft.near',
    'arb',
    'USDC',
    6,
    1,
    '0x1111111111111111111111111111111111111111',
  ),
  row(`${hot}:56_11111111111111111111`, 'bsc', 'BNB', 18, 800, null),
  row(
    `${hot}:56_2w93GqMcEmQFDru84j3HZZWt557r`,
    'bsc',
    'USDC',
    18,
    0.9998,
    '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
  ),
  row(`${hot}:10_11111111111111111111`, 'op', 'ETH', 18, 3000, null),
  row(`${hot}:10_A2ewyUyDp6qsue1jqZsGypkCxRJ`, 'op', 'USDC', 6, 0.9998, '0x0b2c639c533813f4aa9d7837caf62653d097ff85'),
  row(`${hot}:137_11111111111111111111`, 'pol', 'POL', 18, 0.4, null),
  row(`${hot}:137_qiStmoQJDQPTebaPjgx5VBxZv6L`, 'pol', 'USDC', 6, 0.9998, '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
  row(`${hot}:43114_11111111111111111111`, 'avax', 'AVAX', 18, 25, null),
  row(
    `${hot}:43114_3atVJH3r5c4GqiSYmg9fECvjc47o`,
    'avax',
    'USDC',
    6,
    0.9998,
    '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
  ),
  row('nep141:gnosis.omft.near', 'gnosis', 'XDAI', 18, 1, null),
  row('nep141:bera.omft.near', 'bera', 'BERA', 18, 2, null),
  row('nep141:sol.omft.near', 'sol', 'SOL', 9, 150, null),
  row(
    'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near',
    'sol',
    'USDC',
    6,
    0.9998,
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ),
  row('nep141:wrap.near', 'near', 'wNEAR', 24, 2.5, 'wrap.near'),
  row(
    'nep141:17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1',
    'near',
    'USDC',
    6,
    0.9998,
    '17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1',
  ),
  // One coin by its old and its new name.
  row('nep141:btc.omft.near', 'btc', 'BTC', 8, 60_000, null),
  row('1cs_v1:btc:native:coin', 'btc', 'BTC', 8, 60_000, 'coin'),
  row('nep141:ltc.omft.near', 'ltc', 'LTC', 8, 90, null),
  row('nep141:bch.omft.near', 'bch', 'BCH', 8, 450, null),
  row('nep141:dash.omft.near', 'dash', 'DASH', 8, 40, null),
  row('nep141:doge.omft.near', 'doge', 'DOGE', 8, 0.2, null),
  row('nep141:tron.omft.near', 'tron', 'TRX', 6, 0.3, null),
  row(
    'nep141:tron-d28a265909efecdcee7c5028585214ea0b96f015.omft.near',
    'tron',
    'USDT',
    6,
    1.0001,
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  ),
  row(`${hot}:1117_`, 'ton', 'TON', 9, 3, null),
  row('nep141:sui.omft.near', 'sui', 'SUI', 9, 3.2, null),
  row('nep141:aptos.omft.near', 'aptos', 'APT', 8, 4.5, null),
  row(`${hot}:1100_native`, 'stellar', 'XLM', 7, 0.3, null),
  row(
    `${hot}:1100_usdc`,
    'stellar',
    'USDC',
    7,
    0.9998,
    'USDC-GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  ),
  row('nep141:xrp.omft.near', 'xrp', 'XRP', 6, 2.4, null),
  row('nep141:cardano.omft.near', 'cardano', 'ADA', 6, 0.7, null),
  row('nep141:starknet.omft.near', 'starknet', 'STRK', 18, 0.15, null),
  row('nep141:aleo.omft.near', 'aleo', 'ALEO', 6, 0.25, null),
  row('nep141:zec.omft.near', 'zec', 'ZEC', 8, 400, null),
  row('nep141:old.omft.near', 'eth', 'USDT (DEPRECATED)', 6, 1, '0x2222222222222222222222222222222222222222'),
  row('nep141:luna.omft.near', 'lunar', 'LUNE', 6, 1, null),
  row('nep141:hypercore.omft.near', 'hypercore', 'HYPE', 8, 40, null),
]
