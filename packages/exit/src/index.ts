// Moving money without Florin: what a proof says, what lies on its vault, which calls move it. For browsers too.
export { encodeCall } from './abi.ts'
export { type Found, findAnnounced, standing } from './announced.ts'
export { type Announced, type Call, callsOf, type Holding, mayBeAnnounced } from './calls.ts'
export { faultOfCode, pinned } from './code.ts'
export {
  type Block,
  blockOf,
  chainIdOf,
  differenceOf,
  hasRole,
  LookFault,
  look,
  type Provider,
  quantity,
  type Sight,
  tokenWords,
  withAnnounced,
} from './look.ts'
export { addressOf, BadProof, checkProof, type Exit, type Hex, readProof, shown, writeProof, ZERO } from './proof.ts'
export { refusalWords } from './refusal.ts'
