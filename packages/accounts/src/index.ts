// Reads the public side of a Bitcoin-like wallet's account and derives its addresses. Pure and browser-safe: no network,
// no clock, no state.

export {
  type Account,
  type AccountAddress,
  changeOf,
  deriveAddress,
  deriveAddresses,
  findIndex,
  firstAddresses,
  openAccount,
  receiveOrigin,
  redeemScript,
  walletMarks,
} from './account.ts'
export { scriptOfAddress } from './address.ts'
export {
  type AccountChain,
  accountChains,
  isAccountChain,
  type Network,
  type ScriptType,
  scriptTypes,
} from './networks.ts'
export { type AccountHints, maxAccountLength } from './options.ts'
export { type Overlap, overlapOf } from './overlap.ts'
export { type AccountVerdict, type AccountWarning, holdsSecret, looksLikeAccount, parseAccount } from './parse.ts'
export type { AccountReason } from './refusal.ts'
export { isSignedBy } from './signed.ts'
