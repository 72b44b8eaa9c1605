// Which chains and assets exist, what an address looks like, and the links made of them. Pure and browser-safe:
// no network, no clock, no state.

export type { Asset, Chain, Family, MemoRule } from './chain.ts'
export { type ChainAddress, checkAddress, checkPayee, InvalidAddress, maxAddressLength, parseAddress } from './check.ts'
export { encodeCashaddr } from './encoding/cashaddr.ts'
export { explorerAddressUrl, explorerTxUrl } from './explorer.ts'
export { asWrittenLike } from './families/utxo/network-form.ts'
export { placeOf } from './nobodys.ts'
export { findAsset, formatAmount, type PayRequest, payUri, sandboxUri, uriForAmount } from './payuri.ts'
export { chains, findChain } from './registry.ts'
export { sandboxAddress } from './sandbox.ts'
export { looksSecret } from './secrets.ts'
export { canonicalTransactionId, typedTransactionId } from './transaction-id.ts'
export type { AddressVerdict, Reason, Warning, WarningCode } from './verdict.ts'
