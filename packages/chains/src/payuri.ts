// Payment links a wallet opens from a QR code: the scheme the chain's own standard defines, else the bare address.
// A link repeats what the page shows in text; nothing may depend on a wallet honouring it.

import type { Asset, Chain } from './chain.ts'
import { splitXAddress } from './families/xrpl.ts'
import { getChain } from './registry.ts'

export interface PayRequest {
  readonly chain: Chain | string
  /** A symbol from the chain's `assets`, or an asset of the caller's own (a token on a test network). */
  readonly asset: string | Asset
  /** Where to pay. Taken as it is, so that addresses of test networks work; characters that could end the link are escaped. */
  readonly address: string
  /** In the asset's smallest unit; 0n leaves the amount to the payer. */
  readonly amount: bigint
  /** Destination tag on XRP, memo on Stellar and Solana, comment on TON; other schemes have no place for it. */
  readonly memo?: string
  /** For an EVM test network or local node: its chain number instead of the chain's own. */
  readonly evmChainId?: number
}

/** BIP-21 and what was modelled on it: `scheme:address?amount=` in whole coins. */
const bip21: Readonly<Record<string, string>> = {
  btc: 'bitcoin:',
  ltc: 'litecoin:',
  doge: 'dogecoin:',
  dash: 'dash:',
  zec: 'zcash:',
  dgb: 'digibyte:',
  dcr: 'decred:',
  // Their addresses begin with the scheme already.
  bch: '',
  xec: '',
}

/** The asset of a chain by its symbol, whatever the case; null when the catalogue has none. */
export function findAsset(chain: Chain | string, asset: string): Asset | null {
  const wanted = asset.toUpperCase()
  return getChain(chain).assets.find((known) => known.asset.toUpperCase() === wanted) ?? null
}

/** Smallest units as a decimal text without needless zeros. @example formatAmount(1500000n, 6) // '1.5' */
export function formatAmount(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}

function query(fields: Readonly<Record<string, string | null | undefined>>): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) => (value ? [`${key}=${encodeURIComponent(value)}`] : []))
  return pairs.length ? `?${pairs.join('&')}` : ''
}

function evmNumber(chain: Chain): number | null {
  const number = chain.family.startsWith('evm') ? /^eip155:(\d+)$/.exec(chain.caip2 ?? '')?.[1] : undefined
  return number ? Number(number) : null
}

function evmUri(asset: Asset, address: string, units: string | null, chainId: number): string {
  if (asset.contract === null) return `ethereum:${address}@${chainId}${query({ value: units })}`
  return `ethereum:${asset.contract}@${chainId}/transfer${query({ address, uint256: units })}`
}

function stellarUri(asset: Asset, address: string, amount: string | null, memo: string | undefined): string {
  const [code, issuer] = asset.contract?.split(':') ?? []
  const fields = {
    destination: address,
    amount,
    asset_code: code,
    asset_issuer: issuer,
    memo,
    memo_type: memo && 'MEMO_TEXT',
  }
  return `web+stellar:pay${query(fields)}`
}

function xrpUri(address: string, amount: string | null, memo: string | undefined): string {
  const split = splitXAddress(address)
  const tag = split?.tag ?? memo
  return `xrpl://${split?.classic ?? encodeURIComponent(address)}${query({ amount, dt: tag === undefined ? null : `${tag}` })}`
}

/**
 * The payment link for a chain: EIP-681 on EVM, BIP-21 on the UTXO chains, Solana Pay, `ton://`, SEP-7 on Stellar, `xrpl://`,
 * Monero, Nano and Algorand by their own standards; the bare address where a chain has none.
 *
 * @throws RangeError for a negative amount, an unknown chain, or an asset the chain does not list
 * @example
 * payUri({ chain: 'base', asset: 'USDC', address, amount: 1_500_000n })
 * // 'ethereum:0x8335…2913@8453/transfer?address=0x…&uint256=1500000'
 */
export function payUri(request: PayRequest): string {
  const chain = getChain(request.chain)
  const asset = typeof request.asset === 'string' ? findAsset(chain, request.asset) : request.asset
  if (!asset) throw new RangeError(`${chain.name} has no such asset in the catalogue.`)
  if (request.amount < 0n) throw new RangeError('An amount cannot be negative.')
  const units = request.amount > 0n ? request.amount.toString() : null
  const amount = request.amount > 0n ? formatAmount(request.amount, asset.decimals) : null
  const address = encodeURIComponent(request.address).replaceAll('%3A', ':')
  const { memo } = request
  const evmChainId = request.evmChainId ?? evmNumber(chain)
  if (chain.family.startsWith('evm') && evmChainId !== null) return evmUri(asset, address, units, evmChainId)
  switch (chain.id) {
    case 'sol':
      return `solana:${address}${query({ amount, 'spl-token': asset.contract, memo })}`
    case 'ton':
      return `ton://transfer/${address}${query({ amount: units, jetton: asset.contract, text: memo })}`
    case 'stellar':
      return stellarUri(asset, request.address, amount, memo)
  }
  if (asset.contract !== null) return request.address
  const scheme = bip21[chain.id]
  if (scheme !== undefined) return `${scheme}${address}${query({ amount })}`
  switch (chain.id) {
    case 'xrp':
      return xrpUri(request.address, amount, memo)
    case 'monero':
      return `monero:${address}${query({ tx_amount: amount })}`
    case 'nano':
      return `nano:${address}${query({ amount: units })}`
    case 'algorand':
      return `algorand://${address}${query({ amount: units })}`
    default:
      return request.address
  }
}

/** The link shown for a sandbox address: a scheme that no wallet opens. */
export function sandboxUri(request: PayRequest): string {
  const chain = getChain(request.chain)
  const asset = typeof request.asset === 'string' ? request.asset : request.asset.asset
  const fields = { asset, amount: request.amount > 0n ? request.amount.toString() : null }
  return `florin-test:${chain.id}/${encodeURIComponent(request.address).replaceAll('%3A', ':')}${query(fields)}`
}

/**
 * The same link for another amount, as after a part payment. A link that names no amount stays as it is.
 * @param a.from the amount that the link was made for, in smallest units
 * @example uriForAmount('bitcoin:bc1q…?amount=0.5', { from: 50_000_000n, to: 10n, decimals: 8 }) // 'bitcoin:bc1q…?amount=0.0000001'
 */
export function uriForAmount(uri: string, a: { from: bigint; to: bigint; decimals: number }): string {
  const texts = new Map([
    [formatAmount(a.from, a.decimals), formatAmount(a.to, a.decimals)],
    [String(a.from), String(a.to)],
  ])
  return uri.replace(
    /([?&](?:amount|tx_amount|uint256|value)=)([^&#]*)/,
    (whole, name: string, text: string) => `${name}${texts.get(text) ?? whole.slice(name.length)}`,
  )
}
