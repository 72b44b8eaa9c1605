// What moves the money of a pay address without Florin (docs/exit.md): all that the address is bound to.

export interface Proof {
  kind: 'evm-route'
  /** The chain that the leg settles on, by its EIP-155 number. */
  chain_id: number
  /** The forwarder's factory, the code that its vaults run, and the pay address itself, in EIP-55 form. */
  factory: string
  impl: string
  vault: string
  /** `struct Route` of the contracts, every field a text, so that no reader rounds a number. */
  route: ProofRoute
}

export interface ProofRoute {
  chainId: string
  ref: string
  /** The zero address is the native coin. */
  token: string
  merchant: string
  collector: string
  feeBps: string
  minAmount: string
  /** Unix seconds from which anybody may push the money to whom it belongs. */
  openAfter: string
  /** The zero address: none is bound. */
  refundTo: string
}
