// What is paid and settled in. Amounts everywhere are bigint in the asset's smallest unit.

export interface AssetRef {
  chain: string
  /** `USDC`, `USDT` or the native symbol. */
  asset: string
  /** Token contract, or null for the native coin. */
  contract: string | null
  decimals: number
}

/** An asset that a rail takes from payers or pays out, in the names of the catalogue of chains where that has it. */
export interface CarriedAsset extends AssetRef {
  /** What people call the coin. */
  name: string
  chainName: string
  /** The catalogue of chains knows it: an order can settle in it. Others can only be paid with. */
  isListed: boolean
  /** Payers can pay with it. */
  takes: boolean
  /** A merchant can get it. */
  pays: boolean
  /** Dollars for one whole unit, for display; null: not known. */
  priceMicros: bigint | null
}
