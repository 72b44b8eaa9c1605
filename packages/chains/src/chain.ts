// What a chain and an asset are, as the catalogue publishes them. Plain data: it can be sent as JSON as it stands.
// How an address of the chain is judged is not here but in families/.

/** A coin or token on one chain. `asset` is unique within its chain. Amounts are counted in 10^-decimals of it. */
export interface Asset {
  readonly asset: string
  /**
   * What names the token on its chain: an EVM contract, a Solana mint, a Sui coin type, an Aptos or NEAR account,
   * a TON jetton master, `CODE:ISSUER` on Stellar. Null for the native coin.
   */
  readonly contract: string | null
  readonly decimals: number
}

/** The extra field that exchanges ask for with a deposit. Florin has no memo field, so it travels in the address or not at all. */
export interface MemoRule {
  /** What the chain calls it: `destination tag`, `memo`, `comment`, `note`. */
  readonly name: string
  /** The address form that carries it, such as `X-address`; null where no form does and the address cannot be settled to. */
  readonly inAddress: string | null
}

export type Family =
  | 'evm'
  | 'evm-ronin'
  | 'evm-xdc'
  | 'solana'
  | 'utxo'
  | 'near'
  | 'move'
  | 'sui'
  | 'ton'
  | 'tron'
  | 'stellar'
  | 'xrpl'
  | 'cardano'
  | 'starknet'
  | 'aleo'
  | 'cosmos'
  | 'substrate'
  | 'algorand'
  | 'tezos'
  | 'hedera'
  | 'filecoin'
  | 'icp'
  | 'kaspa'
  | 'monero'
  | 'nano'
  | 'antelope'
  | 'zilliqa'
  | 'multiversx'
  | 'stacks'
  | 'flow'

export interface Chain {
  /** Short lower-case id, stored and shown everywhere: `eth`, `sol`, `btc`. */
  readonly id: string
  readonly name: string
  /** Other spellings that `findChain` takes. Lower case; never equal to an id. */
  readonly aliases: readonly string[]
  readonly family: Family
  /** CAIP-2 id, or null where none is in use. */
  readonly caip2: string | null
  readonly native: Asset
  /** The native coin first, then the tokens we know. */
  readonly assets: readonly Asset[]
  /** Page templates holding `{tx}` or `{address}`; null where we know none. */
  readonly explorer: { readonly tx: string | null; readonly address: string | null }
  readonly memo: MemoRule | null
}
